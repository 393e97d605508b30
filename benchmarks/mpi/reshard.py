#!/usr/bin/env python3
"""Compares the times of axe's reshardings on MPI with those of hand-written MPI and of ScaLAPACK, on
2, 4 and 8 ranks.

    reshard.py --program reshard_benchmark --mpiexec mpirun [--ranks 2,4] [--size 1536] [--write FILE]

The page has ratios of medians: axe over the best hand-written form, and pdgemr2d over axe.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import figures  # noqa: E402  benchmarks/figures.py

BY_HAND = ("alltoallv", "alltoallw", "collective")
METHODS = ("axe packed", "axe types", "axe shared", "axe in window", "axe collective")
OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}


def rows_of(program, mpiexec, ranks, size):
    done = subprocess.run(
        [mpiexec, "-np", str(ranks), program, str(size)],
        env={**os.environ, **OPEN_MPI},
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        sys.exit(f"reshard.py: the benchmark failed with {ranks} ranks")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def line_of(row):
    best = min((row[name], name) for name in BY_HAND if name in row)
    cells = [row["row"], str(row["ranks"]), f"{row['axe']:.2f}", row["chosen"]]
    cells += [f"{best[0]:.2f}", best[1], f"{row['axe'] / best[0]:.2f}"]
    cells += [f"{row['pdgemr2d'] / row['axe']:.1f}" if "pdgemr2d" in row else ""]
    cells += [f"{row[name] / best[0]:.2f}" if name in row else "" for name in METHODS]
    return "| " + " | ".join(cells) + " |"


def page(rows, size):
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=pathlib.Path(__file__).parent,
        capture_output=True,
        text=True,
    ).stdout.strip()
    head = ["resharding", "ranks", "axe, ms", "method", "by hand, ms", "form", "axe / by hand"]
    head += ["pdgemr2d / axe", "packed", "types", "shared", "in window", "collective"]
    return "\n".join(
        [
            "# Reshardings on MPI",
            "",
            f"Command: `./run bench reshard --size {size}`, commit {commit}, {platform.machine()}, "
            f"{os.cpu_count()} cores, {datetime.date.today()}, load average {os.getloadavg()[0]:.0f}.",
            "",
            "The table compares axe's plans, executed by `axe/mpi.hpp`, with hand-written MPI and with `pdgemr2d` of",
            "ScaLAPACK. Elements are doubles. A time is the median of 15 interleaved runs; the time of a run is that of its",
            "slowest rank.",
            "",
            "* `form` names the MPI calls of the best hand-written form.",
            "* `pdgemr2d / axe` is empty where `pdgemr2d` was not measured.",
            "* The columns from `packed` on have the time of each of axe's methods, divided by that of the best hand-written",
            "  form. The chosen method is measured twice: in `axe, ms` and in its own column.",
            "* `in window` is the method `shared` if the source already lies in the shared window.",
            "* `collective` is empty if no collective does the work of the plan.",
            "* If there are more ranks than cores, ranks share cores.",
            "",
            "| " + " | ".join(head) + " |",
            "|---|--:|--:|---|--:|---|--:|--:|" + "--:|" * len(METHODS),
            *map(line_of, rows),
            "",
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the program made from reshard.cpp")
    parser.add_argument("--mpiexec", required=True, help="the launcher of MPI programs")
    parser.add_argument("--ranks", default="2,4,8",
                        help="numbers of processes (default: %(default)s)")
    parser.add_argument("--size", type=int, default=1536,
                        help="rows and columns of the matrix (default: %(default)s)")
    parser.add_argument("--write", type=pathlib.Path, help="write a page of the figures")
    options = parser.parse_args()
    rows = []
    for ranks in map(int, options.ranks.split(",")):
        rows += rows_of(options.program, options.mpiexec, ranks, options.size)
    text = page(rows, options.size)
    if options.write:
        figures.write(options.write, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
