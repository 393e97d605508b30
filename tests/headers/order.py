#!/usr/bin/env python3
"""Checks that folders of include/axe include each other in one direction.

    order.py --include ../../include

The order is the table of include/axe/README.md. It must list every folder. A header may include its
own folder, the folders above it in the table, and axe/config.hpp. The other headers directly in
include/axe may include any folder. Headers of folders include <axe/…>, never relative paths. At
most two headers have the same file name, and these two lie in different folders of the table.
"""

import argparse
import collections
import pathlib
import re
import sys

ROW = re.compile(r"^\| `(\w+)` \|", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]axe/([^">]+)[">]')
RELATIVE = re.compile(r'^\s*#\s*include\s*"(?!axe/)([^"]+)"')


def wrong_includes(root):
    order = ROW.findall((root / "README.md").read_text(encoding="utf-8"))
    rank = {folder: k for k, folder in enumerate(order)}
    headers = sorted(p for p in root.rglob("*") if p.suffix in (".hpp", ".def"))
    found = {p.relative_to(root).parts[0] for p in headers if p.parent != root}
    for folder in sorted(found - set(order)):
        yield f"README.md: the table lacks the folder {folder}"
    for folder in sorted(set(order) - found):
        yield f"README.md: there is no folder {folder}"
    for header in headers:
        if header.parent == root:
            continue
        own = header.relative_to(root).parts[0]
        for number, line in enumerate(header.read_text(encoding="utf-8").splitlines(), 1):
            if relative := RELATIVE.match(line):
                yield f"{header.relative_to(root)}:{number}: write <axe/…> instead of \"{relative[1]}\""
            match = INCLUDE.match(line)
            if not match or match[1] == "config.hpp":
                continue
            other = match[1].split("/")[0]
            if other not in rank:
                yield f"{header.relative_to(root)}:{number}: {own} includes axe/{match[1]}"
            elif rank[other] > rank.get(own, len(rank)):
                yield (f"{header.relative_to(root)}:{number}: {own} includes {other}, "
                       "which is below it in the table")


def shared_names(root):
    named = collections.defaultdict(list)
    for header in sorted(root.rglob("*.hpp")):
        named[header.name].append(header.relative_to(root))
    for name, headers in named.items():
        folders = [header.parts[0] for header in headers]
        if len(headers) > 2 or len(set(folders)) < len(folders):
            yield f"{name}: rename one of {', '.join(map(str, headers))}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--include", type=pathlib.Path, required=True,
                        help="the folder that holds axe/")
    root = parser.parse_args().include / "axe"
    wrong = [*wrong_includes(root), *shared_names(root)]
    for line in wrong:
        print(line)
    print(f"{len(wrong)} mistakes" if wrong else "every folder includes only those above it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
