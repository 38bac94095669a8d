-- What jobs trained on is summed by job; what chat used has none, nor has training before jobs were told apart.
ALTER TABLE usage ADD COLUMN job_id text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE usage DROP CONSTRAINT usage_pkey;
ALTER TABLE usage ADD PRIMARY KEY (entity, day, project, model, key_id, job_id);
