"""OpenAI's Responses API, through the official client and the agent frameworks that default to it."""
from __future__ import annotations

import json

import agents
import openai
import pydantic
import pydantic_ai
import pytest
from openai import AsyncOpenAI, OpenAI
from pydantic_ai.models.openai import OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from conftest import CFG

QUESTION = "What is the weather in Rome?"
PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
WEATHER = {"type": "function", "name": "get_weather", "description": "Current weather of a city", "parameters": PARAMETERS, "strict": True}


class Rating(pydantic.BaseModel):
    good: bool


@pytest.fixture(scope="module")
def strict():
    """This client raises when a response field has the wrong type or is missing."""
    return OpenAI(base_url=CFG.base_url, api_key=CFG.api_key, max_retries=0, timeout=300, _strict_response_validation=True)


def ask(client, **more):
    return client.responses.create(**{"model": CFG.base_model, "input": "Hello!", "max_output_tokens": 16, **more})


def test_answer_is_that_of_chat(strict):
    r = ask(strict, temperature=0, instructions="Be brief.")
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello!"}]
    chat = strict.chat.completions.create(model=CFG.base_model, messages=messages, max_tokens=16, temperature=0)
    assert r.output_text == chat.choices[0].message.content
    assert (r.usage.input_tokens, r.usage.output_tokens) == (chat.usage.prompt_tokens, chat.usage.completion_tokens)
    assert r.object == "response" and r.id and r.error is None and r.model == CFG.base_model
    generation = r.model_extra["token_generations"][0]
    assert [token["token_id"] for token in generation["output_tokens"]] == chat.choices[0].model_extra["token_ids"]


def test_stream_tells_everything_in_order(strict):
    events = list(ask(strict, temperature=0, stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    types = [event.type.removeprefix("response.") for event in events]
    assert types[:4] == ["created", "in_progress", "output_item.added", "content_part.added"]
    assert types[-4:] == ["output_text.done", "content_part.done", "output_item.done", events[-1].type.removeprefix("response.")]
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert text == events[-1].response.output_text == ask(strict, temperature=0).output_text


def test_tool_loop_with_the_stream_helper(strict):
    conversation = [{"role": "user", "content": QUESTION}]
    with strict.responses.stream(
        model=CFG.base_model, input=conversation, tools=[WEATHER], tool_choice="required", max_output_tokens=64
    ) as stream:
        names = {event.type for event in stream}
        r = stream.get_final_response()
    assert "response.function_call_arguments.done" in names
    call = r.output[0]
    assert call.type == "function_call" and call.name == "get_weather"
    assert isinstance(json.loads(call.arguments)["city"], str)
    conversation += [item.model_dump() for item in r.output]
    conversation.append({"type": "function_call_output", "call_id": call.call_id, "output": "sunny"})
    after = ask(strict, input=conversation, tools=[WEATHER])
    # What was sampled is in the next prompt as it was.
    first, second = (it.model_extra["token_generations"][0] for it in (r, after))
    sampled = first["prompt_token_ids"] + [token["token_id"] for token in first["output_tokens"]]
    assert second["prompt_token_ids"][: len(sampled)] == sampled


def test_parsed_output(strict):
    r = strict.responses.parse(model=CFG.base_model, input="Rate this answer: maybe.", text_format=Rating, max_output_tokens=32)
    assert isinstance(r.output_parsed, Rating)


def test_logprobs(strict):
    r = ask(strict, include=["message.output_text.logprobs"], top_logprobs=2)
    part = r.output[0].content[0]
    assert bytes(sum((entry.bytes for entry in part.logprobs), [])).decode() == part.text
    assert all(len(entry.top_logprobs) == 2 and entry.logprob <= 0 for entry in part.logprobs)
    assert ask(strict).output[0].content[0].logprobs == []


def test_incomplete(strict):
    r = ask(strict, max_output_tokens=1)
    assert r.status == "incomplete" and r.incomplete_details.reason == "max_output_tokens"


@pytest.mark.parametrize(
    "name, more",
    [
        ("background", {"background": True, "store": False}),
        ("conversation", {"conversation": "conv_1"}),
        ("truncation", {"truncation": "auto"}),
        ("tools[0].type", {"tools": [{"type": "web_search"}]}),
        ("include[0]", {"include": ["other"]}),
        ("input[0].content[0].type", {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]}),
    ],
)
def test_refused_by_name(strict, name, more):
    with pytest.raises(openai.UnprocessableEntityError) as refusal:
        ask(strict, **more)
    assert refusal.value.body["param"] == name and name in refusal.value.body["message"]


def test_unknown_model_and_stored_response(strict):
    with pytest.raises(openai.NotFoundError):
        ask(strict, model="no/such/model")
    with pytest.raises(openai.NotFoundError):
        strict.responses.retrieve("resp_1")


@pytest.fixture
async def client():
    async with AsyncOpenAI(base_url=CFG.base_url, api_key=CFG.api_key, max_retries=0) as client:
        yield client


@pytest.mark.asyncio
async def test_openai_agents(client):
    agents.set_tracing_disabled(True)
    cities = []

    @agents.function_tool
    def get_weather(city: str) -> str:
        """Current weather of a city."""
        cities.append(city)
        return "sunny"

    model = agents.OpenAIResponsesModel(CFG.base_model, client)
    settings = agents.ModelSettings(tool_choice="required", max_tokens=64, parallel_tool_calls=False)
    agent = agents.Agent(name="a", instructions="Use tools.", model=model, tools=[get_weather], model_settings=settings)
    result = await agents.Runner.run(agent, QUESTION, max_turns=4)
    assert len(cities) == 1 and isinstance(result.final_output, str)
    assert result.context_wrapper.usage.requests == 2 and result.context_wrapper.usage.output_tokens > 0
    streamed = agents.Runner.run_streamed(agent, QUESTION, max_turns=4)
    async for _ in streamed.stream_events():
        pass
    assert len(cities) == 2 and isinstance(streamed.final_output, str)
    rater = agents.Agent(name="r", model=model, output_type=Rating, model_settings=agents.ModelSettings(max_tokens=32))
    assert isinstance((await agents.Runner.run(rater, "Rate it.")).final_output, Rating)


@pytest.mark.asyncio
async def test_pydantic_ai(client):
    model = OpenAIResponsesModel(CFG.base_model, provider=OpenAIProvider(openai_client=client))
    rater = pydantic_ai.Agent(model, output_type=Rating, model_settings={"max_tokens": 64})
    assert isinstance((await rater.run("Rate it.")).output, Rating)
    native = pydantic_ai.Agent(model, output_type=pydantic_ai.NativeOutput(Rating), model_settings={"max_tokens": 64})
    assert isinstance((await native.run("Rate it.")).output, Rating)
    talker = pydantic_ai.Agent(model, model_settings={"max_tokens": 24})
    first = await talker.run("Hello!")
    again = await talker.run("Thanks.", message_history=first.all_messages())
    assert isinstance(again.output, str)
    async with talker.run_stream("Hello!") as stream:
        assert "".join([piece async for piece in stream.stream_text(delta=True)])
