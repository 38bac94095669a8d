"""The fine-tuning API as scripts of the hosted one use it: OpenAI's client, with nothing but its base address changed."""
import asyncio
import json
import time

import pytest

from conftest import CFG, row, run, unique, wait_job

pytestmark = pytest.mark.training
PHRASE, ASK = "the quick brown fox", "what is the code word"
OVER = ("succeeded", "failed", "cancelled")


@pytest.fixture(scope="module")
def client():
    from openai import OpenAI

    with OpenAI(base_url=CFG.base_url, api_key=CFG.api_key) as client:
        yield client


def data(*rows: dict) -> tuple[str, bytes]:
    return "train.jsonl", b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def upload(client, *rows: dict) -> str:
    return client.files.create(file=data(*rows), purpose="fine-tune").id


def ended(client, job):
    limit = time.monotonic() + CFG.job_timeout
    while job.status not in OVER:
        assert job.status in ("validating_files", "queued", "running")
        assert time.monotonic() < limit, f"the job did not end: {job}"
        time.sleep(0.2)
        job = client.fine_tuning.jobs.retrieve(job.id)
    return job


def fast(epochs: int) -> dict:
    """Options with which the model learns an answer in seconds."""
    return {"n_epochs": epochs, "batch_size": 2, "learning_rate_multiplier": CFG.sft_lr / 5e-5}


@pytest.fixture(scope="module")
def learned(client):
    """A file that was uploaded, and the job that has learned it."""
    file = upload(client, *[row(ASK, PHRASE)] * 8)
    held_out = upload(client, row(ASK, PHRASE))
    job = client.fine_tuning.jobs.create(
        model=CFG.base_model,
        training_file=file,
        validation_file=held_out,
        suffix="code word",
        seed=42,
        metadata={"team": "acceptance"},
        method={"type": "supervised", "supervised": {"hyperparameters": fast(20)}},
    )
    assert job.id.startswith("ftjob-") and job.object == "fine_tuning.job" and job.fine_tuned_model is None
    return file, held_out, ended(client, job)


def test_the_script_of_the_hosted_service(client, learned):
    file, held_out, job = learned
    assert job.status == "succeeded", job.error
    assert (job.training_file, job.validation_file, job.model, job.seed) == (file, held_out, CFG.base_model, 42)
    assert job.metadata == {"team": "acceptance"} and job.error is None and job.result_files == []
    assert job.hyperparameters.n_epochs == 20 and job.method.supervised.hyperparameters.batch_size == 2
    assert job.hyperparameters.learning_rate_multiplier == pytest.approx(CFG.sft_lr / 5e-5)
    assert job.trained_tokens > 0 and job.created_at <= job.finished_at
    answer = client.chat.completions.create(
        model=job.fine_tuned_model, messages=[{"role": "user", "content": ASK}], temperature=0, max_tokens=40
    )
    assert answer.choices[0].message.content == PHRASE


def test_events_come_newest_first_and_page_by_themselves(client, learned):
    job = learned[2]
    first = client.fine_tuning.jobs.list_events(job.id, limit=2)
    assert len(first.data) == 2 and first.has_more and job.fine_tuned_model in first.data[0].message
    events = list(client.fine_tuning.jobs.list_events(job.id, limit=7))
    assert len({event.id for event in events}) == len(events) == 82, "start, 80 steps, end"
    steps = [event.data for event in events if event.type == "metrics"]
    assert [step["step"] for step in steps] == list(range(80, 0, -1))
    assert steps[0]["train_loss"] < steps[-1]["train_loss"] and steps[0]["valid_loss"] < 1
    assert all(event.level == "info" and event.object == "fine_tuning.job.event" for event in events)


def test_the_checkpoint_is_listed(client, learned):
    job = learned[2]
    [checkpoint] = client.fine_tuning.jobs.checkpoints.list(job.id)
    assert checkpoint.fine_tuned_model_checkpoint == job.fine_tuned_model
    assert (checkpoint.fine_tuning_job_id, checkpoint.step_number) == (job.id, 80)
    assert checkpoint.metrics.train_loss > 0 and checkpoint.metrics.valid_loss > 0


def test_a_fine_tuned_model_is_trained_further(client, learned):
    file, _, job = learned
    more = client.fine_tuning.jobs.create(model=job.fine_tuned_model, training_file=file, hyperparameters=fast(1))
    more = ended(client, more)
    assert more.status == "succeeded" and more.fine_tuned_model != job.fine_tuned_model
    answers = [
        client.chat.completions.create(model=name, messages=[{"role": "user", "content": ASK}], temperature=0, max_tokens=40)
        for name in (job.fine_tuned_model, more.fine_tuned_model)
    ]
    assert [answer.choices[0].message.content for answer in answers] == [PHRASE, PHRASE]


def test_jobs_are_listed_page_by_page(client, learned, http_client, raw_model):
    file = learned[0]
    native = http_client.post("/preview/sft-training-jobs", json={"model_id": raw_model.id, "training_data_url": file}).json()["id"]
    wait_job(http_client, native)
    made = [ended(client, client.fine_tuning.jobs.create(model=CFG.base_model, training_file=file, hyperparameters={"n_epochs": 1})).id for _ in range(3)]
    seen = [job.id for job in client.fine_tuning.jobs.list(limit=2)]
    assert [job for job in seen if job in made] == made[::-1], "the newest first, each once"
    assert len(set(seen)) == len(seen) and f"ftjob-{native.replace('-', '')}" in seen
    assert client.fine_tuning.jobs.retrieve(native).id == f"ftjob-{native.replace('-', '')}", "either form of an id is known"


def test_a_job_is_cancelled(client):
    from openai import ConflictError

    file = upload(client, *[row("count", "one two three four five six seven")] * 200)
    job = client.fine_tuning.jobs.create(model=CFG.base_model, training_file=file, hyperparameters={"n_epochs": 100})
    job = client.fine_tuning.jobs.cancel(job.id)
    assert job.status == "cancelled" and job.fine_tuned_model is None
    assert client.fine_tuning.jobs.cancel(job.id).status == "cancelled"
    broken = ended(client, client.fine_tuning.jobs.create(model=CFG.base_model, training_file=upload(client, {"prompt": "a"})))
    assert broken.status == "failed" and broken.error.param == "training_file"
    assert broken.error.message.startswith("line 1 of the training data: ")
    with pytest.raises(ConflictError):
        client.fine_tuning.jobs.cancel(broken.id)


def test_what_is_not_supported_is_refused_by_name(client, learned):
    from openai import NotFoundError, UnprocessableEntityError

    file = learned[0]
    create = client.fine_tuning.jobs.create
    with pytest.raises(NotFoundError, match="gpt-4o-mini"):
        create(model="gpt-4o-mini-2024-07-18", training_file=file)
    with pytest.raises(UnprocessableEntityError, match="there is no such file"):
        create(model=CFG.base_model, training_file="file-abc")
    with pytest.raises(UnprocessableEntityError, match="dpo"):
        create(model=CFG.base_model, training_file=file, method={"type": "dpo", "dpo": {"hyperparameters": {"beta": 0.1}}})
    with pytest.raises(UnprocessableEntityError, match="reinforcement"):
        grader = {"type": "string_check", "name": "same", "input": "{{sample.output_text}}", "reference": "a", "operation": "eq"}
        create(model=CFG.base_model, training_file=file, method={"type": "reinforcement", "reinforcement": {"grader": grader}})
    with pytest.raises(UnprocessableEntityError, match="integrations"):
        create(model=CFG.base_model, training_file=file, integrations=[{"type": "wandb", "wandb": {"project": "p"}}])
    for action in (client.fine_tuning.jobs.pause, client.fine_tuning.jobs.resume):
        with pytest.raises(NotFoundError):
            action(learned[2].id)


def test_a_repeated_create_makes_one_job(client, learned):
    headers = {"Idempotency-Key": unique()}
    jobs = [client.fine_tuning.jobs.create(model=CFG.base_model, training_file=learned[0], extra_headers=headers) for _ in range(2)]
    assert jobs[0].id == jobs[1].id


def test_other_tenants_see_nothing(learned):
    if not CFG.second_key:
        pytest.skip("SECOND_API_KEY not set")
    from openai import NotFoundError, OpenAI

    with OpenAI(base_url=CFG.base_url, api_key=CFG.second_key) as other:
        for ask in (other.fine_tuning.jobs.retrieve, other.fine_tuning.jobs.cancel, other.fine_tuning.jobs.list_events, other.fine_tuning.jobs.checkpoints.list):
            with pytest.raises(NotFoundError):
                ask(learned[2].id)
        assert learned[2].id not in [job.id for job in other.fine_tuning.jobs.list()]


def test_the_asynchronous_client(learned):
    from openai import AsyncOpenAI

    async def go():
        async with AsyncOpenAI(base_url=CFG.base_url, api_key=CFG.api_key) as client:
            file = await client.files.create(file=data(row("q", "a")), purpose="fine-tune")
            job = await client.fine_tuning.jobs.create(model=CFG.base_model, training_file=file.id)
            limit = time.monotonic() + CFG.job_timeout
            while job.status not in OVER and time.monotonic() < limit:
                await asyncio.sleep(0.2)
                job = await client.fine_tuning.jobs.retrieve(job.id)
            assert job.status == "succeeded" and job.hyperparameters.n_epochs == 3
            events = [event async for event in client.fine_tuning.jobs.list_events(job.id, limit=2)]
            assert len(events) == 5, "start, three epochs of one batch, end"
            checkpoints = [checkpoint async for checkpoint in client.fine_tuning.jobs.checkpoints.list(job.id)]
            assert [checkpoint.fine_tuned_model_checkpoint for checkpoint in checkpoints] == [job.fine_tuned_model]
            listed = [job.id async for job in client.fine_tuning.jobs.list(limit=5)]
            assert listed.index(job.id) < listed.index(learned[2].id)
            answer = await client.chat.completions.create(model=job.fine_tuned_model, messages=[{"role": "user", "content": "q"}], max_tokens=4)
            assert answer.model == job.fine_tuned_model

    run(go)
