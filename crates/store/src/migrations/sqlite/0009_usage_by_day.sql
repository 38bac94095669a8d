-- What is used is summed by day, and training counts too. Sums from before have no day.
CREATE TABLE daily_usage (
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
    PRIMARY KEY (entity, day, project, model, key_id)
) STRICT, WITHOUT ROWID;
INSERT INTO daily_usage (key_id, entity, project, model, requests, prompt_tokens, completion_tokens)
    SELECT key_id, entity, project, model, requests, prompt_tokens, completion_tokens FROM usage;
DROP TABLE usage;
ALTER TABLE daily_usage RENAME TO usage;

-- The key that created the job.
ALTER TABLE jobs ADD COLUMN key_id TEXT;
