-- Times are milliseconds since 1970-01-01 UTC by the clock of the database. Identities are UUIDs, artifacts SHA-256
-- hashes, both as lower-case text. A `sequence` gives the order of creation.

CREATE TABLE keys (
    sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    entity       TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    suffix       TEXT    NOT NULL,
    sha256       BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    created_at   INTEGER NOT NULL,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT;

CREATE TABLE models (
    sequence   INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,
    entity     TEXT    NOT NULL,
    project    TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    base_model TEXT    NOT NULL,
    run_id     TEXT,
    last_step  INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    UNIQUE (entity, project, name)
) STRICT;

CREATE TABLE checkpoints (
    id              TEXT    NOT NULL PRIMARY KEY,
    model_id        TEXT    NOT NULL REFERENCES models (id),
    step            INTEGER NOT NULL,
    metrics         TEXT    NOT NULL,
    adapter_config  TEXT,
    adapter_weights TEXT,
    optimizer_state TEXT,
    optimizer_kind  TEXT CHECK (optimizer_kind IN ('rl', 'sft')),
    created_at      INTEGER NOT NULL,
    UNIQUE (model_id, step),
    CHECK ((adapter_config IS NULL) = (adapter_weights IS NULL)),
    CHECK ((optimizer_state IS NULL) = (optimizer_kind IS NULL))
) STRICT;

CREATE TABLE jobs (
    sequence              INTEGER PRIMARY KEY AUTOINCREMENT,
    id                    TEXT    NOT NULL UNIQUE,
    entity                TEXT    NOT NULL,
    model_id              TEXT    NOT NULL REFERENCES models (id),
    kind                  TEXT    NOT NULL CHECK (kind IN ('rl', 'sft')),
    status                TEXT    NOT NULL DEFAULT 'queued'
                          CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
    config                TEXT    NOT NULL,
    input_artifact        TEXT,
    input_url             TEXT,
    -- What the job works from; recorded at its first start. When the job has ended, these and the input only name
    -- artifacts that may be gone: see artifact_references.
    start_step            INTEGER,
    start_adapter_config  TEXT,
    start_adapter_weights TEXT,
    start_optimizer_state TEXT,
    start_optimizer_kind  TEXT CHECK (start_optimizer_kind IN ('rl', 'sft')),
    dataset               TEXT,
    -- Step of the checkpoint that the job made.
    published_step        INTEGER,
    lease_owner           TEXT,
    -- Rises with every claim; a writer with an older one has lost the job.
    lease_token           INTEGER NOT NULL DEFAULT 0,
    lease_deadline        INTEGER,
    attempts              INTEGER NOT NULL DEFAULT 0,
    error                 TEXT,
    created_at            INTEGER NOT NULL,
    started_at            INTEGER,
    ended_at              INTEGER,
    CHECK ((input_artifact IS NULL) <> (input_url IS NULL)),
    CHECK ((start_adapter_config IS NULL) = (start_adapter_weights IS NULL)),
    CHECK ((start_optimizer_state IS NULL) = (start_optimizer_kind IS NULL)),
    CHECK (status <> 'running' OR (lease_owner IS NOT NULL AND lease_deadline IS NOT NULL))
) STRICT;

CREATE INDEX jobs_of_model ON jobs (model_id, sequence);
CREATE INDEX jobs_unfinished ON jobs (sequence) WHERE status IN ('queued', 'running');
CREATE INDEX unfinished_jobs_of_entity ON jobs (entity) WHERE status IN ('queued', 'running');

CREATE TABLE events (
    job_id     TEXT    NOT NULL REFERENCES jobs (id),
    sequence   INTEGER NOT NULL CHECK (sequence > 0),
    id         TEXT    NOT NULL UNIQUE,
    kind       TEXT    NOT NULL,
    data       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (job_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
    key_id            TEXT    NOT NULL REFERENCES keys (id),
    entity            TEXT    NOT NULL,
    project           TEXT    NOT NULL,
    model             TEXT    NOT NULL,
    requests          INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    PRIMARY KEY (entity, project, model, key_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE trajectory_logs (
    id         TEXT    NOT NULL PRIMARY KEY,
    model_id   TEXT    NOT NULL REFERENCES models (id),
    split      TEXT    NOT NULL,
    artifact   TEXT    NOT NULL,
    groups     INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX trajectory_logs_of_model ON trajectory_logs (model_id);

-- Every reference that keeps an artifact from being collected, once per row that holds it. A job needs its input and
-- what it starts from until it ends.
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
    UNION ALL SELECT model_id, artifact FROM trajectory_logs;
