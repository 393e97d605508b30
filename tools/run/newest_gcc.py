"""Unpacks the newest g++ of Debian into build/gcc-16, beside the one of this machine.

try_install_newest_gcc()     True if this machine or build/gcc-16 has a g++-16

The compiler needs a newer C library than this machine has. So build/gcc-16/g++-16 is a script that
starts the compiler with that library's loader. Programs that it links do not run here.
The packages of the machine stay as they are, and nothing needs root.
"""

import pathlib
import shutil
import subprocess
import tempfile

from common import BUILD, fresh, quietly, say, step
from install import reason_in

VERSION, RELEASE = "16", "forky"
UNPACKED = (f"g++-{VERSION}", "catch2", "libfmt-dev")
FOLDER = BUILD / f"gcc-{VERSION}"
SCRIPT = """#!/bin/sh
exec {loader} --library-path {libraries} {root}/usr/bin/{target}-g++-{version} \\
  --sysroot={root} -B {root}/usr/libexec/gcc/{target}/{version}/ -B {folder}/ \\
  -fno-use-linker-plugin -wrapper {loader},--library-path,{libraries} "$@"
"""


def debian_mirror():
    """Returns the address from which this machine installs Debian's packages, or ""."""
    if shutil.which("apt-get") is None:
        return ""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(ORIGIN) $(COMPONENT) $(REPO_URI)"],
        capture_output=True,
        text=True,
    ).stdout
    words = [line.split() for line in listed.splitlines()]
    return next((uri for origin, part, uri in words if (origin, part) == ("Debian", "main")), "")


def download(mirror, folder, log):
    """Downloads UNPACKED and all that they need. Returns their files."""
    for name in ("state/lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    (folder / "sources.list").write_text(f"deb {mirror} {RELEASE} main\n")
    places = {
        "State": folder / "state",
        "State::status": folder / "status",
        "Cache": folder / "cache",
        "Etc::SourceList": folder / "sources.list",
        "Etc::SourceParts": "-",
    }
    apt = ["apt-get", "-y", "-o", "APT::Sandbox::User=", "-o", "Acquire::Retries=3"]
    for name, path in places.items():
        apt += ["-o", f"Dir::{name}={path}"]
    install = ["install", "--no-install-recommends", "--download-only", *UNPACKED]
    if quietly(log, [*apt, "update"]) or quietly(log, [*apt, *install]):
        return []
    return sorted((folder / "cache/archives").glob("*.deb"))


def unpack(packages, log):
    """Unpacks the packages and writes the script. Returns False if a package cannot be unpacked."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    root = FOLDER / "root"
    root.mkdir(parents=True)
    for package in packages:
        if quietly(log, ["dpkg-deb", "-x", package, root]):
            return False
    loader = next((root / "usr/lib").glob("*/ld-linux-*.so.*"))
    (root / "lib64").symlink_to("usr/lib64")
    (FOLDER / "as").symlink_to(root / f"usr/bin/{loader.parent.name}-as")
    script = FOLDER / f"g++-{VERSION}"
    script.write_text(
        SCRIPT.format(
            loader=loader,
            libraries=loader.parent,
            root=root,
            folder=FOLDER,
            target=loader.parent.name,
            version=VERSION,
        )
    )
    script.chmod(0o755)
    return True


def try_install_newest_gcc():
    if shutil.which(f"g++-{VERSION}") or (FOLDER / f"g++-{VERSION}").exists():
        return True
    mirror = debian_mirror()
    if not mirror:
        say(f"run: there is no g++-{VERSION}, and no Debian mirror to download it from")
        return False
    step(f"unpacking g++ {VERSION} of Debian {RELEASE} into build/{FOLDER.name}")
    log = fresh(FOLDER.name)
    with tempfile.TemporaryDirectory() as folder:
        packages = download(mirror, pathlib.Path(folder), log)
        if packages and unpack(packages, log):
            return True
    say(f"run: could not unpack g++ {VERSION}: {reason_in(log)}")
    return False
