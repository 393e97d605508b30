#!/usr/bin/env python3
"""Tests summary.py on results in ctest's format: counts, reasons and exit codes."""

import pathlib
import subprocess
import sys
import tempfile

SUMMARY = pathlib.Path(__file__).resolve().parent / "summary.py"

PASSED = '<testcase name="map" status="run"><system-out>fine</system-out></testcase>'
FAILED = (
    '<testcase name="laws" status="fail"><failure message=""/>'
    "<system-out>1 != 2</system-out></testcase>"
)
SKIPPED = (
    '<testcase name="gpu" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>'
    "<system-out>looked around\nskipped: no GPU &lt;here&gt;\n</system-out></testcase>"
)
MATCHED = (
    '<testcase name="nvrtc" status="notrun">'
    '<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>'
)
DISABLED = '<testcase name="slow" status="disabled"><skipped message="Disabled"/></testcase>'
NO_PROGRAM = (
    '<testcase name="gone" status="notrun">'
    '<skipped message="Unable to find executable: gone"/></testcase>'
)

# Each entry has the results, the exit code of ctest, the expected exit code and last line, and one
# more line of the output.
RUNS = [
    ([PASSED], 0, 0, "1 passed, 0 failed, 0 skipped", "ran:     map"),
    ([PASSED, SKIPPED], 0, 0, "1 passed, 0 failed, 1 skipped", "skipped: gpu: no GPU <here>"),
    (
        [PASSED, MATCHED, DISABLED],
        0,
        0,
        "1 passed, 0 failed, 2 skipped",
        "skipped: nvrtc: no reason given",
    ),
    ([PASSED, FAILED], 8, 1, "1 passed, 1 failed, 0 skipped", "failed:  laws"),
    ([PASSED, NO_PROGRAM], 8, 1, "1 passed, 1 failed, 0 skipped", "failed:  gone"),
    ([SKIPPED], 0, 1, "0 passed, 0 failed, 1 skipped", "no test was executed"),
    ([], 0, 1, "0 passed, 0 failed, 0 skipped", "no test was executed"),
    (None, 8, 1, "0 passed, 0 failed, 0 skipped", "no test was executed"),
    ([PASSED], 8, 1, "1 passed, 0 failed, 0 skipped", "ctest ended with 8, though no test failed"),
]


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (cases, ctest_code, code, last, line) in enumerate(RUNS):
            path = pathlib.Path(folder) / f"{number}.xml"
            if cases is not None:
                path.write_text(
                    '<?xml version="1.0"?>\n<testsuite>' + "".join(cases) + "</testsuite>\n"
                )
            run = subprocess.run(
                [sys.executable, "-B", str(SUMMARY), str(path), str(ctest_code)],
                capture_output=True,
                text=True,
            )
            lines = run.stdout.splitlines()
            if run.returncode != code or lines[-1] != last or line not in lines:
                wrong += 1
                print(f"FAILED run {number}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
    print(f"{len(RUNS) - wrong} of {len(RUNS)} summaries are right")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
