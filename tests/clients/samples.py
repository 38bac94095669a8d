"""Writes the document's code samples for TypeScript as modules, for `tsc`, and runs those for Python.

    TRAINYARD_BASE_URL=… TRAINYARD_API_KEY=… python samples.py generated/samples.json DIRECTORY

Of the samples for Python, those that only read and need no id are run; the others are compiled.
"""
import json
import re
import sys
from pathlib import Path

samples, directory = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
directory.mkdir(parents=True)
run = 0
for operation, listed in samples.items():
    source = {sample["label"]: sample["source"] for sample in listed}
    (directory / f"{operation}.ts").write_text(source["TypeScript"])
    code = compile(source["Python"], f"{operation}.py", "exec")
    path = re.search(r'"GET",\s*"([^"]*)"', source["Python"])
    if path and not re.search(r"[0-9a-f]{12}|%2F", path[1]):
        exec(code, {"__name__": operation})
        run += 1
assert run >= 10, f"only {run} samples were run"
print(f"{len(samples)} samples, {run} of them run")
