"""`./run fuzz`: compares the library with plain sets, for hours."""

import subprocess
import sys

import build
from common import BUILD, FAILED, ROOT, USAGE, Parser, Stop, add_jobs, check_options, step
from install import install_packages

SUMMARY = "compare the library with plain sets for hours (tests/fuzz/README.md)"
EPILOG = """
Without an option the first six fuzzers run one after the other. Other arguments go to the chosen
fuzzer (default: --algebra): --cases N, --seed N, --only NAME[,NAME...], --from, --steps."""
# The options of EPILOG, and then options that only one fuzzer has.
OPTIONS = ("--cases", "--seed", "--only", "--from", "--steps")
OPTIONS += ("--show", "--baseline", "--any-share", "--undecided", "--witnesses", "--break",
            "--no-slices")
FOLDER = BUILD / "fuzz"
# For each option: what it does, the program, and the arguments. {jobs} is the number of processes.
FUZZERS = {
    "algebra": (
        "the layout algebra, a hundred million cases",
        "tests/fuzz/fuzz",
        ["--cases", "100000000", "--jobs", "{jobs}"],
    ),
    "linear": (
        "linear maps over F2, ten million cases",
        "tests/linear/fuzz_linear",
        ["--jobs", "{jobs}"],
    ),
    "accesses": (
        "accesses against warps simulated lane by lane, ten million cases",
        "tests/analysis/fuzz_accesses",
        ["--jobs", "{jobs}"],
    ),
    "cute": (
        "CuTe's operations against plain tables, ten million cases",
        "tests/cute/cute_fuzz",
        ["--cases", "10000000"],
    ),
    "conversions": (
        "register conversion plans against sets, a hundred thousand cases",
        "tests/convert/fuzz_convert",
        ["--cases", "100000"],
    ),
    "copies": (
        "plans of copies against sets of places, 100,000 requests",
        "tests/plan/plan_copy_test",
        ["[slow]"],
    ),
}


def parser():
    result = Parser("fuzz", SUMMARY, EPILOG)
    which = result.add_mutually_exclusive_group()
    for name, (what, _, _) in FUZZERS.items():
        which.add_argument(f"--{name}", dest="which", action="store_const", const=name, help=what)
    which.add_argument(
        "--exhaustive",
        dest="which",
        action="store_const",
        const="exhaustive",
        help="all layouts of up to 3 digits on one axis, with every shape and every region",
    )
    which.add_argument(
        "--machine",
        dest="which",
        action="store_const",
        const="machine",
        help="broken PTX on the PTX machine, under sanitizers (20,000 cases)",
    )
    add_jobs(result)
    return result


def make(folder, target, jobs):
    if subprocess.run(
        ["cmake", "--build", folder, "--target", target, "-j", str(jobs)], stdout=sys.stderr
    ).returncode:
        raise Stop(FAILED, "the build failed")


def fuzz(name, arguments, jobs):
    _, program, its = FUZZERS[name]
    make(FOLDER, program.rsplit("/", 1)[1], jobs)
    return subprocess.run(
        [FOLDER / program, *(word.format(jobs=jobs) for word in its), *arguments]
    ).returncode


def fuzz_exhaustive(arguments, jobs):
    make(FOLDER, "fuzz_exhaustive", jobs)
    program = FOLDER / "tests/fuzz/fuzz_exhaustive"
    parts = [
        subprocess.Popen([program, "--part", f"{part}/{jobs}", *arguments]) for part in range(jobs)
    ]
    return max([part.wait() != 0 for part in parts])


def fuzz_machine(arguments, jobs):
    folder = BUILD / "fuzz-machine"
    sanitized = "-g1 -fsanitize=address,undefined -fno-sanitize-recover=all"
    if subprocess.run(
        [
            "cmake",
            "-S",
            ROOT / "tests/machine",
            "-B",
            folder,
            "-G",
            "Ninja",
            "-D",
            "CMAKE_BUILD_TYPE=Release",
            "-D",
            "CUDA_HEADERS:PATH=OFF",
            "-D",
            "DEMO_NVCC:FILEPATH=OFF",
            "-D",
            "CMAKE_CXX_FLAGS_RELEASE=-O1",
            "-D",
            f"CMAKE_CXX_FLAGS={sanitized}",
        ],
        stdout=subprocess.DEVNULL,
    ).returncode:
        raise Stop(FAILED, "configuring failed")
    make(folder, "machine_fuzz", jobs)
    return subprocess.run([folder / "tests/machine_fuzz", *arguments]).returncode


def main(arguments):
    options, rest = parser().parse_known_args(arguments)
    check_options("fuzz", rest, OPTIONS)
    if options.which == "copies" and rest:
        raise Stop(
            USAGE,
            "--copies takes no other arguments: AXE_TEST_SEED=7 AXE_TEST_SAMPLES=1000 set its seed "
            "and the number of requests",
        )
    install_packages("g++", "cmake", "ninja-build", "catch2")  # --copies runs a Catch2 test
    if options.which == "machine":
        return fuzz_machine(rest, options.jobs)
    if not (FOLDER / "build.ninja").exists():
        build.configure("gcc", "-B", FOLDER, "-D", "AXE_CUDA=none")
    if options.which == "exhaustive":
        return fuzz_exhaustive(rest, options.jobs)
    if options.which or rest:
        return fuzz(options.which or "algebra", rest, options.jobs)
    failed = False
    for name in FUZZERS:
        step(f"fuzz --{name}")
        failed |= fuzz(name, [], options.jobs) != 0
    return FAILED if failed else 0
