#!/usr/bin/env python3
"""Checks that the sentences of refusals are true: random calls through `axe eval`, and every number of a sentence looked up in the map.

    refused: slice: the result is not a layout: elements 3 (at 3@m) and 4 (at 4@m) of S[(4,5):(7,1)] differ by 1@m, but …

Each place, element, step, span and hole that a sentence names is computed again from the map (sentences.py). A sentence that no
check knows is a failure, and so is `undecided`. The maps are plain loops (maps.py); nothing of the library is used.

    truth.py [--calls 6000] [--seed 11]        environment: AXE, the program
"""

import argparse
import collections
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
import program  # noqa: E402
from calls import KINDS  # noqa: E402
from sentences import Untrue, check  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=6000,
                        help="the number of random calls (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=11,
                        help="seed of the random calls (default: %(default)s)")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    calls = [source.choice(KINDS)(source) for _ in range(arguments.calls)]
    answers = program.answers([call.line for call in calls])
    counts, wrong = collections.Counter(), 0
    for call, answer in zip(calls, answers):
        if answer.startswith("error: "):
            wrong += 1
            print(f"{call.line}\n  {answer}")
        if not answer.startswith("refused: "):
            continue
        try:
            counts[check(call, answer)] += 1
        except Untrue as why:
            wrong += 1
            if wrong <= 12:
                print(f"{call.line}\n  {answer}\n  untrue: {why}")
    for words, count in counts.most_common():
        print(f"{count:6}  {words}")
    print(f"{len(calls)} calls, {sum(counts.values()) + wrong} rejected, {wrong} sentences untrue")
    return 1 if wrong or len(answers) != len(calls) or sum(counts.values()) < len(
        calls) // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
