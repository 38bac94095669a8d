"""Two turns of a conversation with a library, for each case: `python libraries.py LIBRARY CASE`.

The service's address, key and model are in the environment. Prints what the model said last.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

MODEL, PROMPT, HOME = os.environ["AGENTS_MODEL"], os.environ["AGENTS_PROMPT"], Path(os.environ["AGENTS_HOME"])
LIBRARY, CASE = sys.argv[1:]
WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}
DESCRIPTION = "Current weather of a city"
# What the case `tools` asked and was told; `resume` goes on with it.
EARLIER = HOME / f"{LIBRARY}.json"


def weather(city: str) -> str:
    return f"sunny in {city}"


def anthropic():
    from anthropic import Anthropic

    # The library sends one key; the environment has both names, for programs that read either.
    client = Anthropic(api_key=os.environ["ANTHROPIC_API_KEY"], auth_token=None, max_retries=0)
    tools = [{"name": "get_weather", "description": DESCRIPTION, "input_schema": WEATHER}]
    request = {"model": MODEL, "max_tokens": 256, "tools": tools, "system": "Be brief."}
    messages = json.loads(EARLIER.read_text()) if CASE == "resume" else []
    messages.append({"role": "user", "content": PROMPT})
    assert client.messages.count_tokens(model=MODEL, tools=tools, messages=messages).input_tokens > 0
    while True:
        if CASE in ("stream", "tools"):
            texts, calls = [], []
            with client.messages.stream(messages=messages, **request) as stream:
                for event in stream:
                    if event.type == "text":
                        texts.append(event.text)
                    elif event.type == "input_json":
                        calls.append(event.partial_json)
                reply = stream.get_final_message()
            said = "".join(block.text for block in reply.content if block.type == "text")
            assert "".join(texts) == said and (len(texts) > 1) == bool(said)
            assert len(calls) > 1 or reply.stop_reason != "tool_use"
        else:
            reply = client.messages.create(messages=messages, **request)
        messages.append({"role": "assistant", "content": [block.to_dict() for block in reply.content]})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            break
        assert reply.stop_reason == "tool_use"
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": weather(**call.input)} for call in calls]
        messages.append({"role": "user", "content": results})
    if CASE == "tools":
        EARLIER.write_text(json.dumps(messages))
    print(reply.content[0].text)


def openai_chat():
    from openai import OpenAI

    client = OpenAI(max_retries=0)
    tools = [{"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": WEATHER, "strict": True}}]
    messages = json.loads(EARLIER.read_text()) if CASE == "resume" else [{"role": "developer", "content": "Be brief."}]
    messages.append({"role": "user", "content": PROMPT})
    while True:
        if CASE in ("stream", "tools"):
            kinds = []
            options = {"stream_options": {"include_usage": True}}
            with client.chat.completions.stream(model=MODEL, messages=messages, tools=tools, **options) as stream:
                kinds = [event.type for event in stream]
                reply = stream.get_final_completion()
            assert reply.usage.completion_tokens > 0
            if reply.choices[0].message.tool_calls:
                assert "tool_calls.function.arguments.done" in kinds and kinds.count("tool_calls.function.arguments.delta") > 1, kinds
            else:
                assert kinds.count("content.delta") > 1 and "content.done" in kinds, kinds
        else:
            reply = client.chat.completions.create(model=MODEL, messages=messages, tools=tools)
        message = reply.choices[0].message
        messages.append(message.to_dict())
        if not message.tool_calls:
            break
        for call in message.tool_calls:
            result = weather(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    if CASE == "tools":
        EARLIER.write_text(json.dumps(messages))
    print(message.content)


def openai_responses():
    from openai import OpenAI

    client = OpenAI(max_retries=0)
    tools = [{"type": "function", "name": "get_weather", "description": DESCRIPTION, "parameters": WEATHER, "strict": True}]
    request = {"model": MODEL, "tools": tools, "instructions": "Be brief.", "include": ["reasoning.encrypted_content"]}
    previous = json.loads(EARLIER.read_text()) if CASE == "resume" else None
    # A session's key reads no stored response, so what is continued is sent again; within a case, the service remembers.
    items = [*(previous or []), {"role": "user", "content": PROMPT}]
    whole = list(items)
    while True:
        if CASE in ("stream", "tools"):
            with client.responses.stream(input=items, **request) as stream:
                kinds = [event.type for event in stream]
                reply = stream.get_final_response()
            assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
            if reply.output_text:
                assert kinds.count("response.output_text.delta") > 1, kinds
            else:
                assert kinds.count("response.function_call_arguments.delta") > 1, kinds
        else:
            reply = client.responses.create(input=items, **request)
        whole += [item.to_dict() for item in reply.output]
        calls = [item for item in reply.output if item.type == "function_call"]
        if not calls:
            break
        results = [
            {"type": "function_call_output", "call_id": call.call_id, "output": weather(**json.loads(call.arguments))} for call in calls
        ]
        whole += results
        items = whole
    if CASE == "tools":
        EARLIER.write_text(json.dumps(whole))
    print(reply.output_text)


def openai_agents():
    from agents import Agent, Runner, SQLiteSession, function_tool

    @function_tool
    def get_weather(city: str) -> str:
        """Current weather of a city."""
        return weather(city)

    agent = Agent(name="reporter", instructions="Be brief.", model=f"openai/{MODEL}", tools=[get_weather])
    session = SQLiteSession("conversation", HOME / "sessions.db")

    async def ask():
        if CASE in ("stream", "tools"):
            result = Runner.run_streamed(agent, PROMPT, session=session)
            kinds = [event.type async for event in result.stream_events()]
            assert "raw_response_event" in kinds and "run_item_stream_event" in kinds, kinds
            return result
        return await Runner.run(agent, PROMPT, session=session)

    print(asyncio.run(ask()).final_output)


def litellm():
    """LiteLLM's adapter: Messages in, and Chat Completions or Responses to the service."""
    import litellm

    tools = [{"name": "get_weather", "description": DESCRIPTION, "input_schema": WEATHER}]
    messages = json.loads(EARLIER.read_text()) if CASE == "resume" else []
    messages.append({"role": "user", "content": PROMPT})

    async def ask():
        reply = await litellm.anthropic_messages(
            model=f"openai/{MODEL}", max_tokens=256, messages=messages, tools=tools,
            api_base=os.environ["OPENAI_BASE_URL"], api_key=os.environ["OPENAI_API_KEY"],
        )
        return reply["content"]

    while True:
        content = asyncio.run(ask())
        messages.append({"role": "assistant", "content": content})
        calls = [block for block in content if block["type"] == "tool_use"]
        if not calls:
            break
        results = [{"type": "tool_result", "tool_use_id": call["id"], "content": weather(**call["input"])} for call in calls]
        messages.append({"role": "user", "content": results})
    if CASE == "tools":
        EARLIER.write_text(json.dumps(messages))
    print(content[-1]["text"])


def inspect():
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate, use_tools
    from inspect_ai.tool import tool

    @tool
    def get_weather():
        async def execute(city: str):
            """Current weather of a city.

            Args:
                city: Name of the city.
            """
            return weather(city)

        return execute

    target = "end" if CASE == "tools" else "four"
    task = Task(dataset=[Sample(input=PROMPT, target=target)], solver=[use_tools(get_weather()), generate()], scorer=includes())
    [log] = eval(task, model=f"openai/{MODEL}", display="none", log_dir=str(HOME / "logs"), model_args={"responses_api": True})
    assert log.status == "success", log.error
    [sample] = log.samples
    assert sample.scores["includes"].value == "C", sample.scores
    print(sample.output.completion)


def lm_eval():
    """Log-likelihoods of choices, with the tokenizer of the service."""
    import lm_eval as harness
    from lm_eval.models.openai_completions import LocalCompletionsAPI
    from lm_eval.tasks import TaskManager

    key = os.environ["OPENAI_API_KEY"]
    data = HOME / "questions.jsonl"
    data.write_text("".join(json.dumps({"question": f"{n} and {n}?", "choices": ["four", "five"], "label": 0}) + "\n" for n in range(4)))
    task = {
        "task": "sums", "dataset_path": "json", "dataset_kwargs": {"data_files": {"test": str(data)}}, "test_split": "test",
        "output_type": "multiple_choice", "doc_to_text": "{{question}}", "doc_to_target": "label", "doc_to_choice": "choices",
        "metric_list": [{"metric": "acc"}],
    }
    model = LocalCompletionsAPI(
        base_url=os.environ["OPENAI_BASE_URL"] + "/completions", model=MODEL, tokenizer_backend="remote", batch_size=2, max_retries=1,
        auth_token=key, header={"Authorization": f"Bearer {key}", "x-trainyard-session": os.environ["TRAINYARD_SESSION"]},
    )
    results = harness.simple_evaluate(model=model, tasks=[task], task_manager=TaskManager())
    print(results["results"]["sums"])


globals()[LIBRARY.replace("-", "_")]()
