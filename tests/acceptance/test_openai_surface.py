"""The base address that people configure, `…/v1`: models, legacy completions, and the clients that are built on them."""
import json
from typing import Literal
from urllib.parse import quote

import httpx
import openai
import pydantic
import pytest
from openai import OpenAI

from conftest import CFG, assert_error

MSG = [{"role": "user", "content": "Tell me something."}]
PROMPT = "yes, no or"
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"sunny": {"type": "boolean"}}, "required": ["sunny"], "additionalProperties": False},
    },
}


class Pet(pydantic.BaseModel):
    kind: Literal["cat", "dog"]
    tame: bool


@pytest.fixture(scope="module")
def strict():
    """This client raises when a response field has the wrong type or is missing."""
    with OpenAI(base_url=CFG.base_url, api_key=CFG.api_key, max_retries=0, timeout=300, _strict_response_validation=True) as c:
        yield c


# -- models
def test_models_are_listed_and_retrieved(strict, raw_model):
    models = {m.id: m for m in strict.models.list()}
    names = [CFG.base_model, raw_model.inference_name(), raw_model.inference_name(0)]
    for name in names:
        assert models[name].object == "model"
        assert strict.models.retrieve(name) == models[name]
    assert models[CFG.base_model].owned_by == "system" and models[names[1]].owned_by == raw_model.entity
    assert strict.models.retrieve(names[2].removeprefix("wandb-artifact:///")).created == models[names[2]].created


def test_names_may_stand_in_a_path_as_they_are(raw_model):
    for name in (raw_model.inference_name(), raw_model.inference_name(0).removeprefix("wandb-artifact:///"), CFG.base_model):
        for path in (name, quote(name, safe=""), quote(name)):
            r = httpx.get(f"{CFG.base_url}/models/{path}", headers={"Authorization": f"Bearer {CFG.api_key}"}, timeout=60)
            assert r.status_code == 200 and r.json()["id"] == name, f"{path}: {r.text}"


def test_an_unknown_model_is_not_found(oai):
    for name in ("no-such-model", "nobody/project/name", "gpt-4o"):
        with pytest.raises(openai.NotFoundError) as e:
            oai.models.retrieve(name)
        assert e.value.code == "model_not_found" and name in e.value.body["message"]


def test_another_tenants_models_do_not_exist(raw_model):
    if not CFG.second_key:
        pytest.skip("needs SECOND_API_KEY")
    with OpenAI(base_url=CFG.base_url, api_key=CFG.second_key, max_retries=0) as c:
        assert raw_model.inference_name() not in [m.id for m in c.models.list()]
        with pytest.raises(openai.NotFoundError):
            c.models.retrieve(raw_model.inference_name())


def test_a_wrong_key_comes_before_everything():
    with OpenAI(base_url=CFG.base_url, api_key="wrong", max_retries=0) as c:
        for call in (c.models.list, lambda: c.models.retrieve("x/y"), lambda: c.embeddings.create(model="x", input="y"),
                     lambda: c.completions.create(model="x", prompt="y"), lambda: c.get("/nothing", cast_to=object)):
            with pytest.raises(openai.AuthenticationError):
                call()


# -- legacy completions. OpenAI's own nulls, of a chunk's `finish_reason` and of the first `token_logprobs`, are not in
# the types of its client, so it is strict where there are none.
def test_a_completion(strict):
    r = strict.completions.create(model=CFG.base_model, prompt=PROMPT, max_tokens=5, temperature=0)
    assert r.object == "text_completion" and len(r.choices) == 1 and r.choices[0].logprobs is None
    assert r.choices[0].finish_reason in ("stop", "length") and 0 < r.usage.completion_tokens <= 5


def test_a_streamed_completion(oai):
    kw = dict(model=CFG.base_model, prompt=[PROMPT, "hello"], n=2, max_tokens=8, seed=1, temperature=1)
    texts, finish, last = [""] * 4, [None] * 4, None
    for chunk in oai.completions.create(**kw, stream=True, stream_options={"include_usage": True}):
        last = chunk
        for c in chunk.choices:
            texts[c.index] += c.text
            finish[c.index] = c.finish_reason
    whole = oai.completions.create(**kw)
    assert texts == [c.text for c in whole.choices] and finish == [c.finish_reason for c in whole.choices]
    assert last.usage == whole.usage


def test_a_harness_scores_a_continuation(oai):
    """As lm-evaluation-harness does: token ids, `echo`, `logprobs=1`, one token that is thrown away."""
    context = oai.completions.create(model=CFG.base_model, prompt=PROMPT, max_tokens=1).choices[0].prompt_token_ids
    best = oai.completions.create(model=CFG.base_model, prompt=context, max_tokens=3, temperature=0, logprobs=1, extra_body={"ignore_eos": True})
    ids = [context + best.choices[0].token_ids, context]
    r = oai.completions.create(model=CFG.base_model, prompt=ids, temperature=0, max_tokens=1, logprobs=1, seed=1234, echo=True)
    scored = r.choices[0].logprobs
    own, top = scored.token_logprobs[len(context):-1], scored.top_logprobs[len(context):-1]
    assert scored.token_logprobs[0] is None and scored.top_logprobs[0] is None
    assert own == best.choices[0].logprobs.token_logprobs, "the same bits"
    assert all(o == max(t.values()) for o, t in zip(own, top)), "each was the likeliest"
    assert len(r.choices[1].logprobs.tokens) == len(context) + 1


def test_an_echo_has_tokens_and_places(oai):
    r = oai.completions.create(model=CFG.base_model, prompt=PROMPT, max_tokens=0, echo=True, logprobs=5)
    logprobs = r.choices[0].logprobs
    assert r.choices[0].text == PROMPT == "".join(logprobs.tokens) and r.usage.completion_tokens == 0
    places = [len("".join(logprobs.tokens[:i])) for i in range(len(logprobs.tokens))]
    assert logprobs.text_offset == places
    assert all(len(t) in (5, 6) for t in logprobs.top_logprobs[1:])


def test_what_a_completion_cannot_do_is_refused_by_name(oai):
    for kw in ({"suffix": "x"}, {"best_of": 3}):
        with pytest.raises(openai.UnprocessableEntityError) as e:
            oai.completions.create(model=CFG.base_model, prompt=PROMPT, **kw)
        assert e.value.param == next(iter(kw)) and e.value.code == "unsupported_parameter"
    with pytest.raises(openai.BadRequestError) as e:
        oai.completions.create(model=CFG.base_model, prompt="hello " * 20_000)
    assert e.value.code == "context_length_exceeded" and e.value.param == "prompt"


# -- what is not here
@pytest.mark.parametrize("call", [
    lambda c: c.embeddings.create(model="m", input="text"),
    lambda c: c.images.generate(prompt="a cat"),
    lambda c: c.audio.speech.create(model="m", voice="alloy", input="text"),
    lambda c: c.uploads.create(bytes=1, filename="a", mime_type="text/plain", purpose="batch"),
    lambda c: c.moderations.create(input="text"),
    lambda c: c.beta.assistants.list(),
    lambda c: c.vector_stores.list(),
], ids=["embeddings", "images", "audio", "uploads", "moderations", "assistants", "vector_stores"])
def test_what_is_not_here_says_so(oai, call):
    with pytest.raises(openai.NotFoundError) as e:
        call(oai)
    assert e.value.code == "unsupported_endpoint" and "chat/completions" in e.value.body["message"]
    assert_error(e.value.response, 404)


# -- Open WebUI: what it sends when a connection is added and a chat begins
def test_open_webui_starts():
    headers = {"Authorization": f"Bearer {CFG.api_key}", "Content-Type": "application/json"}
    with httpx.Client(base_url=CFG.base_url, headers=headers, timeout=120) as c:
        listed = c.get("/models").json()
        assert [m for m in listed["data"] if m["id"] == CFG.base_model]
        body = {"model": CFG.base_model, "messages": MSG, "stream": True, "max_tokens": 5, "stream_options": {"include_usage": True}}
        with c.stream("POST", "/chat/completions", json=body) as r:
            lines = [line for line in r.iter_lines() if line]
        assert r.status_code == 200 and lines[-1] == "data: [DONE]" and json.loads(lines[-2][6:])["usage"]["completion_tokens"]


# -- LangChain
@pytest.fixture(scope="module")
def langchain_chat():
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model=CFG.base_model, base_url=CFG.base_url, api_key=CFG.api_key, max_tokens=60, temperature=0, max_retries=0)


def test_langchain_chats_and_streams(langchain_chat):
    whole = langchain_chat.invoke("Say something.")
    assert isinstance(whole.content, str) and whole.usage_metadata["output_tokens"] > 0
    assert "".join(chunk.content for chunk in langchain_chat.stream("Say something.")) == whole.content
    assert len(langchain_chat.batch(["a", "b"])) == 2


def test_langchain_calls_tools(langchain_chat):
    answer = langchain_chat.bind_tools([TOOL], tool_choice="any").invoke("The weather?")
    assert answer.tool_calls[0]["name"] == "get_weather" and isinstance(answer.tool_calls[0]["args"]["sunny"], bool)


@pytest.mark.parametrize("method", ["json_schema", "function_calling"])
def test_langchain_structures_answers(langchain_chat, method):
    assert isinstance(langchain_chat.with_structured_output(Pet, method=method).invoke("A pet."), Pet)


def test_langchain_completes():
    from langchain_openai import OpenAI as Completer

    completer = Completer(model=CFG.base_model, base_url=CFG.base_url, api_key=CFG.api_key, max_tokens=6, temperature=0, max_retries=0)
    whole = completer.invoke(PROMPT)
    assert isinstance(whole, str) and "".join(completer.stream(PROMPT)) == whole
    results = completer.generate([PROMPT, "hello"])
    assert len(results.generations) == 2 and results.llm_output["token_usage"]["total_tokens"] > 0


# -- LiteLLM
LITELLM = dict(api_base=CFG.base_url, api_key=CFG.api_key, max_tokens=60, temperature=0)


def test_litellm_chats_streams_and_calls_tools():
    import litellm

    model = f"openai/{CFG.base_model}"
    whole = litellm.completion(model=model, messages=MSG, **LITELLM)
    streamed = litellm.completion(model=model, messages=MSG, stream=True, **LITELLM)
    assert "".join(c.choices[0].delta.content or "" for c in streamed if c.choices) == (whole.choices[0].message.content or "")
    called = litellm.completion(model=model, messages=MSG, tools=[TOOL], tool_choice="required", **LITELLM)
    assert isinstance(json.loads(called.choices[0].message.tool_calls[0].function.arguments)["sunny"], bool)
    shaped = litellm.completion(model=model, messages=MSG, response_format=Pet, **LITELLM)
    assert Pet.model_validate_json(shaped.choices[0].message.content)


def test_litellm_completes():
    import litellm

    r = litellm.text_completion(model=f"text-completion-openai/{CFG.base_model}", prompt=PROMPT, logprobs=1, **LITELLM)
    assert isinstance(r.choices[0].text, str) and r.usage.completion_tokens > 0


# -- instructor
@pytest.mark.parametrize("mode", ["TOOLS", "JSON_SCHEMA"])
def test_instructor(oai, mode):
    instructor = pytest.importorskip("instructor")  # its newest release needs openai 2
    c = instructor.from_openai(oai, mode=instructor.Mode[mode])
    assert isinstance(c.chat.completions.create(model=CFG.base_model, messages=MSG, response_model=Pet, max_tokens=200, temperature=0, max_retries=0), Pet)


# -- pydantic-ai
@pytest.fixture
def pydantic_model():
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return OpenAIChatModel(CFG.base_model, provider=OpenAIProvider(base_url=CFG.base_url, api_key=CFG.api_key))


async def test_pydantic_ai_answers_and_streams(pydantic_model):
    from pydantic_ai import Agent

    agent = Agent(pydantic_model, model_settings={"max_tokens": 20, "temperature": 0})
    whole = await agent.run("Say something.")
    assert isinstance(whole.output, str) and whole.usage.output_tokens > 0
    async with agent.run_stream("Say something.") as streamed:
        assert await streamed.get_output() == whole.output


async def test_pydantic_ai_structures_answers(pydantic_model):
    from pydantic_ai import Agent, NativeOutput, ToolOutput

    for form in (ToolOutput(Pet), NativeOutput(Pet)):
        agent = Agent(pydantic_model, output_type=form, model_settings={"max_tokens": 200, "temperature": 0})
        assert isinstance((await agent.run("A pet.")).output, Pet)
