#!/usr/bin/env python3
"""Runs every example of the documentation.

    check.py AXE FILE.md ...

In a block fenced with ```axe each line is an expression, two or more spaces, and what `axe eval` answers. All blocks of a
file are one session, so names defined in one hold in the next. Every line must answer exactly what stands on its right.
"""

import pathlib
import re
import subprocess
import sys

FENCE = re.compile(r"^```axe\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAP = re.compile(r"^(\S.*?\S)\s{2,}(\S.*)$")


def lines_of(path):
    """(line number, expression, answer) of every example in a file."""
    text = path.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        for offset, line in enumerate(block.group(1).splitlines()):
            if not line.strip():
                continue
            parts = GAP.match(line)
            if not parts:
                sys.exit(f"{path}:{first + offset}: no two columns in: {line}")
            yield first + offset, parts.group(1), parts.group(2)


def check(axe, path):
    examples = list(lines_of(path))
    if not examples:
        sys.exit(f"{path}: no example found")
    asked = "".join(expression + "\n" for _, expression, _ in examples)
    answers = subprocess.run([axe, "eval"], input=asked, capture_output=True, text=True, timeout=60).stdout.splitlines()
    if len(answers) != len(examples):
        sys.exit(f"{path}: {len(examples)} lines asked, {len(answers)} answered")
    wrong = 0
    for (number, expression, expected), answer in zip(examples, answers):
        if answer != expected:
            wrong += 1
            print(f"{path}:{number}: {expression}\n  says     {expected}\n  answers  {answer}")
    print(f"{path.name}: {len(examples)} examples, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if sum(check(sys.argv[1], pathlib.Path(name)) for name in sys.argv[2:]) else 0)
