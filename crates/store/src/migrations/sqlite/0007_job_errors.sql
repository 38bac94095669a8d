-- Why a job did not succeed, for programs; a cancelled job is one that failed for the reason `cancelled`.
ALTER TABLE jobs ADD COLUMN error_code TEXT;

-- Owners list their jobs and models by age.
CREATE INDEX jobs_of_entity ON jobs (entity, sequence);
CREATE INDEX models_of_entity ON models (entity, sequence);
