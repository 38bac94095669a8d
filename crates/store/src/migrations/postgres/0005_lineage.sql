-- How each checkpoint came to be. A manifest outlives its checkpoint, so that the chain of the later ones has no gap.
CREATE TABLE manifests (
    model_id uuid   NOT NULL REFERENCES models (id),
    step     bigint NOT NULL,
    -- SHA-256 of the text.
    sha256   text   NOT NULL,
    text     text   NOT NULL,
    PRIMARY KEY (model_id, step)
);

-- What the job that made a checkpoint worked from, so that it can be run again. Kept as long as the model has the
-- checkpoint or a later one.
CREATE TABLE kept_artifacts (
    model_id uuid   NOT NULL REFERENCES models (id),
    step     bigint NOT NULL,
    artifact text   COLLATE "C" NOT NULL,
    PRIMARY KEY (model_id, step, artifact)
);

CREATE INDEX kept_artifacts_by_artifact ON kept_artifacts (artifact);
