-- The index of the rollouts of a reinforcement learning job, and the logprobs of its trained tokens. Kept with its data.
ALTER TABLE jobs ADD COLUMN rollout_index TEXT;
ALTER TABLE jobs ADD COLUMN trained_logprobs TEXT;
