"""Formats the figures of kernel_cost.py as a page for benchmarks/results/, and as tables for the
terminal.
"""

import figures
import pattern_cost
from instantiations import CLANG

TARGET = 0.1
PATTERN_COLUMNS = ["by hand", "axe", "CuTe", "by hand, -c", "axe, -c", "CuTe, -c"]


def say(figure, form):
    return "" if figure is None else format(figure, form)


def ratios(patterns):
    """Returns a sentence with the median ratios of the kernels, for PTX and for object files."""
    def sentence(output):
        over_hand, over_cute = pattern_cost.medians(patterns, output)
        text = f"with `nvcc {output}` the median of axe / by hand is {over_hand:.2f}"
        if over_cute is None:
            return text
        return text + f", and that of axe / CuTe is {over_cute:.2f}"
    return f"For the kernels, {sentence(pattern_cost.PTX)}; {sentence(pattern_cost.OBJECT)}."


def pattern_seconds(pattern):
    """Returns the cells of a pattern's row, in the order of PATTERN_COLUMNS."""
    return [say((pattern[form] or {}).get(output), ".2f")
            for output in (pattern_cost.PTX, pattern_cost.OBJECT) for form in pattern_cost.FORMS]


def page(rows, headers, patterns, rounds, nvcc, cutlass, load):
    cute = [(row["cute"] or {}) for row in rows]
    kernels = figures.page(
        "What the kernel examples cost to compile",
        "The table compares each kernel example with the tutorial of CUTLASS that does the same work. The goal is a ratio axe / CuTe of at most "
        f"{TARGET}.\n\n"
        f"* *seconds* is the CPU time (user and system) of `nvcc -ptx -arch=sm_90a` ({nvcc}). The time of a baseline, a source that "
        f"includes only the headers of other libraries, is subtracted. A figure is the median of {rounds} interleaved rounds. {figures.load_sentence(*load)}\n"
        f"* *templates* is the number of classes and functions that {CLANG} instantiates in the device pass, without those of the baseline. The number "
        "is the same on every run, and `budget.json` limits it.\n"
        f"* *CuTe* names the tutorial of CUTLASS {cutlass or '(absent)'}. It is compiled with its host program, and axe's kernel without one. If no "
        "tutorial does the same work, CuTe's columns are empty.\n"
        "* *kernels* is the number of kernels in the PTX.",
        "./run bench kernels --write benchmarks/results/kernel_compile_cost.md",
        ["example", "kernels", "seconds", "templates", "CuTe", "kernels", "seconds", "templates",
         "axe / CuTe, seconds", "axe / CuTe, templates"],
        [[row["name"], str(row["entries"]), say(row["seconds"], ".2f"),
          say(row["instantiations"], "d"), its.get("name", ""),
          str(its.get("entries", "")), say(its.get("seconds"), ".2f"),
          say(its.get("instantiations"), "d"),
          say(row["seconds_over_cute"], ".3f"), say(row["instantiations_over_cute"], ".3f")]
         for row, its in zip(rows, cute)])
    compilers = list(dict.fromkeys(name for header in headers for name in header["seconds"]))
    table = figures.table(["header", *compilers, "templates"],
                          [[one["name"], *(say(one["seconds"].get(name), ".3f")
                                           for name in compilers), say(one["instantiations"], "d")]
                           for one in headers])
    forms = figures.table(["pattern", *PATTERN_COLUMNS],
                          [[one["name"], *pattern_seconds(one)] for one in patterns])
    return (f"{kernels}\n## Patterns\n\nThe table has the seconds of whole calls of nvcc, in the same rounds, for the kernels of `benchmarks/index/kernels` and the "
            f"files of `benchmarks/index/patterns`. In these files every form includes axe's headers. The columns with -c are for `nvcc -c -arch=sm_90a`, which also "
            f"compiles host code, and with nvcc 13.0 device code for compute_90. {ratios(patterns)}\n\n{forms}\n"
            f"\n## Headers\n\nThe table has the CPU time (user and system) in seconds, less that of an empty file. A figure is the median of {rounds} rounds. nvcc compiles as above, the "
            f"other compilers with `-fsyntax-only`. Templates are those of host C++.\n\n{table}\n")


def show(rows, headers, patterns):
    print(f"{'kernel':<32} {'seconds':>8} {'templates':>10} {'CuTe: seconds':>14} "
          f"{'templates':>10} {'ratio: seconds':>15} {'templates':>10}")
    for row in rows:
        its = row["cute"] or {}
        print(f"{row['name']:<32} {say(row['seconds'], '.2f'):>8} "
              f"{say(row['instantiations'], 'd'):>10} {say(its.get('seconds'), '.2f'):>14} "
              f"{say(its.get('instantiations'), 'd'):>10} {say(row['seconds_over_cute'], '.3f'):>15} "
              f"{say(row['instantiations_over_cute'], '.3f'):>10}")
    print(f"\n{'pattern':<32} " + " ".join(f"{column:>11}" for column in PATTERN_COLUMNS))
    for one in patterns:
        print(f"{one['name']:<32} " + " ".join(f"{cell:>11}" for cell in pattern_seconds(one)))
    print(ratios(patterns) + "\n")
    for one in headers:
        seconds = ", ".join(f"{compiler} {its:.3f} s" for compiler, its in one["seconds"].items())
        print(f"{one['name']:<32} {say(one['instantiations'], 'd'):>10} templates, {seconds}")
