#!/usr/bin/env python3
"""Measures how many lines `axe eval` answers per second, for each kind of line and for a mix.

    eval_lines.py --axe build/release/examples/axe/axe [--lines 200000] [--rounds 5]
                  [--at-least 100000] [--json FILE]

Each measurement is a whole run of the program over a file of lines, with the answers written to a
file. The fastest round counts, because other load can only slow a run. The number of answers is
checked.

JSON: {"schema": "axe-eval-lines-1", "lines": n,
       "rows": [{"line": "size(T)", "lines_per_second": n}]}.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import figures  # noqa: E402

TILE = "T = S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"
LINES = [
    "x = 3",
    "8@lane + 6@warp",
    TILE,
    "size(T)",
    "span(T, lane)",
    "places(T, (8,16), (2,9))",
    "owner_has(T, (8,16), 8@lane + 6@warp, (2,9))",
    "owned_by(T, (8,16), 8@lane + 6@warp)",
    "canonicalize(S[(2,4):(4,1)])",
    "equivalent(S[(2,2):(2,1)], S[4:1])",
    "group(S[16:1], (2,8))",
    "is_injective(S[2:1] + R[2:1])",
    "coverage(S[8:1], m: 8)",
    "tile(S[2:1@warp], (2), S[8:1@lane], (8))",
    "slice(S[(4,5):(7,1)], (4,5), (1:3, 2:5))",
    "places(S[4:1], (4), (7))",
    "S[(0,2):(1,1)]",
]
MIXED = "all of these in turn"


def seconds(axe, text, folder, rounds):
    lines = pathlib.Path(folder, "lines.txt")
    lines.write_text(text)
    count = text.count("\n")
    best = float("inf")
    for _ in range(rounds):
        with lines.open("rb") as stdin, open(pathlib.Path(folder, "answers.txt"), "wb") as stdout:
            start = time.perf_counter()
            code = subprocess.run([axe, "eval"], stdin=stdin, stdout=stdout, check=False).returncode
            best = min(best, time.perf_counter() - start)
        answered = pathlib.Path(folder, "answers.txt").read_bytes().count(b"\n")
        if code not in (0, 1) or answered != count:
            sys.exit(f"exit code {code}, {answered} answers to {count} lines")
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--axe", required=True, help="the program axe")
    parser.add_argument("--lines", type=int, default=200_000,
                        help="lines of each kind (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5,
                        help="repetitions of each measurement (default: %(default)s)")
    parser.add_argument("--at-least", type=float, default=0,
                        help="exit code 1 if a kind of line reaches fewer lines per second")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    arguments = parser.parse_args()

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for line in [*LINES, MIXED]:
            print(f"measuring {line}", file=sys.stderr, flush=True)
            body = [line] if line != MIXED else LINES
            text = TILE + "\n" + "".join(body[i % len(body)] + "\n"
                                         for i in range(arguments.lines - 1))
            taken = seconds(arguments.axe, text, folder, arguments.rounds)
            rows.append({"line": line, "lines_per_second": round(arguments.lines / taken)})

    print(f"{'lines per second':>16}  line, {arguments.lines} times")
    for row in rows:
        print(f"{row['lines_per_second']:>16,}  {row['line']}")
    if arguments.json:
        report = {"schema": "axe-eval-lines-1", "lines": arguments.lines, "rows": rows}
        figures.write(arguments.json, json.dumps(report, indent=2) + "\n")
    slow = [row for row in rows if row["lines_per_second"] < arguments.at_least]
    for row in slow:
        print(f"{row['line']}: {row['lines_per_second']} lines per second, fewer than {arguments.at_least:.0f}")
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
