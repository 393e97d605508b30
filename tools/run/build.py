"""Builds programs for the commands: the options of a build, the search for nvcc, and the builds.

options, rest = parse(parser, arguments)
cuda = find_cuda(options)            cuda.options for CMake, cuda.nvcc, cuda.headers
build_machine("machine_cudart", cuda, options.jobs)
"""

import json
import os
import subprocess

from common import (
    BUILD,
    FAILED,
    ROOT,
    USAGE,
    Stop,
    add_jobs,
    fresh,
    quietly,
    say,
    show,
)
from install import (
    have_wheels,
    install_packages,
    install_wheels,
    try_install_wheels,
    wheels_list,
)

COMPILERS = ("gcc", "clang-19", "clang-16")
WHEELS = BUILD / "python/cuda/nvidia/cu13"
NEWEST_WHEELS = BUILD / "python/cuda-newest/nvidia/cu13"
TOOLS = BUILD / "python/cuda-tools/nvidia/cu13"


def presets():
    return [
        preset["name"]
        for preset in json.loads((ROOT / "CMakePresets.json").read_text())["buildPresets"]
    ]


def add_cuda_option(group):
    group.add_argument(
        "--cuda",
        default="auto",
        metavar="auto|wheels|none",
        help="where nvcc comes from. auto (the default): a CUDA toolkit, else Python wheels. none: "
        "no nvcc",
    )


def add_preset_options(group):
    group.add_argument(
        "--with-wheels",
        action="store_true",
        help="unpack the wheels even if there is a toolkit, so that the test cuda.wheels runs",
    )
    group.add_argument("--compiler", metavar="NAME", help=f"{', '.join(COMPILERS)} (default: gcc)")
    group.add_argument(
        "--preset",
        metavar="NAME",
        help="a preset: one of the compilers, clang-22, libcxx, asan, cuda, wheels, no-cuda",
    )


def parse(parser, arguments, presets_too=False):
    """Returns the options, and the arguments that the command does not know, in their order."""
    group = parser.add_argument_group("options of the build")
    add_cuda_option(group)
    add_jobs(group)
    if presets_too:
        add_preset_options(group)
    else:
        parser.set_defaults(compiler=None, preset=None, with_wheels=False)
    options, rest = parser.parse_known_args(arguments)
    if options.compiler and options.compiler not in COMPILERS:
        raise Stop(USAGE, f"--compiler is gcc, clang-19 or clang-16, not '{options.compiler}'")
    if options.compiler and options.preset:
        raise Stop(USAGE, "--compiler is not allowed with --preset")
    options.preset = options.compiler or options.preset
    if options.cuda not in ("auto", "wheels", "none"):
        raise Stop(USAGE, f"--cuda is auto, wheels or none, not '{options.cuda}'")
    if options.preset and options.preset not in presets():
        raise Stop(USAGE, f"no preset is called '{options.preset}'")
    os.environ["AXE_JOBS"] = str(options.jobs)  # tests that start compilers of their own read this
    return options, rest


class Cuda:
    """A CUDA toolkit as tests/support/find_cuda.cmake finds it. The path of a part that is missing
    is ''.
    """

    def __init__(self, root="", tools=""):
        said = subprocess.run(
            [
                "cmake",
                "-D",
                f"AXE_CUDA_ROOT={root}",
                "-D",
                f"AXE_CUDA_TOOLS={tools}",
                "-P",
                ROOT / "tests/support/find_cuda.cmake",
            ],
            capture_output=True,
            text=True,
        ).stderr
        found = dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)
        self.nvcc, self.version, self.headers = (
            found.get(key, "") for key in ("nvcc", "version", "headers")
        )
        self.lacks = found.get("lacks", "")
        self.reads_code = bool(found.get("cuobjdump") and found.get("nvdisasm"))
        self.options, self.said = [], f"nvcc {self.version} ({self.nvcc})"


class NoCuda:
    nvcc = version = headers = ""
    options = ["-D", "AXE_CUDA=none"]
    said = "no CUDA (--cuda=none or the preset): tests that need nvcc are skipped"


def find_cuda(options, newest=False):
    """Finds a CUDA toolkit, or unpacks the wheels of one. With `newest`, also unpacks those of the
    newest CUDA.
    """
    where = {"asan": "none", "libcxx": "none", "no-cuda": "none", "wheels": "wheels"}.get(
        options.preset, options.cuda
    )
    if where == "none":
        return NoCuda()
    install_packages("cmake")  # Cuda() runs it
    if newest and wheels_list("cuda-newest").exists():
        try_install_wheels("cuda-newest")
    cuda = Cuda(tools=TOOLS) if where == "auto" else None
    if cuda and cuda.lacks:
        say(f"    no usable CUDA toolkit ({cuda.lacks}): nvcc comes from Python wheels")
        cuda = None
    if options.with_wheels or not cuda:
        install_wheels("cuda")
    if cuda:
        if not cuda.reads_code:
            if try_install_wheels("cuda-tools"):
                cuda = Cuda(tools=TOOLS)
            else:
                say("    the tests that read machine code are skipped")
        cuda.options = [
            "-D",
            "AXE_CUDA=required",
            "-D",
            "AXE_CUDA_ROOT=",
            "-D",
            f"AXE_CUDA_TOOLS={TOOLS}",
        ]
    else:
        cuda = Cuda(root=WHEELS)
        cuda.options = [
            "-D",
            "AXE_CUDA=required",
            "-D",
            f"AXE_CUDA_ROOT={WHEELS}",
            "-D",
            "AXE_CUDA_TOOLS=",
        ]
    # Tests use the unpacked wheels if their versions are the pinned ones, even if another toolkit
    # compiles everything else.
    for variable, name, folder in (
        ("WHEELS", "cuda", WHEELS),
        ("NEWEST_ROOT", "cuda-newest", NEWEST_WHEELS),
    ):
        cuda.options += ["-D", f"AXE_CUDA_{variable}={folder if have_wheels(name) else ''}"]
    return cuda


def configure(preset, *options):
    log = fresh(f"configure-{preset}")
    if quietly(log, ["cmake", "--preset", preset, *options], cwd=ROOT):
        show(log)
        raise Stop(FAILED, "configuring failed")


def build(folder, jobs, *targets):
    """Builds targets and prints lines of progress."""
    log = fresh("build")
    command = ["cmake", "--build", folder, "--target", *targets, "-j", str(jobs)]
    if quietly(log, command):
        show(log)
        raise Stop(FAILED, "the build failed")


def build_program(target, jobs):
    """Builds one program with the preset `release`."""
    install_packages("g++", "cmake", "ninja-build")
    if not (BUILD / "release/build.ninja").exists():
        configure("release", "-D", "AXE_CUDA=none")
    build(BUILD / "release", jobs, target)


def build_machine(target, cuda, jobs):
    """Builds the PTX machine alone. `./run test` builds it again with the flags of its preset."""
    install_packages("g++", "cmake", "ninja-build", "libzstd-dev")
    folder, told = BUILD / "machine", BUILD / "machine/options.txt"
    options = [
        f"CUDA_HEADERS:PATH={cuda.headers or 'OFF'}",
        f"DEMO_NVCC:FILEPATH={cuda.nvcc or 'OFF'}",
    ]
    if (
        not (folder / "build.ninja").exists()
        or not told.exists()
        or told.read_text() != "\n".join(options)
    ):
        log = fresh("machine")
        command = [
            "cmake",
            "-S",
            ROOT / "tests/machine",
            "-B",
            folder,
            "-G",
            "Ninja",
            "-D",
            "CMAKE_BUILD_TYPE=Release",
        ]
        if quietly(log, command + [word for option in options for word in ("-D", option)]):
            show(log)
            raise Stop(FAILED, "configuring failed")
        told.write_text("\n".join(options))
        say("    the machine is built once, which takes a minute or two")
    build(folder, jobs, target)
