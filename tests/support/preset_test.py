#!/usr/bin/env python3
"""Tests that one preset of CMakePresets.json configures in a new folder and compiles one file there.

    preset_test.py ROOT PRESET

The test is skipped only if the machine lacks what the preset needs, such as its compiler. The exit
code is 1 if the preset does not configure or the file does not compile.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from compilers import skip  # noqa: E402

OBJECT = "tests/CMakeFiles/axe_catch_header-O0.dir/support/precompiled.cpp.o"
# With libc++, clang 19 rejects <ostream> after precompiled headers. json.cpp includes it after
# them. The preset `release` builds no tests.
JSON = "examples/axe/CMakeFiles/axe_eval.dir/eval/json.cpp.o"
OBJECT_OF = {"libcxx": JSON, "release": JSON}


def variables_of(preset, presets):
    """Returns the cache variables of a preset, with those that it inherits."""
    inherited = presets[preset].get("inherits", [])
    result = {}
    for parent in [inherited] if isinstance(inherited, str) else inherited:
        result |= variables_of(parent, presets)
    return result | presets[preset].get("cacheVariables", {})


def reason_to_skip(root, name, variables):
    """Returns what this machine lacks for the preset, or ''. `./run` unpacks wheels into
    build/python.
    """
    compiler = variables["CMAKE_CXX_COMPILER"]
    if shutil.which(compiler) is None:
        return f"{compiler} is not installed"
    if "-stdlib=libc++" in variables.get("CMAKE_CXX_FLAGS", ""):
        test = [compiler, "-stdlib=libc++", "-fsyntax-only", "-x", "c++", "-"]
        said = subprocess.run(test, input="#include <vector>", capture_output=True,
                              text=True).stderr
        if "'vector' file not found" in said:
            return "libc++ is not installed"
    if name == "wheels":
        installed = root / "build/python/cuda/installed.txt"
        return (
            ""
            if installed.exists()
            else "the CUDA wheels are not unpacked: ./run test --cuda=wheels"
        )
    if variables.get("AXE_CUDA") == "required":
        said = subprocess.run(
            ["cmake", "-P", root / "tests/support/find_cuda.cmake"], capture_output=True, text=True
        ).stderr
        [lacks] = [
            line.removeprefix("lacks: ") for line in said.splitlines() if line.startswith("lacks: ")
        ]
        return f"no CUDA toolkit ({lacks})" if lacks else ""
    return ""


def main():
    root, name = pathlib.Path(sys.argv[1]), sys.argv[2]
    presets = {
        preset["name"]: preset
        for preset in json.loads((root / "CMakePresets.json").read_text())["configurePresets"]
    }
    reason = reason_to_skip(root, name, variables_of(name, presets))
    if reason:
        skip(reason)
    built = OBJECT_OF.get(name, OBJECT)
    with tempfile.TemporaryDirectory() as folder:
        for command in (
            ["cmake", "--preset", name, "-B", folder],
            ["cmake", "--build", folder, "--target", built],
        ):
            run = subprocess.run(command, cwd=root, capture_output=True, text=True)
            if run.returncode:
                print(run.stdout[-4000:] + run.stderr[-4000:])
                print(f"preset {name} fails: {' '.join(command)}")
                return 1
    print(f"preset {name} configures and compiles {built}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
