"""`./run gpu`: checks or measures the kernel examples on the GPU of this machine.

It needs nvcc, CMake, make or Ninja, and the repository. It installs and downloads nothing. The
report names what is missing: profiler, sanitizer, cuBLASLt, the PTX machine.
"""

import argparse
import pathlib
import re
import shutil

import build
from common import (
    FAILED,
    NO_GPU,
    NOT_INSTALLED,
    USAGE,
    Parser,
    Stop,
    add_jobs,
    fresh,
    matching_lines,
    quietly,
    say,
    step,
)
from gpu_bench import Bench
from gpu_check import Check
from install import version_of

SUMMARY = "check or measure the kernel examples on the GPU of this machine"
EPILOG = """
./run gpu check    run every example with random inputs, poisoned outputs and odd sizes, compare the
                   bits and counters with those of the PTX machine, and run compute-sanitizer
./run gpu bench    measure examples and baselines in one process, and write benchmarks/results/

Needs nvcc, CMake and make or ninja; installs nothing (examples/support/README.md).
It uses the CUDA toolkit that it finds.
Exit code 4: no GPU."""
PARTS = {"check": Check, "bench": Bench}


def find_tools(part):
    """Finds nvcc. Returns CMake's options of the generator and of a release build."""
    if version_of("cmake") < (3, 25):
        raise Stop(NOT_INSTALLED, "./run gpu needs CMake 3.25 or later and installs nothing")
    generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
    if generator != "Ninja" and not shutil.which("make"):
        raise Stop(NOT_INSTALLED, "./run gpu needs make or ninja and installs nothing")
    part.cuda = build.Cuda()
    if not part.cuda.nvcc:
        raise Stop(
            NOT_INSTALLED,
            f"./run gpu needs nvcc 13.0 or later and installs nothing ({part.cuda.lacks})",
        )
    return ["-G", generator, "-D", "CMAKE_BUILD_TYPE=Release"]


def configure_examples(part, log, folder, release):
    if quietly(
        log,
        [
            "cmake",
            "-S",
            part.root,
            "-B",
            folder,
            *release,
            "-D",
            "BUILD_TESTING=OFF",
            "-D",
            "AXE_CUDA=required",
            "-D",
            "AXE_CUDA_ROOT=",
        ],
    ):
        say("\n".join(log.read_text(errors="replace").splitlines()[-20:]))
        raise Stop(FAILED, "configuring failed (the whole log: build/logs/gpu-build.log)")
    if not list(part.examples()):
        part.only, named = "", part.only
        names = " ".join(example.name for example in part.examples())
        raise Stop(USAGE, f"no kernel example is called '{named}': {names}")


def build_examples(part, jobs):
    """Builds the examples, and the PTX machine with which they are compared."""
    release = find_tools(part)
    step("building the kernel examples")
    log, folder = fresh("gpu-build"), part.root / "build/gpu"
    configure_examples(part, log, folder, release)
    if quietly(
        log,
        [
            "cmake",
            "--build",
            folder,
            "--target",
            part.only or "kernel_examples",
            "-j",
            str(jobs),
        ],
    ):
        say("\n".join(matching_lines(log, "error|ptxas", 10)))
        raise Stop(FAILED, "the build failed (the whole log: build/logs/gpu-build.log)")
    if part.name == "check" or part.rehearse:
        build_machine(part, log, release, jobs)


def build_machine(part, log, release, jobs):
    step("building the PTX machine, to compare with")
    folder = part.root / "build/gpu-machine"
    headers = f"CUDA_HEADERS={part.cuda.headers}"
    source = ["-S", part.root / "tests/machine", "-B", folder]
    target = ["--target", "machine_cudart", "-j", str(jobs)]
    if quietly(log, ["cmake", *source, *release, "-D", headers]):
        part.no_machine = "could not be configured (build/logs/gpu-build.log)"
    elif matching_lines(log, "libzstd not found", 1):
        part.no_machine = "needs libzstd (Debian: libzstd-dev) to read the programs"
    elif quietly(log, ["cmake", "--build", folder, *target]):
        part.no_machine = "could not be built (build/logs/gpu-build.log)"
    else:
        part.machine = folder / "runtime/lib/libcudart.so.13"
    if part.rehearse and not part.machine:
        raise Stop(FAILED, f"the PTX machine {part.no_machine}")


def part_of(text):
    found = re.fullmatch(r"([1-9]\d?)/([1-9]\d?)", text)
    if not found or int(found.group(1)) > int(found.group(2)):
        raise argparse.ArgumentTypeError(f"is K/N, such as 1/4, not '{text}'")
    return int(found.group(1)), int(found.group(2))


def parser():
    result = Parser("gpu", SUMMARY, EPILOG)
    result.add_argument("what", nargs="?", metavar="check|bench",
                        help="check the results or measure")
    result.add_argument("--only", default="", metavar="NAME", help="run only this example")
    result.add_argument(
        "--part",
        type=part_of,
        default=(1, 1),
        metavar="K/N",
        help="run the K-th of N parts, which has every N-th example and size; a call takes at most "
        "8 minutes and names what is left",
    )
    result.add_argument(
        "--report",
        type=lambda text: pathlib.Path(text).resolve(),
        metavar="FILE",
        help="the file of the report (default: build/gpu/check.md or bench.md, with the part in "
        "its name)",
    )
    result.add_argument(
        "--rehearse",
        action="store_true",
        help="use the PTX machine instead of a GPU, and keep no measurements",
    )
    add_jobs(result)
    return result


def main(arguments):
    options = parser().parse_args(arguments)
    if options.what not in PARTS:
        raise Stop(USAGE, "expected check or bench: ./run gpu --help")
    part = PARTS[options.what](
        only=options.only,
        part=options.part,
        report=options.report,
        rehearse=options.rehearse,
    )
    if not part.is_here():
        raise Stop(NO_GPU, "there is no GPU here; ./run test runs the kernels on the PTX machine")
    build_examples(part, options.jobs)
    part.work()
    return part.close()
