"""Compares spec/openapi.yaml, read by PyYAML, with generated/openapi.json.

PyYAML reads YAML 1.1, in which `yes`, `0o17`, `1:30` and `2026-11-22` are other values than in YAML 1.2, and a plain text
in braces may not hold a question mark. Both readings must be equal, types included.
"""
import json
import sys

import yaml


def differences(ours, theirs, place: str):
    """Yields the places at which two values differ."""
    if type(ours) is not type(theirs):
        yield f"{place}: {ours!r} is read as {theirs!r}"
    elif isinstance(ours, dict):
        for key in [*ours, *(key for key in theirs if key not in ours)]:
            if key not in ours or key not in theirs:
                yield f"{place}: only one reading has the key {key!r}"
            else:
                yield from differences(ours[key], theirs[key], f"{place}/{key}")
    elif isinstance(ours, list):
        if len(ours) != len(theirs):
            yield f"{place}: {len(ours)} items are read as {len(theirs)}"
        for index, (our, their) in enumerate(zip(ours, theirs)):
            yield from differences(our, their, f"{place}/{index}")
    elif ours != theirs:
        yield f"{place}: {ours!r} is read as {theirs!r}"


def main() -> None:
    # What the comparison is for; it must not pass these.
    for text, value in [("yes", "yes"), ("017", 17), ("1:30", "1:30"), ("2026-11-22", "2026-11-22"), ("{a: 1}", {"a": True})]:
        assert list(differences(value, yaml.safe_load(text), "")), text
    with open("generated/openapi.json", encoding="utf-8") as file:
        ours = json.load(file)
    with open("spec/openapi.yaml", encoding="utf-8") as file:
        theirs = yaml.safe_load(file)
    found = list(differences(ours, theirs, ""))
    sys.exit("\n".join(found[:20]) or 0)


if __name__ == "__main__":
    main()
