"""Compiles a third-party program to PTX without machine code, with the options of its authors.

A compiled program is kept until its source, its command or nvcc changes.
"""

import hashlib
import pathlib
import subprocess

FLAGS = "-std=c++17 -w -lineinfo --expt-relaxed-constexpr -cudart shared".split()


def stamp_of(command, nvcc, source):
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    text = "\n".join([version, *command, hashlib.sha256(source.read_bytes()).hexdigest()])
    return hashlib.sha256(text.encode()).hexdigest()


def build(program, nvcc, cutlass, library, folder):
    """Returns the path of the program. Raises RuntimeError with the start of the compiler's
    message.
    """
    source = cutlass / "examples" / program.source
    target = folder / pathlib.PurePath(program.name).name
    virtual = f"compute_{program.architecture}"
    command = [nvcc, *FLAGS, f"-gencode=arch={virtual},code={virtual}"]
    for include in ("include", "tools/util/include", "examples/common"):
        command += ["-I", str(cutlass / include)]
    command += ["-I", str(source.parent)]  # example 77 includes headers of its own folder
    command += ["-L", str(library), *program.options, str(source), "-o", str(target)]
    stamp, kept = stamp_of(command, nvcc, source), target.with_suffix(".stamp")
    if target.exists() and kept.exists() and kept.read_text() == stamp:
        return target
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        message = (done.stderr + done.stdout).strip()[:400]
        raise RuntimeError(f"{program.source} does not compile: {message}")
    kept.write_text(stamp)
    return target
