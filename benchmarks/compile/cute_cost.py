#!/usr/bin/env python3
"""Measures the compile time of CuTe's operations: those of axe/cute.hpp and those of CuTe itself.

    cute_cost.py --include include [--nvcc nvcc] [--cute DIR --cuda-include DIR] [--count 60]
                 [--rounds 2] [--write FILE [--note WORDS]] [OPERATION ...]

Each source has `count` distinct operations. The cost of one operation is (least CPU time of this
source - least CPU time of the headers alone) / count. --write makes a page for benchmarks/results/.
--note adds the conditions of the measurement to the page.
"""

import collections
import pathlib
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "support"),
                str(pathlib.Path(__file__).resolve().parent),
                str(pathlib.Path(__file__).resolve().parents[1])]
import figures  # noqa: E402
import options  # noqa: E402
from compilers import installed  # noqa: E402
from cute_vocabulary import cute_operations  # noqa: E402

Operation = collections.namedtuple("Operation", "value type cute")
HEADERS = {"axe": "#include <axe/cute.hpp>\nusing namespace axe;\n",
           "cute": "#include <cute/layout.hpp>\nusing namespace cute;\n"}


def source(form, name, count):
    lines = [HEADERS["cute" if form == "cute" else "axe"]]
    for i in range(count):
        operation = cute_operations(i, Operation)[name]
        if form == "values":
            lines.append(f"constexpr {operation.type} r{i} = {operation.value};")
        else:
            lines.append(f"using r{i} = decltype({operation.cute});")
        lines.append(f"static_assert(sizeof(r{i}) > 0);")
    return "\n".join(lines) + "\n"


def figure(cost):
    """Returns a cost as text: "" if nothing was measured, "noise" if the cost is not positive."""
    return "" if cost is None else f"{cost:.0f}" if cost > 0 else "noise"


def main():
    names = list(cute_operations(0, Operation))
    parser = options.parser(__doc__, "include nvcc cuda-include cute count rounds write note",
                            count=60, rounds=2)
    arguments = options.with_operations(parser, names)
    print(f"{'compiler':<18} {'operation':<24} {'values us':>10} {'CuTe us':>9} {'CuTe / values':>14}")
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        path = pathlib.Path(temporary) / "operations.cpp"
        for compiler in installed("g++", "clang++-19", arguments.nvcc):
            forms = {"values": ["-I", str(arguments.include)]}
            if arguments.cute and (compiler.kind == "nvcc" or arguments.cuda_include):
                forms["cute"] = ["-I", str(arguments.cute)]
                if compiler.kind != "nvcc":
                    forms["cute"] += ["-isystem", str(arguments.cuda_include),
                                      "-isystem", str(arguments.cuda_include / "cccl")]

            def cpu(form, name, count):
                path.write_text(source(form, name, count))
                runs = [compiler.check([str(path)], forms[form]) for _ in range(arguments.rounds)]
                if not all(run.ok for run in runs):
                    first = next((line for line in runs[0].text.splitlines() if "error" in line),
                                 "no message")
                    sys.exit(f"{name} as {form} does not compile with {compiler}: {first}")
                return min(run.cpu for run in runs)

            empty = {form: cpu(form, names[0], 0) for form in forms}
            for name in arguments.operations:
                cost = {form: (cpu(form, name, arguments.count) - empty[form])
                        / arguments.count * 1e6 for form in forms}
                theirs = cost.get("cute")
                row = [figure(cost["values"]), figure(theirs),
                       figure(theirs / cost["values"]) if theirs and cost["values"] > 0 else ""]
                print(f"{str(compiler):<18} {name:<24} {row[0]:>10} {row[1]:>9} {row[2]:>14}", flush=True)
                rows.append([str(compiler), name, *row])
    if arguments.write:
        figures.write(arguments.write, figures.page(
            "What CuTe's vocabulary costs to compile",
            "Microseconds of CPU time (user and system) per operation, not counting the headers: "
            f"{arguments.count} distinct operations per source, the least of {arguments.rounds} rounds. `noise`: no more time than the headers "
            "alone.",
            "./run bench cute --write benchmarks/results/cute_cost.md",
            ["compiler", "operation", "values", "CuTe", "CuTe / values"], rows,
            arguments.note))


if __name__ == "__main__":
    main()
