"""Runs each block of code in README.md and docs/ as a reader would paste it: in order, each page on a fresh service.

    TRAINYARD_BINARY=target/release/trainyard python tests/readme.py [-v] [PAGE…]
    python tests/readme.py --links

Shell blocks of a page share one shell, so that a variable of one is known to the next. `trainyard serve` and
`trainyard worker` run in the background until the next `serve`. `ty_…` stands for the key that the first server printed.
Python blocks run with this interpreter, which needs openpipe-art. Rust blocks have to be part of a program in examples/,
which runs if the block has all of it. `--links` runs no block: it checks that the files that the documents link to or name exist.
"""
from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Pages that begin with `trainyard serve`, or need no service.
STANDALONE = ["README.md", "docs/install.md", "docs/quickstart.md", "docs/operating.md", "docs/api.md", "docs/cluster/learner.md"]
# Pages whose blocks ask a running service, with its key in TRAINYARD_API_KEY.
ON_A_SERVICE = ["docs/jobs.md", "docs/serving.md", "docs/sessions.md", "docs/data.md", "docs/use-elsewhere.md", "docs/keys.md", "docs/storage.md"]
# Pages that download a model: tests/real_model/run names them.
ON_DEMAND = ["docs/tutorial.md"]
# Made by tests of their own, which compare each block with the generator: tests/all/contract.
GENERATED = {"docs/generated-code.md"}
# Documents outside the book, whose links MkDocs does not see.
LINKED = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "tests/README.md"]
# Code spans that name a file or a directory of the repository.
PATH = re.compile(r"`((?:assets|benches|crates|docs|examples|fuzz|generated|packaging|scripts|spec|src|tests)/[\w./-]*)`")
# Seconds that one block may take, and that a program may take to start or to end.
BLOCK_TIME, PROGRAM_TIME = 900, 60
PRELUDE = r"""
set -euo pipefail
daemons=()
stop_daemons() { for daemon in "${daemons[@]}"; do kill -INT "$daemon" 2>/dev/null && wait "$daemon" || true; done; daemons=(); }
trap stop_daemons EXIT
start_daemon() {
    local log=daemon.$RANDOM.log
    "$@" >"$log" 2>&1 &
    daemons+=($!)
    for _ in $(seq 300); do
        if grep -q '^listening on \|^working on the jobs' "$log"; then
            grep -o 'ty_[A-Za-z0-9_-]*' "$log" >>keys || true
            return
        fi
        kill -0 "${daemons[-1]}" 2>/dev/null || { cat "$log" >&2; return 1; }
        sleep 0.2
    done
    cat "$log" >&2
    return 1
}
"""


@dataclass
class Block:
    document: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.document}:{self.line}"


def blocks(document: str) -> list[Block]:
    found, open_block = [], None
    for number, line in enumerate((ROOT / document).read_text().splitlines(), 1):
        if not line.startswith("```"):
            if open_block is not None:
                open_block.text += line + "\n"
        elif open_block is None:
            open_block = Block(document, number, line[3:].strip(), "")
        else:
            found.append(open_block)
            open_block = None
    assert open_block is None, f"{document}: a block is not closed"
    return found


def filled(text: str, directory: Path) -> str:
    """What a reader puts in the place of an ellipsis: the key that the first server printed, and those of the S3 server."""
    keys = directory / "keys"
    if "ty_…" in text:
        text = text.replace("ty_…", keys.read_text().split()[0])
    return text.replace("AWS_ACCESS_KEY_ID=…", "AWS_ACCESS_KEY_ID=test").replace("AWS_SECRET_ACCESS_KEY=…", "AWS_SECRET_ACCESS_KEY=test-secret")


@contextmanager
def limited(process: subprocess.Popen, seconds: float, what: str):
    """Kills a process, and all of its group, if what is done with it takes longer; it then says what."""
    def kill() -> None:
        print(f"{what} takes longer than {seconds} s and is killed", file=sys.stderr, flush=True)
        os.killpg(process.pid, signal.SIGKILL)

    watchdog = threading.Timer(seconds, kill)
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()


class Shell:
    """A shell that blocks are sent to, one after the other."""

    def __init__(self, directory: Path, environment: dict[str, str]):
        self.directory = directory
        self.process = subprocess.Popen(["bash"], cwd=directory, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.send(PRELUDE)

    def send(self, text: str) -> str:
        text = filled(text, self.directory)
        # On a line of its own, whatever the block printed last.
        self.process.stdin.write(f"{text}\nprintf '\\nblock-%s-done\\n' $((40 + 2))\n")
        self.process.stdin.flush()
        output = []
        with limited(self.process, BLOCK_TIME, text):
            for line in self.process.stdout:
                if line.strip() == "block-42-done":
                    return "".join(output)
                output.append(line)
        raise AssertionError("the shell ended:\n" + "".join(output))

    def close(self) -> None:
        with limited(self.process, PROGRAM_TIME, "the end of the shell and its services"):
            self.process.stdin.close()
            self.process.stdout.read()
            self.process.wait()


def shell_text(block: Block) -> str:
    """The block with daemons in the background; the first `serve` ends those before it."""
    lines = []
    for line in block.text.splitlines():
        command = line.split("#")[0].strip()
        if command == "tests/run":
            assert os.access(ROOT / command, os.X_OK), "this is the run that runs us"
        elif command.startswith("cargo install "):
            continue  # The binary that was built for the tests is on the path.
        elif re.match(r"trainyard serve\b", command):
            lines.append(f"stop_daemons; start_daemon {command}")
        elif re.match(r"trainyard worker\b", command):
            lines.append(f"start_daemon {command}")
        elif command.startswith("cargo run --release -- "):
            # The binary that was built for the tests: another build has other features, and compiles everything again.
            lines.append(command.replace("cargo run --release --", "trainyard"))
        else:
            lines.append(line)
    return "\n".join(lines)


def run(block: Block, shell: Shell) -> str:
    match block.language:
        case "sh":
            return shell.send(shell_text(block))
        case "python":
            program = shell.directory / f"block_{block.line}.py"
            program.write_text(filled(block.text, shell.directory))
            return shell.send(f"{sys.executable} {program.name}")
        case "rust":
            # An excerpt need not stand at the same depth as in its program.
            flat = lambda text: re.sub(r"\s+", " ", text).strip()
            programs = {path.stem: flat(path.read_text()) for path in (ROOT / "examples").glob("*.rs")}
            name = next((name for name, program in programs.items() if flat(block.text) in program), None)
            assert name, "no program in examples/ has this"
            # A whole program also runs.
            whole = "fn main()" in block.text
            return shell.send(str(Path(os.environ["TRAINYARD_BINARY"]).resolve().parent / "examples" / name)) if whole else ""
        case "json":
            json.loads(block.text)
            return ""
        case "toml":
            options = shell.send("trainyard serve --help")
            unknown = [key for key in tomllib.loads(block.text) if f"--{key} " not in options]
            assert not unknown, f"`serve` has no {unknown}"
            return ""
        case other:
            raise AssertionError(f"a block in {other or 'no language'}: nothing says how to run it")


def s3_server(binary: Path, work: Path) -> tuple[subprocess.Popen, str]:
    """An S3 server for the blocks about buckets."""
    (work / "s3/yard").mkdir(parents=True)
    server = subprocess.Popen([binary.parent / "examples/s3_server", work / "s3"], stdout=subprocess.PIPE, text=True, start_new_session=True)
    with limited(server, PROGRAM_TIME, "the start of the S3 server"):
        return server, server.stdout.readline().strip()


def anchors(text: str) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def missing_targets() -> list[str]:
    """Links and code spans that name no file of the repository."""
    missing = []
    pages = LINKED + [str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md"))]
    for page in filter(lambda page: (ROOT / page).exists(), pages):
        text = (ROOT / page).read_text()
        for link in re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", text) if page in LINKED else []:
            name, _, anchor = "".join(link).partition("#")
            if re.match(r"[a-z]+:", name):
                continue
            target = (ROOT / page).parent / name if name else ROOT / page
            if not target.exists() or (anchor and anchor not in anchors(target.read_text())):
                missing.append(f"{page}: {''.join(link)}")
        missing += [f"{page}: {path}" for path in PATH.findall(text) if not (ROOT / path).exists()]
        # Rows of a table that name a file and an item in it.
        for path, item in re.findall(r"^\| `([\w./-]+)` \| `([^`]+)` \|", text, re.M):
            if (ROOT / path).is_file() and not re.search(rf"\b{re.escape(item)}\b", (ROOT / path).read_text()):
                missing.append(f"{page}: {item} in {path}")
    # The first page of the book has a row for each other one.
    index = (ROOT / "docs/index.md").read_text()
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")} - {"index.md"}
    missing += [f"docs/index.md: a row for {page}" for page in sorted(pages) if f"]({page}) |" not in index]
    return missing


def run_page(page: str, binary: Path, environment: dict[str, str], work: Path) -> tuple[int, bool]:
    """Runs the blocks of one page. Returns the number of blocks that passed, and whether all did."""
    directory = work / page.replace("/", "-")
    directory.mkdir()
    home = {"HOME": str(directory), "XDG_CONFIG_HOME": f"{directory}/config"}
    shell = Shell(directory, environment | home)
    passed, whole = 0, True
    try:
        if page in ON_A_SERVICE:
            shell.send("start_daemon trainyard serve")
            shell.send("export TRAINYARD_API_KEY=ty_…")
        for block in blocks(page):
            try:
                output = run(block, shell)
                passed += 1
                print(f"ok   {block.place} {block.language}", flush=True)
                if "-v" in sys.argv:
                    print(output)
            except AssertionError as error:
                whole = False
                print(f"FAIL {block.place} {block.language}: {error}\n{block.text}", flush=True)
                break
    finally:
        shell.close()
    return passed, whole


def main() -> int:
    if "--links" in sys.argv:
        missing = missing_targets()
        print("\n".join(f"the repository does not have {target}" for target in missing), end="\n" if missing else "")
        return 1 if missing else 0
    binary = Path(os.environ["TRAINYARD_BINARY"]).resolve()
    documents = STANDALONE + ON_A_SERVICE
    known = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")} - GENERATED
    silent = {document for document in known - set(documents + ON_DEMAND) if blocks(document)}
    assert not silent, f"blocks of {silent} are run by nothing"
    documents = [name for name in sys.argv[1:] if name != "-v"] or documents
    passed, failed = 0, []
    with tempfile.TemporaryDirectory(prefix="readme-") as name:
        work = Path(name)
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("TRAINYARD", "WANDB", "AWS"))}
        environment |= {"PATH": f"{binary.parent}:{Path(sys.executable).parent}:{environment['PATH']}",
                        "LITELLM_LOCAL_MODEL_COST_MAP": "True", "WEAVE_DISABLED": "true", "WANDB_SILENT": "true", "WANDB_ERROR_REPORTING": "false"}
        server = None
        if any("s3://" in block.text for page in documents for block in blocks(page)):
            server, environment["AWS_ENDPOINT_URL"] = s3_server(binary, work)
        for page in documents:
            started = time.monotonic()
            count, whole = run_page(page, binary, environment, work)
            print(f"     {page}: {time.monotonic() - started:.0f} s", flush=True)
            passed += count
            failed += [] if whole else [page]
        if server:
            server.terminate()
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
