#!/usr/bin/env python3
"""Runs every example of the documentation. The exit code is 1 if one differs.

    check.py [--write] --root REPOSITORY --axe AXE [--program NAME=PATH ...]
             --compared FILE.md FILE.md ...

--write replaces answers and outputs in the files. In the file of --compared, each ``` block is a
question, the answer of axe and that of another library. FENCE describes the other blocks.
"""

import argparse
import pathlib
import re
import subprocess
import sys

# ```axe            expressions and, after two spaces, answers of `axe eval`, in one session for
#                   each file
# ```console        `$ axe …` and its output
# ```output NAME    the output of program NAME
# ```cpp PATH and ```python PATH    consecutive lines of that file
FENCE = re.compile(r"^```(axe|console|output|cpp|python)(?: (\S+))?\n(.*?)^```$",
                   re.MULTILINE | re.DOTALL)
SOURCES = ("cpp", "python")
GAP = re.compile(r"^(\S.*?\S)(\s{2,})(\S.*)$")
COMPARED = re.compile(r"^(( *)```\n\2(\S.*)\n\2  axe     )(.*)$", re.MULTILINE)


def answers_of(axe, expressions):
    asked = "".join(expression + "\n" for expression in expressions)
    return subprocess.run([axe, "eval"], input=asked, capture_output=True, text=True,
                          timeout=60).stdout.splitlines()


def calculated(path, bodies, axe):
    """Returns the text of all ```axe blocks of a file, with the answers of the program."""
    split = []
    for body in bodies:
        for line in body.splitlines():
            parts = GAP.match(line)
            if not parts:
                sys.exit(f"{path}: expected two columns, got: {line}")
            split.append(parts.groups())
    answers = answers_of(axe, [expression for expression, _, _ in split])
    if len(answers) != len(split):
        sys.exit(f"{path}: {len(split)} lines asked, {len(answers)} answered")
    lines = iter(expression + gap + answer for (expression, gap, _), answer in zip(split, answers))
    return ["".join(next(lines) + "\n" for _ in body.splitlines()) for body in bodies]


def shown(body, axe):
    """Returns the text of a ```console block, with the output that its commands have now."""
    out = []
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        line = part.split("\n", 1)[0]
        run = subprocess.run(["bash", "-c", 'axe() { "$0" "$@"; }\n' + line, axe],
                             stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=60, check=False)
        out.append(f"$ {line}\n{run.stdout.decode()}")
    return "".join(out)


def dedented(text):
    return [line.strip() for line in text.splitlines()]


def excerpted(root, name, body):
    """Returns the lines of a ```cpp or ```python block if the file has them one after the other,
    else a remark.
    """
    lines, source = dedented(body), dedented((root / name).read_text(encoding="utf-8"))
    found = any(source[i:i + len(lines)] == lines for i in range(len(source)))
    return body if found else f"(these lines do not follow one another in {name})\n"


def check(path, given):
    text = path.read_text(encoding="utf-8")
    blocks = [b for b in FENCE.finditer(text) if b.group(1) not in SOURCES or b.group(2)]
    if not blocks:
        sys.exit(f"{path}: no example found")
    sessions = iter(calculated(path, [b.group(3) for b in blocks if b.group(1) == "axe"],
                               given.axe))
    wrong, out, end = 0, [], 0
    for block in blocks:
        kind, name, body = block.groups()
        if kind == "axe":
            now = next(sessions)
        elif kind == "console":
            now = shown(body, given.axe)
        elif kind == "output":
            now = subprocess.run([given.programs[name]], capture_output=True, text=True,
                                 timeout=60).stdout
        else:
            now = excerpted(given.root, name, body)
        if now != body:
            line = text.count("\n", 0, block.start(3)) + 1
            for says, is_now in zip(body.splitlines() + [""], now.splitlines() + [""]):
                if says != is_now:
                    print(f"{path}:{line}:\n  says     {says}\n  answers  {is_now}")
                    wrong += 1
                line += 1
            wrong += len(body.splitlines()) != len(now.splitlines())
        out += [text[end:block.start(3)], body if kind in SOURCES else now]
        end = block.end(3)
    if given.write:
        path.write_text("".join(out) + text[end:], encoding="utf-8")
    print(f"{path.name}: {len(blocks)} blocks, {wrong} wrong lines")
    return wrong


def check_compared(path, given):
    text = path.read_text(encoding="utf-8")
    blocks = COMPARED.findall(text)
    answers = answers_of(given.axe, [asked for _, _, asked, _ in blocks])
    if not blocks or len(answers) != len(blocks):
        sys.exit(f"{path}: {len(blocks)} questions, {len(answers)} answered")
    wrong = 0
    for (_, _, asked, says), now in zip(blocks, answers):
        if says != now:
            print(f"{path}: {asked}\n  says     {says}\n  answers  {now}")
            wrong += 1
    if given.write:
        lines = iter(answers)
        path.write_text(COMPARED.sub(lambda block: block[1] + next(lines), text), encoding="utf-8")
    print(f"{path.name}: {len(blocks)} questions, {wrong} wrong answers")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true",
                        help="write the printed text into the pages")
    parser.add_argument("--root", type=pathlib.Path, required=True, help="the checkout")
    parser.add_argument("--axe", required=True, help="the command-line program")
    parser.add_argument("--program", action="append", default=[],
                        help="NAME=PATH of the example program whose output a block shows")
    parser.add_argument("--compared", type=pathlib.Path, required=True,
                        help="the page of comparisons")
    parser.add_argument("pages", nargs="+", type=pathlib.Path, help="Markdown files")
    given = parser.parse_args()
    given.programs = dict(one.split("=", 1) for one in given.program)
    wrong = check_compared(given.compared, given) + sum(check(page, given) for page in given.pages)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
