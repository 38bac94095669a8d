"""Runs real programs against a live service, and prints what works.

`run` installs the programs, starts the service with the model of model.py and calls this. Each case of a program has a recorded
session of its own, whose key is all that the program gets. A case passes if

* the program exits with 0 and prints the last line of the model's script,
* the service answered each of its requests with 2xx, and each stream had its end,
* `tools`: the request after the call has what the tool printed,
* `resume`: a request has the texts of the conversation that is continued, or refers to its stored items,
* the session has one generation for each request that samples, with its tokens, and no other.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from model import DONE, SUBMIT, TEXT
from programs import PROGRAMS, Program
from recorder import Recorder, dump

HERE = Path(__file__).resolve().parent
CASES = ("chat", "tools", "stream", "resume")
SAMPLE = ("tools", "resume")
PROMPTS = {
    "chat": "What is two and two? Answer in one sentence.",
    "tools": "Say what the tool says. #tool",
    "stream": "What is two and two, said slowly?",
    "resume": "And what was that again?",
}
# What the tools print: the shell's, and the function's of the libraries.
RESULTS = ("trained-42", "sunny in Rome")
LIMIT = 240
ROOT, KEY = os.environ["TRAINYARD_BASE_URL"], os.environ["TRAINYARD_API_KEY"]
MODEL = os.environ["AGENTS_MODEL"]
LOGS = Path(os.environ["AGENTS_LOGS"])


class Fault(Exception):
    """Why a case fails."""


def call(method: str, path: str, body=None):
    request = urllib.request.Request(ROOT + path, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Authorization", f"Bearer {KEY}")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.loads(response.read() or "null")


def check(holds, why: str) -> None:
    if not holds:
        raise Fault(why)


def run(program: Program, case: str, home: Path, recorder: Recorder) -> str:
    """Runs a case. Returns a few words about it."""
    session = call("POST", "/v1/preview/sessions", {"model": MODEL, "name": f"{program.name}: {case}", "group": program.name})
    root = f"{recorder.address}/sessions/{session['id']}" if program.access == "url" else recorder.address
    key = session["key"] if program.access == "key" else KEY
    base_url = f"{root}/v1"
    values = {
        "root": root, "base_url": base_url, "key": key, "model": MODEL, "home": str(home),
        "prompt": PROMPTS[case], "here": str(HERE), "python": sys.executable, "bin": str(Path(sys.executable).parent),
        "node": os.environ["AGENTS_NODE"], "id": session["id"],
    }
    for name, text in program.files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text.format(**values))
    work = home / "work"
    work.mkdir(exist_ok=True)
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "TERM") if name in os.environ} | {
        "HOME": str(home), "NO_COLOR": "1", "CI": "1", "IS_SANDBOX": "1", "AGENTS_MODEL": MODEL, "AGENTS_PROMPT": PROMPTS[case],
        "AGENTS_HOME": str(home), "OPENAI_BASE_URL": base_url, "OPENAI_API_BASE": base_url, "OPENAI_API_KEY": key,
        "OPENAI_MODEL": MODEL, "ANTHROPIC_BASE_URL": root, "ANTHROPIC_AUTH_TOKEN": key,
        "ANTHROPIC_API_KEY": key, "ANTHROPIC_MODEL": MODEL, "ANTHROPIC_SMALL_FAST_MODEL": MODEL,
        "TRAINYARD_SESSION": session["id"],
    }
    environment |= {name: value.format(**values) for name, value in program.environment.items()}
    command = [part.format(**values) for part in program.cases[case]]
    recorder.take()
    begun = time.monotonic()
    log = LOGS / f"{program.name}.{case}".replace("/", "-").replace(" ", "-")
    try:
        ended = subprocess.run(
            command, cwd=work, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=LIMIT, check=False,
        )
        output, errors, status = ended.stdout, ended.stderr, f"{ended.returncode}"
    except subprocess.TimeoutExpired as expired:
        output, errors = ((text or b"").decode(errors="replace") for text in (expired.stdout, expired.stderr))
        status = f"nothing within {LIMIT} s"
    seconds = time.monotonic() - begun
    exchanges = recorder.take()
    dump(log.with_suffix(f".{case}.json"), exchanges)
    log.with_suffix(f".{case}.txt").write_text(f"{command}\n{status}\n{output}\n{errors}")
    faults = [fault for exchange in exchanges if (fault := exchange.fault())]
    check(not faults, "; ".join(faults[:3]))
    check(status == "0", f"exits with {status}: {(errors or output).strip()[-300:]}")
    sampled = [exchange for exchange in exchanges if exchange.samples]
    check(sampled, "no request")
    expected = {"tools": DONE}.get(case, TEXT)
    check(expected in output or SUBMIT in sampled[-1].answer or program.name == "lm-eval", f"prints no {expected!r}: {output[-300:]}")
    if case == "tools":
        check(any(result in exchange.body for exchange in sampled for result in RESULTS), "no request has the tool's result")
    if case == "stream":
        check(any(exchange.streamed for exchange in sampled), "no stream")
    if case == "resume":
        def continues(body):
            return (PROMPTS["tools"] in body and TEXT.split()[0] in body) or '"item_reference"' in body
        check(any(continues(exchange.body) for exchange in sampled), "no request has the earlier conversation")
    recorded = call("GET", f"/v1/preview/sessions/{session['id']}?requests=true")
    generations = recorded["generations"]
    check(len(generations) == len(sampled), f"{len(sampled)} requests, {len(generations)} generations in the session")
    for generation in generations:
        check(generation["completion_tokens"] > 0, f"a generation without tokens: {generation}")
    tokens = max(generation["prompt_tokens"] for generation in generations)
    warnings = sorted({exchange.headers.get("x-trainyard-warnings", "") for exchange in sampled} - {""})
    streams = "s" if any(exchange.streamed for exchange in sampled) else ""
    for warning in warnings:
        print(f"     {warning[:300]}")
    return f"{len(sampled)}{streams} {tokens:,} {seconds:.0f} s"


# As docs/sessions.md shows them, with what this place needs.
TRAINED = {
    "anthropic": ["{python}", "{here}/libraries.py", "anthropic", "tools"],
    "Claude Code": ["env", "IS_SANDBOX=1", "CLAUDE_CODE_MAX_OUTPUT_TOKENS=1024", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
                    "{claude}", "-p", "--allowedTools", "Bash", "--", "{prompt}"],
}


def train(name: str, home: Path, recorder: Recorder) -> str:
    """Trains sessions of a program by one line of `trainyard collect`. The rewards are random, so that they differ."""
    places = {"{python}": sys.executable, "{here}": str(HERE), "{prompt}": PROMPTS["tools"],
              "{claude}": f"{os.environ['AGENTS_NODE']}/node_modules/.bin/claude"}
    program = TRAINED[name]
    for place, value in places.items():
        program = [part.replace(place, value) for part in program]
    collect = [os.environ["TRAINYARD_BINARY"], "collect", "--model", "agents/program", "--n", "4", "--parallel", "2", "--timeout", "120",
               "--grade", "echo $EXIT_CODE >&2; test $EXIT_CODE = 0 && od -An -N2 -tu2 /dev/urandom", "--train"]
    environment = os.environ | {"HOME": str(home), "AGENTS_HOME": str(home), "AGENTS_PROMPT": PROMPTS["tools"],
                                "TRAINYARD_BASE_URL": recorder.address}
    recorder.take()
    ended = subprocess.run(
        [*collect, "--", *program], cwd=home, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
        check=False,
    )
    exchanges = recorder.take()
    dump(LOGS / f"trained-{name}.json".replace(" ", "-"), exchanges)
    faults = [fault for exchange in exchanges if (fault := exchange.fault())]
    check(ended.returncode == 0, f"collect exits with {ended.returncode}: {ended.stdout[-500:]}{ended.stderr[-500:]}; {faults[:3]}")
    check(not faults, "; ".join(faults[:3]))
    job = re.search(r"^[0-9a-f-]{36}$", ended.stdout, re.M)[0]
    events = call("GET", f"/v1/preview/training-jobs/{job}/events?limit=100")["data"]
    first = next(event["data"] for event in events if event["type"] == "gradient_step")
    for metric, expected in [("importance_ratio/min", 1), ("importance_ratio/max", 1), ("logprob_mismatch/max_abs", 0)]:
        check(first[metric] == expected, f"{metric} is {first[metric]}")
    sessions = re.search(r"(\d+) sessions", ended.stdout)[0]
    return f"{sessions}, importance ratio 1, mismatch 0"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", action="store_true", help="two cases of the programs that take seconds")
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("names", nargs="*", help="parts of the programs' names")
    options = parser.parse_args()
    chosen = [program for program in PROGRAMS if program.quick or not options.sample]
    chosen = [program for program in chosen if not options.names or any(name in program.name for name in options.names)]
    recorder = Recorder(ROOT)
    rows, failed = [], 0
    for program in chosen:
        home = options.home / program.name.replace("/", "-").replace(" ", "-")
        home.mkdir(parents=True, exist_ok=True)
        row = {}
        for case in CASES:
            if case not in program.cases or (options.sample and case not in SAMPLE):
                continue
            try:
                row[case] = run(program, case, home, recorder)
                print(f"ok   {program.name}, {case}: {row[case]}", flush=True)
            except Fault as fault:
                row[case], failed = "FAIL", failed + 1
                print(f"FAIL {program.name}, {case}: {fault}", flush=True)
        # The programs that always stream have no case of their own for it.
        if "stream" not in row and all(cell != "FAIL" and "s " in cell.split(",")[0] for cell in row.values()) and row:
            row["stream"] = "always"
        rows.append((program.name, row))
    for name in TRAINED:
        if name not in [program.name for program in chosen]:
            continue
        home = options.home / f"trained-{name}".replace(" ", "-")
        home.mkdir(parents=True)
        try:
            print(f"ok   {name}, trained: {train(name, home, recorder)}", flush=True)
        except Fault as fault:
            failed += 1
            print(f"FAIL {name}, trained: {fault}", flush=True)
    print("\nRequests (s: streamed), tokens of the longest prompt, and time of each case:\n")
    print(f"| {'program':<22} | " + " | ".join(f"{case:<16}" for case in CASES) + " |")
    print(f"|{'-' * 24}|" + f"{'-' * 18}|" * len(CASES))
    for name, row in rows:
        print(f"| {name:<22} | " + " | ".join(f"{row.get(case, ''):<16}" for case in CASES) + " |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
