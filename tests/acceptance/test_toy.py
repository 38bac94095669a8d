"""The classic first exercise of the client: one word is asked for, and the three answers are worth 0.5, 0.75 and 1.

A model that was just taught to give all three must come to prefer the best one within 20 calls of train().

  TOY_SEED    seed of the rollouts (default 1)
  TOY_LR      learning rate of the train() calls
"""
import asyncio
import os
import random
import re
import time

import pytest

import art

from conftest import CFG, art_backend, chat, create_raw, run, sft_ended, trainable

pytestmark = pytest.mark.training

PROMPTS = ["respond with yes, no or maybe", "say maybe, no or yes", "answer no, yes or maybe", "pick one of yes no maybe"]
REWARD = {"yes": 0.5, "no": 0.75, "maybe": 1.0}
CALLS, ROLLOUTS, GOAL = 20, 8, 0.95
SEED = int(os.environ.get("TOY_SEED", "1"))
LEARNING_RATE = float(os.environ.get("TOY_LR", "1e-4"))


def reward_of(text: str | None) -> float:
    words = re.split(r"\s+", (text or "").strip().lower())
    return REWARD.get(words[0].strip(".,!?"), 0.0)


def measured(http, name: str, samples: int = 32) -> float:
    """Mean reward of samples that take no part in training."""
    rewards = []
    for i, prompt in enumerate(PROMPTS):
        answer = chat(http, name, prompt, n=samples, temperature=1, max_tokens=8, seed=10_000 + i)
        rewards += [reward_of(c["message"]["content"]) for c in answer["choices"]]
    return sum(rewards) / len(rewards)


def teach_the_answers(http, data_server, model_id: str, name: str) -> float:
    """Supervised jobs with all three answers in equal parts, until sampling gives little else."""
    order, reward = random.Random(SEED), 0.0
    for _ in range(CFG.sft_jobs):
        rows = []
        for _ in range(10):
            part = [{"messages": [{"role": "user", "content": p}, {"role": "assistant", "content": a}]} for p in PROMPTS for a in REWARD]
            order.shuffle(part)
            rows += part
        rates = [CFG.sft_lr * (1 - 0.9 * i / 10) for i in range(10)]
        sft_ended(http, model_id, data_server.http_url(data_server.put(rows)), batch_size=12, learning_rate=rates)
        reward = measured(http, name)
        if reward >= 0.6:
            break
    return reward


async def rollout(model: art.TrainableModel, prompt: str, seed: int) -> art.Trajectory:
    messages: art.Messages = [{"role": "user", "content": prompt}]
    answer = await model.openai_client().chat.completions.create(
        model=model.get_inference_name(), messages=messages, max_tokens=8, temperature=1, seed=seed)
    choice = answer.choices[0]
    return art.Trajectory(messages_and_choices=[*messages, choice], reward=reward_of(choice.message.content))


async def reinforce(http, name: str, curve: list[float]) -> None:
    """Sample, reward, train, until the reward is reached; one entry of the curve per call."""
    async with art_backend() as backend:
        model = trainable(name)
        await model.register(backend)
        for call in range(CALLS):
            seeds = [[(SEED * 1000 + call) * 1000 + p * 100 + i for i in range(ROLLOUTS)] for p in range(len(PROMPTS))]
            groups = await art.gather_trajectory_groups(
                [art.TrajectoryGroup(rollout(model, prompt, seed) for seed in of_prompt) for prompt, of_prompt in zip(PROMPTS, seeds)],
                pbar_desc=None, max_exceptions=0)
            await asyncio.wait_for(backend.train(model, groups, learning_rate=LEARNING_RATE), CFG.job_timeout)
            curve.append(measured(http, model.get_inference_name()))
            if curve[-1] >= GOAL:
                return


def test_the_best_answer_is_learned(http_client, data_server):
    raw = create_raw(http_client)
    started = time.monotonic()
    curve = [teach_the_answers(http_client, data_server, raw.id, raw.inference_name())]
    story = lambda: f"seed {SEED}, learning rate {LEARNING_RATE}: mean reward {' '.join(f'{r:.2f}' for r in curve)} in {time.monotonic() - started:.0f} s"  # noqa: E731
    assert 0.5 <= curve[0] < 0.9, f"the warm start is not one to learn from: {story()}"
    run(reinforce, http_client, raw.inference_name().rsplit("/", 1)[1], curve)
    print(story())
    assert curve[-1] >= GOAL, story()
    http_client.delete(f"/preview/models/{raw.id}")
