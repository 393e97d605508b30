#!/usr/bin/env python3
"""Tests check_headers.py: a correct header passes, and the right check catches each plausible
mistake.

    self_test.py --compiler g++
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

CHECKER = pathlib.Path(__file__).resolve().parent / "check_headers.py"
SOUND = "#pragma once\n#include <cstdint>\nnamespace axe {\nconstexpr int twice(int value) { return 2 * value; }\n}\n"

# A mistake, its line of code, and the names of the checks that must fail. The others must pass.
MISTAKES = [
    ("nothing", "", set()),
    ("an include is forgotten", "inline std::vector<int> none() { return {}; }",
     {"alone", "no-except", "macros", "two files"}),
    ("no include guard", None, {"alone", "no-except"}),
    ("a function is not inline", "int twice_of_two() { return 4; }", {"two files"}),
    ("a throw without its guard", "inline void stop() { throw 1; }", {"no-except"}),
    ("a name of a macro", "template <class I> constexpr I same(I value) { return value; }",
     {"macros"}),
    ("a call of a macro", "#include <algorithm>\ninline int low(int a) { return std::min(a, 3); }",
     {"macros"}),
    ("a narrowing return", "inline short narrow(int value) { return value; }",
     {"alone", "no-except", "macros", "two files"}),
]


def failed_checks(compiler, header):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "axe").mkdir()
        (pathlib.Path(folder) / "axe" / "twice.hpp").write_text(header)
        run = subprocess.run([sys.executable, "-B", str(CHECKER), "--compiler", compiler,
                              "--include", folder],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    failed = {line.removeprefix("FAILED ").split("  ")[0] for line in run.stdout.splitlines()
              if line.startswith("FAILED ")}
    if run.returncode == 77:
        print(run.stdout, end="")
        sys.exit(77)
    if run.returncode != bool(failed):
        sys.exit(f"check_headers.py ended with {run.returncode} and {len(failed)} failed checks\n{run.stdout}")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True, help="the program of the compiler")
    compiler = parser.parse_args().compiler
    wrong = 0
    for name, line, expected in MISTAKES:
        header = SOUND
        if line is None:
            header = header.replace("#pragma once\n", "")
        else:
            if line.startswith("#include"):
                include, line = line.split("\n", 1)
                header = header.replace("#include", include + "\n#include")
            header = header.replace("}\n}", "}\n" + line + "\n}")
        failed = failed_checks(compiler, header)
        if failed != expected:
            wrong += 1
            print(f"FAILED {name}: caught by {sorted(failed)} instead of {sorted(expected)}")
    print(f"{compiler}: {len(MISTAKES) - wrong} of {len(MISTAKES)} headers are judged rightly")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
