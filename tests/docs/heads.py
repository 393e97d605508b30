#!/usr/bin/env python3
"""Tests that the comment or docstring at the start of each file has at most 8 lines, and that
comments of C++ have at most 100 columns.

    heads.py ROOT [--self-test]

A blank line does not end the comment at the start of a file. A docstring that --help prints may be
longer, and so may the pinned messages of compile_fail.
"""

import pathlib
import re
import sys

FOLDERS = (
    ".ci", ".github", "benchmarks", "examples", "include", "packaging", "python", "tests", "tools"
)
COMMENTS = {".hpp": "//", ".cpp": "//", ".cu": "//", ".cuh": "//", ".js": "//", ".cmake": "#"}
PRINTED = re.compile(r"__doc__(?!\.splitlines)")  # by --help, all lines
DOCSTRING = re.compile(r'\A(?:#[^\n]*\n)*"""(.*?)"""', re.DOTALL)
NOT_OURS = re.compile(r"SPDX-License-Identifier|^#!|^// (?:expect|skip)(?:-\w+)?:")
FOREIGN = pathlib.PurePath("tests/machine/kernels")  # kernels as others write them


def head(name, text):
    if name.endswith(".py"):
        found = DOCSTRING.match(text)
        return found[1].strip().splitlines() if found and not PRINTED.search(text) else []
    mark = "#" if name == "CMakeLists.txt" else COMMENTS.get(pathlib.PurePath(name).suffix)
    lines = []
    for line in text.splitlines() if mark else ():
        if not line:
            continue
        if not line.startswith(mark) or line.startswith("#pragma"):
            break
        if not NOT_OURS.search(line):
            lines.append(line)
    return lines


def mistakes(name, text):
    if len(lines := head(name, text)) > 8:
        yield f"the file begins with a comment of {len(lines)} lines, more than 8"
    if name.endswith((".hpp", ".cpp", ".cu", ".cuh")):
        for number, line in enumerate(text.splitlines(), 1):
            words = line.lstrip()
            if len(line) > 100 and words.startswith("//") and not NOT_OURS.search(words):
                yield f"line {number}: a comment of {len(line)} columns, more than 100"


def self_test():
    long = "// word" * 15 + "\n"
    for name, text, count in (
        ("a.hpp", "// one\n" * 8, 0),
        ("a.hpp", "// SPDX-License-Identifier: MIT\n" + "// one\n" * 9 + "#pragma once\n", 1),
        ("a.cpp", "// expect-gcc: one\n" * 9, 0),
        ("a.cpp", "int a;\n  " + long, 1),
        ("a.cpp", "// one\n" * 5 + "\n" + "// two\n" * 4 + "int a;\n", 1),
        ("CMakeLists.txt", "# one\n" * 9, 1),
        ("a.py", '"""one\n' + "two\n" * 8 + '"""\n', 1),
        ("a.py", '"""one\n' + "two\n" * 8 + '"""\nprint(__doc__)\n', 0),
        ("a.py", '"""one\n' + "two\n" * 8 + '"""\nprint(__doc__.splitlines()[0])\n', 1),
    ):
        if len(found := list(mistakes(name, text))) != count:
            print(f"{name}: {count} mistakes expected, found: {found}\n{text}")
            return 1
    return 0


def main(root):
    files = wrong = 0
    paths = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))]
    for path in (root / "CMakeLists.txt", *paths):
        name = path.relative_to(root)
        if path.suffix not in (*COMMENTS, ".py", ".txt") or FOREIGN in name.parents:
            continue
        files += 1
        for words in mistakes(path.name, path.read_text(encoding="utf-8")):
            wrong += 1
            print(f"{name}: {words}")
    print(f"{files} files, {wrong} mistakes")
    return 1 if wrong or files < 1000 else 0


if __name__ == "__main__":
    sys.exit(self_test() if "--self-test" in sys.argv else main(pathlib.Path(sys.argv[1])))
