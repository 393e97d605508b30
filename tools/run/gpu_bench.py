"""`./run gpu bench`: measures examples and baselines in one process, and keeps the figures in
benchmarks/results.
"""

import re
import shutil
import subprocess

from common import fresh, matching_lines
from gpu_part import Part, now


class Bench(Part):
    name = "bench"

    def work(self):
        self.head("Figures of the kernel examples")
        libraries = subprocess.run("ldconfig -p", shell=True, capture_output=True, text=True).stdout
        self.write(
            "* Inputs are random and normal. Rounds are interleaved with the baselines of the same "
            "process. Figures are the median, p10 and p90. Clocks are not locked."
        )
        self.write(
            "* cuBLASLt: "
            + (
                "found"
                if "libcublasLt.so.13" in libraries
                else "not on the loader's path; programs say whether they found it"
            )
        )
        self.write("\n| example | size | kernel | figure | clock, temperature, power |")
        self.write("|---|---|---|---|---|")
        log, lines = fresh("gpu-bench"), self.root / "build/gpu/figures.jsonl"
        lines.write_text("")
        for example in self.examples():
            if not self.fits(example.architecture):
                self.write(
                    f"| {example.name} | | | not run: its code is for {example.architecture} | |"
                )
                continue
            # A rehearsal runs on the PTX machine, which needs hours for one second of GPU work. It
            # measures one size.
            sizes = example.sizes[:1] if example.figures and self.rehearse else example.figures
            for size in sizes:
                if self.takes() and self.has_time(f"{example.name} {size}"):
                    self.bench_size(example, size, lines, log)
        if self.rehearse:
            self.write(
                "A rehearsal: the times are those of the PTX machine, not of a GPU, and are not "
                "kept."
            )
        elif not lines.read_text():
            self.write("no figures: no example lists sizes to measure (BENCH), or none ran")
        else:
            self.keep(lines)

    def bench_size(self, example, size, lines, log):
        code = self.run(log, [example.program, "--bench", "--results", lines, size])
        clocks = self.query("clocks.sm,temperature.gpu,power.draw")
        if code:
            self.result(code, f"{example.name} | {size} | all", log)
        for line in matching_lines(log, r" us \(p10", 1000):
            kernel, figure = line.removeprefix(f"{example.name} {size}, ").split(": ", 1)
            self.write(f"| {example.name} | {size} | {kernel} | {figure} | {clocks} |")

    def keep(self, lines):
        """Writes the figures and the report into benchmarks/results/."""
        gpu = re.sub("[^a-z0-9-]", "", self.query("name").lower().replace(" ", "-"))
        stem = self.root / f"benchmarks/results/{gpu}-{now():%Y-%m-%d-%H%M}{self.suffix}"
        stem.parent.mkdir(parents=True, exist_ok=True)
        told = {
            "LINES": lines,
            "OUT": f"{stem}.json",
            "MACHINE": self.query("name"),
            "DRIVER": self.query("driver_version"),
            "DATE": f"{now():%Y-%m-%dT%H:%M:%SZ}",
            "COMPILER": f"nvcc {self.cuda.version}",
        }
        defines = [word for name, value in told.items() for word in ("-D", f"{name}={value}")]
        if subprocess.run(
            ["cmake", *defines, "-P", self.root / "examples/support/results.cmake"]
        ).returncode:
            self.failed += 1
            return
        shutil.copy(self.report, f"{stem}.md")
        self.write(f"\nWritten: {stem.relative_to(self.root)}.json and .md")
