#!/usr/bin/env python3
"""Writes python/axe/__init__.pyi from the table of functions: python3 python/stubs.py.

A test compares the file with the text that this script makes.
"""

import keyword
import pathlib
import re
import sys

HEAD = '''"""The types of the package axe. python/stubs.py writes this file."""

from collections.abc import Mapping, Sequence
from typing import Any, Union, overload

import numpy

from . import plan as plan

Tree = Union[int, Sequence[Any], str]
Place = Union[Mapping[str, int], int, str]
Region = Union[Sequence[slice], slice, str]

__version__: str

class Error(ValueError):
    sentence: str

class Refused(Error):
    rule: str
    numbers: tuple[int, ...]
    axes: tuple[str, ...]
    operation: str

class Malformed(Error):
    position: int
    text: str

class Record:
    def __getattr__(self, name: str) -> Any: ...

class Value:
    text: str
    def __init__(self, text: str) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

'''

LAYOUT = '''    @property
    def axes(self) -> tuple[str, ...]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @overload
    def places(self, axis: str, *, shape: Tree | None = ...) -> numpy.ndarray: ...
    @overload
    def places(self, S: Tree, c: Tree, /) -> list[dict[str, int]]: ...
    def svg(self, shape: Tree | None = ..., **options: Any) -> str: ...
    def table(self, shape: Tree | None = ...) -> str: ...
    def to_tirx(self) -> str: ...
    def _repr_svg_(self) -> str | None: ...
'''

TAIL = '''
def axis(name: str, kind: str) -> str: ...
def evaluate(line: str) -> Any: ...
def program(*words: Any, **options: Any) -> str: ...
def from_triton(source: Any, shape: Tree | None = ...) -> Layout: ...
def to_triton(layout: Layout | str, shape: Tree) -> Any: ...
def to_triton_text(layout: Layout | str, shape: Tree) -> str: ...
def from_tirx(source: Any) -> Layout: ...
def from_dlpack(tensor: Any) -> Layout: ...
def view(array: Any, layout: Layout | str, shape: Tree | None = ...) -> numpy.ndarray: ...

class Placement(Record):
    source: str
    mesh: str

def placement(source: Any, mesh: Mapping[str, int] | str, shape: Tree, real: Tree | None = ..., summands: Tree | None = ...) -> Placement: ...
'''

TAKEN = {
    "layout": "Layout | str", "integer": "int", "shape": "Tree", "word": "bool", "axis": "str",
    "place": "Place",
    "region": "Region", "shapes": "Sequence[Tree]", "axes": "Sequence[str]",
    "swizzle": "Swizzle | str",
    "composition": "str", "linear": "LinearMap | str", "cute_layout": "CuteLayout | str",
    "tiler": "Sequence[Any]",
    "access": "Access | str", "box_axis": "Mapping[str, int]", "pair": "str",
}
GIVEN = {
    "layout": "Layout", "integer": "int", "shape": "tuple[Any, ...]", "word": "bool",
    "places": "list[dict[str, int]]",
    "elements": "tuple[Any, ...]", "owned_by": "tuple[Record, ...]",
    "not_owned_by": "tuple[Record, ...]",
    "linear": "LinearMap", "cute_layout": "CuteLayout", "access": "Access", "swizzle": "Swizzle",
    "place": "dict[str, int]",
}
OWN = {"": "Layout", "cute": "CuteLayout", "linear": "LinearMap"}
KIND = {"": "layout", "cute": "cute_layout", "linear": "linear"}


def parameter(kinds):
    types = [TAKEN[k] for k in kinds if k in TAKEN]
    parts = dict.fromkeys(part for t in types for part in t.split(" | "))
    if "Tree" in parts or "Place" in parts:
        parts.pop("int", None)
    return " | ".join(parts) or "Any"


def names_of(parameters, count):
    """Returns identifiers for `count` parameters: ["L", "S", "place"] for "L, S [, place]"."""
    words = re.sub(r"\([^)]*\)|\{[^}]*\}|<[^>]*>", lambda m: re.sub(r"\W", "", m[0]), parameters)
    found = []
    for word in re.split(r"[\[\],]+", words):
        name = re.sub(r"\W+", "_", word.strip()).strip("_")
        if name:
            found.append(name + "_" if keyword.iskeyword(name) else name)
    unique = []
    for i in range(count):
        name = found[i] if i < len(found) and found[i].isidentifier() else f"argument{i + 1}"
        unique.append(f"{name}{i + 1}" if name in unique else name)
    return unique


def definitions(name, signatures, indent, first):
    """Returns the stubs of a function. If `first` is "self", returns those of a method, whose first
    parameter is self.
    """
    lines = []
    for parameters, words, result, kinds, least, most in signatures:
        names = names_of(parameters, len(kinds))
        takes = [f"{n}: {parameter(k)}" + (" = ..." if i >= least else "")
                 for i, (n, k) in enumerate(zip(names, kinds))]
        if most < 0:
            takes[least:] = []
            takes[-1] = f"*box: {parameter(kinds[-1])}, **extents: int"
        takes = (["self"] + takes[1:]) if first else takes
        lines += [f"{indent}@overload"] * (len(signatures) > 1)
        lines.append(f"{indent}def {name}({', '.join(takes)}) -> {GIVEN.get(result, 'Value')}:")
        lines += [f'{indent}    """{words}"""', f"{indent}    ..."]
    return lines


def stub(table):
    functions = {}
    for name, *signature in table:
        functions.setdefault(name, []).append(signature)
    text = HEAD
    families = {}
    for name, signatures in functions.items():
        prefix, _, rest = name.partition(".")
        if rest:
            families.setdefault(prefix, []).append((rest, signatures))
    for prefix, cls in OWN.items():
        text += f"class {cls}(Value):\n" + (LAYOUT if cls == "Layout" else "")
        for name, signatures in functions.items():
            family, _, method = name.rpartition(".")
            mine = [s for s in signatures if s[3] and KIND[prefix] in s[3][0]]
            if family == prefix and mine and method not in ("places", "table"):
                text += "\n".join(definitions(method, mine, "    ", "self")) + "\n"
        text += "\n"
    text += "class Swizzle(Value): ...\nclass Access(Value): ...\n\n"
    for prefix, members in families.items():
        text += f"class _{prefix}:\n"
        if prefix in functions:
            text += "\n".join(definitions("__call__",
                                          [[("self, " + s[0]), s[1], s[2], [[], *s[3]], s[4] + 1,
                                            s[5]] for s in functions[prefix]], "    ",
                                          "self")) + "\n"
        for method, signatures in members:
            lines = definitions(method, signatures, "    ", "")
            text += "\n".join(line if not line.lstrip().startswith("def ")
                              else "    @staticmethod\n" + line for line in lines) + "\n"
        text += f"\n{prefix}: _{prefix}\n\n"
    for name, signatures in functions.items():
        if "." not in name and name not in families:
            text += "\n".join(definitions(name, signatures, "", "")) + "\n"
    return text + TAIL


if __name__ == "__main__":
    folder = pathlib.Path(__file__).resolve().parent
    # The package in this folder has no extension module, so the installed one must be found.
    sys.path.pop(0)
    from axe import _axe

    (folder / "axe/__init__.pyi").write_text(stub(_axe.table()))
