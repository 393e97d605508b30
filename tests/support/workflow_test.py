#!/usr/bin/env python3
"""Tests that every preset with tests has a job in .github/workflows/tests.yml.

    workflow_test.py ROOT

The preset `cuda` has none, because it needs a CUDA toolkit on the machine. Each job's command must
be one that ./run accepts.
"""

import json
import pathlib
import re
import subprocess
import sys

JOB = re.compile(r'- \{preset: ([\w-]+), options: "([^"]*)"\}')


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    presets = json.loads((root / "CMakePresets.json").read_text())["testPresets"]
    wanted = {p["name"] for p in presets if not p.get("hidden")
              and p["name"] not in ("base", "cuda")}
    jobs = dict(JOB.findall((root / ".github/workflows/tests.yml").read_text()))
    wrong = wanted ^ set(jobs)
    for name, options in jobs.items():
        # With `--jobs 0`, ./run checks all other arguments and then stops before it installs
        # anything.
        words = ["test", "--preset", name, *options.split(), "--jobs", "0"]
        said = subprocess.run([root / "run", *words], capture_output=True, text=True).stderr
        if "--jobs needs a number" not in said:
            print(f"./run {' '.join(words)}: {said}")
            wrong.add(name)
    print(f"{len(jobs)} jobs; wrong: {', '.join(sorted(wrong)) or 'none'}")
    return int(bool(wrong) or not jobs)


if __name__ == "__main__":
    sys.exit(main())
