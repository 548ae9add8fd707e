-- How bad a finding was when somebody decided about it. Without it, nobody noted it.
ALTER TABLE triage ADD COLUMN severity TEXT;
