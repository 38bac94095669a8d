"""A real pretrained model, from its file as published to better answers and an exported model.

`run` starts the service and calls this. Prompts, tokens and log-probabilities of llama.cpp and transformers are in
recorded.json, which scripts/record_real_model.py has made.
"""

import argparse
import json
import os
import random
import subprocess
import tarfile
from pathlib import Path

import openai

BASE = "hf/smollm2"
ROOT = os.environ["BASE_URL"]
KEY = os.environ["TRAINYARD_API_KEY"]
BINARY = os.environ["TRAINYARD_BINARY"]
HERE = Path(__file__).resolve().parent
FORM = "Is this review positive or negative? Answer with one word.\n\n"

client = openai.OpenAI(base_url=f"{ROOT}/v1", api_key=KEY)


def check(holds: bool, what: str) -> None:
    print(f"{'ok  ' if holds else 'FAIL'} {what}", flush=True)
    if not holds:
        raise SystemExit(1)


def ask(model: str, text: str, **options):
    options = {"max_tokens": 4, "temperature": 0} | options
    return client.chat.completions.create(model=model, messages=[{"role": "user", "content": text}], **options)


def compare(options: argparse.Namespace) -> None:
    """Compares tokens with llama.cpp's, and greedy answers and their log-probabilities with those of transformers."""
    cases = json.loads((HERE / "recorded.json").read_text())[:: 4 if options.sample else 1]
    same_prompt = same_answer = 0
    differences = []
    for case in cases:
        reply = ask(BASE, case["prompt"], max_tokens=20, logprobs=True, extra_body={"return_token_ids": True})
        choice = reply.choices[0]
        same_prompt += reply.prompt_token_ids == case["prompt_ids"]
        same_answer += choice.token_ids == case["answer_ids"]
        # What follows another token has another distribution.
        for token, theirs, ours, logprob in zip(choice.token_ids, case["answer_ids"], choice.logprobs.content, case["logprobs"]):
            if token != theirs:
                break
            differences.append(abs(ours.logprob - logprob))
    mean = sum(differences) / len(differences)
    check(same_prompt == len(cases), f"{same_prompt} of {len(cases)} prompts have the tokens of llama.cpp")
    # In the form of the file, activations are rounded to bf16, and a near tie may fall to the other side.
    least, most, most_in_mean = (len(cases), 2e-4, 5e-5) if options.exact else (0.7 * len(cases), 0.2, 0.02)
    told = f"{same_answer} of {len(cases)} answers are those of transformers; {len(differences)} log-probabilities"
    told += f" differ by {mean:.1e}, at most {max(differences):.1e}"
    check(same_answer >= least and max(differences) <= most and mean <= most_in_mean, told)


def reviews(archive: Path) -> list[tuple[str, str]]:
    """Returns film reviews with the word that describes them, without those that divide their readers."""
    with tarfile.open(archive) as outer:
        inner = next(name for name in outer.getnames() if name.endswith("hutto_ICWSM_2014.tar.gz"))
        with tarfile.open(fileobj=outer.extractfile(inner)) as files:
            text = files.extractfile("hutto_ICWSM_2014/movieReviewSnippets_GroundTruth.txt").read().decode(errors="replace")
    rows = [row.split("\t", 2) for row in text.splitlines()]
    clear = [(text.strip(), "positive" if float(mean) > 0 else "negative") for _, mean, text in rows if abs(float(mean)) > 1.5]
    clear = [(text, word) for text, word in clear if 40 < len(text) < 160]
    random.Random(1).shuffle(clear)
    return clear


def right(model: str, rows: list[tuple[str, str]]) -> int:
    """Returns how many answers are the word, and nothing else."""
    return sum(ask(model, FORM + text).choices[0].message.content.strip().lower().rstrip(".") == word for text, word in rows)


def supervise(rows: list[tuple[str, str]], steps: int) -> str:
    """Trains on reviews with their words, eight at a step; returns the name of the model."""
    file = Path("reviews.jsonl")
    turns = ([{"role": "user", "content": FORM + text}, {"role": "assistant", "content": word}] for text, word in rows[: 8 * steps])
    file.write_text("".join(json.dumps({"messages": messages}) + "\n" for messages in turns))
    options = ["--base-model", BASE, "--batch-size", "8", "--learning-rate", "0.0002", "--watch"]
    subprocess.run([BINARY, "sft", "real/critic", file, *options], check=True, stdout=subprocess.DEVNULL)
    return "wandb-artifact:///real/real/critic"


def train(options: argparse.Namespace) -> None:
    rows = reviews(options.reviews)
    tested, trained = rows[: 20 if options.sample else 60], rows[60:]
    before = right(BASE, tested)
    model = supervise(trained, 20 if options.sample else 50)
    after = right(model, tested)
    told = f"{before} of {len(tested)} reviews are classified in one word before, {after} after"
    check(before < 0.2 * len(tested) and after >= (0.7 if options.sample else 0.9) * len(tested), told)
    Path("answers.json").write_text(json.dumps({text: answer(model, text) for text, _ in tested[:10]}))


def answer(model: str, text: str) -> list[tuple[str, float]]:
    """Returns the tokens of an answer with their log-probabilities."""
    tokens = ask(model, FORM + text, logprobs=True).choices[0].logprobs.content
    return [(token.token, token.logprob) for token in tokens]


def load(options: argparse.Namespace) -> None:
    answers = json.loads(options.answers.read_text())
    greatest = 0.0
    for text, before in answers.items():
        now = answer("hf/critic", text)
        if [token for token, _ in now] != [token for token, _ in before]:
            check(False, f"{text}: {now} in place of {before}")
        greatest = max(greatest, *(abs(one[1] - other[1]) for one, other in zip(now, before)))
    # The first service has computed in the form of the file, with activations in bf16.
    check(greatest <= 0.1, f"the merged model gives {len(answers)} answers of base and adapter; log-probabilities differ by at most {greatest:.1e}")


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("compare", help="compare with llama.cpp and transformers")
    command.add_argument("--sample", action="store_true", help="fewer prompts")
    command.add_argument("--exact", action="store_true", help="the service computes in f32")
    command.set_defaults(run=compare)
    command = commands.add_parser("train", help="train, and write the answers of the result")
    command.add_argument("--reviews", type=Path, required=True, help="source distribution of vaderSentiment")
    command.add_argument("--sample", action="store_true", help="fewer steps")
    command.set_defaults(run=train)
    command = commands.add_parser("load", help="compare the answers of the exported model")
    command.add_argument("--answers", type=Path, required=True)
    command.set_defaults(run=load)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
