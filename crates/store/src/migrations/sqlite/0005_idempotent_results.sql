-- What a request under an idempotency key did; a repetition of the request is answered from here.
CREATE TABLE idempotent_results (
    entity         TEXT    NOT NULL,
    key            TEXT    NOT NULL,
    request_sha256 BLOB    NOT NULL CHECK (length(request_sha256) = 32),
    outcome        TEXT    NOT NULL CHECK (outcome IN ('job_created', 'model_created', 'model_existing')),
    object_id      TEXT    NOT NULL,
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (entity, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotent_results_by_age ON idempotent_results (created_at);

-- Which artifacts rows refer to is part of the program now, the same text for every database, and needs no repetition
-- when a column is added. Asked at every step of a job, so it is indexed.
DROP VIEW artifact_references;
CREATE INDEX checkpoints_by_adapter_config ON checkpoints (adapter_config) WHERE adapter_config IS NOT NULL;
CREATE INDEX checkpoints_by_adapter_weights ON checkpoints (adapter_weights) WHERE adapter_weights IS NOT NULL;
CREATE INDEX checkpoints_by_optimizer_state ON checkpoints (optimizer_state) WHERE optimizer_state IS NOT NULL;
CREATE INDEX trajectory_logs_by_artifact ON trajectory_logs (artifact);
