"""Extends what mkdocs does with docs/. mkdocs.yml names this file under `hooks`.

* The API pages come from the headers (api.py), the page of examples from examples/README.md.
* A link to a file outside docs/ becomes a link to a page with the text of the file.
* A block of the calculator is followed by a link that opens it in the explorer, if the explorer has
  been built (./run explorer).
* The file name in the first line of a code block, such as ```cpp examples/01_first_layout/main.cpp,
  becomes the title of the block.
"""

import pathlib
import posixpath
import re
import sys
import urllib.parse

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import api  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)]*)?\))")
FENCE = re.compile(r"^```(axe|console|output|cpp|python|cmake|sh)(?: (\S+))?$", re.M)
CALCULATOR = re.compile(r"^```axe\n(.*?)^```$", re.M | re.S)
EXPLORER = ROOT / "build/explorer/site"
LEXERS = {".cpp": "cpp", ".hpp": "cpp", ".cu": "cuda", ".cuh": "cuda", ".py": "python"}


def with_explorer(markdown, place):
    """Returns the page with a link after each ```axe block. The link opens this block and those
    before it in the explorer.
    """
    asked = []

    def link(found):
        asked.extend(re.split(r"\s{2,}", line.strip())[0] for line in found.group(1).splitlines())
        page = posixpath.relpath("explorer/index.html", posixpath.dirname(place) or ".")
        query = urllib.parse.urlencode({"lines": "\n".join(asked)})
        return f"{found.group()}\n\n[Open in the explorer]({page}#calculator?{query})"

    return CALCULATOR.sub(link, markdown)


def first_line(found):
    """Returns the first line of a code block as the syntax highlighter expects it."""
    language, title = found.groups()
    if language == "output":
        return f'```text title="output of {title}"'
    shown = "text" if language == "axe" else language
    return f'```{shown} title="{title}"' if title else f"```{shown}"


def place_of(path):
    """Returns where the site shows a path of the repository, and the text of its page if it is not
    in docs/.
    """
    if path.startswith("docs/"):
        return path.removeprefix("docs/"), None
    file = ROOT / path
    if file.is_dir():
        if not (file / "README.md").exists():
            names = sorted(each.name for each in file.iterdir())
            return f"files/{path}/index.md", f"# {path}\n\n" + "\n".join(f"* `{n}`" for n in names)
        file, path = file / "README.md", f"{path}/README.md"
    if file.suffix == ".md":
        return f"files/{path}", file.read_text(encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    return f"files/{path}.md", f"# {path}\n\n````{LEXERS.get(file.suffix, 'text')}\n{text}\n````\n"


def with_links(text, page, place):
    """Returns the text of a page with its links changed, and the pages that these links need.

    `page` is its path in the repository, `place` its path in the site.
    """
    needed = {}

    def link(found):
        target = found.group(2)
        if "://" in target or target.startswith("mailto:"):
            return found.group()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        if path.startswith("..") or not (ROOT / path).exists():
            return found.group()
        there, made = place_of(path)
        if made is not None:
            needed[path] = (there, made)
        relative = posixpath.relpath(there, posixpath.dirname(place) or ".")
        return found.group(1) + relative + found.group(3)

    return LINK.sub(link, text), needed


def on_config(config):
    """Adds the API pages to the navigation."""
    config.nav.append({"API": [{f"axe/{page[8:-3]}": page} for page in api.pages(ROOT)]})
    return config


def on_files(files, config):
    """Adds the pages whose text is not in docs/."""
    added = dict(api.pages(ROOT))
    open_pages = [(f"docs/{f.src_uri}", f.src_uri, f.content_string)
                  for f in files.documentation_pages()]
    seen = set()
    while open_pages:
        page, place, text = open_pages.pop()
        changed, needed = with_links(text, page, place)
        if not page.startswith("docs/"):
            added[place] = changed
        for path, (there, made) in needed.items():
            if path not in seen:
                seen.add(path)
                own = path if path.endswith(".md") or not (
                    ROOT / path).is_dir() else f"{path}/README.md"
                open_pages.append((own, there, made))
    for each in EXPLORER.iterdir() if EXPLORER.exists() else ():
        files.append(File.generated(config, f"explorer/{each.name}", abs_src_path=str(each)))
    for place, text in added.items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    """Changes the links and code blocks of a page of docs/."""
    if page.file.generated_by is None:
        markdown, _ = with_links(markdown, f"docs/{page.file.src_uri}", page.file.src_uri)
    if EXPLORER.exists():
        markdown = with_explorer(markdown, page.file.src_uri)
    return FENCE.sub(first_line, markdown)
