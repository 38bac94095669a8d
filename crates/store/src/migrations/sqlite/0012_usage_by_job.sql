-- What jobs trained on is summed by job; what chat used has none.
CREATE TABLE usage_by_job (
    key_id            TEXT    NOT NULL REFERENCES keys (id),
    entity            TEXT    NOT NULL,
    project           TEXT    NOT NULL,
    model             TEXT    NOT NULL,
    requests          INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    trained_tokens    INTEGER NOT NULL DEFAULT 0,
    -- Days since 1970-01-01 UTC.
    day               INTEGER NOT NULL DEFAULT 0,
    -- Empty for chat, and for training before jobs were told apart.
    job_id            TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (entity, day, project, model, key_id, job_id)
) STRICT, WITHOUT ROWID;
INSERT INTO usage_by_job (key_id, entity, project, model, requests, prompt_tokens, completion_tokens, trained_tokens, day)
    SELECT key_id, entity, project, model, requests, prompt_tokens, completion_tokens, trained_tokens, day FROM usage;
DROP TABLE usage;
ALTER TABLE usage_by_job RENAME TO usage;
