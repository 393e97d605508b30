#!/usr/bin/env python3
"""Tests that the links and paths of the documentation have targets.

    links.py REPOSITORY

Checks every relative link and picture, and every path in backquotes that begins with a folder of
the repository. Every page of docs/ is in the navigation of mkdocs.yml.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:axe|benchmarks|docs|examples|include|tests)/[\w./]+)`")


def broken(page, root):
    text = page.read_text(encoding="utf-8")
    for link in LINK.findall(text):
        if "://" not in link and not (page.parent / link).exists():
            yield f"no such file: {link}"
    for path in PATH.findall(text):
        if not any((root / base / path).exists() for base in ("", "include")):
            yield f"no such path: {path}"


def main(root):
    pages = [root / "README.md", root / "examples/README.md",
             *sorted((root / "docs").rglob("*.md"))]
    wrong = [f"{page.relative_to(root)}: {what}" for page in pages for what in broken(page, root)]
    navigation = (root / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (root / "docs").rglob("*.md"):
        if f": {page.relative_to(root / 'docs').as_posix()}\n" not in navigation:
            wrong.append(f"{page.relative_to(root)} is not in the navigation of mkdocs.yml")
    print("\n".join([*wrong, f"{len(pages)} pages, {len(wrong)} broken links"]))
    return 1 if wrong or len(pages) < 10 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
