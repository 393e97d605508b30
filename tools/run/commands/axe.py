"""`./run axe`: builds and runs the program `axe`."""

import os

from build import build_program
from common import BUILD, cores

SUMMARY = "build the program axe if needed, and run it: ./run axe --help"


def main(arguments):
    build_program("axe_cli", cores())
    program = BUILD / "release/examples/axe/axe"
    os.execv(program, [program, *arguments])
