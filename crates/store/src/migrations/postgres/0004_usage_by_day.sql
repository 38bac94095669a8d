-- What is used is summed by day, and training counts too. Sums from before have no day.
ALTER TABLE usage ADD COLUMN trained_tokens bigint NOT NULL DEFAULT 0;
-- Days since 1970-01-01 UTC.
ALTER TABLE usage ADD COLUMN day bigint NOT NULL DEFAULT 0;
ALTER TABLE usage DROP CONSTRAINT usage_pkey;
ALTER TABLE usage ADD PRIMARY KEY (entity, day, project, model, key_id);

-- The key that created the job.
ALTER TABLE jobs ADD COLUMN key_id uuid;
