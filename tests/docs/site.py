#!/usr/bin/env python3
"""Builds the site of the documentation without network, and tests its links.

    site.py REPOSITORY FOLDER       builds into FOLDER
    site.py --self-test             tests that broken links are found

The site must contain every target of a link, picture, script and anchor. Only `<a>` may name another
site. Every header of the library with public declarations must be on an API page.
"""

import html.parser
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids.add(found.get("id"))
        self.ids.add(found.get("name") if tag == "a" else None)
        for name in ("href", "src"):
            if found.get(name):
                self.links.append((tag, found[name]))


def wrong_links(site):
    """Yields a sentence for each link of the site that has no target."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        # A server shows 404.html under any path, so its links begin at the root of the server.
        if path.name == "404.html":
            continue
        for tag, link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme in ("http", "https"):
                if tag != "a":
                    yield f"{path.relative_to(site)}: <{tag}> loads {link}"
                continue
            if parts.scheme:
                continue
            target = (path.parent / urllib.parse.unquote(
                parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{path.relative_to(site)}: no such file: {link}"
            elif parts.fragment and target in pages and not is_there(parts.fragment, pages[target]):
                yield f"{path.relative_to(site)}: no such anchor: {link}"


def is_there(fragment, page):
    """True for anchors of the page, and for those that scripts read: `#__…` of mkdocs-material and the explorer's
    `#subject?field=value`."""
    return (urllib.parse.unquote(fragment) in page.ids or fragment.startswith("__")
            or "?" in fragment)


def missing_headers(root, site):
    """Yields a sentence for each header of the library that is on no API page."""
    sys.path.insert(0, str(root / "tools/site"))
    import declarations  # pylint: disable=import-outside-toplevel

    shown = "".join(page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html"))
    for path in sorted((root / "include/axe").glob("*/**/*.hpp")):
        name = path.relative_to(root / "include").as_posix()
        if name not in shown and declarations.read(path).declarations:
            yield f"{name} is on no API page"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        (site / "a.html").write_text(
            '<h1 id="here"></h1><a href="#here"></a><a href="b.html#there"></a><a href="c.html"></a>'
            '<script src="https://x.example/y.js"></script><a href="https://x.example"></a>'
        )
        (site / "b.html").write_text("<p id='other'></p>")
        found = list(wrong_links(site))
    expected = [
        "a.html: no such anchor: b.html#there",
        "a.html: no such file: c.html",
        "a.html: <script> loads https://x.example/y.js",
    ]
    if found != expected:
        print(f"found {found} instead of {expected}")
        return 1
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root, site = (pathlib.Path(each).resolve() for each in arguments)
    build = [sys.executable, "-B", "-m", "mkdocs", "-q", "build", "--strict", "--site-dir", site]
    made = subprocess.run(build, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if made.returncode:
        print(made.stdout + "the site could not be built")
        return 1
    wrong = [*wrong_links(site), *missing_headers(root, site)]
    pages = sum(1 for _ in site.rglob("*.html"))
    print("\n".join([*wrong, f"{pages} pages, {len(wrong)} mistakes"]))
    return 1 if wrong or pages < 30 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
