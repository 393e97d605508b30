#!/usr/bin/env python3
"""Tests `./run gpu` without a GPU: its messages, exit codes and reports.

    gpu_test.py ROOT WORK [KERNELS.txt LIBCUDART.so.13 NVCC]

The last three arguments are needed to test the reports. Then the PTX machine of tests/machine takes
the place of the GPU. To test the comparison with a profiler, this script writes the profiler's output.
"""

import contextlib
import glob
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types

ROOT, WORK = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
sys.path.insert(0, str(ROOT / "tools/run"))
import common  # noqa: E402
from commands import gpu  # noqa: E402

common.LOGS = WORK / "build/logs"
METRICS = [
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
]
failures = []


def expect(what, wanted, regex, outcome):
    code, said = outcome
    if code != wanted or not re.search(regex, said, re.DOTALL):
        failures.append(what)
        print(f"{what}: exit code {code}, wanted {wanted} and '{regex}'; said: {said}")


def command(*words):
    run = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def run_gpu(*words):
    return command(ROOT / "run", "gpu", *words)


def check_command_line():
    expect("no word", 2, "check or bench", run_gpu())
    expect("another word", 2, "check or bench", run_gpu("melt"))
    expect("a part", 2, "--part is K/N", run_gpu("check", "--part", "5/4"))
    expect("a value", 2, "--only needs a value", run_gpu("bench", "--only"))
    expect("an option", 2, "no option", run_gpu("check", "--fast"))
    expect("a preset", 2, "no option is called .--preset", run_gpu("check", "--preset", "asan"))
    expect("help", 0, "Exit code 4: no GPU", run_gpu("--help"))
    if (
        not shutil.which("nvidia-smi")
        and not glob.glob("/dev/nvidia[0-9]*")
        and not os.path.exists("/dev/dxg")
    ):
        expect("no GPU", 4, "there is no GPU here", run_gpu("check"))
        expect(
            "no GPU to measure", 4, "there is no GPU here", run_gpu("bench", "--only", "which_lane")
        )


def profiled(conflicts, loads):
    """Compares the profiler's counts of two launches, one without sectors, with the machine's."""
    rows = [
        ["ID", "Kernel Name", *METRICS],
        ["", "", "", "", "sector", "sector"],
        ["0", "transpose(float *)", conflicts, "1,000", loads, "41"],
        ["1", "transpose(float *)", "0", "0", "0", "0"],
    ]
    lines = [",".join(f'"{field}"' for field in row) for row in rows]
    (WORK / "counters.csv").write_text("\n".join(["==PROF== Connected", *lines, ""]))
    return compare()


def compare():
    return command(
        "cmake",
        "-D",
        f"CSV={WORK / 'counters.csv'}",
        "-D",
        f"JSON={WORK / 'counters.json'}",
        "-P",
        ROOT / "examples/support/profiled.cmake",
    )


def check_profiler():
    sides = {"load": {"sectors": 40, "minimum": 40}, "store": {"sectors": 41, "minimum": 40}}
    counters = [
        {
            "kernel": "_Z9transposePf",
            "launches": 1,
            "global": sides,
            "shared": {"load": {"wavefronts": 500, "minimum": 490}},
        }
    ]
    (WORK / "counters.json").write_text(json.dumps(counters))
    told = (
        "transpose: bank conflicts 10 predicted, 12 measured; sectors loaded 40, 40; stored 41, 41"
    )
    expect("as predicted", 0, told, profiled("12", "40"))
    expect("more conflicts", 1, "the PTX machine differ", profiled("90", "40"))
    expect("other sectors", 1, "the PTX machine differ", profiled("10", "44"))
    (WORK / "counters.csv").write_text("")
    expect("no output", 1, "has no kernel in it", compare())


def results(*lines):
    (WORK / "figures.jsonl").write_text("".join(line + "\n" for line in lines))
    return command(
        "cmake",
        "-D",
        f"LINES={WORK / 'figures.jsonl'}",
        "-D",
        f"OUT={WORK / 'results.json'}",
        "-D",
        "MACHINE=NVIDIA H200",
        "-D",
        "DRIVER=580.1",
        "-D",
        "DATE=2026-11-20",
        "-D",
        "COMPILER=nvcc 13.0",
        "-P",
        ROOT / "examples/support/results.cmake",
    )


def check_figures():
    def figure(simulated):
        return json.dumps(
            {
                "example": "a",
                "size": "8x8",
                "what": "b [c]; d",
                "simulated": simulated,
                "baselines": [{"name": "x"}],
            }
        )

    expect("figures", 0, "2 figures", results(figure(False), figure(False)))
    written = json.loads((WORK / "results.json").read_text())
    expect("are one JSON", "NVIDIA H200", "", (written["machine"], ""))
    expect("with their words", "b [c]; d", "", (written["figures"][1]["what"], ""))
    expect(
        "figures of the machine",
        1,
        "a figure of the PTX machine is not a measurement",
        results(figure(False), figure(True)),
    )
    expect("no figures", 1, "not a figure: nothing", results("nothing"))


def rehearse(what, name, library, nvcc, **options):
    """Runs one part of `./run gpu`. Returns the number of failures and the report."""
    part = gpu.PARTS[what](
        root=WORK, only=name, report=WORK / f"{what}.md", rehearse=True, **options
    )
    part.machine, part.cuda = library, types.SimpleNamespace(nvcc=nvcc, version="13.0")
    with contextlib.redirect_stderr(io.StringIO()):
        part.work()
    return part.failed, f"left: {' '.join(part.left)}\n{part.report.read_text()}"


def check_reports(kernels, *programs):
    listed = WORK / "build/gpu/examples/kernels.txt"
    shutil.copy(kernels, listed)
    report = rehearse("check", "which_lane", *programs)
    expect("the report of a check", 0, r"which_lane 1x8, seed 3 \| right", report)
    expect("which compares with the machine", 0, "PTX machine", report)
    report = rehearse("check", "which_lane", *programs, part=(2, 3))
    expect("the second part of three", 0, r"left: \n# .*which_lane 1x8 \| right", report)
    expect("and no other", False, "", (bool(re.search("16x16|129x257", report[1])), ""))
    expect(
        "no time",
        0,
        "left: which_lane 16x16 which_lane 1x8 which_lane 129x257",
        rehearse("check", "which_lane", *programs, limit=0),
    )
    expect(
        "a report of figures",
        0,
        r"\| vector_copy \| 1x8 \| .* us \(p10 .*A rehearsal: the times are those of the PTX",
        rehearse("bench", "vector_copy", *programs),
    )
    expect(
        "an example without figures", 0, "A rehearsal", rehearse("bench", "which_lane", *programs)
    )
    text = listed.read_text()
    listed.write_text(re.sub(r"(?m)^(which_lane\|[^|]*)\|sm_90a", r"\1|sm_100a", text))
    expect(
        "code for another GPU",
        0,
        "not run: its code is for sm_100a",
        rehearse("check", "which_lane", *programs),
    )
    listed.write_text(re.sub(r"(?m)^which_lane\|[^|]*\|", "which_lane|/bin/false|", text))
    failed, report = rehearse("check", "which_lane", *programs)
    expect("a program that fails", True, r"\*\*failed\*\* \(1\)", (failed > 0, report))


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    for folder in ("build/gpu/examples", "build/logs", "benchmarks"):
        (WORK / folder).mkdir(parents=True)
    (WORK / "examples").symlink_to(ROOT / "examples")
    check_command_line()
    check_profiler()
    check_figures()
    if len(sys.argv) > 3:
        check_reports(sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
