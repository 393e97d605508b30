#!/usr/bin/env python3
"""Measures the compile time of

* each kernel example, and the tutorial of CuTe that does the same work
* each umbrella header
* each pattern of benchmarks/index, by hand, with axe and with CuTe

and compares template counts with a budget.

    kernel_cost.py --include include --examples examples [--nvcc nvcc --cuda-include DIR]
                   [--cute DIR] [--rounds 3] [--json FILE] [--write FILE]
    kernel_cost.py ... --check [--only headers]    compares counts with budget.json instead of
                                                   measuring seconds; exit code 1 if a count exceeds it
    kernel_cost.py ... --set-budget                writes budget.json

Seconds are CPU time of `nvcc -ptx -arch=sm_90a` minus that of a source that includes only the
headers that are neither axe's nor CuTe's. They are the median difference of interleaved rounds. A
kernel's source is one .cuh with the instances that its CMakeLists.txt names under INSTANCES. A
tutorial's source is its .cu with the host program, which makes CuTe's layouts and tensor maps. The
budget uses instantiations (instantiations.py), because they are reproducible.

DIR of --cute holds the folder cute/. CUTLASS's folders tools and examples must lie beside DIR.

JSON: {"schema": "axe-kernel-cost-2", "rounds": 3,
       "kernels": [{"name": "11_mma_gemm/kernel.cuh", "entries": 1, "seconds": 1.0,
                    "instantiations": 5000,
                    "cute": {"name": "sgemm_sm80", "entries": 1, "seconds": 9.0,
                             "instantiations": 70000} or null,
                    "seconds_over_cute": 0.11 or null, "instantiations_over_cute": 0.07 or null}],
       "headers": [{"name": "axe/axe.hpp", "seconds": {"nvcc 13.0.88": 0.1},
                    "instantiations": 510}],
       "patterns": [{"name": "rotary", "hand": {"-ptx": 0.5, "-c": 0.9},
                     "axe": {"-ptx": 0.9, "-c": 3.0}, "cute": {"-ptx": 4.1, "-c": 9.8} or null}]}.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tests" / "support"), str(HERE.parent)]
import figures  # noqa: E402
import options  # noqa: E402
from compilers import Compiler, installed, skip  # noqa: E402
from instantiations import CLANG, Counter, DoesNotCompile  # noqa: E402
from kernel_page import page, show  # noqa: E402
import pattern_cost  # noqa: E402

BUDGET = HERE / "budget.json"
NOT_MEASURED = ("config.hpp", "mpi.hpp")  # mpi.hpp needs the headers of MPI
# For each of these examples, the tutorial of CuTe that does the same work: a copy in 16-byte
# vectors, a pipelined product with mma.sync, and one with TMA and wgmma.
SAME_WORK = {
    "07_vector_copy/kernel.cuh": "tiled_copy",
    "11_mma_gemm/kernel.cuh": "sgemm_sm80",
    "12_hopper_gemm/pipelined.cuh": "hopper/wgmma_tma_sm90",
    "12_hopper_gemm/specialised.cuh": "hopper/wgmma_tma_sm90",
}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
OURS_OR_THEIRS = ("axe/", "cute/", "cutlass/", "helper_")


def included_besides(path):
    """Returns the headers that a file and the files beside it include, without axe's and CuTe's, in
    order.
    """
    found = []
    for kind, name in INCLUDE.findall(path.read_text()):
        neighbour = path.parent / name
        if kind == '"' and neighbour.is_file():
            found += included_besides(neighbour)
        elif not name.startswith(OURS_OR_THEIRS):
            found.append(name)
    return list(dict.fromkeys(found))


def instances_of(path):
    """Returns the kernel instances that the example's CMakeLists.txt lists for this file under
    INSTANCES.
    """
    listed = (path.parent / "CMakeLists.txt").read_text()
    return re.findall(rf'"{re.escape(path.name)}: *([^"]+)"', listed)


class Subject:
    """A source, and a baseline that includes only the headers that are neither axe's nor CuTe's. Holds
    the differences of nvcc's times and of clang's instantiations.
    """

    baselines = {}  # the instantiations of baselines

    def __init__(self, name, folder, besides, text=None, path=None, flags=(), clang_flags=None):
        self.name, self.flags = name, list(flags)
        self.clang_flags = list(flags if clang_flags is None else clang_flags)
        stem = re.sub(r"\W", "_", name)
        self.path = path or folder / f"{stem}.cu"
        if path is None:
            self.path.write_text(text)
        self.empty = folder / f"{stem}_empty.cu"
        self.empty.write_text("".join(f"#include <{one}>\n" for one in besides))
        self.differences, self.entries, self.instantiations = [], None, None

    def first_run(self, nvcc, folder):
        """Compiles without a measurement, to fill the file cache and to count the kernels."""
        ptx = folder / "first.ptx"
        done = subprocess.run([nvcc.path, "-std=c++20", "-arch=sm_90a", "-ptx", *self.flags,
                               str(self.path), "-o", str(ptx)],
                              capture_output=True, text=True)
        if done.returncode:
            raise DoesNotCompile(next((line for line in done.stderr.splitlines()
                                       if "error" in line), "no message"))
        names = re.findall(r"\.entry\s+([\w$]+)", ptx.read_text())
        # Thrust adds an EmptyKernel.
        self.entries = sum("EmptyKernel" not in name for name in names)
        if not self.entries:
            sys.exit(f"{self.name}: no kernel was instantiated")

    def measure(self, compiler):
        pair = [compiler.check([str(source)], self.flags) for source in (self.path, self.empty)]
        if not all(one.ok for one in pair):
            sys.exit(f"{self.name} does not compile with {compiler}:\n"
                     f"{''.join(one.text for one in pair)}")
        self.differences.append(pair[0].cpu - pair[1].cpu)

    def count(self, counter):
        baseline = (self.empty.read_text(), *self.clang_flags)  # several subjects have the same
        if baseline not in self.baselines:
            self.baselines[baseline] = counter.of_kernel(self.empty, self.clang_flags)
        self.instantiations = (
            counter.of_kernel(self.path, self.clang_flags) - self.baselines[baseline])

    def seconds(self):
        return round(statistics.median(self.differences), 3) if self.differences else None

    def figures(self):
        return {"name": self.name, "entries": self.entries, "seconds": self.seconds(),
                "instantiations": self.instantiations}


def kernels_of(arguments, folder, counter):
    for path in sorted(arguments.examples.glob("[0-9]*/*.cuh")):
        runs_on_hopper = "sm_90a" in (path.parent / "CMakeLists.txt").read_text()
        if "__global__" in path.read_text() and runs_on_hopper:
            name = f"{path.parent.name}/{path.name}"
            kept = "".join(f"  (void)&{one};\n" for one in instances_of(path))
            flags = ["-I", str(arguments.examples)]
            axe = counter.headers_for_kernels() if counter else arguments.include
            yield Subject(name, folder, included_besides(path),
                          text=f"#include <{name}>\nvoid keep() {{\n{kept}}}\n",
                          flags=[*flags, "-I", str(arguments.include)],
                          clang_flags=[*flags, "-I", str(axe)])


def tutorials_of(arguments, folder):
    source = arguments.cute.parent
    flags = [one for part in ("include", "tools/util/include", "examples/common")
             for one in ("-I", str(source / part))]
    for name in dict.fromkeys(SAME_WORK.values()):
        path = source / "examples" / "cute" / "tutorial" / f"{name}.cu"
        if not path.is_file():
            print(f"skipped: there is no examples/cute/tutorial/{name}.cu beside CuTe's headers",
                  file=sys.stderr)
            continue
        # CuTe enables sm_90 by the CUDA version, which clang does not report as nvcc does. So clang
        # gets the macro that enables it.
        yield Subject(name, folder, included_besides(path), path=path,
                      flags=["-w", "--expt-relaxed-constexpr", *flags],
                      clang_flags=["-DCUTLASS_ARCH_MMA_SM90_SUPPORTED=1", *flags])


def version_of(cute):
    text = (cute / "cutlass" / "version.h").read_text()
    return ".".join(re.search(rf"#define CUTLASS_{part} (\d+)", text).group(1)
                    for part in ("MAJOR", "MINOR", "PATCH"))


def header_seconds(arguments, headers, folder):
    """Returns {header: {compiler: seconds more than an empty file}}."""
    seconds = {header: {} for header in headers}
    for compiler in installed("g++", CLANG, arguments.nvcc):
        taken = {}
        for turn in range(arguments.rounds + 1):  # the first turn is not counted
            print(f"headers, {compiler}: round {turn} of {arguments.rounds}", file=sys.stderr,
                  flush=True)
            for header in ("", *headers):
                source = folder / "one.cpp"
                source.write_text(f"#include <{header}>\n" if header else "")
                outcome = compiler.check([str(source)], ["-I", str(arguments.include)])
                if not outcome.ok:
                    sys.exit(f"{header} does not compile with {compiler}:\n{outcome.text}")
                if turn:
                    taken.setdefault(header, []).append(outcome.cpu)
        for header in headers:
            differences = [mine - its for mine, its in zip(taken[header], taken[""])]
            seconds[header][str(compiler)] = round(statistics.median(differences), 3)
    return seconds


def ratio(ours, theirs):
    return round(ours / theirs, 3) if ours is not None and theirs else None


def kernel_rows(kernels, tutorials):
    by_name = {one.name: one for one in tutorials}
    for kernel in kernels:
        cute = by_name.get(SAME_WORK.get(kernel.name))
        yield {**kernel.figures(), "cute": cute and cute.figures(),
               "seconds_over_cute": cute and ratio(kernel.seconds(), cute.seconds()),
               "instantiations_over_cute": cute
               and ratio(kernel.instantiations, cute.instantiations)}


def check(version, counts):
    """Yields complaints: counts above their limits, counts without a limit, and limits without a
    count.
    """
    budget = json.loads(BUDGET.read_text())
    if budget["compiler"] != f"clang {version}":
        skip(f"the budget is for {budget['compiler']}, "
             f"but clang {version} may instantiate other templates")
    for part, counted in counts.items():
        limits = budget[part]
        for name in sorted({*counted, *limits}):
            if name not in limits:
                yield (f"{name}: {counted[name]} instantiations, but no budget; "
                       "--set-budget adds one")
            elif name not in counted:
                yield f"{name} has a budget, but does not exist; --set-budget removes it"
            elif counted[name] > limits[name]:
                yield f"{name}: {counted[name]} instantiations exceed its budget of {limits[name]}"


def with_slack(counted):
    """Returns each count plus 2%, or plus 10 if that is more, so that a new rule or member needs no
    new budget.
    """
    return {name: count + max(10, count // 50) for name, count in sorted(counted.items())}


def counts_of(counter, headers, subjects, needed):
    for subject in subjects:
        print(f"counting: {subject.name}", file=sys.stderr, flush=True)
        try:
            subject.count(counter)
        except DoesNotCompile as reason:
            if needed:
                sys.exit(f"{subject.name} does not compile with {CLANG}: {reason}")
            print(f"skipped: {subject.name} with {CLANG}: {reason}", file=sys.stderr)
    counted = {}
    for header in headers:
        try:
            counted[header] = counter.of_header(header)
        except DoesNotCompile as reason:
            sys.exit(f"{header} does not compile with {CLANG}: {reason}")
    return counted


def parsed():
    parser = options.parser(__doc__, "include nvcc cuda-include cute rounds json write", rounds=3)
    parser.add_argument("--examples", required=True, type=pathlib.Path, metavar="DIR",
                        help="the folder of the kernel examples")
    parser.add_argument("--check", action="store_true",
                        help="compare counts with budget.json, without seconds")
    parser.add_argument("--set-budget", action="store_true", help="write budget.json")
    parser.add_argument("--only", choices=["headers"],
                        help="count the templates of headers, not of kernels")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds: at least 1")
    if arguments.only and not arguments.check:
        parser.error("--only goes with --check")
    return arguments


def counter_for(arguments, folder, needed):
    """Returns a Counter, or None if clang is missing and not needed."""
    try:
        return Counter(arguments.include, folder, arguments.cuda_include)
    except FileNotFoundError as missing:
        if needed:
            skip(str(missing))
        print(f"skipped: {missing}", file=sys.stderr)
        return None


def write_budget(version, counts):
    limits = {part: with_slack(counted) for part, counted in counts.items()}
    figures.write(BUDGET, json.dumps({"compiler": f"clang {version}", **limits}, indent=2) + "\n")


def print_complaints(version, counts):
    """Prints the complaints about counts. Returns True if there are any."""
    complaints = list(check(version, counts))
    for complaint in complaints:
        print(complaint)
    print(f"{sum(map(len, counts.values()))} counts checked, {len(complaints)} complaints")
    return bool(complaints)


def measure_kernels(subjects, patterns, nvcc, rounds, folder):
    for subject in subjects:
        print(f"compiling {subject.name} once, not timed", file=sys.stderr, flush=True)
        try:
            subject.first_run(nvcc, folder)
        except DoesNotCompile as reason:
            sys.exit(f"{subject.name} does not compile with {nvcc}: {reason}")
    for turn in range(rounds):
        print(f"kernels: round {turn + 1} of {rounds}", file=sys.stderr, flush=True)
        for subject in subjects:
            subject.measure(nvcc)
        pattern_cost.measure(patterns, nvcc)


def main():
    arguments = parsed()
    counting = arguments.check or arguments.set_budget
    load = os.getloadavg()[0]
    headers = sorted(f"axe/{path.name}" for path in (arguments.include / "axe").glob("*.hpp")
                     if path.name not in NOT_MEASURED)
    with_kernels = not arguments.only
    if with_kernels and not (arguments.nvcc and arguments.cuda_include):
        skip("the kernels need nvcc and CUDA's headers, "
             "which are not installed or are switched off")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        counter = counter_for(arguments, folder, counting)
        kernels = list(kernels_of(arguments, folder, counter)) if with_kernels else []
        tutorials = []
        if not counting and arguments.cute:
            tutorials = list(tutorials_of(arguments, folder))
        elif not counting:
            print("skipped: CuTe (set AXE_CUTE_DIR, or let ./run bench unpack the wheel)",
                  file=sys.stderr)
        counted = counts_of(counter, headers, [*kernels, *tutorials], counting) if counter else {}
        if counting:
            counts = {"headers": counted}
            if with_kernels:
                counts["kernels"] = {one.name: one.instantiations for one in kernels}
            if arguments.set_budget:
                write_budget(counter.version, counts)
                return
            sys.exit(print_complaints(counter.version, counts))

        nvcc = Compiler(arguments.nvcc)
        patterns = list(pattern_cost.cases(arguments.include, arguments.cute, folder))
        measure_kernels([*kernels, *tutorials], patterns, nvcc, arguments.rounds, folder)
        seconds = header_seconds(arguments, headers, folder)

    rows = list(kernel_rows(kernels, tutorials))
    header_rows = [{"name": header, "seconds": seconds[header],
                    "instantiations": counted.get(header)} for header in headers]
    pattern_rows = pattern_cost.rows(patterns)
    show(rows, header_rows, pattern_rows)
    if arguments.json:
        figures.write(arguments.json,
                      json.dumps({"schema": "axe-kernel-cost-2", "rounds": arguments.rounds,
                                  "kernels": rows, "headers": header_rows,
                              "patterns": pattern_rows},
                             indent=2) + "\n")
    if arguments.write:
        cutlass = version_of(arguments.cute) if arguments.cute else None
        figures.write(arguments.write, page(rows, header_rows, pattern_rows, arguments.rounds, nvcc,
                                            cutlass, (load, os.getloadavg()[0])))


if __name__ == "__main__":
    main()
