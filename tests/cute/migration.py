#!/usr/bin/env python3
"""Compiles docs/cute.md: axe's side of every line of the table must give the answer on its right.
CuTe's side of the table: tests/peers/cute/migration.py.

    migration.py --page docs/cute.md --include include --compiler g++
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

BEGIN, END = "<!-- compiled: begin -->", "<!-- compiled: end -->"
ROW = re.compile(r"^\| `(.*?)` \| `(.*?)` \| `(.*?)` \|$")
PRELUDE = """#include <axe/cute.hpp>
using namespace axe::cute;
using namespace axe::cute::literals;
constexpr bool answers(layout const& l, char const* words) { return to_text(l) == words; }
constexpr bool answers(axe::integer n, char const* words) {
  axe::text<24> t;
  t.put(n);
  return t == words;
}
"""


def rows(page):
    """Returns a (line number, CuTe's code, axe's code, answer) for each line of the table."""
    text = page.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{page}: each of the two marks of the table must occur once")
    first = text.count("\n", 0, text.index(BEGIN)) + 1
    found = []
    for offset, line in enumerate(text[text.index(BEGIN):text.index(END)].splitlines()):
        if not line.startswith("|") or offset < 4:
            continue
        parts = ROW.match(line)
        if not parts:
            sys.exit(f"{page}:{first + offset}: expected three columns of code, got: {line}")
        found.append((first + offset, *parts.groups()))
    if len(found) < 30:
        sys.exit(f"{page}: only {len(found)} lines found")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", required=True, type=pathlib.Path, help="the Markdown page")
    parser.add_argument("--include", required=True, type=pathlib.Path,
                        help="the folder that holds axe/")
    parser.add_argument("--compiler", default="g++",
                        help="the program of the compiler (default: %(default)s)")
    arguments = parser.parse_args()
    table = rows(arguments.page)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "migration.cpp"
        source.write_text(PRELUDE
                          + "".join(f'#line {number} "{arguments.page.name}"\nstatic_assert(answers({ours}, "{answer}"));\n'
                                    for number, _, ours, answer in table) + "int main() {}\n")
        run = subprocess.run([arguments.compiler, "-std=c++20", "-fsyntax-only",
                              "-I", arguments.include, source], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr[:4000])
    print(f"{arguments.page.name}: {len(table)} lines give their answers")


if __name__ == "__main__":
    main()
