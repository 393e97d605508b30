#!/usr/bin/env python3
"""Makes one header of all of axe, for programs that compile from a string (NVRTC) or carry their dependencies in one file.

    single_header.py > axe_all.hpp                       every core header
    single_header.py axe/axe.hpp axe/index.hpp -o a.hpp  those and what they include

Each header of axe is written out once, where it is first included; refusal/rules.def, which is read several times, each time. Headers of others stay includes. The
bridges are left out: they belong to the library that they lead to. Exit codes: 0, 2 wrong usage (a header that is not there).
"""
import argparse
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "include")
INCLUDE = re.compile(r"^\s*#\s*include\s*<(axe/[^>]+)>")


def core_headers(root):
    """Everything but bridges, umbrellas last: they add nothing, but a reader looks for them."""
    found = []
    for folder, _, names in os.walk(os.path.join(root, "axe")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            if path.endswith(".hpp") and not path.startswith(("axe/bridge/", "axe/host/")):
                found.append(path)
    return sorted(found, key=lambda p: (p.count("/") == 1, p))


def expand(root, path, seen, out):
    """Writes a header with what it includes in front of it, in any case: what stands in an #if may be all that includes it."""
    if path in seen:
        return
    if not path.endswith(".def"):
        seen.add(path)
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
    except OSError:
        sys.stderr.write(f"single_header: there is no {path} in {os.path.normpath(root)}\n")
        sys.exit(2)
    includes = [found.group(1) for found in map(INCLUDE.match, lines) if found]
    for included in includes:
        if not included.endswith(".def"):
            expand(root, included, seen, out)
    out.append(f"// --- {path}")
    for line in lines:
        found = INCLUDE.match(line)
        if found and found.group(1).endswith(".def"):
            expand(root, found.group(1), seen, out)
        elif not found and line.strip() != "#pragma once":
            out.append(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headers", nargs="*", help="as they are included, axe/axe.hpp; all core headers where none is named")
    parser.add_argument("-o", "--output", help="a file; standard output where none is named")
    parser.add_argument("--include", default=ROOT, help="the folder that holds axe/")
    options = parser.parse_args()

    out = ["// axe in one header, made by tools/single_header.py from the headers of the tree. MIT licence.", "#pragma once", ""]
    seen = set()
    for path in options.headers or core_headers(options.include):
        expand(options.include, path, seen, out)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(out)) + "\n"
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
