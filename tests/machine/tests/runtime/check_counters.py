"""Runs reverse.cu on the machine's libcudart: checks counters, and the report of a removed barrier.
"""

import json
import os
import subprocess
import sys


def run(program, **settings):
    return subprocess.run([program], capture_output=True, text=True, env={**os.environ, **settings})


program = sys.argv[1]
done = run(program, AXE_MACHINE_COUNTERS="json")
assert done.returncode == 0, done.stderr
(kernel,) = json.loads(done.stdout)  # nothing else on standard output
assert "right" in done.stderr
assert kernel["launches"] == 1 and kernel["blocks"] == 4
assert kernel["global"]["load"] == {"requests": 16, "bytes": 2048, "sectors": 64, "minimum": 64}
assert kernel["shared"]["store"] == {"requests": 16, "bytes": 2048, "wavefronts": 16, "minimum": 16}
assert {line["line"] for line in kernel["lines"]} == {10, 12}, kernel["lines"]

done = run(program, AXE_MACHINE_COUNTERS="table")
assert (
    done.stdout == "right\n"
    and "kernel reverse(int*, int const*): 1 launch, 4 blocks" in done.stderr
)

done = run(program, AXE_MACHINE_WITHOUT="1")
assert done.returncode == 1 and "[ld.shared.u32]" in done.stderr, done.stderr
