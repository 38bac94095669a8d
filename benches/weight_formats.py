#!/usr/bin/env python3
"""Loss of quality by weight formats: log-probabilities of a text and a job's loss curve, beside those of f32.

    benches/weight_formats.py [--base-model NAME=DIR…] --out weight_formats.svg      # needs matplotlib

The built-in model always takes part; it alone has learnt anything, and trains. Each format has a service of its own. Its
text is the model's own kind of dialogue, that of the others random words.
"""

import argparse
import json
import pathlib
import random
import tempfile

import matplotlib

matplotlib.use("svg")
from light_requests import Client, server  # noqa: E402
from matplotlib import pyplot as plt  # noqa: E402
from serving_http import WORDS  # noqa: E402

FORMATS = ["f32", "bf16", "int8", "int4"]
SEEDLING = "trainyard/seedling"
COLOURS = {"f32": "#222222", "bf16": "#1f6feb", "int8": "#6a9a3b", "int4": "#d1603d"}


def logprobs(client, model, texts):
    """Log-probabilities of all tokens of the conversations but the first ones."""
    found = []
    for text in texts:
        body = {"model": model, "messages": text, "max_tokens": 1, "prompt_logprobs": 0, "return_token_ids": True}
        answer = client.call("POST", "/v1/chat/completions", body)
        ids, places = answer["prompt_token_ids"], answer["prompt_logprobs"]
        found += [place[str(id)]["logprob"] for id, place in zip(ids, places) if place]
    return found


def losses(client, directory, steps):
    """Losses of the steps of a job on the built-in model."""
    answers = random.Random(1)
    turn = lambda number: [  # noqa: E731
        {"role": "user", "content": f"question {number % 12}"},
        {"role": "assistant", "content": " ".join(answers.choice(["yes", "no", "maybe", "perhaps not"]) for _ in range(8))},
    ]
    rows = [json.dumps({"messages": turn(number)}) for number in range(12)]
    data = directory / "train.jsonl"
    data.write_text("".join(row + "\n" for _ in range(steps * 4 // 12) for row in rows))
    model = client.call("POST", "/v1/preview/models", {"project": "bench", "name": "formats", "base_model": SEEDLING})["id"]
    config = {"batch_size": 4, "learning_rate": 5e-4}
    body = {"model_id": model, "training_data_url": data.as_uri(), "config": config}
    job = client.call("POST", "/v1/preview/sft-training-jobs", body)["id"]
    client.wait(job)
    found, after, has_more = [], "", True
    while has_more:
        page = client.call("GET", f"/v1/preview/training-jobs/{job}/events?limit=100&order=asc{after}")
        found += [event["data"]["loss/train"] for event in page["data"] if event["type"] == "gradient_step"]
        after, has_more = f"&after={page['data'][-1]['id']}", page["has_more"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/trainyard")
    parser.add_argument("--base-model", action="append", default=[], metavar="NAME=DIR")
    parser.add_argument("--steps", type=int, default=90)
    parser.add_argument("--out", default="weight_formats.svg")
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    source = random.Random(2)
    words = [[{"role": "user", "content": " ".join(source.choice(WORDS) for _ in range(150))}] for _ in range(4)]
    turn = [{"role": "user", "content": "say yes or no"}, {"role": "assistant", "content": "yes"}]
    models = {SEEDLING: [turn * 8]} | {f"bench/{text.split('=', 1)[0]}": words for text in options.base_model}
    scores, curves = {}, {}
    for kind in FORMATS:
        with tempfile.TemporaryDirectory() as directory:
            directory = pathlib.Path(directory)
            more = [argument for text in options.base_model for argument in ("--base-model", f"bench/{text}")]
            with server(binary, directory, "--weights", kind, *more) as (_, address):
                log = (directory / "log").read_text()
                key = next(word for line in log.splitlines() for word in line.split() if word.startswith("ty_"))
                client = Client(address, key, timeout=600)
                scores[kind] = {model: logprobs(client, model, texts) for model, texts in models.items()}
                curves[kind] = losses(client, directory, options.steps)
    print("| model | tokens | " + " | ".join(f"{kind}: mean, largest difference, nat" for kind in FORMATS[1:]) + " |")
    print("|---|---:|" + "---:|" * len(FORMATS[1:]))
    for model in models:
        exact = scores["f32"][model]
        cells = []
        for kind in FORMATS[1:]:
            off = [abs(one - other) for one, other in zip(scores[kind][model], exact)]
            cells.append(f"{sum(off) / len(off):.4f}, {max(off):.3f}")
        print(f"| {model.removeprefix('bench/')} | {len(exact)} | " + " | ".join(cells) + " |")
    for kind in FORMATS:
        tail = curves[kind][-10:]
        print(f"{kind}: loss {curves[kind][0]:.3f} at the first step, {sum(tail) / len(tail):.3f} in the mean of the last 10")
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "svg.hashsalt": "formats"})
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 6), sharex=True, height_ratios=[2, 1])
    steps = range(1, len(curves["f32"]) + 1)
    for kind in FORMATS:
        off = [one - other for one, other in zip(curves[kind], curves["f32"])]
        width, alpha = (3.5, 0.35) if kind == "f32" else (1.3, 1)
        for axis, values in ((top, curves[kind]), (bottom, off)):
            axis.plot(steps, values, label=kind, color=COLOURS[kind], linewidth=width, alpha=alpha)
    top.set(ylabel="loss in nats", title="Fine-tuning of the built-in model on weights in four formats")
    bottom.set(xlabel="step", ylabel="difference from f32")
    for axis in (top, bottom):
        axis.grid(axis="y", color="#eeeeee")
        axis.spines[["top", "right"]].set_visible(False)
    top.legend(frameon=False)
    figure.savefig(options.out, metadata={"Date": None}, bbox_inches="tight")


main()
