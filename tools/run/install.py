"""Installs what a fresh Debian 12 machine lacks.

install_packages("g++", "cmake")     Debian packages that are missing, as root or with sudo
install_wheels("cuda")               .ci/wheels/cuda.txt, pinned, into build/python/cuda

If something cannot be installed, both end `./run` with one sentence and exit code 3. The logs in
build/logs have the output of apt-get and pip.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from common import (
    BUILD,
    NOT_INSTALLED,
    ROOT,
    Stop,
    fresh,
    matching_lines,
    last_line,
    quietly,
    say,
    step,
)

PROGRAMS = {
    "g++": "g++",
    "make": "make",
    "python3": "python3",
    "ninja-build": "ninja",
    "clang-16": "clang++-16",
    "clang-19": "clang++-19",
    "clang-22": "clang++-22",
    "clang-format-19": "clang-format-19",
    "lld-19": "wasm-ld-19",
    "nodejs": "node",
    "chromium": "chromium",
    "pkg-config": "pkg-config",
    "openmpi-bin": "mpiexec",
    "gdb": "gdb",
}


def including(header, *compiler):
    """Returns a command that succeeds if the compiler finds a header."""
    return ["sh", "-c", f"echo '#include <{header}>' | {' '.join(compiler)} -fsyntax-only -x c++ -"]


def has_file(option, *compiler):
    """Returns a command that succeeds if the compiler names an existing file for this option."""
    return ["sh", "-c", f"test -e \"$({' '.join(compiler)} {option})\""]


def found_by_cmake(name):
    """Returns a command that succeeds if CMake finds a package."""
    options = (f"NAME={name}", "COMPILER_ID=GNU", "LANGUAGE=CXX", "MODE=EXIST")
    return ["cmake", "--find-package", *(word for option in options for word in ("-D", option))]


WASM = ("clang++-19", "--target=wasm32-wasi")
# For each package, a command that succeeds if its contents are there. Another distribution may have
# installed them. CHECKS and PROGRAMS together have every package that ./run installs, except cmake.
CHECKS = {
    "python3-venv": ["python3", "-c", "import ensurepip, venv"],
    "python3-dev": [
        "python3",
        "-c",
        "import os, sysconfig; os.stat(os.path.join(sysconfig.get_path('include'), 'Python.h'))",
    ],
    "catch2": found_by_cmake("Catch2"),
    "libfmt-dev": including("fmt/format.h", "c++"),
    "libbenchmark-dev": including("benchmark/benchmark.h", "c++"),
    "libzstd-dev": including("zstd.h", "c++"),
    "libclang-rt-19-dev": has_file("--print-libgcc-file-name", "clang++-19", "--rtlib=compiler-rt"),
    "libc++-19-dev": including("__config", "clang++-19", "-stdlib=libc++"),
    "libc++abi-19-dev": has_file("--print-file-name=libc++abi.so", "clang++-19"),
    "libopenmpi-dev": including("mpi.h", "mpicxx"),
    "libfftw3-dev": including("fftw3.h", "c++"),
    "libscalapack-openmpi-dev": has_file("--print-file-name=libscalapack-openmpi.so", "c++"),
    "libfftw3-mpi-dev": including("fftw3-mpi.h", "mpicxx"),
    "wasi-libc": including("stdlib.h", *WASM),
    "libc++-19-dev-wasm32": including("vector", *WASM),
    "libc++abi-19-dev-wasm32": has_file("--print-file-name=libc++abi.a", *WASM),
    "libclang-rt-19-dev-wasm32": has_file("--print-libgcc-file-name", *WASM),
}
NO_NETWORK = (
    "(?i)failure resolving|name resolution|failed to establish a new connection"
    "|network is unreachable"
)
PYTHON = BUILD / "python/venv/bin/python"


def version_of(program):
    """Returns the numbers of `program --version`, such as (3, 25, 1), or () if there is no such
    program.
    """
    if shutil.which(program) is None:
        return ()
    said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"\d+(\.\d+)+", said)
    return tuple(map(int, found.group().split("."))) if found else ()


def is_installed(package):
    """True if the contents of a Debian package are there, whatever installed them."""
    if package in PROGRAMS:
        return shutil.which(PROGRAMS[package]) is not None
    if package == "cmake":
        return version_of("cmake") >= (3, 25)
    if shutil.which(CHECKS[package][0]) is None:
        return False
    # cmake --find-package writes files into the folder
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(CHECKS[package], cwd=folder, capture_output=True).returncode == 0


def reason_in(log):
    """Returns the first error in a log, because it causes the later ones."""
    if matching_lines(log, NO_NETWORK, 1):
        return "the network is not available"
    return (
        matching_lines(log, r"^(E: |ERROR: |CMake Error|.*[Ee]rror: )", 1) or [last_line(log)[:300]]
    )[0]


def as_root(missing):
    """Returns the command before apt-get: nothing or sudo. Ends `./run` if this user cannot
    install.
    """
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        raise Stop(
            NOT_INSTALLED,
            f"this machine lacks {missing}: run as root, install sudo, or install them by hand",
        )
    if subprocess.run(["sudo", "-v"]).returncode:
        raise Stop(NOT_INSTALLED, f"this machine lacks {missing}, and sudo was refused")
    return ["sudo"]


def install_packages(*packages):
    missing = [package for package in packages if not is_installed(package)]
    if not missing:
        return
    names = " ".join(missing)
    if shutil.which("apt-get") is None:
        raise Stop(
            NOT_INSTALLED,
            f"this machine lacks {names} (Debian's names) and has no apt-get to install them",
        )
    # apt-get waits while another program holds apt's locks, and repeats downloads that fail.
    apt = [
        *as_root(names),
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        "NEEDRESTART_MODE=a",
        "apt-get",
        "-y",
        "-o",
        "DPkg::Lock::Timeout=300",
        "-o",
        "Acquire::Retries=3",
        "-o",
        "Acquire::http::Timeout=30",
    ]
    step(f"installing Debian packages: {names}")
    for attempt in range(1, 5):
        log = fresh("apt")
        install = [*apt, "install", "--no-install-recommends", *missing]
        if quietly(log, [*apt, "update"]) == 0 and quietly(log, install) == 0:
            for package in missing:
                if not is_installed(package):
                    raise Stop(
                        NOT_INSTALLED, f"{package} was installed, but is still too old or not found"
                    )
            return
        # Trying again does not help if Debian lacks the package, or if a server's name is not
        # found.
        if matching_lines(
            log, "Unable to locate package|has no installation candidate|failure resolving", 1
        ):
            break
        if attempt < 4:
            say(f"    failed, trying again: {reason_in(log)}")
            time.sleep(10 * attempt)
    raise Stop(
        NOT_INSTALLED,
        f"could not install {names}: {reason_in(log)} (the whole log: {log.relative_to(ROOT)})",
    )


def try_install_packages(*packages):
    """Tries to install optional packages. Returns True if they are installed."""
    try:
        install_packages(*packages)
    except Stop as stop:
        say(f"run: {stop}")
        return False
    return True


def wheels_list(name):
    return ROOT / f".ci/wheels/{name}.txt"


def have_wheels(name):
    installed = BUILD / "python" / name / "installed.txt"
    return (
        installed.exists()
        and wheels_list(name).exists()
        and installed.read_text() == wheels_list(name).read_text()
    )


def run_pip(log, wanted, folder):
    """Unpacks the wheels of a list into a folder. Returns False if pip fails."""
    pip = PYTHON.with_name("pip")
    venv = [sys.executable, "-m", "venv", "--clear", PYTHON.parents[1]]
    if not pip.exists() and quietly(log, venv):
        return False
    options = ["--disable-pip-version-check", "--progress-bar", "off", "--no-input", "--no-deps"]
    options += ["--no-compile", "--retries", "3", "--timeout", "60"]
    return quietly(log, [pip, "install", *options, "--target", folder, "-r", wanted]) == 0


def try_install_wheels(name):
    """Unpacks the wheels of a list into build/python/NAME. If this fails, prints why and returns
    False.
    """
    if have_wheels(name):
        return True
    install_packages("python3", "python3-venv")
    wanted = wheels_list(name)
    lines = [line for line in wanted.read_text().splitlines() if not line.startswith("#")]
    folder, unpacked = BUILD / "python" / name, BUILD / "python" / f"{name}.new"
    step(f"unpacking Python wheels into {folder.relative_to(ROOT)}: {' '.join(lines)}")
    log = fresh(f"pip-{name}")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(unpacked, ignore_errors=True)
    if run_pip(log, wanted, unpacked):
        unpacked.rename(folder)
        (folder / "installed.txt").write_text(wanted.read_text())
        return True
    say(
        f"run: could not install the wheels of .ci/wheels/{name}.txt: {reason_in(log)} "
        f"(the whole log: {log.relative_to(ROOT)})"
    )
    return False


def install_wheels(name):
    if not try_install_wheels(name):
        advice = ": install a CUDA toolkit, or use --cuda=none" if name.startswith("cuda") else ""
        raise Stop(NOT_INSTALLED, f"the wheels '{name}' are missing{advice}")
