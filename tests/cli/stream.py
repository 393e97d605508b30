#!/usr/bin/env python3
"""Tests that each line is answered while the pipe is still open, and that a full disk is reported."""

import os
import select
import subprocess
import sys

import program

QUESTIONS = [
    (b"T = S[(8,4):(4@lane,1@lane)]\n", b"S[(8,4):(4@lane,1@lane)]\n"),
    (b"span(T, lane)\n", b"32\n"),
    (b"1\n2\n", b"1\n2\n"),
]


def answer(pipe, wanted):
    got = b""
    while len(got) < len(wanted) and select.select([pipe], [], [], 20)[0]:
        more = os.read(pipe.fileno(), 4096)
        if not more:
            break
        got += more
    return got


def main():
    child = subprocess.Popen([program.PATH, "eval"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for question, wanted in QUESTIONS:
        child.stdin.write(question)
        child.stdin.flush()
        got = answer(child.stdout, wanted)
        if got != wanted:
            child.kill()
            sys.exit(f"{question!r} was answered {got!r}")
    child.stdin.write(b"begun, never ended")
    child.stdin.close()
    rest = child.stdout.read()
    if not rest.startswith(b"error: ") or child.wait(20) != 1:
        sys.exit(f"the last line was answered {rest!r}")

    with open("/dev/full", "wb") as disk:
        full = subprocess.run([program.PATH, "eval", "1"], stdout=disk, stderr=subprocess.PIPE,
                              check=False)
    if full.returncode != 2 or b"cannot write" not in full.stderr:
        sys.exit(f"a full disk: exit code {full.returncode}, {full.stderr!r}")
    print("answers came one by one")


if __name__ == "__main__":
    main()
