#!/usr/bin/env python3
"""Times every index pattern as host code, by hand and by axe, with Google Benchmark in one process.

    host_times.py --program index_host_times    a table
    host_times.py … --json                      one object per pattern: {"pattern": …, "hand": ns,
                                                "axe": ns, "ratio": …}
    host_times.py … --write FILE                a page of the table, as in benchmarks/results/

Times are nanoseconds of processor time, medians of the repetitions. A run executes 64 threads of
the first block and 64 of the last block of a pattern's first launch. The test codegen.host counts
instructions instead (count_host.py).
"""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import figures as pages  # noqa: E402  benchmarks/figures.py


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the program made from host_times.cpp")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", default="", metavar="FILE", help="write a page of the table")
    parser.add_argument("--repetitions", type=int, default=9,
                        help="repetitions of each form (default: 9)")
    parser.add_argument("--only", default="", metavar="REGEX",
                        help="only patterns whose name matches")
    options = parser.parse_args()
    command = [options.program, "--benchmark_format=json",
               f"--benchmark_repetitions={options.repetitions}", "--benchmark_min_time=0.02",
               "--benchmark_enable_random_interleaving=true",
               "--benchmark_report_aggregates_only=true"]
    if options.only:
        command.append(f"--benchmark_filter={options.only}")
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or not done.stdout.strip():
        sys.exit(f"no times: {done.stderr[:2000]}")
    found = {}
    for entry in json.loads(done.stdout)["benchmarks"]:
        if entry.get("aggregate_name") != "median":
            continue
        name, form = entry["run_name"].split("/")[:2]
        found.setdefault(name, {})[form] = entry["cpu_time"]
    rows = []
    for name, times in sorted(found.items()):
        ratio = times["axe"] / times["hand"]
        if options.json:
            print(json.dumps({"pattern": name, "hand": times["hand"], "axe": times["axe"],
                              "ratio": ratio}))
        rows.append([name, f"{times['hand']:.0f}", f"{times['axe']:.0f}", f"{ratio:.2f}"])
    if not options.json:
        for row in [["pattern", "hand, ns", "axe, ns", "axe / hand"], *rows]:
            print(f"{row[0]:<24}" + "".join(f"{cell:>12}" for cell in row[1:]))
    if options.write:
        pages.write(options.write, pages.page(
            "Index code as host code",
            "Nanoseconds of processor time for 64 threads each of the first and the last block, by hand and by axe, medians of Google Benchmark's repetitions,\nboth forms in one process taking turns.",
            "./run bench index_host --write benchmarks/results/index_host.md",
            ["pattern", "hand, ns", "axe, ns", "axe / hand"], rows))


if __name__ == "__main__":
    main()
