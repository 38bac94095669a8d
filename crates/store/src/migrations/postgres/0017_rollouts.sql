-- The index of the rollouts of a reinforcement learning job, and the logprobs of its trained tokens. Kept with its data.
ALTER TABLE jobs ADD COLUMN rollout_index text COLLATE "C";
ALTER TABLE jobs ADD COLUMN trained_logprobs text COLLATE "C";

-- Logs are listed in the order of their creation.
ALTER TABLE trajectory_logs ADD COLUMN sequence bigint GENERATED ALWAYS AS IDENTITY;
