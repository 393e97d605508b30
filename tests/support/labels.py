#!/usr/bin/env python3
"""Checks that every test has a ctest label, and that fast tests use every public operation.

    labels.py ROOT BUILD

A public operation is a function X of include/axe for which try_X exists. A fast test uses it if one
of its sources, or a file that the source includes, names X or try_X.
"""

import json
import pathlib
import re
import subprocess
import sys

LABELS = {"fast", "machine", "peers", "slow"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
INTERNAL = re.compile(r"^namespace detail \{.*?^\}  // namespace detail$", re.MULTILINE | re.DOTALL)


def labels_of(test):
    return {
        label
        for entry in test.get("properties", [])
        if entry["name"] == "LABELS"
        for label in entry["value"]
    }


def wrong_labels(build):
    said = subprocess.run(
        ["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True
    ).stdout
    for test in json.loads(said)["tests"]:
        labels = labels_of(test)
        if not labels & LABELS:
            yield f"{test['name']} has no label: set AXE_LABEL, one of {', '.join(sorted(LABELS))}"
        for label in labels - LABELS:
            yield f"{test['name']} has the unknown label '{label}'"


def text_of(source, tests, seen):
    """Returns the text of a source and of the files of tests/ that it includes."""
    if source in seen or not source.is_file():
        return ""
    seen.add(source)
    text = source.read_text(encoding="utf-8")
    for name in INCLUDE.findall(text):
        for folder in (source.parent, tests):
            text += text_of((folder / name).resolve(), tests, seen)
    return text


def public_operations(include):
    """Returns X for each function try_X, without those of kernels (cuda/) and bridges."""
    names = set()
    for header in include.rglob("*.hpp"):
        if header.relative_to(include).parts[0] not in ("bridge", "cuda"):
            public = INTERNAL.sub("", header.read_text(encoding="utf-8"))
            names |= set(re.findall(r"\boutcome<[^;={}]*> try_(\w+)\(", public))
    return names


def main():
    root, build = map(pathlib.Path, sys.argv[1:3])
    wrong = list(wrong_labels(build))
    seen = set()
    text = "".join(
        text_of(pathlib.Path(line), root / "tests", seen)
        for line in (build / "fast_sources.txt").read_text().splitlines()
    )
    used = set(re.findall(r"\w+", text))
    operations = public_operations(root / "include/axe")
    wrong += [
        f"no fast test uses {name}"
        for name in sorted(operations)
        if not {name, f"try_{name}"} & used
    ]
    print(
        "\n".join(wrong)
        or f"every test has a label, and the fast tests use all {len(operations)} public operations"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
