"""Runs the program `axe` named by the environment variable AXE.

    code, out, err = program.run(["map", "S[4:1]"])
    program.asked_json("map", "S[4:1]")["layout"]["text"] == "S[4:1]"
    program.answers(["x = 3", "x"]) == ["3", "3"]
"""

import json
import os
import re
import subprocess
import sys

PATH = os.environ.get("AXE") or sys.exit(
    "set the environment variable AXE to the path of the program axe")
TILE = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"
NOTE = re.compile(r"axe eval: line \d+ has (a range, or )?\w+'s notation for ")
LAYOUT_KEYS = {"text", "swizzle", "D", "R", "O", "blocks"}


def run(words, given=b"", timeout=60):
    """Returns the exit code, standard output and standard error. Raises if the program crashed."""
    done = subprocess.run([PATH] + words, input=given, capture_output=True, timeout=timeout)
    if done.returncode not in (0, 1, 2):
        raise AssertionError(f"axe {words} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def asked(*words):
    """Returns standard output. Raises if the command failed."""
    code, out, err = run(list(words))
    if code or err:
        raise AssertionError(f"axe {words}: exit code {code}, {err}")
    return out


def asked_json(*words):
    out = asked(*words, "--json")
    if out.count("\n") != 1:
        raise AssertionError(f"axe {words}: more than one line of JSON")
    return json.loads(out)


def answers(lines, options=()):
    _, out, _ = run(["eval", *options], "\n".join(lines).encode() + b"\n")
    return out.split("\n")[:-1]
