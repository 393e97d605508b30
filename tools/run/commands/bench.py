"""`./run bench`: runs all benchmarks or one of them."""

import os
import re
import subprocess
import sys

import build
from common import BUILD, FAILED, NOT_INSTALLED, ROOT, USAGE, Parser, Stop, say, step
from install import install_packages, try_install_packages, try_install_wheels

SUMMARY = "run all benchmarks, or one of them"
EPILOG = "./run bench [NAME [arguments]]: the arguments go to the benchmark."
FOLDER = BUILD / "release/bench"


def parser():
    result = Parser("bench", SUMMARY, EPILOG)
    result.add_argument("--list", action="store_true", help="print the names of the benchmarks")
    return result


def names_in_tree():
    files = sorted(ROOT.glob("benchmarks/*/CMakeLists.txt"))
    return sorted(
        name for file in files for name in re.findall(r"axe_add_benchmark\((\w+)", file.read_text())
    )


def main(arguments):
    options, rest = build.parse(parser(), arguments)
    names = names_in_tree()
    if options.list:
        print("\n".join(names))
        return 0
    one = rest.pop(0) if rest else None
    if one and one.startswith("-"):
        raise Stop(USAGE, f"no option is called '{one}': ./run bench --help")
    if one and one not in names:
        raise Stop(USAGE, f"no benchmark is called '{one}': ./run bench --list")
    install_packages("g++", "cmake", "ninja-build", "python3", "python3-venv", "clang-19")
    if not try_install_packages("libbenchmark-dev"):
        say("    no Google Benchmark: the benchmarks of host code do not run (algebra)")
    if not try_install_packages("libopenmpi-dev", "openmpi-bin"):
        say("    no MPI: the benchmark reshard does not run")
    elif not try_install_packages("libscalapack-openmpi-dev"):
        say("    no ScaLAPACK: the benchmark reshard runs without pdgemr2d")
    cuda = build.find_cuda(options)
    cute = os.environ.get("AXE_CUTE_DIR", "")
    if not cute and try_install_wheels("cutlass"):
        cute = BUILD / "python/cutlass/cutlass_library/source/include"
    build.configure("release", *cuda.options, "-D", f"AXE_CUTE_DIR={cute}")
    names = [one] if one else [name for name in names if (FOLDER / name).exists()]
    if one and not (FOLDER / one).exists():
        raise Stop(
            NOT_INSTALLED,
            f"the benchmark '{one}' was not configured, because a package that it needs is not "
            "installed",
        )
    if subprocess.run(
        [
            "cmake",
            "--build",
            BUILD / "release",
            "--target",
            f"benchmark_{one}" if one else "benchmarks",
            "-j",
            str(options.jobs),
        ],
        stdout=sys.stderr,
    ).returncode:
        raise Stop(FAILED, "the build failed")
    for name in names:
        step(f"benchmark {name}, with {cuda.said}")
        code = subprocess.run([FOLDER / name, *rest]).returncode
        if code:
            return code
    return 0
