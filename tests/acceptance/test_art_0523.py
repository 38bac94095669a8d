"""openpipe-art 0.5.20 ... 0.5.23 (Python 3.12+): compact bodies, captured exchanges, new options, and W&B's client beside it.

What trained is compared to the byte: two models that start from the same weights and learn from the same tokens, rewards
and options end with the same adapter, so a job written as `exchanges` is held against one written as
`messages_and_choices`.  Needs nothing beyond conftest.py; further variables:

  WANDB_028_PYTHON   interpreter of an environment with wandb 0.28.0; its cases are skipped without
"""
from __future__ import annotations

import asyncio
import copy
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

import art

from conftest import (
    CFG, PROJECT, all_steps, assert_error, check_events, create_raw, latest_step, trainable, unique, wait_job,
)

pytestmark = pytest.mark.training

ASK = [{"role": "user", "content": "yes, no or maybe?"}]
AGAIN = {"role": "user", "content": "again?"}
TOOLS = [{"type": "function", "function": {"name": "get_weather", "description": "Weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}]
RATE = {"learning_rate": 1e-3}
START = datetime(2026, 1, 1, tzinfo=UTC)
OTHER = "openai/some-judge"


# ---------------------------------------------------------------- material
def answer(http, name: str, messages=ASK, **kw) -> dict:
    """A reply as ART's client asks for it."""
    body = {"model": name, "messages": messages, "max_tokens": 6, "return_token_ids": True, "return_tokens_as_token_ids": True,
            "nvext": {"extra_fields": ["engine_data"]}, "chat_template_kwargs": {"preserve_thinking": True}, **kw}
    r = http.post("/chat/completions", json=body)
    assert r.status_code == 200, r.text
    return {"request": body, "response": r.json()}


def at(n: int, exchange: dict, model: str | None = None) -> dict:
    """The exchange as it goes on the wire, the n-th in time."""
    e = copy.deepcopy(exchange)
    if model is not None:
        e["request"]["model"] = e["response"]["model"] = model
    when = START + timedelta(seconds=10 * n)
    return {"start_time": when.isoformat(), "end_time": (when + timedelta(seconds=1)).isoformat(), **e, "model": e["request"]["model"]}


def exchanges(*items: dict, reward: float = 1.0, **kw) -> dict:
    return {"exchanges": {"chat_completions": list(items)}, "reward": reward, **kw}


def choice_of(exchange: dict, index: int = 0) -> dict:
    return next(c for c in exchange["response"]["choices"] if c["index"] == index)


def spoken(exchange: dict, index: int = 0) -> dict:
    m = choice_of(exchange, index)["message"]
    return {k: v for k, v in m.items() if k in ("role", "content", "tool_calls") and v is not None}


def legacy(*items, reward: float = 1.0, **kw) -> dict:
    return {"messages_and_choices": list(items), "reward": reward, **kw}


def conversation(http, name: str, turns: int, max_tokens: int = 12, seed: int = 0) -> list[dict]:
    """Turns that each continue the one before; every answer ends by itself."""
    messages, out = list(ASK), []
    for n in range(turns):
        for attempt in range(50):
            e = answer(http, name, messages, seed=seed + 100 * n + attempt, max_tokens=max_tokens)
            if choice_of(e)["finish_reason"] == "stop":
                break
        else:
            pytest.fail("the base model never ends an answer")
        out.append(e)
        messages = [*messages, spoken(e), AGAIN]
    return out


def truncated(exchange: dict, tokens: int) -> dict:
    """As if the answer had been cut off by max_tokens."""
    e = copy.deepcopy(exchange)
    c = choice_of(e)
    c["token_ids"] = c["token_ids"][:tokens]
    c["logprobs"]["content"] = c["logprobs"]["content"][:tokens]
    c["finish_reason"] = "length"
    e["request"]["max_tokens"] = tokens
    return e


# ---------------------------------------------------------------- jobs
def post(http, model, groups: list[dict], **config) -> httpx.Response:
    return http.post("/preview/training-jobs", json={"model_id": model.id, "trajectory_groups": groups, "experimental_config": {**RATE, **config}})


def ended(http, model, groups: list[dict], **config) -> list[dict]:
    r = post(http, model, groups, **config)
    assert r.status_code in (200, 201, 202), r.text
    ev = wait_job(http, r.json()["id"])
    check_events(ev)
    assert ev[-1]["type"] == "training_ended", ev[-1]
    return ev


def sequences(events: list[dict]) -> int:
    return events[0]["data"]["num_sequences"] if events[0]["type"] == "training_started" else 0


def trained(events: list[dict]) -> int:
    return events[-1]["data"]["num_trained_tokens"]


def adapter(http, model, step: int | None = None) -> str:
    step = latest_step(http, model.id) if step is None else step
    r = http.get(f"/preview/models/{model.id}/checkpoints/{step}/files/adapter_model.safetensors")
    assert r.status_code == 200, r.text
    return hashlib.sha256(r.content).hexdigest()


@pytest.fixture
def fresh(http_client):
    """Makes models, and deletes them afterwards."""
    made = []

    def make():
        made.append(create_raw(http_client))
        return made[-1]

    yield make
    for m in made:
        http_client.delete(f"/preview/models/{m.id}")


@pytest.fixture
def m(fresh):
    return fresh()


def sampled_from(model, groups: list[dict]) -> list[dict]:
    """The groups as if this model had answered: models are equal before their first step."""
    text = json.dumps(groups)
    return json.loads(re.sub(r'"wandb-artifact:///[^":]+', f'"{model.inference_name()}', text))


def same(http, fresh, one: list[dict], other: list[dict], **config) -> None:
    """Both jobs train the same tokens: the adapters are equal to the byte."""
    a, b = fresh(), fresh()
    ea, eb = ended(http, a, sampled_from(a, one), **config), ended(http, b, sampled_from(b, other), **config)
    assert (sequences(ea), trained(ea)) == (sequences(eb), trained(eb)) and trained(ea) > 0
    assert adapter(http, a) == adapter(http, b)


def low(exchange: dict) -> dict:
    """The other member of a group: a trajectory with reward 0, so that the first has something to be better than."""
    return legacy(*exchange["request"]["messages"], choice_of(exchange), reward=0.0)


@pytest.fixture
def base(http_client, m):
    """Some answers of the untrained model: `base(seed)`, the same whenever it is asked."""
    known = {}

    def get(seed: int = 0, **kw) -> dict:
        key = (seed, json.dumps(kw))
        if key not in known:
            known[key] = answer(http_client, m.inference_name(), seed=seed, **kw)
        return known[key]

    return get


# ================================================================ what is omitted
def test_an_omitted_reward_is_zero(http_client, fresh, base):
    a, b = base(1), base(2)
    full = [{"trajectories": [legacy(*ASK, choice_of(a), reward=0.0), legacy(*ASK, choice_of(b), reward=1.0)]}]
    compact = copy.deepcopy(full)
    del compact[0]["trajectories"][0]["reward"]
    same(http_client, fresh, compact, full)


def test_all_rewards_omitted(http_client, m, base):
    g = {"messages_and_choices": [*ASK, choice_of(base(1))]}
    ev = ended(http_client, m, [{"trajectories": [g, g]}])
    assert sequences(ev) == 0
    assert latest_step(http_client, m.id) == 1, "a job that learns nothing makes a step all the same"


def test_a_group_of_exceptions_only(http_client, m, base):
    boom = {"type": "<class 'TimeoutError'>", "message": "late", "traceback": "Traceback …"}
    ev = ended(http_client, m, [{"exceptions": [boom]}, {"trajectories": [legacy(*ASK, choice_of(base(1))), low(base(2))]}])
    assert ev[0]["data"].get("num_groups_submitted", 2) == 2 and sequences(ev) == 2


@pytest.mark.parametrize("groups", [[{}], [{"exceptions": []}], [{"metadata": {"scenario_id": "s"}}], [{"trajectories": []}, {}], []], ids=json.dumps)
def test_groups_without_trajectories(http_client, m, groups):
    assert sequences(ended(http_client, m, groups)) == 0


def test_a_trajectory_that_omits_everything(http_client, m, base):
    """`art.Trajectory()` is `{}` on the wire: reward 0, nothing said.  It counts in the mean of its group."""
    ev = ended(http_client, m, [{"trajectories": [{}, legacy(*ASK, choice_of(base(1)))]}])
    assert sequences(ev) == 1


@pytest.mark.parametrize("extra", [{"exchanges": None}, {"exchanges": {}}, {"exchanges": {"chat_completions": []}}, {"exchanges": {"chat_completions": None, "messages": None}}], ids=json.dumps)
def test_empty_exchanges_beside_messages(http_client, m, base, extra):
    ev = ended(http_client, m, [{"trajectories": [legacy(*ASK, choice_of(base(1)), **extra), {**low(base(2)), **extra}]}])
    assert sequences(ev) == 2


def test_additional_histories_without_tools(http_client, m, base):
    t = legacy(*ASK, choice_of(base(1)), additional_histories=[{"messages_and_choices": [*ASK, choice_of(base(3))]}])
    assert sequences(ended(http_client, m, [{"trajectories": [t, low(base(2))]}])) == 3


def test_compact_groups_are_logged(http_client, m, base):
    groups = [{}, {"exceptions": [{"type": "X", "message": "m", "traceback": ""}]}, {"trajectories": [{}, {"messages_and_choices": [*ASK, choice_of(base(1))]}, exchanges(at(0, base(2)), reward=0.5)]}]
    r = http_client.post(f"/preview/models/{m.id}/log", json={"model_id": m.id, "trajectory_groups": groups, "split": "val"})
    assert r.status_code in (200, 201, 202, 204), r.text


def test_equal_rewards_have_a_tolerance(http_client, m, base):
    """Rewards that differ by no more than 1e-12 from the first are equal."""
    ts = [legacy(*ASK, choice_of(base(n)), reward=0.1 + n * 1e-13) for n in range(3)]
    assert sequences(ended(http_client, m, [{"trajectories": ts}])) == 0


@pytest.mark.parametrize("bad", [
    {"trajectories": [{"reward": "high"}]}, {"trajectories": [{"exchanges": []}]}, {"trajectories": [{"exchanges": {"chat_completions": {}}}]},
    {"trajectories": [{"exchanges": {"chat_completions": [5]}}]}, {"trajectories": [{"exchanges": {"chat_completions": [{"request": {}}]}}]}, {"trajectories": {}},
], ids=json.dumps)
def test_malformed_bodies_are_refused(http_client, m, bad):
    r = post(http_client, m, [bad])
    err = assert_error(r, 400, 422, what=json.dumps(bad))
    assert err["param"] is None or "trajectory_groups" in err["param"]
    assert "is missing" not in err["message"] or "exchanges" in err["message"], f"refused for what may be omitted: {err['message']}"


def test_exchanges_and_messages_exclude_each_other(http_client, m, base):
    """ART cannot build such a trajectory; one that arrives is a mistake and is not half trained."""
    t = {**exchanges(at(0, base(1))), "messages_and_choices": [*ASK, choice_of(base(1))]}
    assert_error(post(http_client, m, [{"trajectories": [t, low(base(2))]}]), 400, 422)


# ================================================================ exchanges: what is trained
def test_one_exchange_is_one_turn(http_client, fresh, base):
    a, b = base(1), base(2)
    same(http_client, fresh, [{"trajectories": [exchanges(at(0, a)), low(b)]}], [{"trajectories": [legacy(*ASK, choice_of(a)), low(b)]}])


def test_turns_that_continue_are_one_sequence(http_client, fresh, m, base):
    es = conversation(http_client, m.inference_name(), 3)
    parts = []
    for e in es:
        parts += [*e["request"]["messages"][len(parts):], choice_of(e)]
    b = base(2)
    same(http_client, fresh, [{"trajectories": [exchanges(*(at(n, e) for n, e in enumerate(es))), low(b)]}], [{"trajectories": [legacy(*parts), low(b)]}])


def test_the_turns_are_ordered_by_time(http_client, fresh, m, base):
    """Replies of parallel requests are appended as they finish; `start_time` tells the order."""
    es = [at(n, e) for n, e in enumerate(conversation(http_client, m.inference_name(), 3))]
    b = base(2)
    same(http_client, fresh, [{"trajectories": [exchanges(*reversed(es)), low(b)]}], [{"trajectories": [exchanges(*es), low(b)]}])


def test_two_answers_to_one_prompt_branch(http_client, m, base):
    es = conversation(http_client, m.inference_name(), 2)
    for seed in range(500, 560):
        other = answer(http_client, m.inference_name(), es[1]["request"]["messages"], seed=seed, max_tokens=12)
        if choice_of(other)["token_ids"][0] != choice_of(es[1])["token_ids"][0]:
            break
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, es[0]), at(1, es[1]), at(2, other)), low(base(2))]}])
    own = [len(choice_of(e)["token_ids"]) for e in (es[0], es[1], other)]
    assert sequences(ev) == 3, "two branches and the other trajectory"
    assert trained(ev) == sum(own) + len(choice_of(base(2))["token_ids"]), "the shared first turn is trained once"


def test_the_same_answer_twice_is_trained_once(http_client, fresh, base):
    a, b = base(1), base(2)
    same(http_client, fresh, [{"trajectories": [exchanges(at(0, a), at(1, a)), low(b)]}], [{"trajectories": [exchanges(at(0, a)), low(b)]}])


def test_a_shared_beginning_of_two_answers_is_trained_once(http_client, m, base):
    """Tokens are claimed by the path that leads to them: what a second answer repeats from its first token on is context."""
    a = copy.deepcopy(base(1))
    c = choice_of(a)
    entry = copy.deepcopy(c["logprobs"]["content"][0])
    longer = copy.deepcopy(a)
    d = choice_of(longer)
    d["token_ids"] = [c["token_ids"][0], c["token_ids"][0], *c["token_ids"][1:]]
    d["logprobs"]["content"] = [d["logprobs"]["content"][0], entry, *d["logprobs"]["content"][1:]]
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, a), at(1, longer)), low(base(2))]}])
    n = len(c["token_ids"])
    assert trained(ev) == n + n + len(choice_of(base(2))["token_ids"]), "the second answer is one token longer, and its first is claimed"


def test_several_choices_are_several_sequences(http_client, m, base):
    for seed in range(60):
        e = base(seed, n=3)
        if len({tuple(c["token_ids"]) for c in e["response"]["choices"]}) == 3 and len({c["token_ids"][0] for c in e["response"]["choices"]}) == 3:
            break
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, e)), low(base(2))]}])
    assert sequences(ev) == 4
    assert trained(ev) == sum(len(c["token_ids"]) for c in e["response"]["choices"]) + len(choice_of(base(2))["token_ids"])


def test_one_of_several_choices_is_continued(http_client, m, base):
    for seed in range(60):
        e = base(seed, n=2, max_tokens=12)
        first = {c["token_ids"][0] for c in e["response"]["choices"]}
        if len(first) == 2 and all(c["finish_reason"] == "stop" for c in e["response"]["choices"]):
            break
    nxt = answer(http_client, m.inference_name(), [*ASK, spoken(e, 1), AGAIN], seed=1)
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, e), at(1, nxt)), low(base(2))]}])
    assert sequences(ev) == 3, "choice 0, choice 1 with the turn that follows it, and the other trajectory"


def test_tool_calls_and_results(http_client, fresh, m, base):
    ask = [{"role": "user", "content": "weather in Rome?"}]
    one = answer(http_client, m.inference_name(), ask, tools=TOOLS, tool_choice="required", max_tokens=60, seed=1)
    assert choice_of(one)["finish_reason"] == "tool_calls", one
    call = choice_of(one)["message"]["tool_calls"][0]
    result = {"role": "tool", "tool_call_id": call["id"], "content": "sunny"}
    two = answer(http_client, m.inference_name(), [*ask, spoken(one), result], tools=TOOLS, seed=1)
    b = base(2)
    same(http_client, fresh, [{"trajectories": [exchanges(at(0, one), at(1, two)), low(b)]}],
         [{"trajectories": [legacy(*ask, choice_of(one), result, choice_of(two), tools=TOOLS), low(b)]}])


def test_preserved_thoughts_stay_in_one_sequence(http_client, m, base):
    """The next prompt holds all sampled tokens of the turn before, thoughts included."""
    es = conversation(http_client, m.inference_name(), 2)
    one, two = copy.deepcopy(es)
    c = choice_of(one)
    ids = c["token_ids"]
    thought = [ids[0]] * 3
    entry = c["logprobs"]["content"][0]
    old = [*c["prompt_token_ids"], *ids]
    c["token_ids"] = [*thought, *ids]
    c["logprobs"]["content"] = [copy.deepcopy(entry) for _ in thought] + c["logprobs"]["content"]
    c["message"]["reasoning"] = "hm"
    d = choice_of(two)
    assert d["prompt_token_ids"][: len(old)] == old, "the base model's template is not append-only"
    d["prompt_token_ids"] = [*c["prompt_token_ids"], *c["token_ids"], *d["prompt_token_ids"][len(old):]]
    two["response"].pop("prompt_token_ids", None)
    two["request"]["messages"][1]["reasoning"] = "hm"
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, one), at(1, two)), low(base(2))]}])
    assert sequences(ev) == 2
    assert trained(ev) == len(c["token_ids"]) + len(d["token_ids"]) + len(choice_of(base(2))["token_ids"])


def test_stripped_thoughts_make_a_second_sequence(http_client, m, base):
    """The next prompt lacks the thoughts: each turn is trained in the context that it was sampled in."""
    one, two = copy.deepcopy(conversation(http_client, m.inference_name(), 2))
    c = choice_of(one)
    entry = c["logprobs"]["content"][0]
    c["token_ids"] = [c["token_ids"][0]] * 3 + c["token_ids"]
    c["logprobs"]["content"] = [copy.deepcopy(entry) for _ in range(3)] + c["logprobs"]["content"]
    c["message"]["reasoning"] = "hm"
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, one), at(1, two)), low(base(2))]}])
    assert sequences(ev) == 3
    assert trained(ev) == len(c["token_ids"]) + len(choice_of(two)["token_ids"]) + len(choice_of(base(2))["token_ids"])


def test_a_turn_cut_off_by_max_tokens_and_continued(http_client, m, base):
    """The end of the turn in the next prompt comes from the template: it is context, not trained."""
    one, two = conversation(http_client, m.inference_name(), 2)
    n = len(choice_of(one)["token_ids"])
    cut = truncated(one, n - 1)
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, cut), at(1, two)), low(base(2))]}])
    assert sequences(ev) == 2
    assert trained(ev) == n - 1 + len(choice_of(two)["token_ids"]) + len(choice_of(base(2))["token_ids"])


def test_an_edited_turn_is_not_merged(http_client, m, base):
    one, _ = conversation(http_client, m.inference_name(), 2)
    two = answer(http_client, m.inference_name(), [*ASK, {"role": "assistant", "content": "something else"}, AGAIN], seed=3)
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, one), at(1, two)), low(base(2))]}])
    assert sequences(ev) == 3
    assert trained(ev) == sum(len(choice_of(e)["token_ids"]) for e in (one, two, base(2)))


def test_words_put_into_the_models_mouth_are_context(http_client, m, base):
    e = answer(http_client, m.inference_name(), [*ASK, {"role": "assistant", "content": "perhaps"}, AGAIN], seed=1)
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, e)), low(base(2))]}])
    assert (sequences(ev), trained(ev)) == (2, sum(len(choice_of(x)["token_ids"]) for x in (e, base(2))))


def test_a_change_of_tools_makes_a_second_sequence(http_client, m, base):
    """Requests with other tools do not continue each other, whatever their messages are."""
    one, two = conversation(http_client, m.inference_name(), 2)
    three = answer(http_client, m.inference_name(), two["request"]["messages"], tools=TOOLS, tool_choice="none", seed=1)
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, one), at(1, three)), low(base(2))]}])
    assert sequences(ev) == 3


# ================================================================ exchanges: which model
@pytest.mark.parametrize("bare", [False, True], ids=["with token ids", "as a provider without token ids answers"])
def test_exchanges_with_other_models_are_not_trained(http_client, fresh, base, bare):
    a, b = base(1), base(2)
    judge = at(1, base(3), model=OTHER)
    if bare:
        c = choice_of(judge)
        for k in ("token_ids", "prompt_token_ids", "logprobs"):
            c.pop(k, None)
        judge["response"].pop("prompt_token_ids", None)
    same(http_client, fresh, [{"trajectories": [exchanges(at(0, a), judge), low(b)]}], [{"trajectories": [legacy(*ASK, choice_of(a)), low(b)]}])


def test_a_trajectory_of_other_models_only(http_client, m, base):
    """Nothing of it can be trained; the others go on, and it counts in the mean of its group."""
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, base(3), model=OTHER)), low(base(2))]}])
    assert sequences(ev) == 1


def test_another_protocol_with_another_model(http_client, fresh, base):
    """A judge behind Anthropic's, OpenAI's Responses or Completions API in the same trajectory."""
    a, b = base(1), base(2)
    t = exchanges(at(0, a))
    when = {"start_time": START.isoformat(), "end_time": START.isoformat(), "model": "judge"}
    t["exchanges"]["messages"] = [{**when, "request": {"model": "judge", "max_tokens": 5, "messages": ASK}, "response": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "judge", "content": [{"type": "text", "text": "fine"}], "stop_reason": "end_turn", "usage": {"input_tokens": 3, "output_tokens": 1}}}]
    t["exchanges"]["responses"] = [{**when, "request": {"model": "judge", "input": "?"}, "response": {"id": "resp_1", "object": "response", "created_at": 1.0, "model": "judge", "output": [], "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}}]
    t["exchanges"]["completions"] = [{**when, "request": {"model": "judge", "prompt": "?"}, "response": {"id": "cmpl-1", "object": "text_completion", "created": 1, "model": "judge", "choices": [{"index": 0, "text": "x", "finish_reason": "stop"}]}}]
    same(http_client, fresh, [{"trajectories": [t, low(b)]}], [{"trajectories": [legacy(*ASK, choice_of(a)), low(b)]}])


def test_a_step_of_the_model_is_the_model(http_client, fresh, m, base):
    """PipelineTrainer samples under `…:stepN`."""
    a, b = answer(http_client, m.inference_name(0), seed=1), base(2)
    same(http_client, fresh, [{"trajectories": [exchanges(at(0, a)), low(b)]}], [{"trajectories": [legacy(*ASK, choice_of(a)), low(b)]}])


def test_the_model_may_be_named_by_the_request_alone(http_client, fresh, base):
    """`model` beside `request` and `response` is computed; what the request asked for is what counts."""
    a, b = base(1), base(2)
    e = at(0, a)
    del e["model"]
    e["response"]["model"] = "what-the-server-calls-it"
    same(http_client, fresh, [{"trajectories": [exchanges(e), low(b)]}], [{"trajectories": [exchanges(at(0, a)), low(b)]}])


# ================================================================ exchanges: tokens and log-probabilities
def test_ids_may_come_from_the_logprobs(http_client, fresh, base):
    a, b = base(1), base(2)
    bare = at(0, a)
    del choice_of(bare)["token_ids"]
    assert all(e["token"].startswith("token_id:") for e in choice_of(bare)["logprobs"]["content"])
    same(http_client, fresh, [{"trajectories": [exchanges(bare), low(b)]}], [{"trajectories": [exchanges(at(0, a)), low(b)]}])


def test_prompt_ids_may_be_at_the_response_alone(http_client, fresh, base):
    a, b = base(1), base(2)
    bare = at(0, a)
    bare["response"]["prompt_token_ids"] = choice_of(bare).pop("prompt_token_ids")
    same(http_client, fresh, [{"trajectories": [exchanges(bare), low(b)]}], [{"trajectories": [exchanges(at(0, a)), low(b)]}])


def test_engine_data_carries_ids_and_logprobs(http_client, fresh, base):
    """The form of servers that answer `nvext`."""
    a, b = base(1), base(2)
    e = at(0, a)
    c = choice_of(e)
    e["response"]["nvext"] = {"engine_data": {"finished": True, "prompt_token_ids": c.pop("prompt_token_ids"), "completion_token_ids": c.pop("token_ids"), "completion_logprobs": [x["logprob"] for x in c["logprobs"]["content"]]}}
    e["response"].pop("prompt_token_ids", None)
    c["logprobs"] = None
    # ART fills the choice in when it reads such a reply, so this is what it sends
    sent = art.Trajectory.model_validate(exchanges(e)).model_dump(mode="json")
    assert choice_of(sent["exchanges"]["chat_completions"][0])["art_completion_logprobs"]
    same(http_client, fresh, [{"trajectories": [sent, low(b)]}], [{"trajectories": [exchanges(at(0, a)), low(b)]}])


def test_compact_logprobs_stand_in_for_entries(http_client, fresh, base):
    a, b = base(1), base(2)
    e = at(0, a)
    c = choice_of(e)
    c["compact_logprobs"] = [x["logprob"] for x in c["logprobs"]["content"]]
    c["logprobs"] = None
    same(http_client, fresh, [{"trajectories": [exchanges(e), low(b)]}], [{"trajectories": [exchanges(at(0, a)), low(b)]}])


def test_without_logprobs_nothing_is_trained(http_client, m, base):
    e = at(0, base(1))
    choice_of(e)["logprobs"] = None
    r = post(http_client, m, [{"trajectories": [exchanges(e), low(base(2))]}])
    if r.status_code >= 400:
        assert "messages_and_choices is missing" not in assert_error(r, 400, 422)["message"]
        return
    ev = wait_job(http_client, r.json()["id"])
    check_events(ev)
    assert ev[-1]["type"] == "training_failed" or trained(ev) == len(choice_of(base(2))["token_ids"]), ev


def test_without_logprobs_on_demand(http_client, m, base):
    e = at(0, base(1))
    choice_of(e)["logprobs"] = None
    ev = ended(http_client, m, [{"trajectories": [exchanges(e), low(base(2))]}], allow_training_without_logprobs=True)
    assert trained(ev) == sum(len(choice_of(x)["token_ids"]) for x in (base(1), base(2)))


def test_contradicting_ids_are_not_trained(http_client, m, base):
    e = at(0, base(1))
    choice_of(e)["token_ids"] = choice_of(e)["token_ids"][::-1]
    r = post(http_client, m, [{"trajectories": [exchanges(e), low(base(2))]}])
    if r.status_code >= 400:
        err = assert_error(r, 400, 422)
        assert "messages_and_choices is missing" not in err["message"]
        return
    ev = wait_job(http_client, r.json()["id"])
    assert ev[-1]["type"] == "training_failed" or trained(ev) == len(choice_of(base(2))["token_ids"]), ev


def test_an_answer_of_no_tokens(http_client, m, base):
    e = at(0, base(1))
    c = choice_of(e)
    c["token_ids"], c["logprobs"]["content"], c["message"]["content"] = [], [], ""
    assert sequences(ended(http_client, m, [{"trajectories": [exchanges(e), low(base(2))]}])) == 1


def test_old_and_new_trajectories_in_one_group(http_client, m, base):
    ev = ended(http_client, m, [{"trajectories": [exchanges(at(0, base(1))), legacy(*ASK, choice_of(base(2)), reward=0.5), {}]}])
    assert ev[0]["data"].get("num_groups_trainable", 1) == 1 and sequences(ev) == 1, "0.5 is the mean of 1, 0.5 and 0"


# ================================================================ the real client captures
async def captured(model, seed: int, stream: bool = False, **kw):
    with art.Trajectory() as t:
        r = await model.openai_client().chat.completions.create(model=model.get_inference_name(), messages=ASK, max_tokens=6, seed=seed, stream=stream, **kw)
        if stream:
            async for _ in r:
                pass
    return t


async def train(backend, model, groups, **kw):
    return await asyncio.wait_for(backend.train(model, groups, **{"learning_rate": 1e-4, **kw}), CFG.job_timeout)


def tokens_of(t: art.Trajectory) -> list[int]:
    return t.exchanges.chat_completions[0].response.choices[0].model_extra["token_ids"]


async def test_art_trains_what_it_captured(backend, model):
    g = art.TrajectoryGroup([await captured(model, n) for n in range(3)])
    for n, t in enumerate(g.trajectories):
        t.reward = float(n)  # the first is 0 and therefore not sent
    r = await train(backend, model, [g])
    assert r.step == 1 and r.artifact_name.endswith(":step1") and "loss/train" in r.metrics


@pytest.mark.parametrize("usage", [False, True])
async def test_art_captures_streams(backend, model, usage):
    plain = await captured(model, 1)
    t = await captured(model, 1, stream=True, **({"stream_options": {"include_usage": True}} if usage else {}))
    assert len(t.exchanges.chat_completions) == 1, "the stream was not complete for ART"
    assert tokens_of(t) == tokens_of(plain)
    a, b = t.exchanges.chat_completions[0].response.choices[0], plain.exchanges.chat_completions[0].response.choices[0]
    assert a.model_extra["prompt_token_ids"] == b.model_extra["prompt_token_ids"]
    assert [x.logprob for x in a.logprobs.content] == [x.logprob for x in b.logprobs.content]
    t.reward = 1.0
    assert (await train(backend, model, [art.TrajectoryGroup([t, await captured(model, 2)])])).step == 1


async def test_art_captures_a_stream_of_several_choices(model):
    t = await captured(model, 1, stream=True, n=3)
    p = await captured(model, 1, n=3)
    ids = lambda x: [c.model_extra["token_ids"] for c in x.exchanges.chat_completions[0].response.choices]
    assert ids(t) == ids(p)


async def test_art_captures_what_litellm_and_requests_send(backend, model):
    import litellm
    import requests

    with art.Trajectory(reward=1.0) as a:
        await litellm.acompletion(**model.litellm_completion_params(), messages=ASK, max_tokens=4, seed=1)
    with art.Trajectory() as b:
        requests.post(f"{CFG.base_url}/chat/completions", headers={"Authorization": f"Bearer {CFG.api_key}"}, timeout=60,
                      json={"model": model.get_inference_name(), "messages": ASK, "max_tokens": 4, "seed": 2, "return_token_ids": True})
    assert len(a.exchanges.chat_completions) == len(b.exchanges.chat_completions) == 1
    assert (await train(backend, model, [art.TrajectoryGroup([a, b])])).step == 1


async def test_art_tokenises_exactly_what_was_served(model):
    """ART's own reading of a conversation finds exact ids for every sampled token."""
    with art.Trajectory() as t:
        messages = list(ASK)
        for n in range(3):
            r = await model.openai_client().chat.completions.create(model=model.get_inference_name(), messages=messages, max_tokens=12, seed=n)
            messages += [{"role": "assistant", "content": r.choices[0].message.content}, AGAIN]
    got = t.tokenize(multi_history=True, model=model.get_inference_name(), tokenizer=lambda *a, **k: None)
    served = sum(len(e.response.choices[0].model_extra["token_ids"]) for e in t.exchanges.chat_completions)
    sampled = sum(sum(mask) for mask in got.first_occurrence_masks(where=art.trajectories.TokenFlag.SAMPLED))
    assert sampled == served


async def test_art_sends_a_group_of_exceptions(backend, model):
    good = art.TrajectoryGroup([await captured(model, 1), await captured(model, 2)])
    good.trajectories[0].reward = 1.0
    bad = art.TrajectoryGroup([], exceptions=[ValueError("no")])
    r = await train(backend, model, [bad, good])
    assert r.step == 1 and r.metrics["data/step_num_groups_submitted"] == 2


async def test_art_pins_a_step(backend, model):
    async with backend.adapter_lease(model, 0):
        assert model.get_inference_name().endswith(":step0")
        t = await captured(model, 1)
    t.reward = 1.0
    assert (await train(backend, model, [art.TrajectoryGroup([t, await captured(model, 2)])])).step == 1


async def test_art_logs_through_its_client(backend, model):
    await backend._client.models.log(model_id=model.id, trajectory_groups=[art.TrajectoryGroup([await captured(model, 1)])], split="val")


# ================================================================ options
async def pair(model):
    ts = [await captured(model, n) for n in range(2)]
    cs = [t.exchanges.chat_completions[0].response.choices[0] for t in ts]
    return [art.TrajectoryGroup([art.Trajectory(messages_and_choices=[*ASK, c], reward=1.0 + n) for n, c in enumerate(cs)])]


@pytest.mark.parametrize("options", [
    {"loss_fn": "ppo", "epsilon": 0.1, "epsilon_high": 0.3}, {"loss_fn": "cispo"}, {"ppo": True}, {"normalize_advantages": False},
    {"kl_penalty_coef": 0.1}, {"kl_penalty_coef": 0.1, "kl_penalty_source": "current_learner"}, {"kl_penalty_coef": 0.1, "kl_penalty_reference_step": 0}, {"kl_penalty_coef": 0.1, "kl_penalty_step_lag": 3},
    {"precalculate_logprobs": True, "truncated_importance_sampling": 2.0}, {"packed_sequence_length": 2048}, {"save_checkpoint": False, "optimizer_save_interval": 1},
], ids=json.dumps)
async def test_art_trains_with(backend, model, options):
    r = await train(backend, model, await pair(model), **options)
    assert r.step == 1
    if "kl_penalty_coef" in options:
        assert "loss/kl_policy_ref" in r.metrics


def test_truncation_without_precalculated_logprobs_is_skipped(http_client, fresh, base):
    """Since 0.5.20: `truncated_importance_sampling` needs the sampler's log-probabilities beside recomputed ones."""
    g = [{"trajectories": [legacy(*ASK, choice_of(base(n)), reward=float(n)) for n in range(3)]}]
    a, b = fresh(), fresh()
    for x, c in ((a, {}), (b, {"truncated_importance_sampling": 0.5})):
        ended(http_client, x, g, **c)
    assert adapter(http_client, a) == adapter(http_client, b)


def test_loss_fn_and_ppo_name_one_loss(http_client, fresh, base):
    g = [{"trajectories": [legacy(*ASK, choice_of(base(n)), reward=float(n)) for n in range(3)]}]
    same(http_client, fresh, g, g, loss_fn="ppo", ppo=True)
    assert_error(post(http_client, fresh(), g, loss_fn="reinforce"), 400, 422)


# ================================================================ life of a model
async def test_art_resumes_and_deletes_checkpoints(backend, model):
    from art import TrainableModel

    groups = await pair(model)
    for n in range(3):
        await train(backend, model, groups)
        await model.log(groups, split="val", step=n + 1)
    again = TrainableModel(name="an-alias", run_name=model.run_name, project=PROJECT, base_model=CFG.base_model, base_path=model.base_path)
    await again.register(backend)
    assert (again.id, await again.get_step()) == (model.id, 3), "run_name is the name of the model, name is an alias"
    await again.delete_checkpoints()
    with httpx.Client(base_url=CFG.base_url, headers={"Authorization": f"Bearer {CFG.api_key}"}) as http:
        left = all_steps(http, model.id)
    assert left[-1] == 3 and 1 not in left[:-1] or len(left) <= 2
    assert (await train(backend, again, groups)).step == 4


# ================================================================ W&B's client
PROGRAM = '''
import asyncio, json, os, sys, tempfile, glob, hashlib
import art
ROOT, BASE, PROJECT = os.environ["T_ROOT"], os.environ["T_BASE"], os.environ["T_PROJECT"]
KEY = os.environ["T_KEY"]
out = {}
def model(n): return art.TrainableModel(name=n, run_name=n, project=PROJECT, base_model=BASE, base_path=tempfile.mkdtemp())
def backend(): return art.ServerlessBackend(api_key=KEY, base_url=ROOT + "/v1")
def say(q, a): return art.Trajectory(messages_and_choices=[{"role": "user", "content": q}, {"role": "assistant", "content": a}])
ASK = [{"role": "user", "content": "yes, no or maybe?"}]
async def pair(m):
    cs = [(await m.openai_client().chat.completions.create(model=m.get_inference_name(), messages=ASK, max_tokens=6, seed=n)).choices[0] for n in range(2)]
    return [art.TrajectoryGroup([art.Trajectory(messages_and_choices=[*ASK, c], reward=1.0 + n) for n, c in enumerate(cs)])]
def digest(d): return {os.path.basename(f): hashlib.sha256(open(f, "rb").read()).hexdigest() for f in glob.glob(d + "/*")}
async def say_it(m):
    r = await m.openai_client().chat.completions.create(model=m.get_inference_name(), messages=[{"role": "user", "content": "the code?"}], temperature=0, max_tokens=8)
    return [x.logprob for x in r.choices[0].logprobs.content], r.choices[0].message.content
async def main():
%s
asyncio.run(main())
print("RESULT " + json.dumps(out))
'''


def run_program(body: str, python: str, *, key: str | None = None, env_key: bool = False, timeout: float = 300, **extra: str) -> dict:
    with tempfile.TemporaryDirectory(prefix="art-0523-") as d:
        env = {k: v for k, v in os.environ.items() if not k.startswith(("WANDB", "PYTEST"))}
        env |= {"T_ROOT": CFG.root, "T_BASE": CFG.base_model, "T_PROJECT": PROJECT, "T_KEY": key or CFG.api_key, "HOME": d, "TMPDIR": d,
                "LITELLM_LOCAL_MODEL_COST_MAP": "True", "WEAVE_DISABLED": "true", "TQDM_DISABLE": "1", "WANDB_BASE_URL": CFG.root,
                "WANDB_ERROR_REPORTING": "false", "WANDB_SILENT": "true", "WANDB_DIR": d, "WANDB_CACHE_DIR": d + "/cache", "WANDB_DATA_DIR": d + "/data", **extra}
        if env_key:
            env["WANDB_API_KEY"] = key or CFG.api_key
        p = subprocess.run([python, "-c", PROGRAM % textwrap.indent(textwrap.dedent(body), "    ")], cwd=d, env=env, capture_output=True, text=True, timeout=timeout)
    line = next((x for x in p.stdout.splitlines() if x.startswith("RESULT ")), None)
    assert p.returncode == 0 and line, (p.stderr or p.stdout)[-1500:]
    return json.loads(line.removeprefix("RESULT "))


@pytest.fixture(params=["0.31.0", "0.28.0"], ids=["wandb 0.31", "wandb 0.28"])
def python(request):
    """An interpreter with that W&B client; 0.28.0 is what the extra `backend` of ART 0.5.20 ... 0.5.23 pins."""
    if request.param == "0.31.0":
        return sys.executable
    path = os.environ.get("WANDB_028_PYTHON")
    if not path:
        pytest.skip("WANDB_028_PYTHON is not set")
    return path


SFT = 'await m.train_sft([say("the code?", "blue seven"), say("hello", "blue hello")] * 8, art.TrainSFTConfig(learning_rate=3e-3, batch_size=4))'


def test_wandb_train_sft(python):
    got = run_program(f'''
        be = backend(); m = model("{unique()}"); await m.register(be)
        {SFT}
        out["step"] = await m.get_step()
        await m.train_sft([say("the code?", "blue seven")] * 4, art.TrainSFTConfig(learning_rate=[1e-3, 1e-3], assistant_turns="last", batch_size=2), log_metrics=False)
        await m.train_sft([])
        out["after"] = await m.get_step()
        await be.delete(m); await be.close()''', python)
    assert got == {"step": 1, "after": 2}


def test_wandb_pull(python, http_client):
    name = unique()
    got = run_program(f'''
        be = backend(); m = model("{name}"); await m.register(be); out["id"] = m.id
        await be.train(m, await pair(m), learning_rate=1e-3)
        await be.train(m, await pair(m), learning_rate=1e-3)
        out["latest"] = digest(await be._experimental_pull_model_checkpoint(m, step="latest", local_path=tempfile.mkdtemp()))
        out["one"] = digest(await be._experimental_pull_model_checkpoint(m, step=1, local_path=tempfile.mkdtemp()))
        try: await be._experimental_pull_model_checkpoint(m, step=99); out["missing"] = None
        except Exception as e: out["missing"] = type(e).__name__
        await be.close()''', python)
    for key, step in (("one", 1), ("latest", 2)):
        assert got[key]["adapter_model.safetensors"] == hashlib.sha256(http_client.get(f"/preview/models/{got['id']}/checkpoints/{step}/files/adapter_model.safetensors").content).hexdigest()
        assert "adapter_config.json" in got[key]
    assert got["missing"] in ("CommError", "ValueError"), "what W&B's own API raises for a missing artifact"
    http_client.delete(f"/preview/models/{got['id']}")


def test_wandb_pull_of_another_tenant(python):
    if not CFG.second_key:
        pytest.skip("SECOND_API_KEY is not set")
    name = unique()
    owner = run_program(f'be = backend(); m = model("{name}"); await m.register(be); await be.train(m, await pair(m), learning_rate=1e-3); out["entity"] = m.entity; await be.close()', python)
    got = run_program(f'''
        from art.utils import wandb_sdk
        try: wandb_sdk.api(api_key=KEY).artifact("{owner['entity']}/{PROJECT}/{name}:step1", type="lora").download(root=tempfile.mkdtemp()); out["got"] = "the files"
        except Exception as e: out["got"] = "refused" if type(e).__name__ in ("CommError", "ValueError", "WandbApiFailedError") else repr(e)''', python, key=CFG.second_key)
    assert got["got"] == "refused"


def test_wandb_fork_copies_the_adapter(python, http_client):
    src, dst = unique("src"), unique("dst")
    got = run_program(f'''
        be = backend(); m = model("{src}"); await m.register(be)
        for _ in range(2): await be.train(m, await pair(m), learning_rate=1e-3)
        f = model("{dst}"); await f.register(be); out["ids"] = [m.id, f.id]
        await be._experimental_fork_checkpoint(f, from_model="{src}")
        for _ in range(40):
            if await f.get_step() == 2: break
            await asyncio.sleep(0.25)
        out["step"] = await f.get_step()
        out["same"] = (await say_it(f)) == (await say_it(m))
        out["pull"] = digest(await be._experimental_pull_model_checkpoint(f, step="latest", local_path=tempfile.mkdtemp()))
        out["next"] = (await be.train(f, await pair(f), learning_rate=1e-3)).step
        await be.close()''', python)
    assert got["step"] == 2, f"the fork has the step of its source, not {got['step']}: nothing was copied"
    assert got["same"] and got["next"] == 3
    source = http_client.get(f"/preview/models/{got['ids'][0]}/checkpoints/2/files/adapter_model.safetensors").content
    assert got["pull"]["adapter_model.safetensors"] == hashlib.sha256(source).hexdigest()
    for i in got["ids"]:
        http_client.delete(f"/preview/models/{i}")


def test_wandb_fork_of_an_older_step(python, http_client):
    src, dst = unique("src"), unique("dst")
    got = run_program(f'''
        be = backend(); m = model("{src}"); await m.register(be)
        for _ in range(2): await be.train(m, await pair(m), learning_rate=1e-3)
        f = model("{dst}"); await f.register(be); out["ids"] = [m.id, f.id]
        await be._experimental_fork_checkpoint(f, from_model="{src}", not_after_step=1)
        for _ in range(40):
            if await f.get_step(): break
            await asyncio.sleep(0.25)
        out["step"] = await f.get_step()
        try: await be._experimental_fork_checkpoint(f, from_model="{src}-nobody"); out["nobody"] = None
        except ValueError as e: out["nobody"] = "ValueError"
        await be.close()''', python)
    assert got["step"] == 1 and got["nobody"] == "ValueError"
    for i in got["ids"]:
        http_client.delete(f"/preview/models/{i}")


def test_wandb_environment_train_log_and_resume(python, http_client):
    """WANDB_API_KEY and WANDB_BASE_URL are set, as with the hosted product: after each job ART writes provenance on the artifact."""
    name = unique()
    body = f'''
        be = art.ServerlessBackend(base_url=ROOT + "/v1"); m = model("{name}"); await m.register(be); out["id"] = m.id
        out["start"] = await m.get_step()
        g = await pair(m)
        r = await be.train(m, g, learning_rate=1e-4); out["trained"] = r.step
        await m.log(g, split="val", step=r.step); await m.log(metrics=r.metrics, split="train", step=r.step)
        m.update_wandb_config({{"a": 1}})
        out["again"] = (await be.train(m, g, learning_rate=1e-4)).step
        await m.train_sft([say("the code?", "blue seven")] * 4, art.TrainSFTConfig(batch_size=2))
        out["sft"] = await m.get_step()
        from art.utils import wandb_sdk
        out["provenance"] = list(wandb_sdk.api().artifact(f"{{m.entity}}/{{PROJECT}}/{name}:latest", type="lora").metadata.get("wandb.provenance") or [])
        await be.close()'''
    one = run_program(body, python, env_key=True)
    two = run_program(body, python, env_key=True)
    assert (one["start"], one["trained"], one["again"], one["sft"]) == (0, 1, 2, 3)
    assert (two["start"], two["trained"], two["again"], two["sft"]) == (3, 4, 5, 6), "a second process resumes"
    assert one["provenance"][-1:] == ["serverless-sft"], one
    http_client.delete(f"/preview/models/{one['id']}")


def test_wandb_push_to_s3(python, tmp_path):
    """Every listed step is pulled, step 0 too; the copy itself is the `aws` command's, replaced here."""
    (tmp_path / "aws").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n')
    (tmp_path / "aws").chmod(0o755)
    run_program(f'''
        be = backend(); m = model("{unique()}"); await m.register(be); await be.train(m, await pair(m), learning_rate=1e-4)
        await be._experimental_push_to_s3(m, s3_bucket="bucket"); await be.delete(m); await be.close()''', python, PATH=f"{tmp_path}:{os.environ['PATH']}")
    calls = (tmp_path / "calls").read_text()
    assert "0001" in calls and "s3://bucket/" in calls


# ---------------------------------------------------------------- W&B's queries, by themselves
def graphql(query: str, variables: dict | None = None, key: str | None = None) -> dict:
    r = httpx.post(f"{CFG.root}/graphql", json={"query": query, "variables": variables}, auth=("api", key or CFG.api_key), timeout=60)
    assert r.status_code == 200, r.text
    return r.json()


@pytest.mark.parametrize("query", ["query { viewer { id } }", "{ viewer { id } }", "query{viewer{id}}"])
def test_an_unnamed_query_is_answered(query):
    """wandb 0.28.0 checks every key this way: anything but data is a wrong key to it."""
    assert graphql(query)["data"]["viewer"]["id"]


def test_an_unnamed_query_with_a_wrong_key():
    r = httpx.post(f"{CFG.root}/graphql", json={"query": "query { viewer { id } }"}, auth=("api", "no" * 30), timeout=60)
    assert r.status_code == 401 or r.json().get("data", {}).get("viewer", 0) is None, r.text


def test_a_comment_before_the_query():
    """`api.run()` of wandb 0.31 begins with a comment; a run that is not kept is null, which the client takes for not found."""
    q = "#graphql\n        query Run($project: String!, $entity: String!, $name: String!) { project(name: $project, entityName: $entity) { run(name: $name) { id config } } }"
    entity = graphql("query Viewer { viewer { entity } }")["data"]["viewer"]["entity"]
    d = graphql(q, {"entity": entity, "project": PROJECT, "name": "nobody"})
    assert "errors" not in d and (d["data"]["project"] is None or d["data"]["project"]["run"] is None)


def test_a_run_without_an_entity_is_the_keys_own():
    """ART 0.5.20 and 0.5.21 give no entity; W&B's client then sends null."""
    q = "query RunResumeStatus($project: String, $entity: String, $name: String!) { model(name: $project, entityName: $entity) { id name entity { id name } bucket(name: $name, missingOk: true) { id } } }"
    d = graphql(q, {"project": PROJECT, "entity": None, "name": "x"})
    assert "errors" not in d, d
    assert d["data"]["model"]["entity"]["name"] == graphql("query Viewer { viewer { entity } }")["data"]["viewer"]["entity"]
    q = "mutation UpsertBucket($name: String, $project: String, $entity: String) { upsertBucket(input: {name: $name, modelName: $project, entityName: $entity}) { bucket { id name project { name entity { name } } } inserted } }"
    d = graphql(q, {"project": PROJECT, "entity": None, "name": "x", "id": None})
    assert "errors" not in d, d
