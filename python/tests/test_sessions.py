"""Asks the Python module every line of the sessions of tests/cli and compares the answers."""

import pathlib

import pytest

from axe import _axe

SESSIONS = sorted((pathlib.Path(__file__).parents[2] / "tests/cli/sessions").glob("*.session"))


def test_there_are_sessions():
    assert SESSIONS


@pytest.mark.parametrize("path", SESSIONS, ids=lambda p: p.stem)
def test_the_module_gives_the_answers_of_a_session(path):
    session, question = _axe.Session(1_000_000), None
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if line.startswith(">"):
            question = line[2:]
        elif question is not None:
            assert session.evaluate(question).line == line, f"{path.name}:{number}: {question}"
            question = None
