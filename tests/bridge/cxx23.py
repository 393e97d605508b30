#!/usr/bin/env python3
"""Compiles the library as C++23 with g++ and with clang++-19 and libc++: cxx23.py ROOT FOLDER.

Every umbrella header but cuda.hpp and mpi.hpp must compile without warnings. The test programs must
exit with 0. They run only if the standard library has <mdspan>, which that of g++ 12 lacks.
"""

import pathlib
import subprocess
import sys

PROGRAMS = ("mdspan_live.cpp", "format_live.cpp")
COMPILERS = (["g++"], ["clang++-19", "-stdlib=libc++"])
SKIPPED = 77


def compiles(command, text):
    try:
        done = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"],
                              input=text, capture_output=True, text=True)
    except FileNotFoundError:
        return False, ""
    return done.returncode == 0, done.stderr


def main():
    root, folder = map(pathlib.Path, sys.argv[1:])
    umbrellas = sorted(p.name for p in (root / "include/axe").glob("*.hpp")
                       if p.name not in ("cuda.hpp", "mpi.hpp"))
    headers = "".join(f"#include <axe/{name}>\n" for name in umbrellas)
    wrong, missing = [], []
    for compiler in COMPILERS:
        command = [*compiler, "-std=c++23", f"-I{root}/include", f"-I{root}/tests"]
        if not compiles(command, "#include <version>")[0]:
            missing.append(" ".join(compiler))
            continue
        good, said = compiles([*command, "-Wall", "-Wextra", "-Werror"], headers)
        if not good:
            wrong.append(f"{' '.join(compiler)}: {said}")
        if not compiles(command, "#include <mdspan>")[0]:
            continue
        for name in PROGRAMS:
            program = folder / f"{name}.out"
            source = root / "tests/bridge" / name
            built = subprocess.run([*command, "-O1", source, "-o", program]).returncode
            if built or subprocess.run([program]).returncode:
                wrong.append(f"{' '.join(compiler)}: {name} failed")
    print("\n".join(wrong))
    if missing and not wrong:
        print(f"skipped: not installed, or without C++23: {', '.join(missing)}")
        return SKIPPED
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
