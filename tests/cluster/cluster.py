"""Trainyard on real vLLM servers.   usage: cluster.py [--rounds N] [PART…]     parts: sampling, failures, speed, mixture

`mixture` runs only if it is named: beside adapters, vLLM computes experts by Triton, which needs a GPU. Needs
TRAINYARD_BINARY, this interpreter with vLLM, and for `mixture` TRAINYARD_LEARNER_PYTHON with the learner's libraries; see `run`
beside this file."""
import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import failures
import mixture
import sampling
import speed
from harness import end, processes

PARTS = {
    "sampling": sampling.run,
    "failures": failures.run,
    "speed": speed.run,
    "mixture": lambda directory, rounds: mixture.run(directory, rounds, os.environ["TRAINYARD_LEARNER_PYTHON"]),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    arguments = parser.parse_args()
    failed = []
    for name in arguments.parts or [part for part in PARTS if part != "mixture"]:
        print(f"\n== {name}", flush=True)
        begun = time.time()
        with tempfile.TemporaryDirectory(prefix="trainyard-cluster-") as temporary:
            try:
                PARTS[name](Path(temporary), arguments.rounds)
                print(f"{name} passed in {time.time() - begun:.0f} s", flush=True)
            except Exception as error:  # The other parts are run too.
                failed.append(name)
                print(f"{name} failed: {type(error).__name__}: {error}")
                for log in sorted(Path(temporary).rglob("*.log")):
                    print(f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}", flush=True)
            finally:
                while processes:
                    end(processes.pop())
    print("passed" if not failed else f"failed: {', '.join(failed)}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
