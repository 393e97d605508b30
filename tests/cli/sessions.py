#!/usr/bin/env python3
"""Compares sessions of `axe eval` with golden files. In sessions/NAME.session each line `> input`
is followed by its answer, and `#` begins a comment.

Each session runs twice: its lines come through standard input, and as arguments.
"""

import pathlib
import sys

import program


def read(path):
    pairs = []
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if line.startswith(">"):
            pairs.append([number, line[2:], None])
        elif pairs and pairs[-1][2] is None:
            pairs[-1][2] = line
        elif line and not line.startswith("#"):
            raise AssertionError(f"{path.name}:{number}: an answer without a question")
    return pairs


def disagreements(path):
    pairs = read(path)
    lines = [given for _, given, _ in pairs]
    malformed = any(expected.startswith("error: ") for _, _, expected in pairs)
    code, out, err = program.run(["eval"], "\n".join(lines).encode() + b"\n")
    as_arguments = program.run(["eval", "--", *lines])[:2]
    if as_arguments != (code, out):
        yield f"{path.name}: the answers are different if the lines are arguments"
    if not all(program.NOTE.match(line) for line in err.splitlines()) or code != int(malformed):
        yield f"{path.name}: exit code {code}, standard error {err!r}"
    got = out.split("\n")[:-1]
    if len(got) != len(lines):
        yield f"{path.name}: {len(lines)} lines, {len(got)} answers"
    for (number, given, expected), answer in zip(pairs, got):
        if answer != expected:
            yield f"{path.name}:{number}: {given}\n  expected {expected}\n  answered {answer}"


def main():
    paths = sorted((pathlib.Path(__file__).parent / "sessions").glob("*.session"))
    found = [wrong for path in paths for wrong in disagreements(path)]
    print("\n".join(found))
    print(f"{len(paths)} sessions, {sum(len(read(p)) for p in paths)} lines, {len(found)} wrong")
    sys.exit(bool(found) or not paths)


if __name__ == "__main__":
    main()
