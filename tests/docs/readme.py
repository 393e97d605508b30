#!/usr/bin/env python3
"""The README's program is an example of the tree, and its output is what that example prints.

    readme.py README.md EXAMPLES-FOLDER PROGRAM
"""

import pathlib
import re
import subprocess
import sys

readme, examples, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
text = readme.read_text(encoding="utf-8")
blocks = {kind: body for kind, body in re.findall(r"^```(cpp|output)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)}
source = (examples / "01_first_layout" / "main.cpp").read_text(encoding="utf-8")
source = "".join(line for line in source.splitlines(keepends=True) if not line.startswith("//"))
if blocks.get("cpp") != source:
    sys.exit("the README's program is not examples/01_first_layout/main.cpp")
printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
if blocks.get("output") != printed:
    sys.exit(f"the README's output is not what the program prints:\n{printed}")
for picture in re.findall(r"!\[.*?\]\((.*?)\)", text):
    if not (readme.parent / picture).exists():
        sys.exit(f"the README's picture {picture} is not there")
print("README: program, output and picture are those of the tree")
