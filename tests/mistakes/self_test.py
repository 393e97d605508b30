#!/usr/bin/env python3
"""Tests run.py: it must pass for a real mistake, and fail for a change that nothing notices, a
stale entry, a change that does not compile, and a table that it cannot read.

    self_test.py --compiler g++ --include ../../include
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEADER = "layout/swizzle.hpp"
TEST = "layout/swizzle_test.cpp"

REAL = (
    f"Negative addresses are divided.\nfile {HEADER}\nwas  integer const x = m >> M;\n"
    f"now  integer const x = m / (integer{{1}} << M);\ntest {TEST}\n"
)
CASES = (
    ("a real mistake", REAL, 0, "noticed by " + TEST),
    (
        "a change that changes nothing",
        REAL.replace("m / (integer{1} << M);", "(m >> M) + 0;"),
        1,
        "SURVIVES",
    ),
    ("a line that is gone", REAL.replace("x = m >> M;\nnow", "x = m >> (M + 0);\nnow"), 1, "stale"),
    ("a header that is gone", REAL.replace(HEADER, "layout/none.hpp"), 1, "stale"),
    (
        "a change that does not compile",
        REAL.replace("m / (integer{1} << M);", "m >> ;"),
        1,
        "does not compile",
    ),
    (
        "a table that says wrongly that golden examples notice",
        REAL.replace(TEST, TEST + " golden"),
        1,
        "does not notice",
    ),
    ("a table without a test", REAL.replace(f"test {TEST}\n", ""), 1, "expected the lines"),
    (
        "a test that does not compile even without the mistake",
        REAL.replace(TEST, "mistakes/no_such_test.cpp"),
        1,
        "does not compile on the headers as they are",
    ),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++", help="the program of the compiler (default: %(default)s)")
    parser.add_argument("--include", default=str(HERE.parent.parent / "include"), help="the folder that holds axe/")
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table.txt"
        for name, text, rc, words in CASES:
            table.write_text(text, encoding="utf-8")
            run = subprocess.run(
                [
                    sys.executable,
                    "-B",
                    str(HERE / "run.py"),
                    "--compiler",
                    arguments.compiler,
                    "--include",
                    arguments.include,
                    "--table",
                    str(table),
                    "--only",
                    "e",
                ],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            good = run.returncode == rc and words in run.stdout
            print(f"{'ok   ' if good else 'WRONG'} {name}")
            if not good:
                print(run.stdout)
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
