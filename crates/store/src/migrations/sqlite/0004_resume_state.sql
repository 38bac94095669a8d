-- The state from which a later attempt of a running job goes on: training as of the end of a step. It is replaced in the
-- transaction that appends the step's event.
ALTER TABLE jobs ADD COLUMN resume_step INTEGER;
ALTER TABLE jobs ADD COLUMN resume_adapter_config TEXT;
ALTER TABLE jobs ADD COLUMN resume_adapter_weights TEXT;
ALTER TABLE jobs ADD COLUMN resume_optimizer_state TEXT;

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
    UNION ALL SELECT model_id, resume_adapter_config FROM jobs WHERE resume_adapter_config IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, resume_adapter_weights FROM jobs WHERE resume_adapter_weights IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, resume_optimizer_state FROM jobs WHERE resume_optimizer_state IS NOT NULL
        AND status IN ('queued', 'running')
    UNION ALL SELECT model_id, artifact FROM trajectory_logs;
