-- The program checks the names of formats. A constraint here would need a new column with each format.
ALTER TABLE jobs ADD COLUMN format TEXT;
UPDATE jobs SET format = weight_format;
ALTER TABLE jobs DROP COLUMN weight_format;
ALTER TABLE jobs RENAME COLUMN format TO weight_format;
