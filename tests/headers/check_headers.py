#!/usr/bin/env python3
"""Checks every public header of a folder with one compiler, warnings as errors.

    check_headers.py --compiler g++ --include include --core-without bridge

g++ includes each header alone and twice, and clang all headers together. Both include all headers
together under -fno-exceptions -fno-rtti, and all core headers after macros such as `min`, `max` and
`I` and in two translation units of one program. nvcc includes its own headers first, so it reads
the core headers together, also after the macros and after using-directives of axe's namespaces.
"""

import argparse
import concurrent.futures
import functools
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from compilers import Outcome, compiler_or_skip, default_jobs  # noqa: E402

WARNINGS = {
    "gcc": ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"],
    "clang": ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"],
    "nvcc": ["-Werror", "all-warnings"],
}

# Macros of complex.h, sys/sysmacros.h, old code and kernels. Headers that use such a name do not
# compile.
HOSTILE = {
    "min(a, b)": "((a) < (b) ? (a) : (b))",
    "max(a, b)": "((a) > (b) ? (a) : (b))",
    "I": "(__extension__ 1.0iF)",
    "major(device)": "((device) >> 8)",
    "minor(device)": "((device) & 255)",
    "N": "1024",
    "K": "64",
    "W": "640",
    "H": "480",
    "BLOCK_SIZE": "256",
    "WARP_SIZE": "32",
    "TILE": "32",
    "STAGES": "3",
    "LOG": "1",
}

# Headers that need MPI, and with it exceptions. tests/mpi compiles them.
NEEDS_MPI = re.compile(r"^axe/mpi[/.]")

# Begins a user's program. It declares the namespaces, so that the directives precede the headers.
DIRECTIVES = """#include <axe/config.hpp>
namespace axe { inline namespace AXE_NAMESPACE { namespace axes {} namespace literals {} } }
using namespace axe;
using namespace axe::axes;
using namespace axe::literals;
"""
KERNEL = """
__global__ void kernel(float4* out, dim3 blocks, int n) {
  dim3 const at(threadIdx.x, blockIdx.x * blockDim.x);
  uint3 const corner{at.x, min(at.y, blocks.y), static_cast<unsigned>(max(n, warpSize))};
  __syncthreads();
  out[corner.x] = make_float4(fmaf(1.0f, 2.0f, 3.0f), 0, 0, static_cast<float>(corner.z + gridDim.z));
}
void launch(float4* out) { kernel<<<dim3(8, 8), 32>>>(out, dim3(8, 8), 5); }
"""


def including(headers):
    return "".join(f"#include <{header}>\n" for header in headers)


def standard_headers(include, headers):
    text = "".join((include / header).read_text() for header in headers)
    return sorted(set(re.findall(r"^\s*#\s*include <([a-z_]+)>", text, re.MULTILINE)))


class Checks:
    def __init__(self, compiler, include, folder, core):
        self.compiler, self.include, self.folder, self.core = compiler, include, folder, core
        self.flags = ["-I", str(include), *WARNINGS[compiler.kind]]

    def source(self, name, text):
        path = self.folder / (re.sub(r"\W", "_", name) + ".cpp")
        path.write_text(text)
        return str(path)

    def alone(self, headers, flags=()):
        source = self.source(f"alone {headers[0]} {' '.join(flags)}", including(headers + headers))
        return self.compiler.check([source], [*self.flags, *flags])

    def together(self):
        text = DIRECTIVES + including(self.core + self.core) + KERNEL
        return self.compiler.check([self.source("together", text)], self.flags)

    def macros(self, before):
        defines = "".join(f"#define {name} {value}\n" for name, value in HOSTILE.items())
        return self.compiler.check([self.source(f"macros {len(before)}", including(before) + defines
                                                + including(self.core))], self.flags)

    def two_files(self):
        sources = [self.source("odr a", including(self.core)
                               + "int second();\nint main() { return second(); }\n"),
                   self.source("odr b", including(self.core)
                               + "int second();\nint second() { return 0; }\n")]
        target = ["-arch=sm_90a"] if self.compiler.kind == "nvcc" else []
        run = subprocess.run([self.compiler.path, "-std=c++20", *target, *self.flags, *sources,
                              "-o", str(self.folder / "odr")],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode == 0:
            run = subprocess.run([str(self.folder / "odr")], stdout=subprocess.PIPE, text=True)
        return Outcome(run.returncode == 0, run.stdout, 0)

    def plan(self, headers):
        """The checks for this compiler: pairs of a name and a function."""
        standard = standard_headers(self.include, self.core)
        if self.compiler.kind == "nvcc":
            yield "together   all core headers and a kernel", self.together
        else:
            for name, flags in (("alone", ()), ("no-except", ("-fno-exceptions", "-fno-rtti"))):
                one_by_one = name == "alone" and self.compiler.kind == "gcc"
                for group in [[header] for header in headers] if one_by_one else [headers]:
                    what = group[0] if one_by_one else "all headers"
                    yield f"{name:10} {what}", functools.partial(self.alone, group, flags)
            yield "macros     all core headers", lambda: self.macros([])
            yield "two files  all core headers", self.two_files
        yield (f"macros     all core headers, after {len(standard)} standard ones",
               lambda: self.macros(standard))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True, help="the program of the compiler")
    parser.add_argument("--include", required=True, type=pathlib.Path,
                        help="the folder that holds axe/")
    parser.add_argument("--core-without", default="$^", metavar="REGEX",
                        help="headers that are not core")
    parser.add_argument("--jobs", type=int, default=default_jobs(),
                        help="processes at a time (default: %(default)s)")
    arguments = parser.parse_args()
    compiler = compiler_or_skip(arguments.compiler)

    headers = sorted(str(path.relative_to(arguments.include))
                     for path in arguments.include.rglob("*.hpp"))
    headers = [header for header in headers if not NEEDS_MPI.match(header)]
    core = [header for header in headers if not re.search(arguments.core_without, header)]
    if not core:
        sys.exit(f"no core header under {arguments.include}")

    threads = concurrent.futures.ThreadPoolExecutor(arguments.jobs)
    with tempfile.TemporaryDirectory() as folder, threads as pool:
        checks = Checks(compiler, arguments.include.resolve(), pathlib.Path(folder), core)
        running = [(name, pool.submit(call)) for name, call in checks.plan(headers)]
        failed = 0
        for name, future in running:
            outcome = future.result()
            print(f"{'ok    ' if outcome.ok else 'FAILED'} {name}", flush=True)
            if not outcome.ok:
                failed += 1
                print(outcome.text)
    print(f"{compiler}: {len(running) - failed} of {len(running)} checks passed "
          f"over {len(headers)} headers")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
