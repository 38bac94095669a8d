-- Log-probabilities of a few tokens with the adapter and without, JSON text; samplers elsewhere are checked by them.
ALTER TABLE checkpoints ADD COLUMN adapter_effect text;
-- Kind of the sampler that the base model had when the job was created; null if this program samples.
ALTER TABLE jobs ADD COLUMN sampler text;
-- Kind of the job's trainer: `learner`, or the number format of the engine's weights. Jobs that began before this column was
-- there have `weight_format` alone.
ALTER TABLE jobs ADD COLUMN trainer text;
