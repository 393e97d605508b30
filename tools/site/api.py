"""Makes the API pages of the site, one for each folder of include/axe, from the comments of its
headers.

pages(root)     {"api/axe_algebra.md": "# axe/algebra ..."}, in the order of include/axe/README.md
"""

import re

import declarations

FOLDER = re.compile(r"^\| `(\w+)` \| (.*) \|$", re.M)


def text_of_head(head):
    """Returns a file head as Markdown. Lines that begin with four spaces become code."""
    out, in_code = [], False
    for line in head:
        code = line.startswith("    ") or (in_code and not line)
        if code != in_code:
            out.append("```text" if code else "```")
            if not code:
                out.append("")
            in_code = code
        out.append(line[4:] if code else escaped(line))
    return "\n".join([*out, *(["```"] if in_code else [])])


def escaped(line):
    """Returns a line of a comment as Markdown. All characters are shown as they are, except
    backquotes.
    """
    parts = line.split("`")
    parts[::2] = [re.sub(r"([*_<>\[\]|\\])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


def entry(declaration, level):
    """Returns the lines for a declaration with its comment and members."""
    lines = ["", "```cpp", declaration.text + ";", "```", ""]
    lines += [escaped(line) for line in declaration.comment]
    shown = [m for m in declaration.members if m.comment or level == 0]
    if shown:
        lines += ["", "```cpp"]
        for member in shown:
            lines += [f"// {line}" for line in member.comment] + [member.text + ";"]
        lines += ["```"]
    return lines


def section(root, path):
    """Returns the lines for one header: how to include it, its head, its declarations. [] if it
    declares nothing public.
    """
    header = declarations.read(path)
    name = path.relative_to(root / "include")
    if not header.declarations:
        return []
    lines = ["", f"## {name.name}", "", "```cpp", f"#include <{name}>", "```", ""]
    lines += [text_of_head(header.head)]
    last = None
    for declaration in header.declarations:
        called = declarations.name_of(declaration.text)
        if called != last:
            lines += ["", f"### `{called}`"]
        last = called
        lines += entry(declaration, 0)
    return lines


def pages(root):
    """Returns the text of each page by its path in the site."""
    library = root / "include/axe"
    out = {}
    for folder, what in FOLDER.findall((library / "README.md").read_text(encoding="utf-8")):
        lines = [f"# axe/{folder}", "", f"{what[0].upper()}{what[1:]}.", ""]
        for path in sorted((library / folder).rglob("*.hpp")):
            lines += section(root, path)
        out[f"api/axe_{folder}.md"] = "\n".join(lines) + "\n"
    return out
