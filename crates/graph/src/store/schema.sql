-- Scans of all tenants, in order of arrival. A number is never given twice.
CREATE TABLE scans (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    scan_id TEXT NOT NULL,
    record TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES streams (id),
    UNIQUE (tenant, scan_id)
);
-- Byte streams too large for one row: compressed documents and snapshots.
CREATE TABLE streams (
    id INTEGER PRIMARY KEY AUTOINCREMENT
);
CREATE TABLE parts (
    stream INTEGER NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (stream, part)
);
-- The facts of a tenant as they were after some scans; can be thrown away and made again from the documents.
CREATE TABLE snapshots (
    tenant TEXT PRIMARY KEY,
    format INTEGER NOT NULL,
    document_bytes INTEGER NOT NULL,
    stream INTEGER NOT NULL REFERENCES streams (id)
);
-- What people decided. Rows are only added; the latest row about a subject counts.
CREATE TABLE triage (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    status TEXT NOT NULL,
    note TEXT NOT NULL,
    author TEXT NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX triage_by_subject ON triage (tenant, subject);
