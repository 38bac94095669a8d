//! The columns of records.

macro_rules! keys {
    () => {
        "id, entity, name, suffix, sha256, limits, created_at, revoked_at, last_used_at, session_ends"
    };
}

macro_rules! models {
    () => {
        "id, entity, project, name, base_model, training_method, run_id, last_step, created_at,
         (SELECT max(step) FROM checkpoints WHERE model_id = models.id) AS latest_step"
    };
}

macro_rules! checkpoints {
    () => {
        "id, model_id, step, metrics, adapter_config, adapter_weights, optimizer_state, optimizer_kind, metadata,
         created_at"
    };
}

macro_rules! files {
    () => {
        "id, entity, name, version, purpose, bytes, artifact, created_at"
    };
}

macro_rules! jobs {
    () => {
        "sequence, id, entity, model_id, kind, status, config, input_artifact, input_file, input_url, validation_file,
         validation_content, fine_tuning, sampler, start_step,
         start_adapter_config, start_adapter_weights, start_optimizer_state, start_optimizer_kind, dataset,
         reference_model_id, reference_step, reference_adapter_config, reference_adapter_weights, resume_step,
         resume_adapter_config, resume_adapter_weights, resume_optimizer_state, published_step, lease_owner, lease_token,
         lease_deadline, trainer, weight_format, attempts, fruitless_attempts, error, error_code, steps,
         trained_tokens, created_at, started_at, ended_at"
    };
}

macro_rules! job_summaries {
    () => {
        "id, entity, model_id, kind, status, config, input_artifact, input_file, input_url, validation_file,
         validation_content, fine_tuning, sampler, trainer, weight_format, published_step, error, error_code, created_at,
         started_at, ended_at, steps, trained_tokens, waiting"
    };
}

macro_rules! events {
    () => {
        "job_id, sequence, id, kind, data, created_at"
    };
}

pub(super) use {checkpoints, events, files, job_summaries, jobs, keys, models};
