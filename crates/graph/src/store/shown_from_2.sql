-- A temporary view stands before the table of its name, on this connection only. The second schema did not note how bad it was.
CREATE TEMPORARY VIEW triage AS
SELECT id, tenant, subject, status, note, author, at, expires, NULL AS severity FROM main.triage;
