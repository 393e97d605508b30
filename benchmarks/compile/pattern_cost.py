"""Measures the compile time of the patterns of benchmarks/index: by hand, with axe, and with CuTe.

Seconds are CPU time of a whole `nvcc -ptx -arch=sm_90a`, and for kernels also of `nvcc -c`, which
compiles host code too. A kernel (kernels/NAME/) is one source for each form, with the headers that
the form needs. In files of index code (patterns/FILE.cu) every form includes axe's headers, because
the arguments of a pattern use axe.
"""
import pathlib
import statistics

INDEX = pathlib.Path(__file__).resolve().parents[1] / "index"
FORMS = ("hand", "axe", "cute")
PTX, OBJECT = "-ptx", "-c"


class Case:
    """One form of one pattern: its source, its flags, and the seconds for each output of nvcc."""

    def __init__(self, name, form, path, flags, outputs):
        self.name, self.form, self.path, self.flags = name, form, path, flags
        self.seconds = {output: [] for output in outputs}


def cases(include, cute, folder):
    """Yields every pattern by hand and with axe, and with CuTe if CuTe's headers are given."""
    with_axe = ["-I", str(include)]
    with_cute = ["-w", "--expt-relaxed-constexpr", "-DAXE_WITH_CUTE",
                 "-I", str(cute)] if cute else []
    forms = FORMS if cute else FORMS[:2]
    for kernel in sorted(path for path in (INDEX / "kernels").iterdir() if path.is_dir()):
        for form in forms:
            header = kernel / f"{form}.cuh"
            if header.is_file():
                source = folder / f"{kernel.name}_{form}.cu"
                source.write_text(f'#include "{header}"\n')
                yield Case(kernel.name, form, source,
                           {"hand": [], "axe": with_axe, "cute": with_cute}[form],
                           (PTX, OBJECT))
    for file in sorted((INDEX / "patterns").glob("*.cu")):
        for form in forms:
            yield Case(f"patterns/{file.name}", form, file,
                       [*with_axe, *with_cute, f"-DAXE_ONE_FORM={form}"], (PTX,))


def measure(all_cases, compiler):
    """Compiles every case once and records its time."""
    for case in all_cases:
        for output, seconds in case.seconds.items():
            outcome = compiler.check([str(case.path)], case.flags, output)
            if not outcome.ok:
                raise SystemExit(f"{case.path} does not compile with {compiler}:\n{outcome.text}")
            seconds.append(outcome.cpu)


def rows(all_cases):
    """Returns [{"name": …, "hand": {"-ptx": seconds, "-c": seconds}, "axe": …, "cute": … or null}].
    Files of index code have no "-c".
    """
    found = {}
    for case in all_cases:
        found.setdefault(case.name, {})[case.form] = {output: round(statistics.median(seconds), 3)
                                                      for output, seconds in case.seconds.items()}
    return [{"name": name, **{form: its.get(form) for form in FORMS}}
            for name, its in found.items()]


def medians(measured, output):
    """Returns the medians of axe / hand and of axe / CuTe over the kernels. A median is None if no
    kernel has the other form.
    """
    def median(other):
        ratios = [row["axe"][output] / row[other][output] for row in measured if row[other]
                  and "/" not in row["name"]]
        return statistics.median(ratios) if ratios else None
    return median("hand"), median("cute")
