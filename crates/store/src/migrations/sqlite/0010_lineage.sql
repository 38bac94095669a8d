-- How each checkpoint came to be. A manifest outlives its checkpoint, so that the chain of the later ones has no gap.
CREATE TABLE manifests (
    model_id TEXT    NOT NULL REFERENCES models (id),
    step     INTEGER NOT NULL,
    -- SHA-256 of the text.
    sha256   TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    PRIMARY KEY (model_id, step)
) STRICT, WITHOUT ROWID;

-- What the job that made a checkpoint worked from, so that it can be run again. Kept as long as the model has the
-- checkpoint or a later one.
CREATE TABLE kept_artifacts (
    model_id TEXT    NOT NULL REFERENCES models (id),
    step     INTEGER NOT NULL,
    artifact TEXT    NOT NULL,
    PRIMARY KEY (model_id, step, artifact)
) STRICT, WITHOUT ROWID;

CREATE INDEX kept_artifacts_by_artifact ON kept_artifacts (artifact);
