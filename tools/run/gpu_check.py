"""`./run gpu check`: compares every example with the PTX machine, and runs sanitizers and the
profiler.
"""

import os
import shutil
import subprocess

from common import fresh, matching_lines
from gpu_part import Part, one_line

SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")
METRICS = (
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum,"
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,"
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
)


class Check(Part):
    name = "check"

    def work(self):
        self.head("Kernel examples on a GPU")
        self.write()
        if not self.machine:
            self.write(f"The PTX machine {self.no_machine}: nothing is compared with it.\n")
        self.write("| what | result |\n|---|---|")
        log = fresh("gpu-check")
        for example in self.examples():
            if not self.fits(example.architecture):
                self.write(
                    f"| {example.name} | not run: its code is for {example.architecture}, "
                    f"this GPU is {self.query('compute_cap')} |"
                )
                continue
            first = False
            for size in example.sizes:
                if self.takes() and self.has_time(f"{example.name} {size}"):
                    first |= size == example.sizes[0]
                    self.check_size(example, size, log)
            if first and not self.rehearse:
                self.sanitize(example, log)
                self.profile(example, log)

    def check_size(self, example, size, log):
        name, held, against = f"{example.name} {size}", self.held(), []
        shutil.rmtree(held, ignore_errors=True)
        held.mkdir(parents=True)
        if self.machine:
            code = self.count_on_machine(example, size, log, "--dump", held)
            if code:
                self.result(code, f"{name} on the PTX machine", log)
            else:
                against = ["--compare", held]
        self.result(self.run(log, [example.program, *against, size]), name, log)
        for seed in "23":
            self.result(
                self.run(log, [example.program, "--seed", seed, size]), f"{name}, seed {seed}", log
            )

    def held(self):
        return self.root / "build/gpu/held"

    def count_on_machine(self, example, size, log, *arguments):
        os.environ["AXE_MACHINE_COUNTERS"] = "json"
        try:
            with open(self.held() / "counters.json", "wb") as counters:
                return self.run(
                    log, [example.program, *arguments, size], on_machine=True, stdout=counters
                )
        finally:
            del os.environ["AXE_MACHINE_COUNTERS"]

    def sanitize(self, example, log):
        sanitizer, size = self.find("compute-sanitizer"), example.sizes[0]
        for tool in SANITIZERS if sanitizer else ():
            if self.has_time(f"{example.name} {size}, {tool}"):
                command = [
                    sanitizer,
                    "--tool",
                    tool,
                    "--error-exitcode",
                    "9",
                    example.program,
                    size,
                ]
                self.result(
                    self.run(log, command), f"{example.name} {size}, compute-sanitizer {tool}", log
                )

    def profile(self, example, log):
        """Compares bank conflicts and sectors of each kernel: the machine's counts and the GPU's.
        """
        profiler, size, csv = (
            self.find("ncu"),
            example.sizes[0],
            self.root / "build/gpu/counters.csv",
        )
        what = f"{example.name} {size}, counters"
        if not profiler or not self.has_time(what):
            return
        command = [
            profiler,
            "--csv",
            "--page",
            "raw",
            "--print-units",
            "base",
            "--metrics",
            METRICS,
            example.program,
            size,
        ]
        with open(csv, "wb") as out:
            code = self.run(log, command, stdout=out)
        if code:
            said = matching_lines(csv, "ERR|==ERROR==", 1) or matching_lines(
                log, "ERR|==ERROR==", 1
            )
            return self.write(f"| {what} | not compared: {one_line(' '.join(said), 200)} |")
        if not self.machine or self.count_on_machine(example, size, log):
            return self.write(f"| {what} | measured, and nothing to compare with |")
        compared = subprocess.run(
            [
                "cmake",
                "-D",
                f"CSV={csv}",
                "-D",
                f"JSON={self.held() / 'counters.json'}",
                "-P",
                self.root / "examples/support/profiled.cmake",
            ],
            capture_output=True,
            text=True,
        )
        self.failed += compared.returncode != 0
        return self.write(f"| {what} | {one_line(compared.stdout + compared.stderr, 400)} |")
