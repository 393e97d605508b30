#!/usr/bin/env python3
"""Tests run.py: it must pass for a real mistake, and fail for a change that nothing notices, a
stale entry, a change that does not compile, and a table that it cannot read.

    self_test.py --compiler g++ --include ../../include
"""

import argparse
import json
import os
import pathlib
import shutil
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
MISSING = REAL.replace(TEST, "mistakes/no_such_test.cpp")
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
        MISSING,
        1,
        "does not compile on the headers as they are",
    ),
)


BUILDS = (
    ("an object of other headers", None, "other", "does not compile on the headers as they are"),
    ("an object that is older than the headers", 0, None,
     "does not compile on the headers as they are"),
    ("an object that is newer than the headers", None, None, "fails, but no assertion does"),
)


def make_build(folder, compiler, modified, include):
    """Writes a build folder that has compiled the test of MISSING."""
    made = folder / "made.o"
    made.touch()
    if modified is not None:
        os.utime(made, (modified, modified))
    command = f"{shutil.which(compiler)} -I{include} -o made.o -c no_such_test.cpp"
    entry = {"directory": str(folder), "file": str(HERE / "no_such_test.cpp"), "command": command}
    (folder / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++",
                        help="the program of the compiler (default: %(default)s)")
    parser.add_argument("--include", default=str(HERE.parent.parent / "include"),
                        help="the folder that holds axe/")
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        # Every sentence has an e. With --only, run.py accepts a table of fewer than 25 mistakes.
        table = pathlib.Path(folder) / "table.txt"
        cases = [(*case, "") for case in CASES]
        for k, (name, modified, include, words) in enumerate(BUILDS):
            build = pathlib.Path(folder) / str(k)
            build.mkdir()
            make_build(build, arguments.compiler, modified, include or arguments.include)
            cases.append((name, MISSING, 1, words, build))
        for name, text, rc, words, build in cases:
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
                    *(["--build", str(build)] if build else []),
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
