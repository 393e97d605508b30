#!/usr/bin/env python3
"""Measures the compile time of questions about layouts and accesses, and of searches for layouts
without bank conflicts.

    analysis_cost.py --include include [--nvcc nvcc] [--count 50] [--rounds 5] [--json FILE]
                     [--write FILE]

Each source asks `count` distinct questions in constant expressions. The cost of one question is the
median over the rounds of (CPU time of this source - CPU time of the headers alone) / count.
include_cost.py measures the headers axe/analysis.hpp and axe/synthesis.hpp.

JSON: {"schema": "axe-analysis-cost-1", "count": 50, "rounds": 5,
       "rows": [{"compiler": "g++ 12.2.0", "question": "widest_vector", "milliseconds": 0.8}]}.
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


def tile(i, pitch=64):
    """Returns a layout of 64 x 64 elements with an offset that no other i has."""
    return f"S({{64, 64}}, {{{pitch}, 1}}) + {512 * (i + 1)}"


WIDE = "S({{32, 32}}, {{32, 1}}) + {offset}, shape{{32, 32}}, row_blocks<32>, column_blocks<32>"


def search(i):
    """Returns the arguments of a search for a tile with an offset that no other i has."""
    return WIDE.format(offset=1024 * (i + 1))


# The type of the answer, and the question with number i.
QUESTIONS = {
    "conflicts, plain": lambda i: (
        "integer", f"conflicts({tile(i)}, shape{{64, 64}}, ldmatrix_rows<16>)"),
    "conflicts, swizzled": lambda i: (
        "integer", f"conflicts(compose(swizzle_128B<16>, {tile(i)}), shape{{64, 64}}, "
                   "ldmatrix_rows<16>)"),
    "conflicts, odd pitch": lambda i: (
        "integer", f"conflicts({tile(i, 65 + 2 * i)}, shape{{64, 64}}, columns_of_elements<16>)"),
    "global_memory": lambda i: (
        "global_traffic",
        f"global_memory({tile(i, 72 + 8 * i)}, shape{{64, 64}}, rows_of_128_bits<16>)"),
    "widest_vector": lambda i: ("integer", f"widest_vector({tile(i, 72 + 8 * i)}, 16)"),
    "conflict_free_swizzle": lambda i: ("found_swizzle", f"conflict_free_swizzle({search(i)})"),
    "conflict_free_matrix": lambda i: ("found_matrix", f"conflict_free_matrix({search(i)})"),
    "conflict_free_pitch": lambda i: (
        "found_pitch", f"conflict_free_pitch(shape{{{64 + i}, 64}}, rows_of_128_bits<16>, "
                       "columns_of_128_bits<16>)"),
}


def source(question, count):
    lines = ["#include <axe/algebra/compose.hpp>", "#include <axe/construct/build.hpp>",
             "#include <axe/synthesis.hpp>",
             "#include <axe/analysis.hpp>", "using namespace axe;"]
    for i in range(count):
        kind, expression = QUESTIONS[question](i)
        lines.append(f"constexpr {kind} answer_{i} = {expression};")
    return "\n".join(lines) + "\n"


def measure(compiler, arguments, folder):
    """Returns the milliseconds of CPU time for each question."""
    flags = ["-I", str(arguments.include)]
    seconds = {}
    for turn in range(arguments.rounds):
        print(f"{compiler}: round {turn + 1} of {arguments.rounds}", file=sys.stderr, flush=True)
        for question in [None, *QUESTIONS]:
            path = folder / "asked.cpp"
            count = arguments.count if question else 0
            path.write_text(source(question or next(iter(QUESTIONS)), count))
            outcome = compiler.check([str(path)], flags)
            if not outcome.ok:
                first = next((line for line in outcome.text.splitlines() if "error" in line),
                             "no message")
                sys.exit(f"{question or 'the headers'} with {compiler}: {first}")
            seconds.setdefault(question, []).append(outcome.cpu)
    return {question: 1000 * statistics.median(
        a - b for a, b in zip(seconds[question], seconds[None])) / arguments.count
            for question in QUESTIONS}


def main():
    parser = options.parser(__doc__, "include nvcc count rounds json write note", count=50,
                            rounds=5)
    options.ignore(parser, "cuda-include cute")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for compiler in installed("g++", "clang++-19", arguments.nvcc):
            for question, cost in measure(compiler, arguments, pathlib.Path(folder)).items():
                rows.append({"compiler": str(compiler), "question": question,
                             "milliseconds": round(cost, 3)})
                print(f"{str(compiler):20} {question:24} {cost:8.2f} ms", flush=True)
    if arguments.json:
        figures.write(arguments.json, json.dumps(
            {"schema": "axe-analysis-cost-1", "count": arguments.count,
             "rounds": arguments.rounds, "rows": rows}, indent=2) + "\n")
    if arguments.write:
        figures.write(arguments.write, figures.page(
            "What questions about layouts and accesses cost to compile",
            "Milliseconds of CPU time (user and system) per question, not counting the headers: "
            f"{arguments.count} distinct questions per source, "
            f"median of {arguments.rounds} rounds.",
            "./run bench analysis --write benchmarks/results/analysis_cost.md",
            ["compiler", "question", "milliseconds"],
            [[row["compiler"], row["question"], f"{row['milliseconds']:.2f}"] for row in rows],
            arguments.note))


if __name__ == "__main__":
    main()
