#!/usr/bin/env python3
"""Checks that every header begins with the SPDX line of its licence.

    licence.py --include ../../include
"""

import argparse
import pathlib
import sys

# The text is in two parts, because `reuse lint` would read it as the licence of this file.
LINE = "// SPDX-License-" "Identifier: MIT\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--include", type=pathlib.Path, required=True,
                        help="the folder that holds axe/")
    headers = [path for path in parser.parse_args().include.rglob("*")
               if path.suffix in (".hpp", ".def")]
    wrong = [path for path in headers if not path.read_text(encoding="utf-8").startswith(LINE)]
    for path in wrong:
        print(f"{path} does not begin with the SPDX line")
    print(f"{len(headers)} headers, {len(wrong)} without the SPDX line")
    return 1 if wrong or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
