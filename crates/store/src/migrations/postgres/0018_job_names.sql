-- Name and tags of a job in lists; the tags are a JSON list. Lower-case texts are compared, by their bytes.
ALTER TABLE jobs ADD COLUMN name text COLLATE "C";
ALTER TABLE jobs ADD COLUMN tags text COLLATE "C";

-- Why the job makes no steps, as its worker noted, and since when.
ALTER TABLE jobs ADD COLUMN waiting_for text;
ALTER TABLE jobs ADD COLUMN waiting_since bigint;
