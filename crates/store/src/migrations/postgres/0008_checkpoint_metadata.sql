-- What its owner has noted of a checkpoint: a JSON object as text; NULL is nothing.
ALTER TABLE checkpoints ADD COLUMN metadata TEXT;
