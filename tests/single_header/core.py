#!/usr/bin/env python3
"""Tests that the core's single header has at most 8,000 lines, and that a program with it exits
with 0.

    core.py PROGRAM HEADER
"""

import subprocess
import sys

MOST_LINES = 8_000

program, header = sys.argv[1:]
with open(header, encoding="utf-8") as file:
    lines = len(file.readlines())
print(f"{lines} lines, at most {MOST_LINES}")
sys.exit(int(lines > MOST_LINES or subprocess.run([program]).returncode != 0))
