-- Number of times that the sessions of a key were ended. Sessions are signed with it.
ALTER TABLE keys ADD COLUMN session_ends bigint NOT NULL DEFAULT 0;
