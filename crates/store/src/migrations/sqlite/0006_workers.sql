-- How the base model's weights are stored where the job computes. Its numbers depend on that, so once it has begun only
-- workers with the same format go on with it.
ALTER TABLE jobs ADD COLUMN weight_format TEXT CHECK (weight_format IN ('f32', 'bf16', 'int8'));
-- Claims since anything was last recorded of the job's work: one that ends its worker every time is given up.
ALTER TABLE jobs ADD COLUMN fruitless_attempts INTEGER NOT NULL DEFAULT 0;
-- Why the last attempt failed, and how many in a row failed for that reason without any progress.
ALTER TABLE jobs ADD COLUMN failure TEXT;
ALTER TABLE jobs ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;

-- Every claim asks whether something of the same model stands before a job.
CREATE INDEX unfinished_jobs_of_model ON jobs (model_id, sequence) WHERE status IN ('queued', 'running');
