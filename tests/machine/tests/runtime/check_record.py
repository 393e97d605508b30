"""Runs repeats.cu on the machine's libcudart: tests AXE_MACHINE_RECORD, _REPEATS and _PROCESSORS,
and warnings.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile


def run(**settings):
    done = subprocess.run(
        [sys.argv[1]], capture_output=True, text=True, env={**os.environ, **settings}
    )
    return done.stdout, done.stderr


output, errors = run()
assert output == "5 5 132 failed\n" and "never written" in errors, (output, errors)
assert run(AXE_MACHINE_STRICT="1")[0] == "5 5 132 failed\n"
assert run(AXE_MACHINE_PROCESSORS="8")[0] == "5 5 8 failed\n"
assert "must be 1 to 1024" in run(AXE_MACHINE_PROCESSORS="0")[1]

with tempfile.TemporaryDirectory() as folder:
    output, errors = run(
        AXE_MACHINE_RECORD=folder, AXE_MACHINE_REPEATS="2", AXE_MACHINE_STRICT="warn"
    )
    assert output == "2 2 132 ended\n" and "warning, 32 times" in errors, (output, errors)
    record = [
        json.loads(line)
        for line in (pathlib.Path(folder) / "record.jsonl").read_text().splitlines()
    ]
    launches = [line for line in record if "skipped" in line]
    assert [line["skipped"] for line in launches] == 2 * [False, False, True, True, True, True] + [
        False
    ], launches
    assert (
        launches[0]["grid"] == [1, 1, 1]
        and launches[0]["block"] == [32, 1, 1]
        and launches[0]["instructions"] > 100
    )
    assert launches[2]["instructions"] == 0
    first, second = [line for line in record if "copy" in line]
    assert first["copy"] == "out" and first["bytes"] == 128 and first["file"] != second["file"]
    assert struct.unpack("<32i", (pathlib.Path(folder) / first["file"]).read_bytes()) == (2,) * 32
    (warning,) = [line for line in record if "warning" in line]
    assert (
        warning["warning"] == "never written" and warning["times"] == 32 and warning["line"] == 12
    ), warning
    assert warning["file"].endswith("repeats.cu") and warning["instruction"].startswith("ld.shared")
