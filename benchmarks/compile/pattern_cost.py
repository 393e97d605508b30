"""The compile time of the patterns of benchmarks/index: by hand, with axe, and with CuTe.

A kernel (kernels/NAME/) is one source for each form; its time is that over a source that includes the
same headers besides axe's or CuTe's. Index code (patterns/FILE.cu) has its forms in one file; its time
is that over the file without kernels.
"""
import pathlib
import re
import statistics

INDEX = pathlib.Path(__file__).resolve().parents[1] / "index"
FORMS = ("hand", "axe", "cute")


class Case:
    """One form of one pattern, and the empty source that is subtracted. Sources: (path, flags)."""

    def __init__(self, name, form, source, empty):
        self.name, self.form, self.source, self.empty = name, form, source, empty
        self.differences = []


def cases(include, cute, folder, included_besides):
    """Every pattern in every form; those of CuTe if its headers are there."""
    flags = ["-I", str(include)]
    forms = FORMS if cute else FORMS[:2]
    with_cute = ["-w", "--expt-relaxed-constexpr", "-DAXE_WITH_CUTE", "-I", str(cute)] if cute else []
    for kernel in sorted(path for path in (INDEX / "kernels").iterdir() if path.is_dir()):
        for form in forms:
            header = kernel / f"{form}.cuh"
            if header.is_file():
                source = written(folder, f"{kernel.name}_{form}", f"#include <{header}>\n")
                besides = "".join(f"#include <{one}>\n" for one in included_besides(header))
                own = {"hand": [], "axe": flags, "cute": with_cute}[form]
                yield Case(kernel.name, form, (source, own), (written(folder, "besides_" + re.sub(r"\W", "_", besides), besides), []))
    for file in sorted((INDEX / "patterns").glob("*.cu")):
        for form in forms:
            yield Case(f"patterns/{file.name}", form, (file, [*flags, *with_cute, f"-DAXE_ONE_FORM={form}"]), (file, [*flags, *with_cute, "-DAXE_NO_FORM"]))


def written(folder, stem, text):
    path = folder / f"{stem}.cu"
    path.write_text(text)
    return path


def measure(all_cases, compiler):
    """One round over all cases. An empty source that several cases share is compiled once."""
    taken = {}

    def seconds(source):
        path, flags = source
        outcome = compiler.check([str(path)], flags)
        if not outcome.ok:
            raise SystemExit(f"{path} does not compile with {compiler}:\n{outcome.text}")
        return outcome.cpu

    for case in all_cases:
        key = (str(case.empty[0]), *case.empty[1])
        if key not in taken:
            taken[key] = seconds(case.empty)
        case.differences.append(seconds(case.source) - taken[key])


def rows(all_cases):
    """[{"name": …, "hand": seconds, "axe": seconds, "cute": seconds or null}]"""
    found = {}
    for case in all_cases:
        found.setdefault(case.name, {})[case.form] = round(statistics.median(case.differences), 3)
    return [{"name": name, **{form: its.get(form) for form in FORMS}} for name, its in found.items()]


def medians(measured):
    """The medians of axe / hand and of axe / CuTe over the patterns; None without one."""
    def median(other):
        ratios = [row["axe"] / row[other] for row in measured if row[other] and row[other] > 0]
        return statistics.median(ratios) if ratios else None
    return median("hand"), median("cute")
