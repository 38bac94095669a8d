#!/usr/bin/env python3
"""Steps of a loop of RL over HTTP: rollouts and training one after the other, and the rollouts of the next step while a job trains.

The service is started by hand, for example with the model of `peers/random_model.py`. Both ways take turns, each with a
model of its own. A step samples GROUPS prompts ANSWERS times and sends the groups as one job. Overlapping, the rollouts of a
step are those of the checkpoint before the last: one step off policy.

    benches/rl_loop.py http://127.0.0.1:8000 KEY [BASE_MODEL] --steps 4 --rounds 3
"""

import argparse
import random
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from light_requests import Client
from serving_http import WORDS

# Seconds for a request.
TIMEOUT = 600


class Service(Client):
    def __init__(self, url, key):
        self.address, self.key = urlsplit(url).netloc, key
        super().__init__(self.address, key, TIMEOUT)

    def rollouts(self, model, options, seed):
        """Groups of trajectories, sampled at once; the rewards are random."""
        source, places = random.Random(seed), range(options.groups)
        questions = [" ".join(source.choice(WORDS) for _ in range(options.words)) for _ in places]
        rewards = [[source.random() for _ in range(options.answers)] for _ in places]

        def group(place):
            message = {"role": "user", "content": questions[place]}
            body = {"model": model, "messages": [message], "n": options.answers, "max_tokens": options.tokens, "logprobs": True,
                    "seed": seed * 1000 + place, "ignore_eos": True}
            choices = Client(self.address, self.key, TIMEOUT).call("POST", "/v1/chat/completions", body)["choices"]
            rollout = lambda choice, reward: {"messages_and_choices": [message, choice], "reward": reward}  # noqa: E731
            return {"trajectories": [rollout(*pair) for pair in zip(choices, rewards[place])]}

        with ThreadPoolExecutor(options.groups) as pool:
            return list(pool.map(group, places))

    def train(self, model, groups):
        return self.call("POST", "/v1/preview/training-jobs", {"model_id": model["id"], "trajectory_groups": groups})["id"]


def loop(service, options, number, overlaps):
    """Seconds for a step."""
    name = f"loop-{time.time_ns()}"
    model = service.call("POST", "/v1/preview/models", {"project": "bench", "name": name, "base_model": options.base})
    trained = lambda step: f"wandb-artifact:///{model['entity']}/bench/{name}:step{step}" if step else options.base  # noqa: E731
    seed = lambda step: number * 100 + step  # noqa: E731
    begin = time.perf_counter()
    groups = service.rollouts(trained(0), options, seed(0)) if overlaps else None
    for step in range(options.steps):
        job = service.train(model, groups if overlaps else service.rollouts(trained(step), options, seed(step)))
        if overlaps and step + 1 < options.steps:
            groups = service.rollouts(trained(step), options, seed(step + 1))
        service.wait(job)
    return (time.perf_counter() - begin) / options.steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("key")
    parser.add_argument("base", nargs="?", default="trainyard/seedling", metavar="BASE_MODEL")
    for name, default in [("steps", 4), ("rounds", 3), ("groups", 4), ("answers", 8), ("words", 50), ("tokens", 64)]:
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    service, seconds = Service(options.url, options.key), {False: [], True: []}
    for number in range(options.rounds + 1):
        for overlaps in (False, True) if number % 2 else (True, False):
            took = loop(service, options, number, overlaps)
            if number:  # The first round warms up.
                seconds[overlaps].append(took)
    one, both = (statistics.median(seconds[overlaps]) for overlaps in (False, True))
    print(f"{options.steps} steps of {options.groups} groups of {options.answers} answers of {options.tokens} tokens, {options.rounds} rounds")
    print(f"one after the other {one:.2f} s a step, overlapping {both:.2f} s: {one / both:.2f} times as fast")


main()
