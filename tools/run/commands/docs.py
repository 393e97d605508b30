"""`./run docs`: the documentation as a site."""

import functools
import http.server
import os
import subprocess

from common import BUILD, FAILED, ROOT, USAGE, Parser, Stop, fresh, positive, quietly, show, step
from install import PYTHON, install_wheels

SUMMARY = "build the documentation as a site, with pages made from the headers' comments"
SITE = BUILD / "docs/site"


def mkdocs():
    """The command and the environment of mkdocs, which is installed if needed."""
    install_wheels("docs")
    # The notices of mkdocs-material about its successor.
    settings = {"PYTHONPATH": str(BUILD / "python/docs"), "NO_MKDOCS_2_WARNING": "1"}
    return [PYTHON, "-B", "-m", "mkdocs"], os.environ | settings


def serve(port):
    """Serves the site until Ctrl-C."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=SITE)
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise Stop(FAILED, f"port {port} cannot be opened: {error.strerror}") from error
    with server:
        print(f"http://127.0.0.1:{port}/index.html, until Ctrl-C", flush=True)
        server.serve_forever()


def main(arguments):
    options = Parser("docs", SUMMARY)
    options.add_argument("--serve", action="store_true", help="also serve the site on this machine")
    options.add_argument(
        "--port", type=positive, default=8000, metavar="N", help="of --serve (default: 8000)"
    )
    wanted = options.parse_args(arguments)
    if wanted.port > 65535:
        raise Stop(USAGE, f"--port needs a number up to 65535, not {wanted.port}")
    command, settings = mkdocs()
    step("building the site")
    log = fresh("docs")
    build = [*command, "build", "--strict", "--site-dir", SITE]
    if quietly(log, build, cwd=ROOT, env=settings):
        show(log)
        raise Stop(FAILED, "the site could not be built (all of it: build/logs/docs.log)")
    print(SITE / "index.html", flush=True)
    if wanted.serve:
        serve(wanted.port)
    return 0
