-- Times are milliseconds since 1970-01-01 UTC by the clock of the database. Artifacts are named by texts. A `sequence` gives the order of creation. Texts compare by their bytes: the same order everywhere, and an index
-- that no update of the operating system's collations can break.

CREATE TABLE keys (
    sequence     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id           uuid   NOT NULL UNIQUE,
    entity       text   COLLATE "C" NOT NULL,
    name         text   NOT NULL,
    suffix       text   NOT NULL,
    sha256       bytea  NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
    created_at   bigint NOT NULL,
    revoked_at   bigint,
    last_used_at bigint
);

CREATE TABLE models (
    sequence        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id              uuid   NOT NULL UNIQUE,
    entity          text   COLLATE "C" NOT NULL,
    project         text   COLLATE "C" NOT NULL,
    name            text   COLLATE "C" NOT NULL,
    base_model      text   NOT NULL,
    -- How the model is trained, as JSON.
    training_method text   NOT NULL,
    run_id          text,
    last_step       bigint NOT NULL DEFAULT 0,
    created_at      bigint NOT NULL,
    UNIQUE (entity, project, name)
);

CREATE TABLE checkpoints (
    id              uuid   PRIMARY KEY,
    model_id        uuid   NOT NULL REFERENCES models (id),
    step            bigint NOT NULL,
    -- JSON; kept as text, so that every number reads back as it was written.
    metrics         text   NOT NULL,
    adapter_config  text   COLLATE "C",
    adapter_weights text   COLLATE "C",
    optimizer_state text   COLLATE "C",
    optimizer_kind  text   CHECK (optimizer_kind IN ('rl', 'sft')),
    created_at      bigint NOT NULL,
    UNIQUE (model_id, step),
    CHECK ((adapter_config IS NULL) = (adapter_weights IS NULL)),
    CHECK ((optimizer_state IS NULL) = (optimizer_kind IS NULL))
);

-- Whether an artifact is still referred to is asked at every step of a job.
CREATE INDEX checkpoints_by_adapter_config ON checkpoints (adapter_config) WHERE adapter_config IS NOT NULL;
CREATE INDEX checkpoints_by_adapter_weights ON checkpoints (adapter_weights) WHERE adapter_weights IS NOT NULL;
CREATE INDEX checkpoints_by_optimizer_state ON checkpoints (optimizer_state) WHERE optimizer_state IS NOT NULL;

CREATE TABLE jobs (
    sequence                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id                        uuid   NOT NULL UNIQUE,
    entity                    text   COLLATE "C" NOT NULL,
    model_id                  uuid   NOT NULL REFERENCES models (id),
    kind                      text   NOT NULL CHECK (kind IN ('rl', 'sft')),
    status                    text   NOT NULL DEFAULT 'queued'
                              CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
    config                    text   NOT NULL,
    input_artifact            text   COLLATE "C",
    input_url                 text,
    -- What the job works from; recorded at its first start. When the job has ended, these and the input only name
    -- artifacts that may be gone.
    start_step                bigint,
    start_adapter_config      text   COLLATE "C",
    start_adapter_weights     text   COLLATE "C",
    start_optimizer_state     text   COLLATE "C",
    start_optimizer_kind      text   CHECK (start_optimizer_kind IN ('rl', 'sft')),
    dataset                   text   COLLATE "C",
    -- The checkpoint that the KL penalty compares with: which it was, and its files. Recorded once.
    reference_model_id        uuid,
    reference_step            bigint,
    reference_adapter_config  text   COLLATE "C",
    reference_adapter_weights text   COLLATE "C",
    -- Mean standard deviation of the rewards within the groups; later jobs of the model read its course.
    reward_deviation          double precision,
    -- The state from which a later attempt goes on: training as of the end of a step.
    resume_step               bigint,
    resume_adapter_config     text   COLLATE "C",
    resume_adapter_weights    text   COLLATE "C",
    resume_optimizer_state    text   COLLATE "C",
    -- Step of the checkpoint that the job made.
    published_step            bigint,
    lease_owner               text,
    -- Rises with every claim; a writer with an older one has lost the job.
    lease_token               bigint NOT NULL DEFAULT 0,
    lease_deadline            bigint,
    -- How the base model's weights are stored where the job computes. Its numbers depend on that, so once it has begun
    -- only workers with the same format go on with it.
    weight_format             text   CHECK (weight_format IN ('f32', 'bf16', 'int8')),
    attempts                  bigint NOT NULL DEFAULT 0,
    -- Claims since anything was last recorded of the job's work: one that ends its worker every time is given up.
    fruitless_attempts        bigint NOT NULL DEFAULT 0,
    -- Why the last attempt failed, and how many in a row failed for that reason without any progress.
    failure                   text,
    failures                  bigint NOT NULL DEFAULT 0,
    error                     text,
    created_at                bigint NOT NULL,
    started_at                bigint,
    ended_at                  bigint,
    CHECK ((input_artifact IS NULL) <> (input_url IS NULL)),
    CHECK ((start_adapter_config IS NULL) = (start_adapter_weights IS NULL)),
    CHECK ((start_optimizer_state IS NULL) = (start_optimizer_kind IS NULL)),
    CHECK (status <> 'running' OR (lease_owner IS NOT NULL AND lease_deadline IS NOT NULL))
) WITH (fillfactor = 70); -- room on the page for the next version of a row that changes at every heartbeat

CREATE INDEX jobs_of_model ON jobs (model_id, sequence);
-- Every claim asks whether something of the same model stands before a job.
CREATE INDEX unfinished_jobs_of_model ON jobs (model_id, sequence) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_unfinished ON jobs (sequence) WHERE status IN ('queued', 'running');
CREATE INDEX unfinished_jobs_of_entity ON jobs (entity) WHERE status IN ('queued', 'running');

CREATE TABLE events (
    job_id     uuid   NOT NULL REFERENCES jobs (id),
    sequence   bigint NOT NULL CHECK (sequence > 0),
    id         uuid   NOT NULL UNIQUE,
    kind       text   NOT NULL,
    data       text   NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (job_id, sequence)
);

CREATE TABLE usage (
    key_id            uuid   NOT NULL REFERENCES keys (id),
    entity            text   COLLATE "C" NOT NULL,
    project           text   COLLATE "C" NOT NULL,
    model             text   COLLATE "C" NOT NULL,
    requests          bigint NOT NULL,
    prompt_tokens     bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    PRIMARY KEY (entity, project, model, key_id)
);

CREATE TABLE trajectory_logs (
    id         uuid   PRIMARY KEY,
    model_id   uuid   NOT NULL REFERENCES models (id),
    split      text   NOT NULL,
    artifact   text   COLLATE "C" NOT NULL,
    groups     bigint NOT NULL,
    created_at bigint NOT NULL
);

CREATE INDEX trajectory_logs_of_model ON trajectory_logs (model_id);
CREATE INDEX trajectory_logs_by_artifact ON trajectory_logs (artifact);

-- What a request under an idempotency key did; a repetition of the request is answered from here.
CREATE TABLE idempotent_results (
    entity         text   COLLATE "C" NOT NULL,
    key            text   COLLATE "C" NOT NULL,
    request_sha256 bytea  NOT NULL CHECK (octet_length(request_sha256) = 32),
    outcome        text   NOT NULL CHECK (outcome IN ('job_created', 'model_created', 'model_existing')),
    object_id      uuid   NOT NULL,
    created_at     bigint NOT NULL,
    PRIMARY KEY (entity, key)
);

CREATE INDEX idempotent_results_by_age ON idempotent_results (created_at);

-- One row for each write of the last hour. When a connection breaks before the answer to COMMIT, the row tells whether
-- the write took effect, so that it is neither lost nor done twice.
CREATE TABLE committed_writes (
    id         uuid   PRIMARY KEY,
    written_at bigint NOT NULL
);
