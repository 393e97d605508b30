#!/usr/bin/env python3
"""What an operation of the algebra costs to compile: values, carriers, and CuTe's nearest operation, in one run.

    operation_cost.py --include include [--nvcc nvcc] [--cute DIR --cuda-include DIR] [--count 200] [--rounds 5] [--json FILE]

Each source makes `count` distinct operations in constant expressions, no two with the same numbers. The cost of one is the median over the rounds
of (this source - the same headers without operations) / count; sources of a round are compiled in turn. Ratios are CuTe's cost over ours.

The JSON: {"schema": "axe-operation-cost-1", "count": 200, "rounds": 5, "rows": [{"compiler": "nvcc 13.0.88", "operation": "tile", "form":
"values", "microseconds": 210.0, "cute_over_this": 120.0}]}.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "support"))
from compilers import Compiler  # noqa: E402

VALUES = "#include <axe/axe.hpp>\nusing namespace axe;\n"
CUTE = "#include <cute/layout.hpp>\nusing namespace cute;\n"


def numbers(i):
    """Four extents and a pitch that no other i has."""
    return 2 + i % 7, 3 + i % 11, 4 + i % 13, 2 + i % 5, 64 + i


def matrix(rows, columns, pitch):
    """A padded matrix as a value, a carrier type and a CuTe type (column-major, as CuTe reads it)."""
    return (f"S({{{rows}, {columns}}}, {{{pitch}, 1}})",
            f"static_layout<shards<iter{{{rows}, {pitch}, axis::m}}, iter{{{columns}, 1, axis::m}}>>",
            f"Layout<Shape<Int<{columns}>, Int<{rows}>>, Stride<_1, Int<{pitch}>>>")


def operations(i):
    """name: (values, carriers, CuTe's nearest operation)."""
    a, b, c, d, pitch = numbers(i)
    outer, outer_type, outer_cute = matrix(a, b, pitch)
    inner, inner_type, inner_cute = matrix(c, d, d + 3 * i + 1)
    whole, whole_type, whole_cute = matrix(a * c, b * d, pitch * 8)
    return {
        "canonicalize": (f"canonicalize({outer})", f"canonicalize({outer_type}{{}})", f"coalesce({outer_cute}{{}})"),
        "tile": (f"tile({outer}, {{{a}, {b}}}, {inner}, {{{c}, {d}}})",
                 f"tile({outer_type}{{}}, extents<{a}, {b}>{{}}, {inner_type}{{}}, extents<{c}, {d}>{{}})",
                 f"blocked_product({inner_cute}{{}}, {outer_cute}{{}})"),
        "tile_to": (f"tile_to({inner}, {{{c}, {d}}}, {{{a * c}, {b * d}}})",
                    f"tile_to({inner_type}{{}}, extents<{c}, {d}>{{}}, extents<{a * c}, {b * d}>{{}})",
                    f"tile_to_shape({inner_cute}{{}}, Shape<Int<{b * d}>, Int<{a * c}>>{{}})"),
        "sum_outer": (f"sum_outer({whole}, {{{a * c}, {b * d}}}, S({{{c}, {d}}}, {{{pitch * 8}, 1}}), {{{c}, {d}}})",
                      f"sum_outer({whole_type}{{}}, extents<{a * c}, {b * d}>{{}}, {matrix(c, d, pitch * 8)[1]}{{}}, extents<{c}, {d}>{{}})",
                      f"logical_divide({whole_cute}{{}}, make_tile(Layout<Int<{d}>>{{}}, Layout<Int<{c}>>{{}}))"),
        "slice": (f"slice({whole}, {{{a * c}, {b * d}}}, {{{{{c}, {2 * c}}}, {{0, {d}}}}})",
                  f"slice({whole_type}{{}}, extents<{a * c}, {b * d}>{{}}, static_region<range{{{c}, {2 * c}}}, range{{0, {d}}}>{{}})",
                  f"composition({whole_cute}{{}}, make_tile(Layout<Int<{d}>>{{}}, Layout<Int<{c}>>{{}}))"),
        "compose": (f"compose({whole}, S({{{c}}}, {{{b * d}}}))",
                    f"compose({whole_type}{{}}, static_layout<shards<iter{{{c}, {b * d}, axis::m}}>>{{}})",
                    f"composition({whole_cute}{{}}, Layout<Int<{c}>, Int<{b * d}>>{{}})"),
        "permute": (f"permute({outer}, {{{a}, {b}}}, {{1, 0}})",
                    f"permute({outer_type}{{}}, extents<{a}, {b}>{{}}, static_coordinate<1, 0>{{}})",
                    f"select<1, 0>({outer_cute}{{}})"),
        "inverse": (f"inverse(S({{{a}, {b + i}}}, {{1, {a}}}), {{axis::m}})",
                    f"inverse(static_layout<shards<iter{{{a}, 1, axis::m}}, iter{{{b + i}, {a}, axis::m}}>>{{}}, static_axes<axis::m>{{}})",
                    f"right_inverse(Layout<Shape<Int<{a}>, Int<{b + i}>>, Stride<Int<{b + i}>, _1>>{{}})"),
    }


def source(form, operation, count):
    """count operations of one form; 0 gives the headers alone."""
    index = ("values", "carriers", "cute").index(form)
    lines = [CUTE if form == "cute" else VALUES]
    for i in range(count):
        expression = operations(i)[operation][index]
        if form == "values":
            lines.append(f"constexpr layout r{i} = {expression};")
        else:
            lines.append(f"using r{i} = decltype({expression});\nstatic_assert(sizeof(r{i}) > 0);")
    return "\n".join(lines) + "\n"


class Subject:
    def __init__(self, compiler, form, operation, count, flags, folder):
        self.compiler, self.form, self.operation, self.flags, self.seconds = compiler, form, operation, flags, []
        self.path = folder / f"{len(list(folder.iterdir()))}.cpp"
        self.path.write_text(source(form, operation, count))

    def measure(self):
        outcome = self.compiler.check([str(self.path)], self.flags)
        if outcome.ok:
            self.seconds.append(outcome.seconds)
        return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", required=True, type=pathlib.Path)
    parser.add_argument("--nvcc", default="")
    parser.add_argument("--cuda-include", type=pathlib.Path)
    parser.add_argument("--cute", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("operations", nargs="*", help="of " + ", ".join(operations(0)) + " (default: all)")
    arguments = parser.parse_args()
    for name in arguments.operations:
        if name not in operations(0):
            parser.error(f"{name} is not one of {', '.join(operations(0))}")
    names = arguments.operations or list(operations(0))

    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for command in ["g++", "clang++-19", *([arguments.nvcc] if arguments.nvcc else [])]:
            try:
                compiler = Compiler(command)
            except FileNotFoundError as missing:
                print(f"skipped: {missing}", file=sys.stderr)
                continue
            flags = {"axe": ["-I", str(arguments.include)], "cute": []}
            forms = ["values", "carriers"]
            if arguments.cute and (compiler.kind == "nvcc" or arguments.cuda_include):
                forms.append("cute")
                flags["cute"] = ["-I", str(arguments.cute)]
                if compiler.kind != "nvcc":
                    flags["cute"] += ["-isystem", str(arguments.cuda_include), "-isystem", str(arguments.cuda_include / "cccl")]
            of = {}
            for form in forms:
                these = flags["cute" if form == "cute" else "axe"]
                of[form, None] = Subject(compiler, form, names[0], 0, these, folder)
                for name in names:
                    of[form, name] = Subject(compiler, form, name, arguments.count, these, folder)
            for key in list(of):  # fills the file cache, shows what does not compile
                outcome = of[key].measure()
                of[key].seconds.clear()
                if not outcome.ok:
                    first = next((line for line in outcome.text.splitlines() if "error" in line), "no message")
                    if key[0] != "cute":
                        sys.exit(f"{key[1]} as {key[0]} does not compile with {compiler}: {first}")
                    print(f"skipped: CuTe's {key[1] or 'headers'} with {compiler}: {first}", file=sys.stderr)
                    del of[key]
            for turn in range(arguments.rounds):
                print(f"{compiler}: round {turn + 1} of {arguments.rounds}", file=sys.stderr, flush=True)
                for subject in of.values():
                    subject.measure()
            cost = {}
            for (form, name), subject in of.items():
                if name and (form, None) in of:
                    differences = [mine - its for mine, its in zip(subject.seconds, of[form, None].seconds)]
                    cost[form, name] = statistics.median(differences) / arguments.count * 1e6
            for name in names:
                theirs = cost.get(("cute", name))
                for form in forms:
                    if (form, name) in cost:
                        ratio = theirs / cost[form, name] if theirs and form != "cute" and cost[form, name] > 0 else None
                        rows.append({"compiler": str(compiler), "operation": name, "form": form,
                                     "microseconds": round(cost[form, name], 1), "cute_over_this": ratio and round(ratio, 1)})

    print(f"{'compiler':<18} {'operation':<13} {'form':<9} {'us each':>9} {'CuTe / this':>12}")
    for row in rows:
        ratio = "" if row["cute_over_this"] is None else f"{row['cute_over_this']:.1f}"
        print(f"{row['compiler']:<18} {row['operation']:<13} {row['form']:<9} {row['microseconds']:>9.1f} {ratio:>12}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"schema": "axe-operation-cost-1", "count": arguments.count, "rounds": arguments.rounds, "rows": rows},
                                             indent=2) + "\n")


if __name__ == "__main__":
    main()
