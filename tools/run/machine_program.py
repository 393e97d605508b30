"""Compiles and runs one program on the PTX machine's libcudart.

program = Program(path)
program.run("129x257", settings={"AXE_MACHINE_STRICT": "1"})     its exit code
"""

import os
import subprocess

from common import BUILD, LOGS, ROOT

LIBRARY = BUILD / "machine/runtime/lib"
FAULTS = LOGS / "machine-faults.log"
LATE = {"AXE_MACHINE_LANDING": "late"}


def at_random(seed):
    return {"AXE_MACHINE_LANDING": "random", "AXE_MACHINE_SEED": str(seed)}


def compile_command(nvcc, source, program):
    return [
        nvcc,
        "-std=c++20",
        "-gencode",
        "arch=compute_90a,code=compute_90a",
        "-lineinfo",
        "-I",
        ROOT / "include",
        "-I",
        ROOT / "examples",
        "-cudart",
        "none",
        "-L",
        LIBRARY,
        "-lcudart",
        source,
        "-o",
        program,
    ]


class Program:
    def __init__(self, path):
        self.path = path

    @staticmethod
    def reported():
        return FAULTS.exists() and FAULTS.stat().st_size > 0

    def run(self, *arguments, settings, log=None, errors=None):
        """Runs the program. Returns its exit code, or 1 if the machine reported anything.

        Standard output and standard error go to `log`. Without `log`, standard error goes to
        `errors`.
        """
        LOGS.mkdir(parents=True, exist_ok=True)
        FAULTS.unlink(missing_ok=True)
        path = os.environ.get("LD_LIBRARY_PATH")
        environment = dict(
            os.environ,
            AXE_MACHINE_FAULTS=str(FAULTS),
            LD_PRELOAD=str(LIBRARY / "libcudart.so.13"),
            LD_LIBRARY_PATH=f"{LIBRARY}:{path}" if path else str(LIBRARY),
            **settings,
        )
        with open(log or errors or os.devnull, "wb") as out:
            code = subprocess.run(
                [self.path, *arguments],
                env=environment,
                stdin=subprocess.DEVNULL if log else None,
                stdout=out if log else None,
                stderr=out if log or errors else None,
            ).returncode
        return 1 if self.reported() else 128 - code if code < 0 else code
