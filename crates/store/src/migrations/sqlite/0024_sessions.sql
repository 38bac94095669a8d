-- Recorded sessions: everything that a program samples under one id, to be rewarded and trained on later.
CREATE TABLE sessions (
    sequence    INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    entity      TEXT    NOT NULL,
    -- The key that opened the session, and the hash of the session's own key.
    key_id      TEXT    NOT NULL REFERENCES keys (id),
    sha256      BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32),
    -- Name of the sampled model, without a step if each generation takes the newest.
    model       TEXT    NOT NULL,
    name        TEXT,
    group_name  TEXT,
    -- A JSON list and a JSON object.
    tags        TEXT    NOT NULL,
    metadata    TEXT    NOT NULL,
    -- JSON object of the reward and the metrics; null before there is one.
    reward      TEXT,
    -- Number and bytes of the session's generations.
    generations INTEGER NOT NULL DEFAULT 0,
    bytes       INTEGER NOT NULL DEFAULT 0,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_of_entity ON sessions (entity, sequence);
CREATE INDEX sessions_by_group ON sessions (entity, group_name, sequence);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- What was sampled for one request in a session.
CREATE TABLE generations (
    id                TEXT    NOT NULL PRIMARY KEY,
    session_id        TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    -- Counts the generations of the session from 1.
    number            INTEGER NOT NULL,
    -- Operation, canonical name of the model, and the step that was sampled; null for a base model.
    operation         TEXT    NOT NULL,
    model             TEXT    NOT NULL,
    step              INTEGER,
    -- 0 if the generation was abandoned or failed before its end.
    is_whole          INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    -- JSON: the request's messages, tools and options; the choices' texts; the token ids and log-probabilities.
    request           TEXT    NOT NULL,
    choices           TEXT    NOT NULL,
    tokens            TEXT    NOT NULL,
    reward            TEXT,
    started_at        INTEGER NOT NULL,
    ended_at          INTEGER NOT NULL,
    UNIQUE (session_id, number)
) STRICT;
