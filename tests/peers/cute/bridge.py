#!/usr/bin/env python3
"""Compiles bridge.cpp with axe's and CuTe's headers and runs it.

    bridge.py --include include --cute DIR --cuda-include DIR [--compiler g++]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", required=True, type=pathlib.Path,
                        help="the folder that holds axe/")
    parser.add_argument("--cute", required=True, type=pathlib.Path,
                        help="the folder that holds cute/")
    parser.add_argument("--cuda-include", required=True, type=pathlib.Path, help="CUDA's headers")
    parser.add_argument("--compiler", default="g++",
                        help="the program of the compiler (default: %(default)s)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "bridge"
        build = subprocess.run([arguments.compiler, "-std=c++20", "-O1", "-Wall", "-Wextra",
                                "-I", arguments.include, "-isystem", arguments.cute,
                                "-isystem", arguments.cuda_include, "-isystem",
                                arguments.cuda_include / "cccl", HERE / "bridge.cpp",
                                "-o", program])
        if build.returncode:
            sys.exit("the bridge does not compile with CuTe's headers")
        sys.exit(subprocess.run([program]).returncode)


if __name__ == "__main__":
    main()
