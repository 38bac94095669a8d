-- What a key may do: a JSON object; NULL is no limit.
ALTER TABLE keys ADD COLUMN limits TEXT;

-- The key that uploaded the file.
ALTER TABLE files ADD COLUMN key_id TEXT;
CREATE INDEX files_of_key ON files (key_id);
