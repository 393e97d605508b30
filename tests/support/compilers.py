"""Runs g++, clang and nvcc to see whether sources compile. No output is kept.

gcc = Compiler("g++")
gcc.kind                                 "gcc", "clang" or "nvcc", read from --version
gcc.check(["a.cpp"], ["-I", "include"])  Outcome(ok, text, seconds, cpu)

`cpu` is the CPU time in seconds of the compiler and its children. It is the sum of user and system
time, because only the sum is exact. Other load changes it little.
"""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

Outcome = collections.namedtuple("Outcome", "ok text seconds cpu", defaults=[0.0])
Run = collections.namedtuple("Run", "ok text cpu")
SKIPPED = 77


class Compiler:
    def __init__(self, command):
        self.path = shutil.which(command)
        if self.path is None:
            raise FileNotFoundError(f"{command} is not installed")
        self.name = os.path.basename(command)
        said = subprocess.run([self.path, "--version"], capture_output=True, text=True).stdout
        self.kind = "nvcc" if "nvcc" in said else "clang" if "clang" in said else "gcc"
        pattern = r"V(\d+\.\d+\.\d+)" if self.kind == "nvcc" else r"(\d+\.\d+\.\d+)"
        found = re.search(pattern, said)
        self.version = found.group(1) if found else "of unknown version"

    def __str__(self):
        return f"{self.name} {self.version}"

    def check(self, sources, flags=(), output="-ptx"):
        """Compiles each source by itself, and keeps no output. g++ and clang check the syntax. nvcc
        writes what `output` names: PTX for "-ptx", an object file for "-c".
        """
        started = time.monotonic()
        if self.kind == "nvcc":
            # nvcc takes one source. Its output is not /dev/null, because nvcc removes its output
            # when it fails.
            with tempfile.TemporaryDirectory() as folder:
                runs = [
                    self._run(
                        ["-x", "cu", output, "-arch=sm_90a", "-o", os.path.join(folder, "out")],
                        [source],
                        flags,
                    )
                    for source in sources
                ]
        else:
            runs = [self._run(["-x", "c++", "-fsyntax-only"], sources, flags)]
        return Outcome(
            all(run.ok for run in runs),
            "".join(run.text for run in runs),
            time.monotonic() - started,
            sum(run.cpu for run in runs),
        )

    def _run(self, mode, sources, flags):
        command = [self.path, "-std=c++20", *mode, *flags, *sources]
        environment = dict(os.environ, LC_ALL="C.UTF-8")
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment,
        ) as process:
            text = process.stdout.read()
            _, status, usage = os.wait4(
                process.pid, 0
            )  # unlike wait(), wait4() returns the time that the children used
            process.returncode = os.waitstatus_to_exitcode(status)
        return Run(process.returncode == 0, text, usage.ru_utime + usage.ru_stime)


def installed(*commands):
    """Returns a Compiler for each command that is installed, and reports the others. Skips empty
    commands.
    """
    for command in filter(None, commands):
        try:
            yield Compiler(command)
        except FileNotFoundError as missing:
            print(f"skipped: {missing}", file=sys.stderr)


def compiler_or_skip(command):
    """Returns the Compiler, or ends the test as skipped if it is not installed."""
    try:
        return Compiler(command)
    except FileNotFoundError as missing:
        skip(missing)


def default_jobs():
    """Returns the N of `./run test --jobs N`, or the number of cores."""
    return int(os.environ.get("AXE_JOBS", "0")) or len(os.sched_getaffinity(0))


def skip(reason):
    """Ends a test script as skipped. The reason is the last line that it prints."""
    print(f"skipped: {reason}")
    raise SystemExit(SKIPPED)
