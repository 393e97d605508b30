#!/usr/bin/env python3
"""Compares what gdb prints with transcript.txt and with what the program itself prints.

    transcript.py [--write] PROGRAM
"""

import pathlib
import re
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
PRINTERS = FOLDER.parents[1] / "tools/gdb/axe_printers.py"
SKIPPED = 77


def gdb(program, *commands):
    """Returns what gdb prints for the commands, or the errors of a printer."""
    words = ["gdb", "-nx", "-batch", *(part for c in commands for part in ("-ex", c)), program]
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stderr if "Python Exception" in done.stderr else done.stdout


def main():
    program = sys.argv[-1]
    if shutil.which("gdb") is None:
        print("skipped: gdb is not installed")
        return SKIPPED
    # Without ptrace, as in some containers, no program runs in gdb and there are no registers.
    if "$1" not in gdb(program, "break main", "run", "print $pc"):
        print("skipped: gdb cannot run a program here")
        return SKIPPED
    printed = subprocess.run([program], capture_output=True, text=True,
                             check=True).stdout.splitlines()
    others = ["shape", "coordinate", "place", "axis"]
    values = [f"layouts[{k}]" for k in range(len(printed) - len(others))] + others
    # gdb stops where main begins, before the program prints. The values are set before main.
    commands = [f"source {PRINTERS}", "break main", "run", *(f"print {value}" for value in values)]
    shown = re.findall(r"^\$\d+ = (.*)$", gdb(program, *commands), re.M)
    transcript = "".join(f"{value} = {text}\n" for value, text in zip(values, shown))
    if "--write" in sys.argv:
        (FOLDER / "transcript.txt").write_text(transcript)
    wrong = transcript != (FOLDER / "transcript.txt").read_text()
    for value, text, expected in zip(values, shown, printed):
        if text.split(", elements at ")[0].split(", an invalid")[0] != expected:
            print(f"{value}: gdb prints {text}, and the program {expected}")
            wrong = True
    if len(shown) != len(printed) or wrong:
        print(transcript)
    # Until a variable is initialised, its members have arbitrary values.
    garbage = ["layouts[0].shards.count", "layouts[1].swizzle.B", "shape.nodes.numbers[0]",
               "place.terms.count"]
    commands = [c for each in garbage for c in (f"set var {each} = 2000000000",
                                                f"print {each.split('.')[0]}")]
    shown_garbage = gdb(program, f"source {PRINTERS}", "break main", "run", *commands)
    if shown_garbage.count("= not initialised\n") != len(garbage):
        print(shown_garbage)
        wrong = True
    return int(wrong or len(shown) != len(printed))


if __name__ == "__main__":
    sys.exit(main())
