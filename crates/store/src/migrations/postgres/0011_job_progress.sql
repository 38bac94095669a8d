-- Progress of a job: the number of its gradient steps, and of the tokens that they trained on. A trigger counts each event
-- in the transaction that writes it, whichever version of the program does. Events are deleted with their job only.
ALTER TABLE jobs ADD COLUMN steps bigint NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN trained_tokens bigint NOT NULL DEFAULT 0;

UPDATE jobs SET steps = counted.steps, trained_tokens = counted.trained_tokens
FROM (
    SELECT job_id, count(*) AS steps, sum(coalesce(data::jsonb ->> 'row/num_trained_tokens',
        data::jsonb ->> 'num_trainable_tokens', '0')::double precision)::bigint AS trained_tokens
    FROM events WHERE kind = 'gradient_step' GROUP BY job_id
) AS counted
WHERE jobs.id = counted.job_id;

CREATE FUNCTION count_gradient_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE jobs SET steps = steps + 1, trained_tokens = trained_tokens + coalesce(
        NEW.data::jsonb ->> 'row/num_trained_tokens', NEW.data::jsonb ->> 'num_trainable_tokens', '0'
    )::double precision::bigint
    WHERE id = NEW.job_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER count_gradient_step AFTER INSERT ON events FOR EACH ROW WHEN (NEW.kind = 'gradient_step')
EXECUTE FUNCTION count_gradient_step();
