#!/usr/bin/env python3
"""Asks axe and the paper's public implementation the same questions, and judges each difference.

    peers.py --ours axe --bridge printed --page docs/peers.md [--seed 1] [--cases 100000]
             [--long] [--write]

Asks all small questions and `--cases` random ones (--long: ten times as many). Sets of places
decide who is right. The exit code is 1 if axe is wrong or rejects a legal question. With the
default options it is also 1 if the generated section of the page differs. --write renews the
section.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import cases  # noqa: E402
import printed  # noqa: E402
import report  # noqa: E402
from batches import BATCH, batches  # noqa: E402
from judge import judge  # noqa: E402
from questions import OPERATIONS, SWIZZLED  # noqa: E402
from sides import Ours, Theirs  # noqa: E402

NAMES = [*OPERATIONS, printed.NAME]
SEED, CASES = 1, 100_000

sides = {}


def connect(ours, bridge, theirs):
    """Starts one program for each side, in each process of the pool."""
    sides["ours"] = Ours([ours, "eval"])
    sides["bridge"], sides["theirs"] = Ours([bridge]), Theirs(theirs)


def arguments_of(task):
    name, seed, part, count = task
    if seed is None:
        return list(itertools.islice(small(name), part * BATCH, (part + 1) * BATCH))
    rng = random.Random(f"{seed} {name} {part}")
    if name == printed.NAME:
        return [printed.random_question(rng, cases.random_layout) for _ in range(count)]
    return [cases.random_question(name, rng) for _ in range(count)]


def small(name):
    return cases.small("canonicalize" if name == printed.NAME else name)


def compare(task):
    """Asks both sides one batch of questions and returns the tally of the judgements."""
    if task[0] == printed.NAME:
        return compare_printed(arguments_of(task))
    operation, asked = OPERATIONS[task[0]], arguments_of(task)
    lines = [operation.ours(*a) for a in asked]
    ours = sides["ours"].ask(lines)
    theirs = sides["theirs"].ask([operation.theirs(*a) for a in asked])
    tally = report.Tally()
    for given, line, mine, reply in zip(asked, lines, ours, theirs, strict=True):
        tally.add(operation.name, line, judge(operation, given, mine, reply))
    return tally


def compare_printed(asked):
    tally = report.Tally()
    for (layout,), judged in zip(asked, printed.compare(asked, sides["bridge"], sides["theirs"]),
                                strict=True):
        tally.add(printed.NAME, str(layout), judged)
    return tally


def tasks(names, seed, count):
    small_counts = {name: sum(1 for _ in small(name)) for name in names}
    random_names = [name for name in names if not name.endswith(SWIZZLED)]
    return list(batches(small_counts, random_names, seed, count))


def run(arguments, names):
    total, done, said, begun = report.Tally(), 0, time.monotonic(), time.monotonic()
    todo = tasks(names, arguments.seed, arguments.cases)
    theirs = [sys.executable, "-B", str(arguments.theirs)]
    programs = (arguments.ours, arguments.bridge, theirs)
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, initializer=connect,
                                                initargs=programs) as pool:
        for tally in pool.map(compare, todo):
            total.merge(tally)
            done += 1
            if time.monotonic() - said >= 5 or done == len(todo):
                said = time.monotonic()
                print(f"    {done} of {len(todo)} batches, {said - begun:.0f} s, "
                      f"{total.failures()} failures of axe", file=sys.stderr, flush=True)
    return total


def version():
    from importlib import metadata
    try:
        return metadata.version("apache-tvm")
    except metadata.PackageNotFoundError:
        return "unknown"


def without_our_words(page):
    """Returns the lines of a page without axe's answers, because the wording of axe's refusals may
    change. The counts remain.
    """
    return [line for line in page.splitlines() if not line.startswith("    axe     ")]


def check_page(arguments, generated, standard):
    """Returns 1 if the page shows other results than this run, else 0."""
    page = arguments.page.read_text()
    new = report.in_page(page, generated)
    if arguments.write:
        report.write(arguments.page, new)
        print(f"wrote {arguments.page}", file=sys.stderr)
    elif standard and without_our_words(new) != without_our_words(page):
        print(f"{arguments.page.name} has other results than this run; "
              "./run peers --write updates it", file=sys.stderr)
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help="the program axe")
    parser.add_argument("--bridge", required=True, help="the program of printed.cpp")
    parser.add_argument("--theirs", type=pathlib.Path, default=HERE / "theirs.py",
                        help=argparse.SUPPRESS)
    parser.add_argument("--page", type=pathlib.Path, help="the page with the generated section")
    parser.add_argument("--seed", type=int, default=SEED,
                        help="seed of the random questions (default: %(default)s)")
    parser.add_argument("--cases", type=int, default=None,
                        help=f"total of random questions ({CASES:,})")
    parser.add_argument("--long", action="store_true", help="ten times as many random questions")
    parser.add_argument("--only", action="append", choices=NAMES, metavar="OPERATION",
                        help="this operation; may be repeated")
    parser.add_argument("--write", action="store_true",
                        help="write the generated section of the page")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                        help="processes at a time (default: %(default)s)")
    arguments = parser.parse_args()
    standard = (arguments.cases is None and not arguments.long
                and arguments.seed == SEED and not arguments.only)
    if arguments.cases is None:
        arguments.cases = CASES * (10 if arguments.long else 1)
    if arguments.cases < 0 or arguments.jobs < 1:
        parser.error("--cases must be at least 0, and --jobs at least 1")
    names = arguments.only or NAMES

    total = run(arguments, names)
    asked = sum(n for (_, which), n in total.counts.items() if which is None)
    facts = (f"apache-tvm {version()} answered {asked:,} questions: {arguments.cases:,} random ones (seed {arguments.seed}), "
             f"and all {asked - arguments.cases:,} about small layouts.")
    generated = report.section(total, NAMES, facts, "TIRx")
    print(generated)
    stale = check_page(arguments, generated, standard) if arguments.page else 0
    failures = total.failures()
    print(f"peers: {asked:,} questions, {failures:,} failures of axe "
          "(wrong, or a legal question rejected)", file=sys.stderr)
    sys.exit(1 if failures or stale else 0)


if __name__ == "__main__":
    main()
