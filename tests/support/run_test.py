#!/usr/bin/env python3
"""Tests ./run without building anything: command lines, exit codes, and runs of a program.

    run_test.py ROOT

A shell script stands in for the CUDA program. It reads the settings of the PTX machine and writes
the reports that the machine would write.
"""

import contextlib
import io
import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "tools/run"))
import build  # noqa: E402
import common  # noqa: E402
import install  # noqa: E402
import machine_program  # noqa: E402
from commands import demo, machine  # noqa: E402

# The arguments of ./run, its exit code, and a pattern of what it prints.
COMMANDS = (
    ("", 2, "usage: ./run COMMAND"),
    ("--help", 0, "  machine  run a CUDA program"),
    ("plot", 2, "no command is called 'plot'"),
    ("test --help", 0, "--all .*--every-mutant .*passed to ctest"),
    ("test --preset nowhere", 2, "no preset is called 'nowhere'"),
    ("test --preset release", 2, "the preset 'release' has no tests"),
    ("test --compiler gcc --preset asan", 2, "--compiler is not allowed with --preset"),
    ("test algebra", 2, "'algebra' is not an option; .*: ./run test -R algebra"),
    ("test -R algebra --labels fast", 2, "no option is called '--labels'"),
    ("test -VV -j4 --timeout 9 --show-only=json-v1 -R", 2, "-R needs a value"),
    ("test -R=algebra", 2, "'-R=algebra': write the value as a word of its own: -R algebra"),
    ("test --jobs 0", 2, "--jobs needs a number, 1 or more, not '0'"),
    ("test --cuda=some", 2, "--cuda is auto, wheels or none, not 'some'"),
    ("test --compiler icc", 2, "--compiler is gcc, clang-19 or clang-16, not 'icc'"),
    ("bench --list", 0, "algebra\\n.*operations\\n"),
    ("bench nothing", 2, "no benchmark is called 'nothing': ./run bench --list"),
    ("bench --compiler gcc", 2, "no option is called '--compiler'"),
    ("docs --port 0", 2, "--port needs a number, 1 or more, not '0'"),
    ("docs --port 70000", 2, "--port needs a number up to 65535"),
    ("explorer --port x", 2, "--port needs a number, 1 or more, not 'x'"),
    ("docs --fast", 2, "no option is called '--fast'"),
    ("demo --fast", 2, "no option is called '--fast'"),
    ("fuzz --case 5", 2, "no option is called '--case'"),
    ("gpu check extra", 2, "no option is called 'extra'"),
    ("peers tirx --case 5", 2, "no option is called '--case'"),
    ("fuzz --linear --cute", 2, "run: --cute is not allowed with --linear"),
    ("peers nobody", 2,
     "no peer is called 'nobody': tirx, triton, cute, tensor-layouts, reshard, programs"),
    ("machine", 2, "a program is missing"),
    ("machine --fast x", 2, "no option is called '--fast'"),
    ("machine --schedules 3 --late x", 2, "--late is not allowed with --schedules"),
    ("machine --late --seed 3 x", 2, "--seed is not allowed with --late"),
    ("machine --seed 0 x", 2, "--seed needs a number, 1 or more, not '0'"),
    ("machine nowhere.cu", 2, "there is no file 'nowhere.cu'"),
    ("machine README.md", 2, "'README.md' does not load libcudart.so.13"),
)
# A stand-in for a program with three statements. A run without statement 1 is reported. Without
# statement 2, seed 3 gives a wrong result. Statement 3 is not needed. With the argument `late` the
# program has a race that is reported only if copies land late.
PROGRAM = """#!/bin/sh
sites=${AXE_MACHINE_SITES:-/dev/null}
printf '1 bar.sync 0\\n2 fence\\nover two lines\\n3 commit\\n' >"$sites"
if [ "$1.$AXE_MACHINE_LANDING" = late.late ]; then echo race >"$AXE_MACHINE_FAULTS"; exit 0; fi
[ "$AXE_MACHINE_WITHOUT" != 1 ] || echo race >"$AXE_MACHINE_FAULTS"
[ "$AXE_MACHINE_WITHOUT.$AXE_MACHINE_SEED" != 2.3 ] || exit 1
[ "$1" != fails ] || exit 5
"""
TABLE = """kernel void transpose<float>(float*): 1 launch
  global load  8 sectors
kernel void transpose<float>(float*): 2 launches
  instructions 100
  global load  9 sectors
"""
failures = []


def expect(what, outcome, code, words):
    if outcome[0] != code or not re.search(words, outcome[1], re.DOTALL):
        failures.append(what)
        print(f"{what}: {outcome}, wanted {code} and '{words}'")


def call(function, *arguments):
    """Returns the exit code of a function, also if it raises Stop, and what it prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            code = function(*arguments)
        except common.Stop as stop:
            code = stop.code
            print(stop)
    return code, said.getvalue()


def run_here(words):
    """Executes what ./run executes, in this process: 0.1 s less for each command."""
    sys.argv = ["run", *words]
    try:
        runpy.run_path(str(ROOT / "tools/run"), run_name="__main__")
    except SystemExit as end:
        return end.code


def check_command_lines():
    for words, code, said in COMMANDS:
        expect(f"./run {words}", call(run_here, words.split()), code, said)
    for words, code, said in COMMANDS[:3]:
        run = subprocess.run([ROOT / "run", *words.split()], capture_output=True, text=True)
        expect(f"./run {words}", (run.returncode, run.stdout + run.stderr), code, said)


def check_missing_files():
    """A missing program or file ends ./run with a sentence instead of a traceback."""
    path, os.environ["PATH"] = os.environ["PATH"], "/nowhere"
    options = types.SimpleNamespace(preset=None, cuda="auto", with_wheels=False)
    outcome = call(build.find_cuda, options)
    os.environ["PATH"] = path
    expect("no cmake and no apt-get", outcome, 3, "this machine lacks cmake")
    program = f"""
import runpy, sys
sys.path.insert(0, {str(ROOT / "tools/run")!r})
import commands.docs
commands.docs.main = lambda arguments: open("/nowhere/file")
sys.argv = ["run", "docs"]
runpy.run_path({str(ROOT / "tools/run")!r}, run_name="__main__")"""
    run = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True)
    said = r"^run: \[Errno 2\] No such file or directory: '/nowhere/file'$"
    expect("a missing file", (run.returncode, run.stderr), 1, said)


def check_machine(folder):
    path = folder / "program"
    path.write_text(PROGRAM)
    path.chmod(0o755)
    program = machine_program.Program(path)

    def schedules(*arguments):
        options = types.SimpleNamespace(schedules=3, arguments=arguments)
        return call(machine.run_schedules, program, options, {})

    def mutants(*arguments):
        return call(machine.run_mutants, program, arguments, {})

    code = program.run("fails", settings={}, log=folder / "log")
    expect("the program's own exit code", (code, ""), 5, "")
    expect("nothing to find", schedules(), 0, "5 schedules, no report")
    expect("a race", schedules("late"), 1, "the schedule --late fails; 1 of 5 schedules ran")
    expect("mutants", mutants(), 1, "3 mutants: 1 reported, 1 with a right result, 1 with a")
    expect("a wrong mutant", mutants(), 1, "wrong result, not reported: without fence")
    expect("a needless statement", mutants(), 1, "right result, not reported: without commit")
    expect("mutants of a wrong program", mutants("fails"), 1, "the unchanged program")


def check_words(folder):
    log = folder / "log"
    log.write_text("Reading\nE: Unable to locate package x\nE: later\n")
    expect("a reason", (0, install.reason_in(log)), 0, "^E: Unable to locate package x$")
    log.write_text("E: first\nTemporary failure resolving 'deb'\n")
    expect("no network", (0, install.reason_in(log)), 0, "^the network is not available$")
    counted = "^kernel transpose: 2 launches\n  global load  9 sectors$"
    expect("the last launch", (0, demo.counted(TABLE)), 0, counted)


def check_packages():
    """`./run` must find every package that it installs, by the contents of the package, because
    other distributions have no dpkg.
    """
    text = "".join(path.read_text() for path in (ROOT / "tools/run").rglob("*.py"))
    lists = re.findall(r"(?:_packages\(|PACKAGES = \(|packages \+= \[)([^)\]]*)", text)
    named = {name for each in lists for name in re.findall(r'"([^"]+)"', each)}
    known = {*install.PROGRAMS, *install.CHECKS, "cmake"}
    expect("packages that ./run names", (0, " ".join(sorted(named))), 0, "catch2 .*g\\+\\+ .*ninja")
    expect("packages without a check", (0, " ".join(named - known)), 0, "^$")
    if shutil.which("dpkg-query") is None:
        return
    form = "${Package} ${db:Status-Status}\\n"
    asked = subprocess.run(["dpkg-query", "-W", "-f", form, *named], capture_output=True, text=True)
    there = {line.split()[0] for line in asked.stdout.splitlines() if line.endswith(" installed")}
    lost = " ".join(name for name in there if not install.is_installed(name))
    expect("installed packages that are not found", (0, lost), 0, "^$")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        common.LOGS = machine.LOGS = machine_program.LOGS = folder
        machine_program.FAULTS = folder / "faults"
        os.environ.pop("LD_LIBRARY_PATH", None)
        os.chdir(ROOT)
        check_command_lines()
        check_missing_files()
        check_machine(folder)
        check_words(folder)
        check_packages()
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
