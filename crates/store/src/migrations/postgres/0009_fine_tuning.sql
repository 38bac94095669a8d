-- The uploaded file that a supervised job validates on, and its content.
ALTER TABLE jobs ADD COLUMN validation_file uuid;
ALTER TABLE jobs ADD COLUMN validation_content text COLLATE "C";

-- The parts of a fine-tuning request that have no effect on training, JSON text; null if the job came another way.
ALTER TABLE jobs ADD COLUMN fine_tuning text;
