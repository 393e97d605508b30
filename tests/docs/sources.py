#!/usr/bin/env python3
"""Tests the opening comments of headers: an example and a definition.

    sources.py include docs/algebra.md         the folder `include`, or `include/axe`

Every header below algebra/, engine/ and map/ has an indented example and a line `Definition:
docs/algebra.md, Dn.`. Each cited definition is a numbered section, and some header cites each
section.
"""

import pathlib
import re
import sys

CITED = re.compile(r"Definition: docs/algebra\.md, (D\d+(?:, D\d+)*)\.")
FOLDERS = ("algebra", "engine", "map")


def opening(header):
    """Returns the comment lines before #pragma once."""
    lines = []
    for line in header.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        lines.append(line)
    return lines


def missing(header):
    comment = "\n".join(opening(header))
    if not re.search(r"^//     \S", comment, re.MULTILINE):
        yield "no worked example"
    if not CITED.search(comment):
        yield "no line 'Definition: docs/algebra.md, Dn.'"


def main(include, page):
    if (include / "axe").is_dir():
        include /= "axe"
    defined = set(re.findall(r"^## (D\d+)\. ", page.read_text(encoding="utf-8"), re.MULTILINE))
    cited, wrong, held = set(), 0, 0
    for header in sorted(include.rglob("*.hpp")):
        name = header.relative_to(include)
        found = [number for match in CITED.findall("\n".join(opening(header)))
                 for number in match.split(", ")]
        cited.update(found)
        said = [f"cites {number}, which is not a section of {page.name}" for number in found
                if number not in defined]
        if name.parts[0] in FOLDERS:
            held += 1
            said += list(missing(header))
        wrong += len(said)
        for words in said:
            print(f"{name}: {words}")
    for number in sorted(defined - cited, key=lambda n: int(n[1:])):
        wrong += 1
        print(f"{page.name}: no header cites {number}")
    print(f"{held} headers of {' and '.join(FOLDERS)}, {len(cited)} definitions cited, {wrong} things missing")
    return 1 if wrong or held < 30 else 0


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])))
