"""Tests `python -m axe`, and that the stubs are up to date."""

import importlib.util
import pathlib
import subprocess
import sys

import axe

FOLDER = pathlib.Path(__file__).parents[1]


def run(*words, given=""):
    done = subprocess.run([sys.executable, "-m", "axe", *words], input=given, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_python_m_axe_runs_the_commands():
    assert run("eval", "size(S[8:1])") == (0, "8\n", "")
    assert run("eval", given="T = S[8:1]\nsize(T)\n") == (0, "S[8:1]\n8\n", "")
    assert run("eval", given="size(\n")[0] == 1
    code, out, err = run("mpa")
    assert code == 2 and not out and "did you mean map?" in err
    assert run("--version")[1] == f"axe {axe.__version__}\n"


def test_every_command_knows_declared_axes():
    axe.evaluate("axis mesh_q : device")
    axe.axis("mesh_r", "device")
    for name in ("mesh_q", "mesh_r"):
        for command in ("eval", "explain", "map"):
            assert name in axe.program(command, f"S[2:1@{name}]")


def test_the_stubs_are_up_to_date():
    spec = importlib.util.spec_from_file_location("stubs", FOLDER / "stubs.py")
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    text = stubs.stub(axe._axe.table())
    assert (FOLDER / "axe/__init__.pyi").read_text() == text, "run python3 python/stubs.py"
    compile(text, "__init__.pyi", "exec")
