#!/usr/bin/env python3
"""Measures the compile time of operations on linear maps.

    linear_cost.py --include include [--nvcc nvcc] [--count 50] [--rounds 5] [--json FILE]
                   [--write FILE]

Each source has `count` distinct operations on layouts of a 64 x 64 tile (12 bits) or on their maps.
The cost of one operation is the median over the rounds of (CPU time of this source - CPU time of a
source with only the operands) / count. The sources of a round are compiled in turn.
include_cost.py measures axe/linear.hpp itself.

JSON: {"schema": "axe-linear-cost-1", "count": 50, "rounds": 5,
       "rows": [{"compiler": "nvcc 13.0.88", "operation": "invert", "microseconds": 210.0}]}.
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

HEADERS = "#include <axe/linear.hpp>\nusing namespace axe;\nusing namespace axe::axes;\n"


def bases(i, columns, rows):
    """Returns the columns of an invertible matrix: a triangular one with ones on its diagonal, whose
    rows are rotated. Each i has another matrix.
    """
    def rotated(r):
        return 1 << ((r + i) % rows)
    return [rotated(c) ^ (rotated((i + 5 * c) % c) if c and (c + i) % 3 else 0)
            for c in range(columns)]


def forms(i):
    """Returns {operation: (its operands, the expression)}. The maps a and b go from (reg, lane,
    warp) to (dim0, dim1), with 12 bits on each side.
    """
    def bit_map(name, seed):
        columns = "".join(f"m.matrix.column[{c}] = {column}; "
                          for c, column in enumerate(bases(seed, 12, 12)))
        return (f"constexpr linear_map {name}{i} = [] {{ linear_map m({{{{reg, 5}}, {{lane, 5}}, {{warp, 2}}}}, {{{{dim<0>, 6}}, {{dim<1>, 6}}}}); "
                f"{columns}return m; }}();\n")

    def plain_layout():
        """Writes a layout of 64 x 64 elements. Its order of strides depends on i, and no other i has
        its offset.
        """
        order = sorted(range(6), key=lambda k: ((k + 1) * (i + 3)) % 7)
        strides = [0] * 6
        for at, k in enumerate(order):
            strides[k] = 4 ** at
        digits = ", ".join(f"iter{{4, {s}, m}}" for s in strides)
        return f"[] {{ layout l; for (iter d : {{{digits}}}) l.shards.push(d); l.offsets.push({{{4096 * (i + 1)}, m}}); return l; }}()"
    plain = f"constexpr layout l{i} = {plain_layout()};\n"
    swizzled = plain + f"constexpr layout s{i} = [] {{ layout l = l{i}; l.swizzle = {{{i % 3}, 3, 3}}; return l; }}();\n"
    one, two = bit_map("a", i), bit_map("a", i) + bit_map("b", i + 5)
    flat = swizzled + f"constexpr linear_map f{i} = linear(s{i}, {{64, 64}});\n"
    tile = f"constexpr linear_map t{i} = linear_identity(reg, {1 + i % 3}, dim<0>);\n"
    inverse = f"constexpr auto c{i} = invert(a{i});\n"
    product = f"constexpr auto p{i} = multiply(t{i}, a{i});\n"
    return {
        "linear(L, S)": (plain, f"linear(l{i}, {{64, 64}})"),
        "linear of a swizzle": (swizzled, f"linear(s{i}, {{64, 64}})"),
        "to_layout of a swizzle": (flat, f"to_layout(f{i})"),
        "compose": (one + inverse, f"compose(a{i}, c{i})"),
        "multiply": (one + tile, f"multiply(t{i}, a{i})"),
        "divide_left": (one + tile + product, f"divide_left(p{i}, t{i})"),
        "invert": (one, f"invert(a{i})"),
        "pseudo_invert": (one, f"pseudo_invert(a{i})"),
        "preimage": (one, f"preimage(a{i})"),
        "invert_and_compose": (two, f"invert_and_compose(a{i}, b{i})"),
        "kernel": (one, f"kernel(a{i})"),
        "rank": (one, f"rank(a{i})"),
        "part": (one, f"part(a{i}, {{lane}}, {{dim<1>}})"),
    }


def source(name, count, operands_only):
    """Writes `count` operations after their operands, or only the operands."""
    lines = [HEADERS]
    for i in range(count):
        needed, expression = forms(i)[name]
        lines.append(needed)
        if not operands_only:
            lines.append(f"constexpr auto r{i} = {expression};\n")
    return "".join(lines)


def main():
    parser = options.parser(__doc__, "include nvcc count rounds json write note", count=50,
                            rounds=5)
    options.ignore(parser, "cuda-include cute")
    arguments = options.with_operations(parser, list(forms(0)))
    names = arguments.operations

    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for compiler in installed("g++", "clang++-19", arguments.nvcc):
            spent = {}
            for turn in range(arguments.rounds):
                print(f"{compiler}: round {turn + 1} of {arguments.rounds}", file=sys.stderr,
                      flush=True)
                for name in names:
                    for operands_only in (True, False):
                        path = folder / "measured.cpp"
                        path.write_text(source(name, arguments.count, operands_only))
                        outcome = compiler.check([str(path)], ["-I", str(arguments.include)])
                        if not outcome.ok:
                            first = next((line for line in outcome.text.splitlines()
                                          if "error" in line), "no message")
                            sys.exit(f"{name} does not compile with {compiler}: {first}")
                        spent.setdefault((name, operands_only), []).append(outcome.cpu)
            for name in names:
                differences = [mine - its
                               for mine, its in zip(spent[name, False], spent[name, True])]
                rows.append({"compiler": str(compiler), "operation": name,
                             "microseconds": round(
                                 statistics.median(differences) / arguments.count * 1e6, 1)})

    print(f"{'compiler':<18} {'operation':<24} {'us each':>9}")
    for row in rows:
        print(f"{row['compiler']:<18} {row['operation']:<24} {row['microseconds']:>9.1f}")
    if arguments.json:
        figures.write(arguments.json,
                      json.dumps({"schema": "axe-linear-cost-1", "count": arguments.count,
                                  "rounds": arguments.rounds, "rows": rows},
                             indent=2) + "\n")
    if arguments.write:
        figures.write(arguments.write, figures.page(
            "What operations on linear maps cost to compile",
            f"Microseconds of CPU time (user and system) per operation. A source has {arguments.count} distinct operations; the time of a source with only their operands is subtracted. Median of {arguments.rounds} rounds.",
            "./run bench linear --write benchmarks/results/linear_cost.md",
            ["compiler", "operation", "microseconds"],
            [[row["compiler"], row["operation"], f"{row['microseconds']:.0f}"] for row in rows],
            arguments.note))


if __name__ == "__main__":
    main()
