//! The columns of records, named one by one, so that a newer program may add columns while this one runs.

macro_rules! keys {
    () => {
        "id, entity, name, suffix, sha256, limits, created_at, revoked_at, last_used_at, session_ends, is_admin"
    };
}

macro_rules! models {
    () => {
        concat!(
            super::columns::stored_of_models!(),
            ", (SELECT max(step) FROM checkpoints WHERE model_id = models.id) AS latest_step"
        )
    };
}

/// Names of the columns of [`models`].
macro_rules! names_of_models {
    () => {
        concat!(super::columns::stored_of_models!(), ", latest_step")
    };
}

macro_rules! stored_of_models {
    () => {
        "id, entity, project, name, base_model, training_method, run_id, last_step, created_at"
    };
}

macro_rules! checkpoints {
    () => {
        "id, model_id, step, metrics, adapter_config, adapter_weights, optimizer_state, optimizer_kind, metadata,
         created_at"
    };
}

macro_rules! checkpoint_steps {
    () => {
        "model_id, step, created_at"
    };
}

macro_rules! manifests {
    () => {
        "step, sha256, text"
    };
}

macro_rules! trajectory_logs {
    () => {
        "id, model_id, split, artifact, groups, created_at"
    };
}

macro_rules! files {
    () => {
        "id, entity, name, version, purpose, bytes, artifact, created_at, expires_at"
    };
}

macro_rules! batches {
    () => {
        "id, entity, key_id, project, endpoint, input_file, input_artifact, metadata, output_life, status, total, completed,
         failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, errors, output_file, error_file, created_at,
         expires_at, in_progress_at, finalizing_at, cancelling_at, ended_at"
    };
}

macro_rules! jobs {
    () => {
        concat!(
            super::columns::job_summaries!(),
            ", start_step, start_adapter_config, start_adapter_weights, start_optimizer_state, start_optimizer_kind,
             dataset, reference_model_id, reference_step, reference_adapter_config, reference_adapter_weights,
             resume_step, resume_adapter_config, resume_adapter_weights, resume_optimizer_state, lease_token,
             lease_deadline, fruitless_attempts, rollout_index, trained_logprobs"
        )
    };
}

macro_rules! job_summaries {
    () => {
        "id, entity, model_id, kind, status, config, input_artifact, input_file, input_url, validation_file,
         validation_content, fine_tuning, sampler, trainer, weight_format, published_step, error, error_code, created_at,
         started_at, ended_at, name, tags, lease_owner, attempts"
    };
}

macro_rules! sessions {
    () => {
        "id, entity, key_id, model, name, group_name, tags, metadata, reward, generations, bytes, created_at, expires_at"
    };
}

macro_rules! generations {
    () => {
        "id, number, operation, model, step, is_whole, prompt_tokens, completion_tokens, request, choices, reward,
         started_at, ended_at"
    };
}

macro_rules! events {
    () => {
        "job_id, sequence, id, kind, data, created_at"
    };
}

/// Reads a response whose process is gone as a failed one.
macro_rules! response_state {
    () => {
        concat!(
            "CASE WHEN state = 'in_progress' AND lease_deadline < ",
            super::dialect::now!(),
            " THEN 'failed' ELSE state END AS state"
        )
    };
}

macro_rules! responses {
    () => {
        concat!(
            "id, previous, ",
            super::columns::response_state!(),
            ", CAST(CASE WHEN state = 'in_progress' AND lease_deadline < ",
            super::dialect::now!(),
            " THEN 1 ELSE 0 END AS bigint) AS is_lost, object, events,
             CAST(CASE WHEN lease_deadline IS NULL THEN 0 ELSE 1 END AS bigint) AS is_background"
        )
    };
}

/// SQL for the rows of a table that a condition selects.
macro_rules! select {
    ($table:ident, $($condition:expr),+) => {
        concat!("SELECT ", super::columns::$table!(), " FROM ", stringify!($table), " WHERE ", $($condition),+)
    };
}

pub(super) use {
    batches, checkpoint_steps, checkpoints, events, files, generations, job_summaries, jobs, keys, manifests, models,
    names_of_models, response_state, responses, select, sessions, stored_of_models, trajectory_logs,
};
