"""Serves a folder as a site on this machine, for commands that have --serve or show a page.

add_port(parser), then serve(folder, port): http://127.0.0.1:8000/index.html, until Ctrl-C
"""

import functools
import http.server

from common import FAILED, USAGE, Stop, positive


def add_port(parser):
    parser.add_argument(
        "--port", type=positive, default=8000, metavar="N",
        help="port of the server (default: 8000)"
    )


def require_port(port):
    if port > 65535:
        raise Stop(USAGE, f"--port needs a number up to 65535, not {port}")


def serve(folder, port):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise Stop(FAILED, f"port {port} cannot be opened: {error.strerror}") from error
    with server:
        print(f"http://127.0.0.1:{port}/index.html, until Ctrl-C", flush=True)
        server.serve_forever()
