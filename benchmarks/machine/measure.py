#!/usr/bin/env python3
"""Measures the speed of the PTX machine for kernels and matrix instructions, with each set of vector
instructions that this processor has.

    measure.py --source tests/machine --build DIR    builds machine_speed and machine_tensor_speed,
                                                     and prints tables
    measure.py … --nvcc nvcc --cute DIR              also sgemm_1 of CuTe's tutorials
    measure.py … --json                              one object per line
    measure.py … --write FILE                        a page, as in benchmarks/results/

The units are thread-instructions per second (active lanes) and floating-point operations per second
(2 m n k), in processor time of one thread, the best of several launches. The baseline is the same
run with AXE_MACHINE_VECTORS=plain.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures as pages  # noqa: E402  benchmarks/figures.py

SETS = ("plain", "avx2")
WHAT = """Thread-instructions per second of processor time of one host thread, the best of several launches. `bounds`: the machine checks only the bounds of accesses.
`every`: it also reports races and reads of bytes that were never written, and runs kernels on tensor cores in strict mode. The rows are the sets of vector instructions of this
processor, and the ratio is to `plain` of the same run. Matrix products choose their vector instructions themselves in all rows."""


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command[:4]))} … failed:\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


def build(options):
    if not os.path.exists(os.path.join(options.build, "build.ninja")):
        run(["cmake", "-S", options.source, "-B", options.build, "-G", "Ninja",
             "-D", "CMAKE_BUILD_TYPE=Release", "-D", "CUDA_HEADERS:PATH=OFF"])
    print("building the machine", file=sys.stderr)
    run(["cmake", "--build", options.build, "--target", "machine_speed", "machine_tensor_speed",
         "-j", str(options.jobs)])


def sgemm_1(options, folder):
    """Returns the PTX of CuTe's tutorial sgemm_1, or None without nvcc or CuTe."""
    if not options.nvcc or not options.cute:
        return None
    root = pathlib.Path(options.cute).parent
    source = root / "examples" / "cute" / "tutorial" / "sgemm_1.cu"
    if not source.is_file():
        return None
    out = os.path.join(folder, "sgemm_1.ptx")
    run([options.nvcc, "-std=c++17", "-gencode=arch=compute_90a,code=compute_90a", "-ptx",
         "-I", options.cute, "-I", root / "tools" / "util" / "include",
         source, "-o", out])
    return out


def kernels(options, text):
    """Returns [{"kernel", "checks", "threads", "vectors", "seconds", "giga", "gflops"}]."""
    command = [os.path.join(options.build, "tests", "machine_speed"),
               "--json"] + (["--sgemm_1", text] if text else [])
    found = []
    for name in SETS:
        print(f"    {name}", file=sys.stderr)
        lines = [json.loads(line) for line in run(
            command, env={**os.environ, "AXE_MACHINE_VECTORS": name}).splitlines()]
        # A processor without an instruction set runs with a smaller one, which is measured already.
        found += [line for line in lines if line["vectors"] == name]
    return found


def products(options):
    """Returns [{"vectors", "product", "gflops"}] of machine_tensor_speed."""
    text = run([os.path.join(options.build, "tensor", "machine_tensor_speed")])
    line = re.compile(r"^(plain|avx2|avx512)\s+(wgmma \S+  \S+ -> \S+)\s+([0-9.]+) GFLOP/s$",
                      re.MULTILINE)
    return [{"vectors": vectors, "product": " ".join(product.split()), "gflops": float(rate)}
            for vectors, product, rate in line.findall(text)]


def kernel_rows(found):
    plain = {(line["kernel"], line["checks"]): line["giga"] for line in found
             if line["vectors"] == "plain" and line["threads"] == "one"}
    rows = []
    for line in found:
        if line["threads"] != "one":
            continue
        ratio = line["giga"] / plain[line["kernel"], line["checks"]]
        rows.append([line["kernel"], line["checks"], line["vectors"], f"{line['giga']:.2f}",
                     f"{ratio:.1f}", f"{line['seconds'] * 1e3:.1f}",
                     f"{line['gflops']:.0f}" if line["gflops"] else ""])
    return sorted(rows, key=lambda row: (row[0], row[1]))


def core_rows(found):
    widest = found[-1]["vectors"]
    lines = {line["threads"]: line for line in found if line["vectors"] == widest
             and line["threads"] != "one"}
    one, every = lines["1, wall clock"], lines["all"]
    return [[every["kernel"], "1", f"{one['seconds'] * 1e3:.1f}", "1.0"],
            [every["kernel"], str(len(os.sched_getaffinity(0))), f"{every['seconds'] * 1e3:.1f}",
             f"{one['seconds'] / every['seconds']:.2f}"]]


def product_rows(found):
    plain = {line["product"]: line["gflops"] for line in found if line["vectors"] == "plain"}
    return [[line["product"], line["vectors"], f"{line['gflops']:.0f}",
             f"{line['gflops'] / plain[line['product']]:.1f}"] for line in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", required=True, help="the folder tests/machine")
    parser.add_argument("--build", required=True, help="the build folder of the machine")
    parser.add_argument("--nvcc", default="", help="with --cute: also run CUTLASS's sgemm_1")
    parser.add_argument("--cute", default="", help="the folder that holds cute/")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", default="", metavar="FILE", help="write a page of the figures")
    parser.add_argument("--jobs", type=int, default=int(
        os.environ.get("AXE_JOBS", os.cpu_count() or 1)),
                        help="processes at a time (default: %(default)s)")
    options = parser.parse_args()
    build(options)
    with tempfile.TemporaryDirectory() as folder:
        found = kernels(options, sgemm_1(options, folder))
    matrix = products(options)
    if options.json:
        for line in found + matrix:
            print(json.dumps(line))
        return
    tables = [
        (["kernel", "checks", "vectors", "G thread-instructions/s", "ratio to plain",
          "ms per launch", "GFLOP/s"], kernel_rows(found)),
        (["wgmma", "vectors", "GFLOP/s", "ratio to plain"], product_rows(matrix)),
        (["kernel", "threads", "wall-clock ms", "speedup"], core_rows(found)),
    ]
    told = ["", "The matrix engine alone, for one product. It reads the operands from shared memory through their descriptors. The accumulators are in registers.",
            "Independent clusters on all cores with every check on, in wall-clock time. Other load on this computer makes the times longer."]
    text = "\n".join((f"{said}\n\n" if said else "") + pages.table(*each) + "\n"
                     for said, each in zip(told, tables))
    if not options.write:
        print(text)
        return
    page = pages.page("How fast the PTX machine is", WHAT,
                      "./run bench machine --write benchmarks/results/machine.md", *tables[0])
    page += "".join(f"\n{said}\n\n{pages.table(*each)}\n"
                    for said, each in zip(told[1:], tables[1:]))
    pages.write(options.write, page)


if __name__ == "__main__":
    main()
