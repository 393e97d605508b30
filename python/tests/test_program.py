"""Tests `python -m axe`, and that the stubs are up to date."""

import importlib.util
import os
import pathlib
import signal
import subprocess
import sys

import axe
import pytest

FOLDER = pathlib.Path(__file__).parents[1]


def run(*words, given=""):
    done = subprocess.run([sys.executable, "-m", "axe", *words], input=given, capture_output=True,
                          text=True)
    return done.returncode, done.stdout, done.stderr


def test_python_m_axe_runs_the_commands():
    assert run("eval", "size(S[8:1])") == (0, "8\n", "")
    assert run("eval", given="T = S[8:1]\nsize(T)\n") == (0, "S[8:1]\n8\n", "")
    assert run("eval", given="size(\n")[0] == 1
    code, out, err = run("mpa")
    assert code == 2 and not out and "did you mean map?" in err
    assert run("--version")[1] == f"axe {axe.__version__}\n"


def run_bytes(*words, **streams):
    done = subprocess.run([sys.executable, "-m", "axe", *words], stderr=subprocess.PIPE, **streams)
    return done.returncode, done.stdout, done.stderr


def test_python_m_axe_answers_as_the_program_does():
    piped = {"stdout": subprocess.PIPE}
    note = b"axe eval: line 1 has CuTe's notation for S[(2,4):(4,1)]\n"
    assert run_bytes("eval", input=b"size((4,2):(1,4))\n", **piped) == (0, b"8\n", note)
    code, out, _ = run_bytes("eval", input=b"\xff\n1\r2\n3\n", **piped)
    assert code == 1
    assert [line[:8] for line in out.split(b"\n")] == [b"error: p", b"error: p", b"3", b""]
    assert run_bytes("map", b"\xff", input=b"", **piped)[0] == 2
    assert run_bytes("eval", "--help", env={**os.environ, "PYTHONIOENCODING": "ascii"},
                     **piped)[0] == 0


def test_python_m_axe_reports_a_full_disk_and_stops_at_a_closed_pipe():
    with open("/dev/full", "wb") as full:
        assert run_bytes("map", "S[4:1]", stdout=full) == (
            2, None, b"axe: cannot write the answer to standard output\n")
    with subprocess.Popen([sys.executable, "-m", "axe", "map", "S[100000000:1]",
                           "--limit", "100000000"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdout.readline()
        child.stdout.close()
        assert child.wait(60) == -signal.SIGPIPE and not child.stderr.read()


def test_every_command_knows_declared_axes():
    axe.evaluate("axis mesh_q : device")
    axe.axis("mesh_r", "device")
    for name in ("mesh_q", "mesh_r"):
        for command in ("eval", "explain", "map"):
            assert name in axe.program(command, f"S[2:1@{name}]")
    assert axe.program("map", "--", "S[2:1@mesh_q]", limit=1).startswith("(0)  {0@mesh_q}")
    assert axe.program("completion", "bash") and axe.program("help") and axe.program("--version")
    with pytest.raises(axe.Error, match="a command is missing"):
        axe.program()


def test_the_stubs_are_up_to_date():
    spec = importlib.util.spec_from_file_location("stubs", FOLDER / "stubs.py")
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    text = stubs.stub(axe._axe.table())
    assert (FOLDER / "axe/__init__.pyi").read_text() == text, "run python3 python/stubs.py"
    compile(text, "__init__.pyi", "exec")
