#!/usr/bin/env python3
"""Runs the program of operations.cpp, which measures operations of the algebra per second at run
time. --write makes a page for benchmarks/results/.

    run.py --program algebra_benchmark [--write FILE] [Google Benchmark's own options]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import figures  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the program made from operations.cpp")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE",
                        help="write a page of the figures")
    arguments, theirs = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        done = subprocess.run([arguments.program, f"--benchmark_out={out}",
                               "--benchmark_out_format=json", *theirs])
        is_measured = done.returncode == 0 and out.is_file()
        measured = json.loads(out.read_text())["benchmarks"] if is_measured else []
    failed = [one for one in measured if one.get("error_occurred")]
    for one in failed:
        print(f"{one['name']}: {one['error_message']}", file=sys.stderr)
    if arguments.write and measured and not failed:
        figures.write(arguments.write, figures.page(
            "Operations per second",
            "The table has the try_ forms at run time, in one thread, compiled by g++ -O2, on layouts of real kernels (`benchmarks/algebra/operations.cpp`).",
            "./run bench algebra --write benchmarks/results/operations.md",
            ["operation", "operations per second"],
            [[one["name"], f"{one['items_per_second']:,.0f}"] for one in measured]))
    sys.exit(done.returncode or bool(failed))


if __name__ == "__main__":
    main()
