#!/usr/bin/env python3
"""Writes headers of axe as one file, which programs and NVRTC can include without a folder.

    single_header.py > axe_all.hpp                       every core header
    single_header.py axe/axe.hpp axe/index.hpp -o a.hpp  these headers and those that they include
    single_header.py --core -o axe-core.hpp              axe/axe.hpp without comments, for Compiler Explorer

Each header is written once, where it is first included. refusal/rules.def, which is included
several times, becomes a macro. Includes of other libraries stay. Core headers are all headers
except bridges to other libraries, pictures and MPI.
Exit codes: 0; 1 if the header could not be written; 2 for a header that does not exist.
"""

import argparse
import os
import posixpath
import re
import sys

import whole_file

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "include")
INCLUDE = re.compile(r"^\s*#\s*include\s*<(axe/[^>]+)>")
COMMENT = re.compile(r"^\s*//")
CLOSED_AND_OPENED = "\n}  // namespace AXE_NAMESPACE\n}  // namespace axe\nnamespace axe {\ninline namespace AXE_NAMESPACE {\n"


def core_headers(root):
    """Returns all headers except bridges, pictures and MPI. Umbrella headers come last."""
    found = []
    for folder, _, names in os.walk(os.path.join(root, "axe")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            if path.endswith(".hpp") and not path.startswith(
                ("axe/bridge/", "axe/draw", "axe/mpi")):
                found.append(path)
    return sorted(found, key=lambda p: (p.count("/") == 1, p))


def macro_of(path):
    """Returns the name of the macro that stands for a table such as refusal/rules.def. The macro
    contains the table's entries. Each is a call of another macro, which the including header
    defines.
    """
    return re.sub(r"\W", "_", path).upper()


def expand(root, path, seen, out):
    """Writes a header after the headers that it includes, those inside #if too: a condition that is
    true when the result is compiled needs their text.
    """
    if path in seen:
        return
    seen.add(path)
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
    except OSError:
        sys.stderr.write(f"single_header: there is no {path} in {os.path.normpath(root)}\n")
        sys.exit(2)
    for found in map(INCLUDE.match, lines):
        if found:
            expand(root, found.group(1), seen, out)
    out.append(f"// --- {path}")
    if path.endswith(".def"):
        entries = [line for line in lines if line and not COMMENT.match(line)]
        out.append(" \\\n".join([f"#define {macro_of(path)}", *entries]))
        return
    for line in lines:
        found = INCLUDE.match(line)
        if found and found.group(1).endswith(".def"):
            out.append(macro_of(found.group(1)))
        elif not found and line.strip() != "#pragma once" and not line.startswith("// SPDX"):
            out.append(line)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "headers", nargs="*", help="names such as axe/axe.hpp (default: all core headers)"
    )
    parser.add_argument("-o", "--output", help="a file (default: standard output)")
    parser.add_argument("--include", default=ROOT, help="the folder that holds axe/")
    parser.add_argument("--core", action="store_true", help="axe/axe.hpp without comments")
    options = parser.parse_args()
    if options.core and options.headers:
        parser.error("--core takes no headers, because it is axe/axe.hpp")
    given = [posixpath.normpath(path) for path in options.headers]
    for path in given:
        if not path.startswith("axe/"):
            parser.error(f"the name of a header begins with axe/, as axe/index.hpp, not '{path}'")
    headers = ["axe/axe.hpp"] if options.core else given or core_headers(options.include)
    if not headers:
        parser.error(f"there is no axe/ in {options.include}")

    out = [
        # The text is in two parts, because `reuse lint` would read it as the licence of this file.
        "// SPDX-" "License-Identifier: MIT",
        "// Headers of axe in one, written by tools/single_header.py.",
        "#pragma once",
    ]
    seen = set()
    for path in headers:
        expand(options.include, path, seen, out)
    if options.core:
        lines = "\n".join(out[3:]).split("\n")
        out = out[:3] + [line for line in lines if line.strip() and not COMMENT.match(line)]
        # A header closes the namespaces that the next one opens.
        out = ["\n".join(out).replace(CLOSED_AND_OPENED, "\n")]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(out)) + "\n"
    if options.output:
        whole_file.write(options.output, text)
    else:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError as failure:
            sys.stdout = None  # Python would flush it again
            sys.exit(f"cannot write standard output: {failure.strerror}")


if __name__ == "__main__":
    main()
