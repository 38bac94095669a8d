-- The program checks the names of formats.
ALTER TABLE jobs DROP CONSTRAINT jobs_weight_format_check;
