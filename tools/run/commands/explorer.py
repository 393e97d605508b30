"""`./run explorer`: builds a page in which the program `axe` runs as WebAssembly, and serves it."""

import json
import shutil

from common import BUILD, FAILED, ROOT, Parser, Stop, add_jobs, fresh, quietly, say, show, step
from install import install_packages
from serving import add_port, require_port, serve

SUMMARY = "build and serve a page that draws layouts and computes with them"
FOLDER = ROOT / "examples/explorer"
SITE = BUILD / "explorer/site"
PACKAGES = (
    "cmake",
    "ninja-build",
    "clang-19",
    "lld-19",
    "wasi-libc",
    "libc++-19-dev-wasm32",
    "libc++abi-19-dev-wasm32",
    "libclang-rt-19-dev-wasm32",
)


def presets():
    """Returns the layouts of the galleries with their titles, shapes and widths in bits."""
    found = []
    for file in ("gallery.axe", "kernels.axe"):
        for line in (ROOT / "examples" / file).read_text(encoding="utf-8").splitlines():
            key, equals, value = (part.strip() for part in line.partition("="))
            if line.startswith("["):
                found.append({})
            elif equals and found and key in ("title", "layout", "shape", "bits"):
                found[-1][key] = value
    return found


def build_site(jobs):
    """Compiles the module and puts it beside the page. Returns the folder of the site."""
    install_packages(*PACKAGES)
    log, folder = fresh("explorer"), BUILD / "explorer/wasm"
    step("building the explorer (build/logs/explorer.log)")
    toolchain = f"CMAKE_TOOLCHAIN_FILE={FOLDER / 'wasm32.cmake'}"
    configure = ["cmake", "-G", "Ninja", "-S", FOLDER, "-B", folder, "-D", toolchain]
    make = ["cmake", "--build", folder, "--target", "explorer", "-j", str(jobs)]
    if quietly(log, configure) or quietly(log, make):
        show(log)
        raise Stop(FAILED, "the explorer could not be built")
    SITE.mkdir(parents=True, exist_ok=True)
    for file in [*(FOLDER / "page").iterdir(), folder / "explorer.wasm"]:
        shutil.copy(file, SITE)
    (SITE / "presets.json").write_text(json.dumps(presets()), encoding="utf-8")
    return SITE


def main(arguments):
    options = Parser("explorer", SUMMARY)
    options.add_argument(
        "--no-serve",
        action="store_true",
        help="only build the page; any static server can serve it",
    )
    add_port(options)
    add_jobs(options)
    wanted = options.parse_args(arguments)
    require_port(wanted.port)
    site = build_site(wanted.jobs)
    say(f"    {site}")
    if not wanted.no_serve:
        serve(site, wanted.port)
    return 0
