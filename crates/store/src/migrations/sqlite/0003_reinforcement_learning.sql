-- The checkpoint that the KL penalty of a job compares with: which it was, and its files. Recorded once, and kept from
-- being collected until the job ends, like what the job starts from.
ALTER TABLE jobs ADD COLUMN reference_model_id TEXT;
ALTER TABLE jobs ADD COLUMN reference_step INTEGER;
ALTER TABLE jobs ADD COLUMN reference_adapter_config TEXT;
ALTER TABLE jobs ADD COLUMN reference_adapter_weights TEXT;
-- Mean standard deviation of the rewards within the groups of a job; later jobs of the model read its course.
ALTER TABLE jobs ADD COLUMN reward_deviation REAL;

DROP VIEW artifact_references;
CREATE VIEW artifact_references (model_id, artifact) AS
    SELECT model_id, adapter_config FROM checkpoints WHERE adapter_config IS NOT NULL
    UNION ALL SELECT model_id, adapter_weights FROM checkpoints WHERE adapter_weights IS NOT NULL
    UNION ALL SELECT model_id, optimizer_state FROM checkpoints WHERE optimizer_state IS NOT NULL
    UNION ALL SELECT model_id, input_artifact FROM jobs WHERE input_artifact IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, start_adapter_config FROM jobs WHERE start_adapter_config IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, start_adapter_weights FROM jobs WHERE start_adapter_weights IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, start_optimizer_state FROM jobs WHERE start_optimizer_state IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, dataset FROM jobs WHERE dataset IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, reference_adapter_config FROM jobs WHERE reference_adapter_config IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, reference_adapter_weights FROM jobs WHERE reference_adapter_weights IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, artifact FROM trajectory_logs;
