#!/usr/bin/env python3
"""Training here beside PyTorch, PEFT and TRL: the same work, taking turns in one run.

    benches/training_peers.py --engine target/release/deps/training_engine-* --program target/release/trainyard \\
        --python VENV/bin/python --models DIRECTORY --out target/training_peers

DIRECTORY holds the models `54m`, `107m` and `0.6b`, or those of `--shapes`, as `peers/random_model.py` makes them; VENV has
torch, transformers, peft, trl and datasets. Steps are the engine's own (`training_engine`); jobs go through a service started
here, from the request to `training_ended`. Each contender is a process of its own that works only in its turns.
Only the standard library is used in this program. Writes OUT.json and OUT.svg and prints a table;
OUT_rows.svg shows how time and memory grow with a row.
"""

import argparse
import contextlib
import http.client
import json
import math
import os
import random
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from ratio_bars import write_bars

HERE = Path(__file__).resolve().parent
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--engine", required=True, help="the program of the bench training_engine")
parser.add_argument("--program", required=True, help="the trainyard program")
parser.add_argument("--python", required=True)
parser.add_argument("--models", required=True, type=Path)
parser.add_argument("--out", default="target/training_peers")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--steps", type=int, default=4, help="steps of a round")
parser.add_argument("--shapes", default="54m,107m,0.6b", help="models whose steps are measured, as a list")
parser.add_argument("--compile-all", action="store_true", help="compile the larger models with torch too")
parser.add_argument("--one-at-a-time", action="store_true",
                    help="start torch anew in each round, for models of which two do not fit into memory")
parser.add_argument("--only", default="", help="works to run: those whose name contains this")
options = parser.parse_args()

BATCH, LENGTH = 4, 256
# Tokens of the single row of a step.
ROWS = [1 << power for power in range(10, 16)]
# An RL job: groups, completions of a group, tokens of the prompt, tokens of a completion.
GROUPS, SIZE, PROMPT, COMPLETION = 8, 8, 512, 64
JOB_ROWS = 24
# Of the contenders' curves, ours first.
COLOURS = ["#1f6feb", "#d1603d"]


class Failed(Exception):
    """A contender has ended before its work."""


class Torch:
    """A worker of `peers/torch_worker.py`."""

    # Rounds that are not counted.
    warm_up = 0 if options.one_at_a_time else 1

    def __init__(self, name, model, work, *flags, request):
        self.name, self.request, self.process = name, request, None
        self.command = [options.python, str(HERE / "peers" / "torch_worker.py"), str(options.models / model), work, *flags]

    def start(self):
        environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
        # A work that needs more memory than the machine has ends with an error of its own.
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 9 // 10
        limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL, env=environment, preexec_fn=limit)

    def round(self):
        if self.process is None:
            self.start()
            if options.one_at_a_time:
                self.step()
        answer = self.step()
        if options.one_at_a_time:
            self.close()
        return answer

    def step(self):
        self.process.stdin.write(json.dumps(self.request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Failed(f"ended with {self.process.wait()}")
        return json.loads(line)

    def close(self):
        if self.process is None:
            return
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        self.process = None


class Engine:
    """The engine alone."""

    name = "trainyard"
    # Each process makes a step that it does not count.
    warm_up = 0

    def __init__(self, scenario):
        self.environment = {**os.environ, "TRAINING_SCENARIO": scenario, "TRAINING_ROUNDS": str(options.steps)}

    def round(self):
        done = subprocess.run([options.engine, "--bench"], env=self.environment, check=True, text=True, capture_output=True)
        answer = json.loads(done.stdout.strip().splitlines()[-1])
        return {key: answer[key] for key in ("seconds", "tokens", "peak_bytes", "of_peak")}

    def close(self):
        pass


class Service:
    """A service with one base model; a round is a whole job."""

    name = "trainyard"
    warm_up = 1

    def __init__(self, model, weights, directory, job):
        self.job, self.directory, self.number = job, directory, 0
        data = os.path.join(directory, f"service-{model}-{weights}-{job.__name__}")
        environment = {**os.environ, "TRAINYARD_DATA_DIR": data}
        self.key = subprocess.run([options.program, "keys", "create", "--entity", "bench"], env=environment, check=True,
                                  text=True, capture_output=True).stdout.strip()
        self.process = subprocess.Popen(
            [options.program, "serve", "--listen", "127.0.0.1:0", "--base-model", f"bench/base={options.models / model}",
             "--weights", weights, "--allow-data", f"file://{directory}/"],
            env=environment, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if line.startswith("listening on "):
                self.address = urlsplit(line.split()[-1])
                break
        else:
            raise SystemExit("the service did not start")
        # What it writes to its log has to be read.
        subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)
        self.model = self.call("POST", "/v1/preview/models",
                               {"project": "bench", "name": "agent", "base_model": "bench/base"})["id"]

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=600)
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        if response.status >= 300:
            raise SystemExit(f"{method} {path}: {response.status} {content.decode()[:500]}")
        return json.loads(content)

    def round(self):
        self.number += 1
        path, body, tokens = self.job(self, self.number)
        begin = time.perf_counter()
        job = self.call("POST", path, body)["id"]
        while True:
            events = self.call("GET", f"/v1/preview/training-jobs/{job}/events?limit=100")["data"]
            if events and events[-1]["type"] in ("training_ended", "training_failed"):
                break
            time.sleep(0.02)
        seconds = time.perf_counter() - begin
        if events[-1]["type"] == "training_failed":
            raise SystemExit(f"the job failed: {events[-1]['data']}")
        steps = [event["data"] for event in events if event["type"] == "gradient_step"]
        with open(f"/proc/{self.process.pid}/status") as status:
            peak = int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) * 1024
        return {"seconds": [seconds], "tokens": tokens, "peak_bytes": peak,
                "step_tokens_per_second": statistics.median(step["tokens_per_second"] for step in steps)}

    def close(self):
        self.process.terminate()
        self.process.wait()


def dataset(directory):
    """Conversations of about LENGTH tokens, and how many tokens they have in all."""
    path = os.path.join(directory, "rows.jsonl")
    if not os.path.exists(path):
        source, words = random.Random(1), "self return import class value name data list type error for in of to".split()
        with open(path, "w") as file:
            for _ in range(JOB_ROWS):
                text = lambda count: " ".join(source.choice(words) for _ in range(count))
                file.write(json.dumps({"messages": [{"role": "user", "content": text(20)},
                                                    {"role": "assistant", "content": text(LENGTH - 50)}]}) + "\n")
    return path


def sft_job(service, _number):
    url = "file://" + dataset(service.directory)
    return "/v1/preview/sft-training-jobs", {"model_id": service.model, "training_data_url": url,
                                             "config": {"batch_size": BATCH}}, None


def rl_job(service, number):
    """Rollouts that carry their token ids."""
    source = random.Random(number)
    draw = lambda count: [source.randrange(3, 32000) for _ in range(count)]
    groups = []
    for _ in range(GROUPS):
        prompt = draw(PROMPT)
        trajectories = []
        for place in range(SIZE):
            ids = draw(COMPLETION)
            entries = [{"token": f"token_id:{id}", "logprob": -10.0, "bytes": None, "top_logprobs": []} for id in ids]
            choice = {"finish_reason": "stop", "index": 0, "message": {"role": "assistant", "content": "x"},
                      "logprobs": {"content": entries, "refusal": None}, "token_ids": ids, "prompt_token_ids": prompt}
            trajectories.append({"messages_and_choices": [{"role": "user", "content": "q"}, choice], "tools": None,
                                 "additional_histories": [], "reward": place / SIZE, "metrics": {}, "metadata": {}, "logs": []})
        groups.append({"trajectories": trajectories, "exceptions": [], "metadata": {}, "metrics": {}, "logs": []})
    # One optimizer step for each group, as the peer makes.
    config = {"packed_sequence_length": PROMPT + SIZE * COMPLETION, "learning_rate": 1e-4}
    body = {"model_id": service.model, "trajectory_groups": groups, "experimental_config": config}
    return "/v1/preview/training-jobs", body, GROUPS * SIZE * (PROMPT + COMPLETION)


def works(directory):
    """Name, what makes the contenders (the first is ours), and the floor and the goal of each ratio."""
    sft = {"batch": BATCH, "length": LENGTH, "steps": options.steps}
    rl = {"groups": GROUPS, "size": SIZE, "prompt": PROMPT, "completion": COMPLETION}
    shape = f"{BATCH}x{LENGTH}"
    group = f"{SIZE}x{COMPLETION}+{PROMPT}"
    for model in options.shapes.split(","):
        yield (f"SFT step, {model}, {shape}, bf16", lambda model=model: [
            Engine(f"sft:{options.models / model}:{shape}:bf16"),
            Torch("torch bf16", model, "sft", "--dtype", "bf16", request=sft),
            *([Torch("torch bf16 compiled", model, "sft", "--dtype", "bf16", "--compile", request=sft)]
              if model == "54m" or options.compile_all else []),
        ])
        yield (f"SFT step, {model}, {shape}, f32", lambda model=model: [
            Engine(f"sft:{options.models / model}:{shape}:f32"),
            Torch("torch f32", model, "sft", request=sft),
            Torch("torch f32, MKL with AVX-512", model, "sft", "--mkl", request=sft),
        ])
        yield (f"RL step, {model}, {group}, bf16", lambda model=model: [
            Engine(f"rl:{options.models / model}:{group}:bf16"),
            Torch("torch bf16, prompts repeated", model, "rl", "--dtype", "bf16", request={**rl, "groups": 1}),
        ])
    for length in ROWS:
        yield (f"SFT step of a row, 54m, 1x{length}, bf16", lambda length=length: [
            Engine(f"sft:{options.models / '54m'}:1x{length}:bf16"),
            Torch("torch bf16", "54m", "sft", "--dtype", "bf16", request={**sft, "batch": 1, "length": length}),
        ])
    trl = {"file": dataset(directory), "batch": BATCH, "length": 2 * LENGTH, "tokens": None}
    yield ("SFT job, 54m, bf16", lambda: [
        Service("54m", "bf16", directory, sft_job),
        Torch("TRL SFTTrainer bf16", "54m", "trl", "--dtype", "bf16", request=trl),
    ])
    yield ("RL job, 54m, bf16", lambda: [
        Service("54m", "bf16", directory, rl_job),
        Torch("torch bf16, prompts repeated", "54m", "rl", "--dtype", "bf16", request=rl),
    ])


def measure(name, make):
    """Rounds in turns. A contender that fails is left out."""
    contenders = make()
    rounds = {contender.name: [] for contender in contenders}
    for number in range(1 - max(contender.warm_up for contender in contenders), options.rounds + 1):
        for contender in contenders:
            if contender.name not in rounds or number + contender.warm_up < 1:
                continue
            try:
                answer = contender.round()
            except Failed as error:
                print(f"{name:32} {contender.name:46} {error}", flush=True)
                del rounds[contender.name]
                continue
            if number > 0:
                rounds[contender.name].append(answer)
    for contender in contenders:
        contender.close()
    result = {"work": name, "contenders": {}}
    for contender, answers in rounds.items():
        seconds = [statistics.median(answer["seconds"]) for answer in answers]
        result["contenders"][contender] = {
            "seconds": statistics.median(seconds),
            "all": seconds,
            "tokens": answers[-1]["tokens"],
            "peak_bytes": max(answer["peak_bytes"] for answer in answers),
            **{key: statistics.median(answer[key] for answer in answers)
               for key in ("of_peak", "step_tokens_per_second") if key in answers[-1]},
        }
    ours = result["contenders"]["trainyard"]
    for contender, figures in result["contenders"].items():
        figures["ratio"] = figures["seconds"] / ours["seconds"]
        figures["memory_ratio"] = ours["peak_bytes"] / figures["peak_bytes"]
        speed = f"{figures['tokens'] / figures['seconds']:9.0f} tokens/s" if figures["tokens"] else " " * 18
        print(f"{name:32} {contender:46} {figures['seconds']:8.3f} s {speed} {figures['peak_bytes'] / 1e9:6.2f} GB"
              f"   ours is {figures['ratio']:.2f} times as fast, takes {figures['memory_ratio']:.2f} of the memory", flush=True)
    return result


def curves(path, results):
    """Seconds and gigabytes of a step by the length of its row, both axes logarithmic."""
    rows = [(length, result["contenders"]) for length in ROWS for result in results if f" 1x{length}," in result["work"]]
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="900" height="360" font-family="sans-serif" font-size="12">'
             '<rect width="100%" height="100%" fill="white"/>']
    panels = [("seconds of a step", "seconds", 1.0), ("GB at the peak", "peak_bytes", 1e-9)]
    for panel, (title, figure, factor) in enumerate(panels):
        curves = {}
        for length, contenders in rows:
            for contender, figures in contenders.items():
                curves.setdefault(contender, []).append((length, figures[figure] * factor))
        values = [value for points in curves.values() for _, value in points]
        low, high = math.floor(math.log2(min(values))), math.ceil(math.log2(max(values)))
        left, x = 60 + 440 * panel, lambda length: math.log2(length / ROWS[0]) / (len(ROWS) - 1) * 330
        y = lambda value: 310 - (math.log2(value) - low) / max(1, high - low) * 260
        parts.append(f'<text x="{left}" y="24" font-size="14">{title}</text>')
        for power in range(low, high + 1):
            at = y(2.0 ** power)
            parts.append(f'<line x1="{left}" x2="{left + 330}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>'
                         f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{2.0 ** power:g}</text>')
        parts += [f'<text x="{left + x(length):.1f}" y="330" text-anchor="middle">{length >> 10}k</text>' for length in ROWS]
        for (contender, points), colour in zip(curves.items(), COLOURS):
            line = " ".join(f"{left + x(length):.1f},{y(value):.1f}" for length, value in points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
    names = "".join(f'<tspan dx="24" fill="{colour}">{contender}</tspan>' for contender, colour in zip(curves, COLOURS))
    parts.append(f'<text x="60" y="352" fill="#555">tokens of the row{names}</text></svg>')
    Path(path).write_text("\n".join(parts) + "\n")


def picture(path, results):
    """Bars: how many times as fast this service is as each peer."""
    bars = [(result["work"], peer, figures["ratio"]) for result in results
            for peer, figures in result["contenders"].items() if peer != "trainyard"]
    write_bars(path, "Training: times as fast as the peer (medians, same run; line: equal)", bars)


def main():
    results = []
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        dataset(directory)
        for name, make in works(directory):
            if options.only in name:
                results.append(measure(name, make))
                Path(options.out + ".json").write_text(json.dumps(results, indent=1) + "\n")
    if results:
        picture(options.out + ".svg", results)
    if any(" 1x" in result["work"] for result in results):
        curves(options.out + "_rows.svg", results)
        print(f"written: {options.out}.json, {options.out}.svg")


main()
