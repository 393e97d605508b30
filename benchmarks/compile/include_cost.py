#!/usr/bin/env python3
"""Measures what including a header of axe or CuTe costs, in seconds more than an empty file.

    include_cost.py --include include --nvcc nvcc [--cute DIR] [--rounds 7] [--json FILE]
                    [--write FILE] [--at-most 0.15]

Each measurement is a whole run of `g++ -fsyntax-only`, `clang++-19 -fsyntax-only` or `nvcc -ptx`
with C++20, in CPU seconds of all its processes. A round compiles the empty file and all headers in
turn, so that other load affects all alike. In each round the empty file's time is subtracted. The
cost is the median of these differences. Under g++ and clang the sources of CuTe also get CUDA's
headers. A header of CuTe that does not compile is skipped. --write makes a page, as in
benchmarks/results/.

JSON: {"schema": "axe-include-cost-2", "rounds": 7, "rows": [{"compiler": "g++ 12.2.0", "header":
"axe/axe.hpp", "seconds": 0.05, "over_empty": 0.04, "spread": 0.01}]}; spread is the
interquartile range of the differences.
"""

import json
import os
import pathlib
import statistics
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "support"),
                str(pathlib.Path(__file__).resolve().parents[1])]
from compilers import installed  # noqa: E402
import figures  # noqa: E402
import options  # noqa: E402

EMPTY = "(an empty file)"


class Subject:
    """One header under one compiler, and the times of its runs."""

    def __init__(self, compiler, header, flags, folder):
        self.compiler, self.header, self.flags, self.seconds = compiler, header, flags, []
        self.source = folder / f"{len(list(folder.iterdir()))}.cpp"
        self.source.write_text("" if header == EMPTY else f"#include <{header}>\n")

    def measure(self):
        outcome = self.compiler.check([str(self.source)], self.flags)
        if outcome.ok:
            self.seconds.append(outcome.cpu)
        return outcome


def subjects_of(compiler, arguments, folder):
    axe = ["-I", str(arguments.include)]
    yield Subject(compiler, EMPTY, axe, folder)
    for header in arguments.headers:
        yield Subject(compiler, header, axe, folder)
    if arguments.cute and (compiler.kind == "nvcc" or arguments.cuda_include):
        cute = ["-I", str(arguments.cute)]
        if compiler.kind != "nvcc":
            cute += ["-isystem", str(arguments.cuda_include),
                     "-isystem", str(arguments.cuda_include / "cccl")]
        for header in ("cute/layout.hpp", "cute/tensor.hpp"):
            yield Subject(compiler, header, cute, folder)


def row(subject, empty):
    differences = [mine - its for mine, its in zip(subject.seconds, empty.seconds)]
    quarters = statistics.quantiles(differences, n=4)
    return {"compiler": str(subject.compiler), "header": subject.header,
            "seconds": round(statistics.median(subject.seconds), 4),
            "over_empty": round(statistics.median(differences), 4),
            "spread": round(quarters[2] - quarters[0], 4)}


def compilers(arguments):
    yield from installed("g++", "clang++-19", arguments.nvcc)
    if not arguments.nvcc:
        print("skipped: nvcc is not installed or is switched off", file=sys.stderr)


def measurable_of(subjects, headers):
    """Compiles each subject once, not timed, which fills the file cache. Returns those that compile.
    Ends the program if the empty file or one of `headers` does not.
    """
    found = []
    for subject in subjects:
        outcome = subject.measure()
        subject.seconds.clear()
        if outcome.ok:
            found.append(subject)
        elif subject.header in headers or subject.header == EMPTY:
            sys.exit(f"{subject.header} does not compile with {subject.compiler}:\n{outcome.text}")
        else:
            first = next((line for line in outcome.text.splitlines() if "error" in line),
                         "no message")
            print(f"skipped: {subject.header} with {subject.compiler} does not compile: {first}",
                  file=sys.stderr)
    return found


def measured_rows(arguments):
    with tempfile.TemporaryDirectory() as folder:
        every = [subject for compiler in compilers(arguments)
                 for subject in subjects_of(compiler, arguments, pathlib.Path(folder))]
        subjects = measurable_of(every, arguments.headers)
        for turn in range(arguments.rounds):
            print(f"round {turn + 1} of {arguments.rounds}", file=sys.stderr, flush=True)
            for subject in subjects:
                if not subject.measure().ok:
                    sys.exit(f"{subject.header} with {subject.compiler} compiled before "
                             "and now does not")
    empty = {subject.compiler: subject for subject in subjects if subject.header == EMPTY}
    return [row(subject, empty[subject.compiler]) for subject in subjects]


def show(rows):
    width = max(len(one["compiler"]) for one in rows)
    print(f"{'compiler':<{width}}  {'header':<16}  {'seconds':>8}  {'over empty':>10}  {'spread':>7}")
    for one in rows:
        over = "" if one["header"] == EMPTY else f"{one['over_empty']:.3f}"
        spread = "" if one["header"] == EMPTY else f"{one['spread']:.3f}"
        print(f"{one['compiler']:<{width}}  {one['header']:<16}  {one['seconds']:>8.3f}  "
              f"{over:>10}  {spread:>7}")


def main():
    parser = options.parser(__doc__, "include nvcc cuda-include cute rounds json write", rounds=7)
    parser.add_argument("--at-most", type=float, metavar="SECONDS",
                        help="exit code 1 when a header of axe costs more")
    parser.add_argument("headers", nargs="*", default=["axe/axe.hpp"], metavar="HEADER",
                        help="(default: axe/axe.hpp)")
    arguments = parser.parse_args()
    if arguments.rounds < 7:
        parser.error("--rounds: the median of fewer than 7 runs says little")
    if arguments.cute and not (arguments.cute / "cute" / "layout.hpp").is_file():
        parser.error(f"--cute: there is no cute/layout.hpp under {arguments.cute}")
    if not arguments.cute:
        print("skipped: CuTe (set AXE_CUTE_DIR, or let ./run bench unpack the wheel)",
              file=sys.stderr)
    elif not arguments.cuda_include:
        print("skipped: CuTe under g++ and clang, which needs CUDA's headers", file=sys.stderr)

    load = os.getloadavg()[0]
    rows = measured_rows(arguments)
    show(rows)
    if arguments.json:
        figures.write(arguments.json, json.dumps(
            {"schema": "axe-include-cost-2", "rounds": arguments.rounds, "rows": rows},
                                             indent=2) + "\n")
    if arguments.write:
        figures.write(arguments.write, figures.page(
            "What including axe costs",
            f"Seconds of CPU time (user and system) more than for an empty file; median of {arguments.rounds} interleaved rounds. {figures.load_sentence(load, os.getloadavg()[0])}",
            "./run bench compile --write benchmarks/results/include_cost.md",
            ["compiler", "header", "seconds", "spread"],
            [[one["compiler"], one["header"], f"{one['over_empty']:.3f}", f"{one['spread']:.3f}"]
             for one in rows if one["header"] != EMPTY]))
    over_limit = [one for one in rows if one["header"] in arguments.headers and arguments.at_most
                  and one["over_empty"] > arguments.at_most]
    for one in over_limit:
        print(f"{one['header']} costs {one['over_empty']} s with {one['compiler']}, "
              f"more than {arguments.at_most} s")
    sys.exit(bool(over_limit))


if __name__ == "__main__":
    main()
