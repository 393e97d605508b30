#!/usr/bin/env python3
"""Tests that the examples of docs/cli.md and of --help run, that both list the same functions, and
that docs/algebra.md defines each of these functions.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import program

PAGE = pathlib.Path(os.environ["AXE_DOCS"], "cli.md")
KINDS = PAGE.parents[1] / "examples/axe/eval/value.cpp"


def blocks(text, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shell(line, folder):
    """Runs `axe …` as typed. Returns the exit code and the text of standard output and error."""
    script = 'axe() { "$AXE" "$@"; }\n' + line
    done = subprocess.run(["bash", "-c", script], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          timeout=60, check=False)
    return done.returncode, done.stdout.decode()


def consoles(text, folder):
    for block in blocks(text, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, expected = part.split("\n", 1)
            _, out = shell(line, folder)
            yield line, expected, out


def sessions(text):
    for block in blocks(text, "eval"):
        lines = block.splitlines()
        asked = [line[2:] for line in lines[0::2]]
        for given, expected, answer in zip(asked, lines[1::2], program.answers(asked), strict=True):
            yield given, expected, answer


def help_examples(folder):
    pathlib.Path(folder, "session.txt").write_text("size(S[4:1])\n")
    for words in ([], ["map"], ["table"], ["owner"], ["diff"], ["draw"], ["plan"], ["eval"]):
        _, text, _ = program.run([*words, "--help"])
        for line in re.findall(r"^  (axe .*)$", text, re.MULTILINE):
            yield line, *shell(line, folder)


def functions_of(text):
    return set(re.findall(r"\b([a-z_]+)\((?:L|A|B|T|swizzle)\b", text))


def kinds_in_program():
    """Returns the kinds of values in the program's table, without its first entry, `nothing`."""
    return set(re.findall(r'^    \{"(\w+)", "', KINDS.read_text(), re.MULTILINE)[1:])


def kinds_in_page(text):
    table = text.split("| kind | value |")[1].split("\n\n")[0]
    return {kind for row in re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
            for kind in re.findall(r"`(\w+)`", row)}


def undefined(listed):
    """Returns the functions that --help lists and docs/algebra.md does not define."""
    names = set(re.findall(r"^  ([a-z][\w.]*)\(", listed, re.MULTILINE))
    page = (PAGE.parent / "algebra.md").read_text()
    if not names:
        return ["none listed"]
    return sorted(n for n in names if not re.search(rf"(?<![\w.]){re.escape(n)}[(`]", page))


def main():
    text = PAGE.read_text()
    wrong = []
    counts = [0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for line, expected, out in consoles(text, folder):
            counts[0] += 1
            if out != expected:
                wrong.append(f"{line}\n  documented {expected}\n  answered {out}")
        for line, expected, out in sessions(text):
            counts[1] += 1
            if out != expected:
                wrong.append(f"{line}\n  documented {expected}\n  answered {out}")
        for line, code, out in help_examples(folder):
            counts[2] += 1
            if code != 0:
                wrong.append(f"{line}\n  ended with {code}: {out}")
    functions = program.run(["eval", "--help"])[1].split("functions:")[1].split("examples:")[0]
    if missing := undefined(functions):
        wrong.append(f"functions that docs/algebra.md does not define: {missing}")
    listed = functions_of(functions)
    documented = functions_of(text.split("### Functions")[1].split("### Printed forms")[0])
    if listed != documented:
        wrong.append(f"functions of --help and of the page differ: {sorted(listed ^ documented)}")
    if not (kinds := kinds_in_program()) or kinds != kinds_in_page(text):
        wrong.append(
            f"kinds of the program and of the page differ: {sorted(kinds ^ kinds_in_page(text))}")
    print("\n".join(wrong))
    print(f"{counts[0]} commands, {counts[1]} lines, {counts[2]} examples of --help, {len(listed)} functions: "
          f"{len(wrong)} wrong")
    sys.exit(bool(wrong) or not all(counts))


if __name__ == "__main__":
    main()
