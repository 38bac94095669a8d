-- Progress of a job: the number of its gradient steps, and of the tokens that they trained on. A trigger counts each event
-- in the transaction that writes it, whichever version of the program does. Events are deleted with their job only.
ALTER TABLE jobs ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN trained_tokens INTEGER NOT NULL DEFAULT 0;

UPDATE jobs SET (steps, trained_tokens) = (
    SELECT count(*), CAST(coalesce(sum(coalesce(
        data ->> '$."row/num_trained_tokens"', data ->> '$.num_trainable_tokens', 0)), 0) AS INTEGER)
    FROM events WHERE job_id = jobs.id AND kind = 'gradient_step'
);

CREATE TRIGGER count_gradient_step AFTER INSERT ON events WHEN NEW.kind = 'gradient_step' BEGIN
    UPDATE jobs SET steps = steps + 1, trained_tokens = trained_tokens + CAST(coalesce(
        NEW.data ->> '$."row/num_trained_tokens"', NEW.data ->> '$.num_trainable_tokens', 0) AS INTEGER)
    WHERE id = NEW.job_id;
END;
