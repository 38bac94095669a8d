-- How a model is trained, as JSON; NULL is what every model was before there was a choice: a LoRA adapter of rank 8 with
-- alpha 16 on all projections.
ALTER TABLE models ADD COLUMN training_method TEXT;
