"""`./run demo`: draws the gallery of layouts and runs kernels on the PTX machine."""

import re
import subprocess

import build
from common import BUILD, FAILED, ROOT, USAGE, Parser, Stop, fresh, quietly, say, show, step
from install import have_wheels, install_wheels
from machine_program import Program, compile_command

SUMMARY = "show the gallery of layouts, check its numbers, run kernels on the PTX machine"
DEMO = BUILD / "release/examples/demo/demo"
KERNELS = (("11_mma_gemm", "136x200x72"), ("09_transpose", "136x72"))
# Matches the lines of the machine's counters about launches, memory and tensor cores.
COUNTED = re.compile(
    r"^kernel|^  (global (load|store)|shared (load|store|matrix|atomic)|bulk|tensor cores)"
)
LAUNCHED = re.compile(r"^kernel (?:void )?([A-Za-z0-9_:]+)[<(].*: (\d+ launch)")


def show_galleries():
    galleries = (ROOT / "examples" / file for file in ("gallery.axe", "kernels.axe"))
    options = [word for file in galleries for word in ("--gallery", file)]
    code = subprocess.run([DEMO, *options, "--out", BUILD / "demo"]).returncode
    if code:
        raise Stop(code, "the gallery fails")


def counted(text):
    """Returns the lines of counters of each kernel. If several instances have the same name, keeps
    those of the last one.
    """
    kernels, name = {}, None
    for line in text.splitlines():
        launched = LAUNCHED.search(line)
        line = LAUNCHED.sub(r"kernel \1: \2", line)
        if launched:
            name = launched.group(1)
            kernels[name] = []
        if name and COUNTED.search(line):
            kernels[name].append(line)
    return "\n".join(line for lines in kernels.values() for line in lines)


def show_kernel(nvcc, folder, size):
    """Runs an example on the PTX machine and prints its counters."""
    step(f"examples/{folder} on the PTX machine")
    program = BUILD / "machine/programs" / folder
    program.parent.mkdir(parents=True, exist_ok=True)
    log = fresh(f"demo-{folder}")
    if quietly(log, compile_command(nvcc, ROOT / "examples" / folder / "main.cu", program)):
        show(log)
        raise Stop(FAILED, f"examples/{folder} does not compile")
    settings = {"AXE_MACHINE_STRICT": "1", "AXE_MACHINE_COUNTERS": "table"}
    if Program(program).run(size, settings=settings, errors=log):
        show(log)
        raise Stop(FAILED, f"examples/{folder} fails")
    print(counted(log.read_text(errors="replace")), flush=True)


def main(arguments):
    options, rest = build.parse(Parser("demo", SUMMARY), arguments)
    if rest:
        raise Stop(USAGE, f"no option is called '{rest[0]}': ./run demo --help")
    build.build_program("axe_demo", options.jobs)
    show_galleries()
    if options.cuda == "wheels":
        install_wheels("cuda")
    step("a kernel of the library on the PTX machine, without a GPU")
    cuda = (
        build.NoCuda()
        if options.cuda == "none"
        else build.Cuda(root=build.WHEELS if have_wheels("cuda") else "")
    )
    build.build_machine("demo_on_machine", cuda, options.jobs)
    machine = BUILD / "machine/demo"
    code = subprocess.run(
        [machine / "demo_on_machine", (machine / "ptx.txt").read_text()]
    ).returncode
    if code:
        return code
    if not cuda.nvcc or not cuda.headers:
        say(
            "    no nvcc: the tensor-core product and the transposes are skipped "
            "(./run demo --cuda=wheels installs nvcc)"
        )
        print(f"all pictures: {BUILD / 'demo/index.html'}", flush=True)
        return 0
    build.build_machine("machine_cudart", cuda, options.jobs)
    for folder, size in KERNELS:
        show_kernel(cuda.nvcc, folder, size)
    print(f"all pictures: {BUILD / 'demo/index.html'}", flush=True)
    return 0
