"""`./run peers`: compares axe with other libraries, and runs third-party programs on the PTX
machine.
"""

import os
import subprocess
import sys

import build
from common import BUILD, FAILED, NOT_INSTALLED, ROOT, USAGE, Parser, Stop, check_options, say, step
from install import PYTHON, have_wheels, install_packages, try_install_wheels

SUMMARY = "ask axe and other libraries the same questions; run third-party programs"
EPILOG = """./run peers [NAME] [options]: NAME is tirx, triton, cute, tensor-layouts, reshard or programs.
Without NAME all of them run (tests/peers/README.md).
  --cases N, --seed N       the number of random questions and their seed; all small questions are
                            asked too
  --long                    ask ten times as many random questions
  --only OPERATION          ask only about this operation, or run only this program; may be
                            repeated. Without NAME it asks only tirx
  --with-torch              install PyTorch (5 GB), so that reshard asks DTensor
  --write                   write the answers into docs/peers.md (those of programs into
                            tests/machine/README.md, those of reshard into benchmarks/results)"""
OPTIONS = ("--cases", "--seed", "--runtime-cases", "--long", "--only", "--write",
           "--with-torch")
TESTS, OURS, PAGE = ROOT / "tests/peers", BUILD / "release/examples/axe/axe", ROOT / "docs/peers.md"
CUTLASS = BUILD / "python/cutlass/cutlass_library/source"


def python(script, *arguments, interpreter=sys.executable, path=None):
    environment = dict(os.environ, PYTHONPATH=str(path)) if path else None
    return subprocess.run(
        [interpreter, "-B", TESTS / script, *map(str, arguments)], env=environment
    ).returncode


def need_wheels(name, what):
    if not try_install_wheels(name):
        raise Stop(NOT_INSTALLED, f"{what} could not be installed")


def compile_host(source, program, *flags):
    program.parent.mkdir(parents=True, exist_ok=True)
    if subprocess.run(["g++", *flags, TESTS / source, "-o", program], stdout=sys.stderr).returncode:
        raise Stop(FAILED, "the build failed")


def ask_tirx(options, rest):
    need_wheels("peers", "TIRx")
    bridge = BUILD / "peers/printed"
    compile_host("printed.cpp", bridge, "-std=c++20", "-O1", "-I", ROOT / "include")
    step("asking TIRx")
    return python(
        "peers.py",
        "--jobs",
        options.jobs,
        "--ours",
        OURS,
        "--bridge",
        bridge,
        "--page",
        PAGE,
        *rest,
        interpreter=PYTHON,
        path=BUILD / "python/peers",
    )


def ask_triton(options, rest):
    need_wheels("triton", "Triton")
    step("reading encodings as Triton does")
    encodings = ["--ours", OURS, *(["--cases", 20000] if "--long" in rest else [])]
    if python("triton/encodings.py", *encodings, interpreter=PYTHON, path=BUILD / "python/triton"):
        return FAILED
    step("asking Triton's linear layouts")
    return python(
        "triton/triton_peers.py",
        "--jobs",
        options.jobs,
        "--ours",
        OURS,
        "--page",
        PAGE,
        *rest,
        interpreter=PYTHON,
        path=BUILD / "python/triton",
    )


def ask_cute(options, rest):
    need_wheels("cutlass", "CuTe's headers")
    headers = build.find_cuda(options).headers
    if not headers:
        raise Stop(NOT_INSTALLED, "CuTe needs the headers of a CUDA toolkit")
    cute, program = CUTLASS / "include", BUILD / "peers/cute_runtime"
    compile_host(
        "cute/cute_runtime.cpp",
        program,
        "-std=c++17",
        "-O1",
        "-w",
        "-I",
        cute,
        "-isystem",
        headers,
        "-isystem",
        f"{headers.rstrip('/')}/cccl",
    )
    with_cute = ["--cute", cute, "--cuda-include", headers]
    step("comparing the bridge with CuTe index by index")
    if python("cute/bridge.py", "--include", ROOT / "include", *with_cute):
        return FAILED
    step("compiling CuTe's side of docs/cute.md")
    if python("cute/migration.py", "--page", ROOT / "docs/cute.md", *with_cute):
        return FAILED
    step("asking CuTe")
    return python(
        "cute/cute_peers.py",
        "--jobs",
        options.jobs,
        "--ours",
        OURS,
        "--runtime",
        program,
        *with_cute,
        "--page",
        PAGE,
        *rest,
    )


def run_programs(options, rest):
    need_wheels("cutlass", "CuTe's tutorials and CUTLASS's examples")
    cuda = build.find_cuda(options)
    if not cuda.nvcc:
        raise Stop(NOT_INSTALLED, "these programs need nvcc: not with --cuda=none")
    triton = ["--triton", PYTHON, BUILD / "python/triton"] if try_install_wheels("triton") else []
    build.build_machine("machine_cudart", cuda, options.jobs)
    step("compiling third-party programs and running them on the PTX machine")
    return python(
        "programs/run_programs.py",
        "--jobs",
        options.jobs,
        "--nvcc",
        cuda.nvcc,
        "--stand-in",
        BUILD / "machine/runtime/lib",
        "--cutlass",
        CUTLASS,
        "--build",
        BUILD / "peers",
        "--page",
        ROOT / "tests/machine/README.md",
        *triton,
        *rest,
    )


def ask_tensor_layouts(options, rest):
    need_wheels("tensor-layouts", "the package tensor-layouts")
    step("asking the package tensor-layouts")
    return python(
        "tensor_layouts/tensor_layouts_peers.py",
        "--ours",
        OURS,
        *rest,
        interpreter=PYTHON,
        path=BUILD / "python/tensor-layouts",
    )


def ask_reshard(options, rest):
    volumes = BUILD / "peers/volumes"
    compile_host("reshard/volumes.cpp", volumes, "-std=c++20", "-O1", "-I", ROOT / "include")
    wheels = ["jax"] if try_install_wheels("jax") else []
    if have_wheels("torch") or ("--with-torch" in rest and try_install_wheels("torch")):
        wheels.append("torch")
    else:
        say("    DTensor is not asked: --with-torch installs PyTorch (5 GB)")
    step("counting the bytes of reshardings")
    return python(
        "reshard/reshard_peers.py",
        "--volumes",
        volumes,
        "--page",
        ROOT / "benchmarks/results/reshard_bytes.md",
        *rest,
        interpreter=PYTHON if wheels else sys.executable,
        path=os.pathsep.join(str(BUILD / "python" / name) for name in wheels),
    )


PEERS = {
    "tirx": ask_tirx,
    "triton": ask_triton,
    "cute": ask_cute,
    "tensor-layouts": ask_tensor_layouts,
    "reshard": ask_reshard,
    "programs": run_programs,
}


def main(arguments):
    options, rest = build.parse(Parser("peers", SUMMARY, EPILOG), arguments)
    names = ["tirx"] if "--only" in rest else list(PEERS)
    if rest and not rest[0].startswith("-"):
        names, rest = rest[:1], rest[1:]
    for name in names:
        if name not in PEERS:
            raise Stop(USAGE, f"no peer is called '{name}': {', '.join(PEERS)}")
    check_options("peers", rest, OPTIONS)
    install_packages("g++", "cmake", "ninja-build", "python3", "python3-venv")
    if names not in (["programs"], ["reshard"]):
        build.build_program("axe_cli", options.jobs)
    codes = [PEERS[name](options, rest) for name in names]
    return FAILED if any(codes) else 0
