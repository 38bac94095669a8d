"""A loop of two turns with tools through the current ART: rollouts are captured, and the second half of the calls comes from a new process."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

import pytest

from conftest import CFG, PROJECT, unique

pytestmark = pytest.mark.training

PROGRAM = '''
import asyncio, json, os, random, tempfile
import art

WEATHER = ["sunny", "rainy", "windy"]

def tool(name, argument, values):
    return {"type": "function", "function": {"name": name, "description": name, "parameters": {
        "type": "object", "properties": {argument: {"type": "string", "enum": values}}, "required": [argument], "additionalProperties": False}}}

LOOK_UP, REPORT = tool("look_up", "city", ["Rome", "Oslo", "Lima"]), tool("report", "weather", WEATHER)

async def rollout(model, seed):
    """Looks Oslo up, and reports the weather that the tool gave: half a reward for each, and for each argument."""
    client = model.openai_client()
    with art.Trajectory() as trajectory:
        messages = [{"role": "user", "content": "the weather in Oslo?"}]
        said = []
        for _ in range(2):
            reply = await client.chat.completions.create(
                model=model.get_inference_name(), messages=messages, tools=[LOOK_UP, REPORT], seed=seed, max_tokens=80,
                tool_choice="required")
            message = reply.choices[0].message
            calls = message.tool_calls or []
            said.append([(c.function.name, c.function.arguments) for c in calls])
            if not calls:
                break
            messages.append({"role": "assistant", "content": message.content, "tool_calls": [c.model_dump() for c in calls]})
            messages.extend({"role": "tool", "tool_call_id": c.id, "content": "rainy"} for c in calls)
    trajectory.reward = score(said)
    return trajectory

def score(said):
    def arguments(turn, name):
        if len(said) <= turn or not said[turn] or said[turn][0][0] != name:
            return {}
        try:
            return json.loads(said[turn][0][1])
        except ValueError:  # cut off
            return {}
    look_up, report = arguments(0, "look_up"), arguments(1, "report")
    return 0.5 * (bool(look_up) + (look_up.get("city") == "Oslo") + bool(report) + (report.get("weather") == "rainy"))

async def main():
    backend = art.ServerlessBackend(api_key=os.environ["KEY"], base_url=os.environ["BASE_URL"])
    name = os.environ["NAME"]
    model = art.TrainableModel(name=name, run_name=name, project=os.environ["PROJECT"], base_model=os.environ["BASE_MODEL"], base_path=tempfile.mkdtemp())
    await model.register(backend)
    start = await model.get_step()
    means = []
    for call in range(int(os.environ["CALLS"])):
        seeds = random.Random(1000 * start + call)
        groups = [art.TrajectoryGroup(await asyncio.gather(*(rollout(model, seeds.randrange(2**31)) for _ in range(8)))) for _ in range(4)]
        means.append(sum(t.reward for g in groups for t in g) / sum(len(g.trajectories) for g in groups))
        if call + 1 < int(os.environ["CALLS"]):
            await backend.train(model, groups, learning_rate=float(os.environ.get("RATE", "3e-4")))
    await backend.close()
    print("RESULT " + json.dumps({"start": start, "means": means}))

asyncio.run(main())
'''


def run(name: str, calls: int) -> dict:
    with tempfile.TemporaryDirectory(prefix="tool-loop-") as home:
        env = {k: v for k, v in os.environ.items() if not k.startswith(("WANDB", "PYTEST"))}
        env |= {"KEY": CFG.api_key, "BASE_URL": CFG.base_url, "BASE_MODEL": CFG.base_model, "PROJECT": PROJECT, "NAME": name, "CALLS": str(calls),
                "HOME": home, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "WEAVE_DISABLED": "true", "TQDM_DISABLE": "1"}
        done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=home, env=env, capture_output=True, text=True, timeout=900)
    line = next((x for x in done.stdout.splitlines() if x.startswith("RESULT ")), None)
    assert done.returncode == 0 and line, (done.stderr or done.stdout)[-2000:]
    return json.loads(line.removeprefix("RESULT "))


def test_two_turns_with_tools_learn_within_eight_calls():
    name = unique()
    first = run(name, 5)  # measures five times, trains four times
    second = run(name, 5)
    assert (first["start"], second["start"]) == (0, 4), "the second process resumes"
    means = first["means"] + second["means"]
    assert max(means[-2:]) >= means[0] + 0.5, f"the mean reward did not rise: {means}"
