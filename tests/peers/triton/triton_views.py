"""Checks Triton's printed views of a map: the owners of each element, or the element of each place.
"""

import itertools
import re

from bit_maps import bits_of, components, word_of
from judge import RIGHT, WRONG


def owners(a, hardware):
    """Returns the set of owners (block, thread, register) of each element. The first dimension of
    the tensor is the slowest.
    """
    lanes = dict(a.ins)["lane"]
    cells = {}
    for x, y in enumerate(a.table()):
        at = dict(components(a.ins, x))
        cells.setdefault(tuple(n for _, n in components(a.outs, y)), set()).add(
            (at["block"], (at["warp"] << lanes) + at["lane"], at["register"]))
    shape = [range(1 << bits) for _, bits in a.outs]
    return [cells.get(cell, set()) for cell in itertools.product(*shape)]


def read_owners(text):
    cells = []
    for cell in re.sub(r"[\[\]\n]+", lambda m: "," if "\n" in m.group() else "",
                       text.strip()).split(","):
        held = re.findall(r"(?:B(\d+):)?T(\d+):(\d+)", cell)
        cells.append({(int(b or 0), int(t), int(r)) for b, t, r in held})
    return cells


def by_hardware(a, slow, row, column):
    """Returns the coordinates in printed order: for each value of the `slow` axes, a matrix with
    the axes `row` and `column`.
    """
    found = []
    table = a.table()
    sizes = dict(a.ins)
    for outer in itertools.product(*(range(1 << sizes[n]) for n in slow)):
        for r in range(1 << sizes[row]) if row else (0,):
            for c in range(1 << sizes[column]):
                place = {**dict(zip(slow, outer)), column: c, **({row: r} if row else {})}
                word = table[word_of(a.ins, place.items())]
                found.append(tuple(n for _, n in components(a.outs, word)))
    return found


def read_coordinates(text):
    return [tuple(int(n) for n in re.findall(r"\d+", cell))
            for cell in re.findall(r"\(([^()]*)\)", text)]


def view_its(arguments, reply):
    a, hardware = arguments
    if hardware:
        right = read_coordinates(reply[1]) == by_hardware(a, ("block", "warp"), "register", "lane")
    else:
        right = read_owners(reply[1]) == owners(a, hardware)
    if right:
        return RIGHT, ""
    return WRONG, "the hardware view" if hardware else "the tensor view"


def shared_its(arguments, reply):
    a, hardware = arguments
    kind = "the hardware view" if hardware else "the tensor view"
    if read_coordinates(reply[1]) == by_hardware(a, ("block",), None, "offset"):
        return RIGHT, ""
    if bits_of(a.outs) != bits_of(a.ins):
        kind += " has as many places as the tensor has elements"
    return WRONG, kind
