-- Name and tags of a job in lists; the tags are a JSON list.
ALTER TABLE jobs ADD COLUMN name TEXT;
ALTER TABLE jobs ADD COLUMN tags TEXT;

-- Why the job makes no steps, as its worker noted, and since when.
ALTER TABLE jobs ADD COLUMN waiting_for TEXT;
ALTER TABLE jobs ADD COLUMN waiting_since INTEGER;
