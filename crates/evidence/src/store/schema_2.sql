-- Version 2: rows that are written with every decision cost as little as they can.

-- Receipts are long. A table by number keeps a row in one piece, where one ordered by tenant and sequence would put most of
-- it on a page of its own.
CREATE TABLE receipts_by_number (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    decision_id TEXT,
    hash TEXT NOT NULL,
    receipt TEXT NOT NULL
) STRICT;
INSERT INTO receipts_by_number (tenant, sequence, id, kind, decision_id, hash, receipt)
    SELECT tenant, sequence, id, kind, decision_id, hash, receipt FROM receipts ORDER BY tenant, sequence;

-- A decision knows the place of its receipt, so receipts need no index of decisions.
ALTER TABLE decisions ADD COLUMN receipt_sequence INTEGER;
UPDATE decisions SET receipt_sequence = (
    SELECT min(sequence) FROM receipts
    WHERE receipts.tenant = decisions.tenant AND receipts.decision_id = decisions.id AND receipts.kind = 'decision'
);
-- When retention took the readable parts out.
ALTER TABLE decisions ADD COLUMN dropped_at INTEGER;
ALTER TABLE approvals ADD COLUMN dropped_at INTEGER;
ALTER TABLE incidents ADD COLUMN dropped_at INTEGER;
CREATE INDEX approvals_with_details ON approvals (tenant, number) WHERE dropped_at IS NULL;
CREATE INDEX approvals_in_use ON approvals (tenant, number) WHERE status = 'APPROVED' AND consumed_at IS NULL;
CREATE INDEX incidents_with_details ON incidents (tenant, closed_at) WHERE status = 'closed' AND dropped_at IS NULL;

-- Up to which number retention has been through everything.
CREATE TABLE retention (
    tenant TEXT PRIMARY KEY,
    decisions INTEGER NOT NULL
) STRICT;

DROP TABLE receipts;
ALTER TABLE receipts_by_number RENAME TO receipts;
CREATE UNIQUE INDEX receipts_by_sequence ON receipts (tenant, sequence);
CREATE UNIQUE INDEX receipts_by_id ON receipts (tenant, id);

-- Numbers grow with time, so what happened since a moment is found by number.
DROP INDEX decisions_by_time;

-- What is written to see whether a write of the usual size succeeds.
CREATE TABLE trial (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    content BLOB NOT NULL
) STRICT;
