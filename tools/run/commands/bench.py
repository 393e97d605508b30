"""`./run bench`: the benchmarks, all of them or one."""

import os
import subprocess
import sys

import build
from common import BUILD, FAILED, USAGE, Parser, Stop, say, step
from install import install_packages, try_install_packages, try_install_wheels

SUMMARY = "run the benchmarks: all, or the one that is named"
EPILOG = "./run bench [NAME [arguments]]: the arguments go to the benchmark."
FOLDER = BUILD / "release/bench"


def parser():
    result = Parser("bench", SUMMARY, EPILOG)
    result.add_argument("--list", action="store_true", help="print the names of the benchmarks")
    return result


def main(arguments):
    options, rest = build.parse(parser(), arguments)
    options.preset = None
    install_packages("g++", "cmake", "ninja-build", "python3", "python3-venv", "clang-19")
    if not try_install_packages("libbenchmark-dev"):
        say("    no Google Benchmark: the benchmarks of host code do not run (algebra, index_host)")
    cuda = build.find_cuda(options)
    cute = os.environ.get("AXE_CUTE_DIR", "")
    if not cute and try_install_wheels("cutlass"):
        cute = BUILD / "python/cutlass/cutlass_library/source/include"
    build.configure("release", *cuda.options, "-D", f"AXE_CUTE_DIR={cute}")
    names = sorted(path.name for path in FOLDER.iterdir())
    if options.list:
        print("\n".join(names))
        return 0
    if rest and not rest[0].startswith("-"):
        if rest[0] not in names:
            raise Stop(USAGE, f"no benchmark is called '{rest[0]}': ./run bench --list")
        names, rest = rest[:1], rest[1:]
    if subprocess.run(
        ["cmake", "--build", BUILD / "release", "--target", "benchmarks", "-j", str(options.jobs)],
        stdout=sys.stderr,
    ).returncode:
        raise Stop(FAILED, "the build failed")
    for name in names:
        step(f"benchmark {name}, with {cuda.said}")
        code = subprocess.run([FOLDER / name, *rest]).returncode
        if code:
            return code
    return 0
