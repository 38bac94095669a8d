"""Checks licenses, sources and version requirements of the dependencies by deny.toml.

It checks a part of what `cargo deny check bans licenses sources` does, where that program is not installed: its build takes
longer than all other checks. Needs Python 3.11 and `pip install license-expression`.
"""

import json
import subprocess
import tomllib
from pathlib import Path

from license_expression import AND, OR, get_spdx_licensing

CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"


def is_allowed(expression, allowed):
    """Whether the allowed licenses satisfy a parsed SPDX expression."""
    if isinstance(expression, AND):
        return all(is_allowed(part, allowed) for part in expression.args)
    if isinstance(expression, OR):
        return any(is_allowed(part, allowed) for part in expression.args)
    return expression.render() in allowed


def faults(package, allowed, spdx):
    name = f"{package['name']} {package['version']}"
    if package["source"] not in (None, CRATES_IO):
        yield f"{name} comes from {package['source']}, which deny.toml does not allow"
    if package["source"] is None:
        for dependency in package["dependencies"]:
            if dependency["req"] == "*" and dependency.get("path") is None:
                yield f"{name} accepts any version of {dependency['name']}; name one"
    # Old manifests separate alternatives by a slash.
    license = (package["license"] or "").replace("/", " OR ")
    if not license:
        yield f"{name} names no license; look at its files"
    elif not is_allowed(spdx.parse(license), allowed):
        yield f"{name} has the license {license}, which deny.toml does not allow"


def main():
    rules = tomllib.loads(Path("deny.toml").read_text(encoding="utf-8"))
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    allowed, spdx = set(rules["licenses"]["allow"]), get_spdx_licensing()
    found = [fault for package in metadata["packages"] for fault in faults(package, allowed, spdx)]
    print("\n".join(found) or f"{len(metadata['packages'])} packages are allowed by deny.toml")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
