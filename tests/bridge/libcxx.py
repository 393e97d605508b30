#!/usr/bin/env python3
"""Compiles and runs programs with clang++-19 and libc++ in C++23: libcxx.py ROOT FOLDER.

Every umbrella header must compile without warnings, and each program must end with 0.
"""

import pathlib
import subprocess
import sys

PROGRAMS = ("mdspan_live.cpp", "format_live.cpp")
SKIPPED = 77


def main():
    root, folder = map(pathlib.Path, sys.argv[1:])
    command = ["clang++-19", "-std=c++23", "-stdlib=libc++", f"-I{root}/include", f"-I{root}/tests"]
    try:
        found = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=b"#include <mdspan>", capture_output=True)
    except FileNotFoundError:
        found = None
    if found is None or found.returncode:
        print("skipped: clang++-19 with libc++ is not installed")
        return SKIPPED
    headers = "".join(f"#include <axe/{p.name}>\n" for p in sorted((root / "include/axe").glob("*.hpp")) if p.name != "cuda.hpp")
    strict = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", "-"]
    wrong = subprocess.run([*command, *strict], input=headers.encode()).returncode
    for name in PROGRAMS:
        program = folder / f"{name}.out"
        built = subprocess.run([*command, "-O1", root / "tests/bridge" / name, "-o", program]).returncode
        if built or subprocess.run([program]).returncode:
            print(f"{name} failed")
            wrong = 1
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
