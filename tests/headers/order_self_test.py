#!/usr/bin/env python3
"""Tests order.py: a correct tree passes, and each mistake in CASES is found."""

import pathlib
import subprocess
import sys
import tempfile

CHECKER = pathlib.Path(__file__).resolve().parent / "order.py"
TABLE = "| folder | |\n|---|---|\n| `base` | first |\n| `map` | second |\n"

# The table of the page, the text of base/low.hpp, that of map/high.hpp, and a part of the complaint
# ("" if there must be none).
CASES = (
    ("a sound tree", TABLE, "#include <axe/config.hpp>\n", "#include <axe/base/low.hpp>\n", ""),
    ("an upward include", TABLE, "#include <axe/map/high.hpp>\n", "",
     "base/low.hpp:1: base includes map"),
    ("an upward include in quotes", TABLE, '# include "axe/map/high.hpp"\n', "",
     "base includes map"),
    ("an umbrella header", TABLE, "", "#include <axe/axe.hpp>\n", "map includes axe/axe.hpp"),
    ("a folder that is not listed", TABLE.replace("| `map` | second |\n", ""), "", "",
     "lacks the folder map"),
    ("a folder that is gone", TABLE + "| `old` | third |\n", "", "", "no folder old"),
    ("a relative include", TABLE, "", '#include "../base/low.hpp"\n',
     "map/high.hpp:1: write <axe/…>"),
)
# Paths of more headers, and a part of the complaint.
NAMES = (
    ("a name of two folders", ("base/print.hpp", "map/print.hpp"), ""),
    ("a name of a folder twice", ("base/print.hpp", "base/text/print.hpp"),
     "print.hpp: rename one of"),
    ("a name of three headers", ("print.hpp", "base/print.hpp", "map/print.hpp"),
     "print.hpp: rename one of"),
)


def main():
    wrong = 0
    cases = [(name, table, low, high, (), words) for name, table, low, high, words in CASES]
    cases += [(name, TABLE, "", "", more, words) for name, more, words in NAMES]
    for name, table, low, high, more, words in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder) / "axe"
            for path, text in (("README.md", table), ("base/low.hpp", low), ("map/high.hpp", high),
                               *((path, "") for path in more)):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            run = subprocess.run([sys.executable, "-B", str(CHECKER), "--include", folder],
                                 capture_output=True, text=True)
        good = run.returncode == bool(words) and words in run.stdout
        print(f"{'ok   ' if good else 'WRONG'} {name}")
        wrong += not good
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
