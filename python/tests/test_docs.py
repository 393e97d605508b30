"""Tests the examples of docs/python.md and README.md."""

import doctest
import pathlib

import pytest

import axe

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize("page, least", [("docs/python.md", 15), ("README.md", 1)])
def test_the_examples_of_a_page_are_right(page, least):
    found = doctest.testfile(str(ROOT / page), module_relative=False, globs={"axe": axe})
    assert found.attempted >= least and found.failed == 0
