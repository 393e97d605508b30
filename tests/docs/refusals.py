#!/usr/bin/env python3
"""Writes docs/refusals.md from refusal/rules.def, or checks that it is up to date.

    refusals.py rules.def refusals.md            exit code 1 if the page is out of date, or if a
                                                 sentence is too long for the messages of nvcc
    refusals.py --write rules.def refusals.md
"""

import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import whole_file  # noqa: E402

RULE = re.compile(r'^AXE_RULE\((\w+), "(.*)"\)$')
# nvcc adds about 50 columns to a rule's name and sentence; its lines may have 400.
LONGEST = 350
RULE_ROW = re.compile(r"^\| `\w+` \|", re.MULTILINE)
HEAD = """# Refusals

This page lists the sentence of every refusal. Search it for words of a sentence that you got. `try_…` functions return the rule and its numbers. The plain functions stop with the sentence ([D17](algebra.md)).

| in a sentence | stands for |
|---|---|
| `{0}`, `{0 entries}` | a number, a number of entries |
| `{a}`, `{0@a}` | an axis, a place on it |
| `{A}`, `{B}`, `{S}`, `{T}` | the layouts and shapes of the call |
| `{0@A}` | the place of element {0} of {A}, as in `element 3 (at 3@m)` |

`tests/docs/refusals.py --write include/axe/refusal/rules.def docs/refusals.md` writes this page from the rules, and a test compares both.
"""


def page(rules):
    out = [HEAD]
    for line in rules.read_text(encoding="utf-8").splitlines():
        rule = RULE.match(line)
        if rule:
            name, sentence = rule.groups()
            if len(name) + len(sentence) > LONGEST:
                sys.exit(f"{name}: nvcc prints this sentence in a line of more than 400 columns")
            out.append(f"| `{name}` | {sentence.replace('|', chr(92) + '|')} |")
        elif line.startswith("AXE_RULE"):
            sys.exit(f"not understood: {line}")
        elif line.startswith("// ") and out[-1] == "":
            out.append(f"## {line[3:].split('. ')[0].rstrip('.')}\n\n| rule | sentence |\n|---|---|")
        elif not line:
            out.append("")
    kept = [part for i, part in enumerate(out) if part or (i > 0 and out[i - 1])]
    return "\n".join(kept).rstrip() + "\n"


if __name__ == "__main__":
    write = "--write" in sys.argv
    paths = [pathlib.Path(a) for a in sys.argv[1:] if a != "--write"]
    if len(paths) != 2:
        sys.exit("usage: tests/docs/refusals.py [--write] "
                 "include/axe/refusal/rules.def docs/refusals.md")
    rules, target = paths
    wanted = page(rules)
    if write:
        whole_file.write(target, wanted)
    elif not target.exists() or target.read_text(encoding="utf-8") != wanted:
        sys.exit(f"{target} is not up to date: run tests/docs/refusals.py --write {rules} {target}")
    print(f"{target.name}: {len(RULE_ROW.findall(wanted))} rules")
