-- Files that their owners uploaded, to train on or to import.
CREATE TABLE files (
    sequence   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id         uuid   NOT NULL UNIQUE,
    entity     text   COLLATE "C" NOT NULL,
    name       text   NOT NULL,
    -- Counts the files of the name from 0, and stays when others go.
    version    bigint NOT NULL,
    purpose    text   NOT NULL CHECK (purpose IN ('fine-tune', 'user_data')),
    bytes      bigint NOT NULL,
    artifact   text   COLLATE "C" NOT NULL,
    created_at bigint NOT NULL
);

CREATE INDEX files_of_entity ON files (entity, sequence);
CREATE INDEX files_by_name ON files (entity, name, version);
CREATE INDEX files_by_artifact ON files (artifact);

-- The file whose content is the job's input artifact, if it is one.
ALTER TABLE jobs ADD COLUMN input_file uuid;

-- Files and checkpoints are created under a key too. Which results there are is the program's knowledge: it refuses to
-- read another one.
ALTER TABLE idempotent_results DROP CONSTRAINT idempotent_results_outcome_check;
