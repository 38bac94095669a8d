-- Recorded sessions: everything that a program samples under one id, to be rewarded and trained on later.
CREATE TABLE sessions (
    sequence    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id          uuid    NOT NULL UNIQUE,
    entity      text    COLLATE "C" NOT NULL,
    -- The key that opened the session, and the hash of the session's own key.
    key_id      uuid    NOT NULL REFERENCES keys (id),
    sha256      bytea   NOT NULL UNIQUE CHECK (length(sha256) = 32),
    -- Name of the sampled model, without a step if each generation takes the newest.
    model       text    NOT NULL,
    name        text,
    group_name  text    COLLATE "C",
    -- A JSON list and a JSON object.
    tags        text    NOT NULL,
    metadata    text    NOT NULL,
    -- JSON object of the reward and the metrics; null before there is one.
    reward      text,
    -- Number and bytes of the session's generations.
    generations bigint  NOT NULL DEFAULT 0,
    bytes       bigint  NOT NULL DEFAULT 0,
    created_at  bigint  NOT NULL,
    expires_at  bigint  NOT NULL
);

CREATE INDEX sessions_of_entity ON sessions (entity, sequence);
CREATE INDEX sessions_by_group ON sessions (entity, group_name, sequence);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- What was sampled for one request in a session.
CREATE TABLE generations (
    id                uuid    NOT NULL PRIMARY KEY,
    session_id        uuid    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    -- Counts the generations of the session from 1.
    number            bigint  NOT NULL,
    -- Operation, canonical name of the model, and the step that was sampled; null for a base model.
    operation         text    NOT NULL,
    model             text    NOT NULL,
    step              bigint ,
    -- 0 if the generation was abandoned or failed before its end.
    is_whole          bigint  NOT NULL,
    prompt_tokens     bigint  NOT NULL,
    completion_tokens bigint  NOT NULL,
    -- JSON: the request's messages, tools and options; the choices' texts; the token ids and log-probabilities.
    request           text    NOT NULL,
    choices           text    NOT NULL,
    tokens            text    NOT NULL,
    reward            text,
    started_at        bigint  NOT NULL,
    ended_at          bigint  NOT NULL,
    UNIQUE (session_id, number)
);
