-- When a decision ends by itself; in microseconds, as `at`. Without it, a decision holds until the next.
ALTER TABLE triage ADD COLUMN expires INTEGER;
