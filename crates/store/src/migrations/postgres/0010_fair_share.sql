-- Number of the job's latest claim. The claims of all jobs are numbered in their order.
ALTER TABLE jobs ADD COLUMN claim_number bigint;
CREATE INDEX claimed_jobs_of_model ON jobs (model_id, claim_number) WHERE claim_number IS NOT NULL;

-- Number of the latest claim of a job of the entity. It stays when the job's model is deleted.
CREATE TABLE entity_claims (
    entity       text   COLLATE "C" PRIMARY KEY,
    claim_number bigint NOT NULL
);
