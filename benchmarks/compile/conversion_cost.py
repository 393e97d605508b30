#!/usr/bin/env python3
"""Measures how long compilers take to plan a register conversion.

    conversion_cost.py --include include [--nvcc nvcc] [--count 10] [--rounds 3] [--json FILE]
                       [--write FILE]

Each source plans `count` conversions in constant expressions. Their source layouts begin at different
registers. The cost of one plan is the median over the rounds of (CPU time of this source - CPU time
of the headers alone) / count.

JSON: {"schema": "axe-conversion-cost-1", "count": 10, "rounds": 3,
       "rows": [{"compiler": "nvcc 13.0.88", "conversion": "…", "milliseconds": 80.0}]}.
--write makes a page for benchmarks/results/.
"""

import json
import pathlib
import statistics
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "support"),
                str(pathlib.Path(__file__).resolve().parents[1])]
from compilers import installed  # noqa: E402
import figures  # noqa: E402
import options  # noqa: E402

HEADERS = "#include <axe/convert.hpp>\n#include <axe/construct/literal.hpp>\nusing namespace axe;\nusing namespace axe::literals;\n"

CONVERSIONS = {
    "accumulator to operand, 8 bits, 64 per lane": (
        8, "S[(2,8,16,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]",
                                                  "S[(2,8,4,2,4,4):(4@reg,4@lane,16@reg,8@reg,1@lane,1@reg)]"),
    "movmatrix, 16 bits": (16, "S[(8,4,2):(4@lane,1@lane,1@reg)]",
                           "S[(4,2,8):(1@lane,1@reg,4@lane)]"),
    "transpose of 4x4 words": (32, "S[(4,32):(1@reg,1@lane)]", "S[(4,8,4):(1@lane,4@lane,1@reg)]"),
    "eight bytes, from four lanes to two": (8, "S[(2,2,2):(1@reg,1@lane,2@lane)]",
                                            "S[(2,2,2):(1@lane,2@reg,1@reg)]"),
    "three registers of ten lanes": (32, "S[(3,10):(1@reg,3@lane)]", "S[(3,10):(10@lane,1@lane)]"),
    "words of four warps": (32, "S[(4,32):(1@warp,1@lane)]", "S[(32,4):(1@lane,1@warp)]"),
}


def source(name, count):
    width, before, after = CONVERSIONS[name]
    first = 32 // width  # the number of elements in a 32-bit register
    lines = [f'constexpr auto p{i} = plan_convert("{before} + {first * (i + 1)}@reg"_axe, "{after}"_axe, {width});\n'
             f"static_assert(p{i}.width == {width});\n" for i in range(count)]
    return HEADERS + "".join(lines)


def measure(compiler, name, arguments, folder):
    flags = ["-I", str(arguments.include)]
    paths = {}
    for count in (0, arguments.count):
        paths[count] = folder / f"{count}.cpp"
        paths[count].write_text(source(name, count))
    differences = []
    for _ in range(arguments.rounds):
        taken = {}
        for count, path in paths.items():
            outcome = compiler.check([str(path)], flags)
            if not outcome.ok:
                first = next((line for line in outcome.text.splitlines() if "error" in line),
                             "no message")
                sys.exit(f"{name} does not compile with {compiler}: {first}")
            taken[count] = outcome.cpu
        differences.append(taken[arguments.count] - taken[0])
    return statistics.median(differences) / arguments.count * 1e3


def main():
    arguments = options.parser(__doc__,
                               "include nvcc cuda-include cute count rounds json write note",
                               count=10, rounds=3).parse_args()
    rows = []
    for compiler in installed("g++", "clang++-19", arguments.nvcc):
        for name in CONVERSIONS:
            print(f"{compiler}: {name}", file=sys.stderr, flush=True)
            with tempfile.TemporaryDirectory() as folder:
                cost = measure(compiler, name, arguments, pathlib.Path(folder))
            rows.append({"compiler": str(compiler), "conversion": name,
                         "milliseconds": round(cost, 1)})
    print(f"{'compiler':<18} {'conversion':<45} {'ms each':>9}")
    for row in rows:
        print(f"{row['compiler']:<18} {row['conversion']:<45} {row['milliseconds']:>9.1f}")
    if arguments.json:
        figures.write(arguments.json,
                      json.dumps({"schema": "axe-conversion-cost-1", "count": arguments.count,
                                  "rounds": arguments.rounds,
                              "rows": rows}, indent=2) + "\n")
    if arguments.write:
        figures.write(arguments.write, figures.page(
            "What planning a register conversion costs to compile",
            f"Milliseconds of CPU time (user and system) per plan, not counting the headers: {arguments.count} plans per source, median of {arguments.rounds} rounds.",
            "./run bench conversion --write benchmarks/results/conversion_cost.md",
            ["compiler", "conversion", "milliseconds"],
            [[row["compiler"], row["conversion"], f"{row['milliseconds']:.1f}"] for row in rows],
            arguments.note))


if __name__ == "__main__":
    main()
