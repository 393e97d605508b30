"""One call of `./run gpu`: the examples and sizes that it runs, the GPU, and the report."""

import collections
import datetime
import glob
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

from common import FAILED, NO_GPU, ROOT, Stop, say

# A call builds the examples first. No run begins later than LIMIT seconds after the start of the
# call, and none takes longer than AT_MOST seconds. So a call ends within 8 minutes, unless the
# build takes longer.
LIMIT, AT_MOST = 380, 100
# A line of build/gpu/examples/kernels.txt. `sizes` are checked, `figures` are the sizes to measure.
Example = collections.namedtuple("Example", "name program architecture sizes figures")


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def one_line(text, most):
    return text.replace("\n", " ").replace("|", " ")[:most]


class Part:
    def __init__(self, root=ROOT, only="", part=(1, 1), report=None, rehearse=False, limit=LIMIT):
        self.root, self.only, self.rehearse, self.limit = root, only, rehearse, limit
        self.part, self.parts = part
        self.suffix = "" if self.parts == 1 else f"-part-{self.part}-of-{self.parts}"
        self.report = report or root / f"build/gpu/{self.name}{self.suffix}.md"
        self.started, self.number, self.failed, self.left = time.monotonic(), 0, 0, []
        self.machine, self.no_machine, self.cuda = None, "", None

    def write(self, line=""):
        say(line)
        with open(self.report, "a", encoding="utf-8") as out:
            out.write(line + "\n")

    def head(self, title):
        self.report.parent.mkdir(parents=True, exist_ok=True)
        self.report.write_text("")
        commit = subprocess.run(
            ["git", "-C", self.root, "rev-parse", "--short", "HEAD"], capture_output=True, text=True
        )
        self.write(f"# {title}\n")
        self.write(
            f"* {self.query('name')}, {self.query('memory.total')} of memory, "
            f"driver {self.query('driver_version')}, on {socket.gethostname()}, "
            f"{now():%Y-%m-%dT%H:%M:%SZ}"
        )
        self.write(f"* nvcc {self.cuda.version}, commit {commit.stdout.strip() or 'unknown'}")
        for tool in ("compute-sanitizer", "ncu"):
            self.write(f"* {tool}: {self.find(tool) or 'not found, its results are missing'}")

    def result(self, code, what, log):
        """Writes one line of the table. If the run failed, the line has the beginning of the log."""
        if code == 0:
            return self.write(f"| {what} | right |")
        self.failed += 1
        return self.write(
            f"| {what} | **failed** ({code}): {one_line(log.read_text(errors='replace'), 300)} |"
        )

    def is_here(self):
        """True if nvidia-smi finds a GPU or, without nvidia-smi, if the driver has made device
        files.
        """
        if self.rehearse:
            return True
        if shutil.which("nvidia-smi"):
            return subprocess.run(
                ["nvidia-smi", "-L"], capture_output=True, text=True
            ).stdout.startswith("GPU")
        return bool(glob.glob("/dev/nvidia[0-9]*")) or os.path.exists("/dev/dxg")

    def query(self, fields):
        if self.rehearse:
            return "9.0" if fields == "compute_cap" else "PTX machine"
        try:
            run = subprocess.run(
                ["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader", "-i", "0"],
                capture_output=True,
                text=True,
            )
        except FileNotFoundError:
            return "unknown"
        return run.stdout.strip() if run.returncode == 0 else "unknown"

    def fits(self, architecture):
        """True if the GPU runs code for this architecture. Code for sm_80 runs on all later GPUs.
        If the name ends in a, as sm_90a does, the code runs on this architecture only.
        """
        capability = re.sub("[^0-9]", "", self.query("compute_cap"))
        wanted = architecture[len("sm_") :]
        if not capability:
            return True
        return wanted[:-1] == capability if wanted.endswith("a") else int(capability) >= int(wanted)

    def find(self, tool):
        """Returns the path of a tool of the toolkit, or ''."""
        beside = pathlib.Path(self.cuda.nvcc).parent / tool
        return shutil.which(tool) or (str(beside) if os.access(beside, os.X_OK) else "")

    def run(self, log, command, on_machine=False, **options):
        """Runs a command. Returns its exit code, or 124 after AT_MOST seconds. A rehearsal uses the
        PTX machine.
        """
        environment = (
            dict(os.environ, LD_PRELOAD=str(self.machine)) if self.rehearse or on_machine else None
        )
        with open(log, "wb") as out:
            try:
                code = subprocess.run(
                    command,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stderr=out,
                    timeout=AT_MOST,
                    **({"stdout": out} | options),
                ).returncode
            except subprocess.TimeoutExpired:
                return 124
        if code == NO_GPU:
            said = one_line(log.read_text(errors="replace"), 300).strip()
            raise Stop(NO_GPU, f"the program finds no GPU: {said}")
        return 128 - code if code < 0 else code

    def examples(self):
        for line in (self.root / "build/gpu/examples/kernels.txt").read_text().splitlines():
            if line and self.only in ("", line.split("|")[0]):
                name, program, architecture, sizes, figures = line.split("|")
                yield Example(name, program, architecture, sizes.split(), figures.split())

    def takes(self):
        """True if this part runs the next piece of work. A piece is an example at one size."""
        self.number += 1
        return (self.number - 1) % self.parts == self.part - 1

    def has_time(self, what):
        if time.monotonic() - self.started < self.limit:
            return True
        self.left.append(what)
        return False

    def close(self):
        self.write()
        if self.left:
            self.write(
                f"The time was up before {'; '.join(self.left)}. "
                "--part K/N runs every N-th example and size, --only NAME runs one example."
            )
        self.write(f"{self.failed} failed. Report: {self.report}")
        return FAILED if self.failed else 0
