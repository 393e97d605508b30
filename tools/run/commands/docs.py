"""`./run docs`: builds the documentation as a site."""

import os

from common import BUILD, FAILED, ROOT, Parser, Stop, fresh, quietly, show, step
from install import PYTHON, install_wheels
from serving import add_port, require_port, serve

SUMMARY = "build the documentation as a site, with pages made from the headers' comments"
SITE = BUILD / "docs/site"


def mkdocs():
    """Returns the command and the environment of mkdocs. Installs mkdocs if it is missing."""
    install_wheels("docs")
    # The second variable switches off the notices of mkdocs-material about MkDocs 2.
    settings = {"PYTHONPATH": str(BUILD / "python/docs"), "NO_MKDOCS_2_WARNING": "1"}
    return [PYTHON, "-B", "-m", "mkdocs"], os.environ | settings


def main(arguments):
    options = Parser("docs", SUMMARY)
    options.add_argument("--serve", action="store_true", help="also serve the site on this machine")
    add_port(options)
    wanted = options.parse_args(arguments)
    require_port(wanted.port)
    command, settings = mkdocs()
    step("building the site")
    log = fresh("docs")
    build = [*command, "build", "--strict", "--site-dir", SITE]
    if quietly(log, build, cwd=ROOT, env=settings):
        show(log)
        raise Stop(FAILED, "the site could not be built (the whole log: build/logs/docs.log)")
    print(SITE / "index.html", flush=True)
    if wanted.serve:
        serve(SITE, wanted.port)
    return 0
