"""Shared by all commands of `./run`: progress, exit codes, options, and programs whose output goes
to a log.

step("building")                                     ==> building
raise Stop(2, "--jobs needs a number")               run: --jobs needs a number, exit code 2
quietly(LOGS / "apt.log", ["apt-get", "update"])     the exit code; what it prints goes to the log
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
FAILED, USAGE, NOT_INSTALLED, NO_GPU = 1, 2, 3, 4


class Stop(Exception):
    """Raised to end `./run` with one sentence and an exit code."""

    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


def say(text):
    print(text, file=sys.stderr, flush=True)


def step(text):
    say(f"==> {text}")


def cores():
    return len(os.sched_getaffinity(0))


def last_line(log):
    lines = log.read_text(encoding="utf-8", errors="replace").rstrip().splitlines()
    return lines[-1].split("\r")[-1] if lines else ""


def quietly(log, command, **options):
    """Runs a command and writes its output to a log. Returns the exit code.

    Prints a line of progress after 10, 20, 40, 80 and 160 seconds, and then every two minutes, so
    that the demo prints at most 120 lines on slow machines too.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    started = told = time.monotonic()
    with open(log, "ab") as out:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, **options
        )
        try:
            while True:
                try:
                    return process.wait(timeout=0.1)
                except subprocess.TimeoutExpired:
                    if time.monotonic() - told >= max(10, min(120, told - started)):
                        told = time.monotonic()
                        say(f"    {told - started:.0f} s: {last_line(log)[:90]}")
        except KeyboardInterrupt:
            process.terminate()
            raise


def fresh(name):
    """Returns an empty log build/logs/NAME.log."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{name}.log"
    log.write_bytes(b"")
    return log


def show(log):
    sys.stderr.write(log.read_text(encoding="utf-8", errors="replace"))


def matching_lines(log, pattern, most):
    """Returns the first `most` lines of a log that match, each cut to 300 characters."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line[:300] for line in lines if re.search(pattern, line)][:most]


class Parser(argparse.ArgumentParser):
    """argparse with the error messages of `./run`: one sentence, exit code 2."""

    def __init__(self, command, text, epilog=""):
        super().__init__(
            prog=f"./run {command}",
            description=text,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.command = command

    def error(self, message):
        for pattern, sentence in (
            (r"argument (\S+): expected one argument", r"\1 needs a value"),
            (r"argument (\S+): not allowed with argument (\S+)", r"\1 is not allowed with \2"),
            (
                r"unrecognized arguments: (\S+).*",
                rf"no option is called '\1': ./run {self.command} --help",
            ),
            (r"argument (\S+): (.*)", r"\1 \2"),
        ):
            message = re.sub(pattern, sentence, message)
        raise Stop(USAGE, message)


def check_options(command, words, known):
    """Rejects an option before anything is installed, if the program would reject it later."""
    for word in words:
        if word.startswith("-") and word.split("=")[0] not in known:
            raise Stop(USAGE, f"no option is called '{word}': ./run {command} --help")


def positive(text):
    """Reads a whole number of at least 1, for argparse."""
    if not re.fullmatch("[1-9][0-9]*", text):
        raise argparse.ArgumentTypeError(f"needs a number, 1 or more, not '{text}'")
    return int(text)


def add_jobs(parser, what="processes at a time"):
    parser.add_argument(
        "--jobs",
        type=positive,
        default=cores(),
        metavar="N",
        help=f"{what} (default: one per core)",
    )
