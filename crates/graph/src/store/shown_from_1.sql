-- A temporary view stands before the table of its name, on this connection only. The first schema had no expiry.
CREATE TEMPORARY VIEW triage AS
SELECT id, tenant, subject, status, note, author, at, NULL AS expires, NULL AS severity FROM main.triage;
