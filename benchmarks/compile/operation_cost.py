#!/usr/bin/env python3
"""Measures the compile time of the operations of the algebra on values and on carriers, and of the
nearest operations of CuTe (operations.py).

    operation_cost.py --include include [--nvcc nvcc] [--cute DIR --cuda-include DIR]
                      [--count 200] [--rounds 5] [--values-at-least 100 --carriers-at-least 20]
                      [--json FILE] [--write FILE] [OPERATION ...]

Each source has `count` distinct operations in constant expressions on named layouts. The cost of one
operation is (least CPU time of this source - least CPU time of a source with only the operands) /
count. The row `layout` is the cost of declaring a layout. No other row contains this cost. `all` is
the mean of the other rows. Ratios are CuTe's cost divided by axe's. The sources of a round are
compiled in turn, so that other load affects all alike. CuTe's sources take minutes, so only the
first --cute-rounds rounds compile them. The exit code is 1 if a ratio of nvcc is smaller than
--values-at-least or --carriers-at-least.

JSON: {"schema": "axe-operation-cost-3", "count": 200, "rounds": 5,
       "rows": [{"compiler": "nvcc 13.0.88", "operation": "tile", "form": "values",
                 "microseconds": 210.0, "cute_over_this": 120.0}]}.
--write makes a page for benchmarks/results/.
"""

import json
import pathlib
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "support"),
                str(pathlib.Path(__file__).resolve().parents[1])]
from compilers import installed  # noqa: E402
from operations import FORMS, operations, source  # noqa: E402
import figures  # noqa: E402
import options  # noqa: E402


class Subject:
    """One source under one compiler, and the times of its runs."""

    def __init__(self, compiler, text, flags, folder):
        self.compiler, self.flags, self.cpu = compiler, flags, []
        self.path = folder / f"{len(list(folder.iterdir()))}.cpp"
        self.path.write_text(text)

    def measure(self):
        outcome = self.compiler.check([str(self.path)], self.flags)
        if outcome.ok:
            self.cpu.append(outcome.cpu)
        return outcome


def subjects_of(compiler, arguments, names, folder):
    """Returns {(form, operation, whole): Subject}. A whole source has the operations and their
    operands, the other one only the operands.
    """
    axe = ["-I", str(arguments.include)]
    flags = {"values": axe, "carriers": axe}
    if arguments.cute and (compiler.kind == "nvcc" or arguments.cuda_include):
        flags["cute"] = ["-I", str(arguments.cute)]
        if compiler.kind != "nvcc":
            flags["cute"] += ["-isystem", str(arguments.cuda_include),
                              "-isystem", str(arguments.cuda_include / "cccl")]
    subjects = {}
    for form in flags:
        for name in names:
            if form != "carriers" or operations(0)[name].carrier:
                for whole in (False, True):
                    text = source(form, name, arguments.count, not whole)
                    subjects[form, name, whole] = Subject(compiler, text, flags[form], folder)
    return subjects


def measure(compiler, arguments, names):
    """Returns {(form, operation): CPU seconds for one operation}. Skips a source of CuTe that does not
    compile. Ends the program if a source of axe does not compile.
    """
    with tempfile.TemporaryDirectory() as folder:
        subjects = subjects_of(compiler, arguments, names, pathlib.Path(folder))
        for turn in range(arguments.rounds):
            print(f"{compiler}: round {turn + 1} of {arguments.rounds}", file=sys.stderr,
                  flush=True)
            for key in list(subjects):
                if key[0] == "cute" and turn >= arguments.cute_rounds:
                    continue
                outcome = subjects[key].measure()
                if outcome.ok:
                    continue
                first = next((line for line in outcome.text.splitlines() if "error" in line),
                             "no message")
                if key[0] != "cute":
                    sys.exit(f"{key[1]} as {key[0]} does not compile with {compiler}: {first}")
                print(f"skipped: CuTe's {key[1]} with {compiler}: {first}", file=sys.stderr)
                del subjects[key]
    cost = {}
    for (form, name, whole), subject in subjects.items():
        if whole and (form, name, False) in subjects:
            cost[form, name] = (min(subject.cpu) - min(
                subjects[form, name, False].cpu)) / arguments.count
    return cost


def with_all(names, cost):
    """Pairs each cost of axe with CuTe's cost of the same operation. The pair `all` has the
    means of both over the same operations.
    """
    means = {}
    for form in FORMS:
        there = [name for name in names if name != "layout" and (form, name) in cost]
        if len(there) > 1:
            own, theirs = (sum(cost.get((of, name), 0) for name in there) / len(there)
                           for of in (form, "cute"))
            has_all = all(("cute", name) in cost for name in there)
            means[form, "all"] = own, theirs if has_all else None
    return {(form, name): (own, cost.get(("cute", name)))
            for (form, name), own in cost.items()} | means


def rows_of(compiler, names, cost):
    pairs = with_all(names, cost)
    for name in [*names, "all"]:
        for form in FORMS:
            if (form, name) in pairs:
                own, theirs = pairs[form, name]
                ratio = theirs / own if theirs and form != "cute" and own > 0 else None
                yield {"compiler": str(compiler), "operation": name, "form": form,
                       "microseconds": round(own * 1e6, 1),
                       "cute_over_this": ratio and round(ratio, 1)}


def page(rows, arguments):
    """Writes the figures as a page: one line for each operation and compiler, with values, carriers
    and CuTe.
    """
    table = {}
    for row in rows:
        table.setdefault((row["compiler"], row["operation"]), {})[row["form"]] = row
    lines = []
    for (compiler, name), forms in table.items():
        def figure(form, key):
            value = forms.get(form, {}).get(key)
            return "" if value is None else f"{value:.0f}"
        lines.append([compiler, name, figure("values", "microseconds"),
                      figure("carriers", "microseconds"), figure("cute", "microseconds"),
                      figure("values", "cute_over_this"), figure("carriers", "cute_over_this")])
    return figures.page(
        "What an operation costs to compile",
        f"Microseconds of CPU time (user and system) per operation. A source has {arguments.count} distinct operations; the time of "
        f"a source with only their operands is subtracted. Each time is the least of {arguments.rounds} rounds (CuTe: {min(arguments.rounds, arguments.cute_rounds)}). "
        "`layout` is the declaration of one operand. `all` is the mean of the other rows; for carriers, of the operations that have a carrier form. "
        "CuTe's expression for each is in `benchmarks/compile/operations.py`.",
        "./run bench operations --write benchmarks/results/operation_cost.md",
        ["compiler", "operation", "values", "carriers", "CuTe", "CuTe / values", "CuTe / carriers"],
        lines)


def main():
    parser = options.parser(__doc__, "include nvcc cuda-include cute count rounds json write",
                            count=200, rounds=5)
    parser.add_argument("--only-nvcc", action="store_true", help="do not measure g++ and clang")
    parser.add_argument("--cute-rounds", type=int, default=1, metavar="N",
                        help="repetitions for CuTe (default: 1)")
    for form in ("values", "carriers"):
        parser.add_argument(f"--{form}-at-least", type=float, metavar="RATIO",
                            help=f"exit code 1 if CuTe's cost divided by that of {form} is less than RATIO with nvcc")
    arguments = options.with_operations(parser, list(operations(0)))
    names = arguments.operations

    rows = []
    for compiler in installed(*([] if arguments.only_nvcc else ["g++", "clang++-19"]),
                              arguments.nvcc):
        rows += rows_of(compiler, names, measure(compiler, arguments, names))

    print(f"{'compiler':<18} {'operation':<13} {'form':<9} {'us each':>9} {'CuTe / this':>12}")
    for row in rows:
        ratio = "" if row["cute_over_this"] is None else f"{row['cute_over_this']:.1f}"
        print(f"{row['compiler']:<18} {row['operation']:<13} {row['form']:<9} {row['microseconds']:>9.1f} {ratio:>12}")
    if arguments.json:
        figures.write(arguments.json, json.dumps(
            {"schema": "axe-operation-cost-3", "count": arguments.count, "rounds": arguments.rounds,
                                              "rows": rows}, indent=2) + "\n")
    if arguments.write:
        figures.write(arguments.write, page(rows, arguments))
    least = {"values": arguments.values_at_least, "carriers": arguments.carriers_at_least}
    missed = [row for row in rows if "nvcc" in row["compiler"] and row["cute_over_this"] is not None
              and least.get(row["form"]) and row["cute_over_this"] < least[row["form"]]]
    for row in missed:
        print(f"{row['operation']} on {row['form']}: CuTe costs {row['cute_over_this']} times as much, less than {least[row['form']]}")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
