#!/usr/bin/env python3
"""Compiles the tests' facts with another compiler.  check.py --compiler g++-16 --tests tests

A fact is a static_assert, so it is checked when its file compiles. Compilers differ in constant
expressions: g++ 14 to 16 evaluate some of them wrongly (docs/decisions.md, "Comparisons of arrays
are written out").
"""

import argparse
import concurrent.futures
import datetime
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from compilers import compiler_or_skip, default_jobs  # noqa: E402

# Their sources need headers of the PTX machine or of other libraries.
OTHER_SUITES = {"bridge", "compile_fail", "draw", "examples", "guides", "machine", "mpi", "nvrtc",
                "package", "peers", "single_header"}
NEEDS_THE_MACHINE = '#include "machine.hpp"'


def sources_of(tests):
    for path in sorted(tests.rglob("*.cpp")):
        text = path.read_text()
        if path.relative_to(tests).parts[0] not in OTHER_SUITES and "static_assert" in text and (
                NEEDS_THE_MACHINE not in text):
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True, help="the program of the compiler")
    parser.add_argument("--tests", required=True, type=pathlib.Path,
                        help="the folder of the tests, beside include/")
    parser.add_argument("--turn", type=int, metavar="N",
                        help="compile a third of the files, another one each day; turns 0, 1 and 2 "
                        "together compile all")
    parser.add_argument("--jobs", type=int, default=default_jobs(),
                        help="processes at a time (default: %(default)s)")
    arguments = parser.parse_args()
    compiler = compiler_or_skip(arguments.compiler)
    root = arguments.tests.resolve().parent
    flags = [word for folder in ("include", "tests", "examples")
             for word in ("-I", str(root / folder))]
    sources = list(sources_of(arguments.tests))
    if arguments.turn is not None:
        sources = sources[(datetime.date.today().toordinal() + arguments.turn) % 3::3]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = pool.map(lambda source: compiler.check([str(source)], flags), sources)
        for source, outcome in zip(sources, outcomes):
            if not outcome.ok:
                failed += 1
                print(f"FAILED  {source}\n{outcome.text}", flush=True)
    print(f"{compiler}: {len(sources) - failed} of {len(sources)} files compiled")
    sys.exit(failed != 0 or not sources)


if __name__ == "__main__":
    main()
