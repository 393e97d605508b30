#!/usr/bin/env python3
"""Tests that the entries of docs/decisions.md are short: each has a paragraph that begins with Why,
and at most 250 words outside of tables.

    decisions.py docs/decisions.md
"""

import pathlib
import re
import sys


def mistakes(page):
    page = re.sub(r"^## .*\n", "", page, flags=re.MULTILINE)
    for entry in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        title, _, text = entry.partition("\n")
        words = sum(len(line.split()) for line in text.splitlines() if not line.startswith("|"))
        if words > 250:
            yield f"{title}: {words} words outside of tables, more than 250"
        if "\n**Why.**" not in text:
            yield f"{title}: no paragraph begins with **Why.**"


def main(path):
    page = path.read_text(encoding="utf-8")
    wrong = list(mistakes(page))
    entries = page.count("\n### ")
    print("\n".join([*wrong, f"{entries} entries, {len(wrong)} mistakes"]))
    for bad in ("### Long\n\n**Why.** " + "word " * 251, "### Without a reason\n\nShort.\n"):
        assert len(list(mistakes(bad))) == 1, bad
    return 1 if wrong or entries < 10 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
