"""Linear maps over F2 as lists of columns, computed by enumeration of all inputs. Uses neither axe
nor Triton.

    BitMap([("lane", 2)], [("dim0", 2)], [1, 3])     lane 1 -> 1, lane 2 -> 3, lane 3 -> 1 ^ 3 = 2

An axis is (name, bits). A word has the bits of all axes, those of the first axis lowest. Column k
is the image of bit k of the input word. Axes have Triton's names; OURS lists the ones that axe
names otherwise.
"""

import dataclasses
import re

OURS = {"register": "reg", "block": "cta_x", "offset": "m", "bank": "Bank"}
THEIRS = {ours: theirs for theirs, ours in OURS.items()}


def bits_of(axes):
    return sum(bits for _, bits in axes)


def components(axes, word):
    found = []
    for name, bits in axes:
        found.append((name, word & ((1 << bits) - 1)))
        word >>= bits
    return found


def word_of(axes, place):
    """Returns the word of a place. Axes that the place does not name are 0. None if a number does
    not fit.
    """
    word, first, left = 0, 0, dict(place)
    for name, bits in axes:
        n = left.pop(name, 0)
        if n >> bits:
            return None
        word |= n << first
        first += bits
    return None if any(left.values()) else word


@dataclasses.dataclass(frozen=True)
class BitMap:
    ins: tuple
    outs: tuple
    columns: tuple

    def table(self):
        """Returns the image of every input word in order."""
        images = [0]
        for column in self.columns:
            images += [image ^ column for image in images]
        return images

    def places(self):
        """Returns {input place: output place} without zeros, which does not depend on the order and
        sizes of the axes.
        """
        return {frozenset((n, v) for n, v in components(self.ins, x) if v): frozenset(
            (n, v) for n, v in components(self.outs, y) if v)
                for x, y in enumerate(self.table())}

    def bases(self):
        """Returns the map as Triton writes it: [(axis, [[component on each output axis], …]), …].
        """
        found, c = [], 0
        for name, bits in self.ins:
            found.append((name, [[n for _, n in components(self.outs, column)]
                                 for column in self.columns[c:c + bits]]))
            c += bits
        return found

    def __str__(self):
        """Returns the map as axe prints it."""
        sides = []
        for name, bases in self.bases():
            shown = ", ".join(f"{1 << k} -> ({','.join(map(str, basis))})"
                              for k, basis in enumerate(bases))
            sides.append(f"{OURS.get(name, name)}:{' ' if shown else ''}{shown}")
        outs = ", ".join(f"{OURS.get(n, n)}: {1 << b}" for n, b in self.outs)
        return "{" + "; ".join(sides) + "} to (" + outs + ")"

    def question(self):
        """Returns the map as a JSON argument for triton_side.py."""
        return [self.bases(), [n for n, _ in self.outs], [1 << b for _, b in self.outs]]


def from_bases(bases, outs):
    """Makes a map of Triton's bases. `outs` has (axis, size)."""
    sides = tuple((name, size.bit_length() - 1) for name, size in outs)
    columns = tuple(word_of(sides, zip([n for n, _ in sides], basis)) for _, side in bases
                    for basis in side)
    return BitMap(tuple((name, len(side)) for name, side in bases), sides, columns)


def read(text):
    """Reads a map that axe printed."""
    inside, outs = re.fullmatch(r"\{(.*)\} to \((.*)\)", text).groups()
    bases = []
    for side in filter(None, inside.split("; ")):
        name, shown = side.split(":", 1)
        bases.append((THEIRS.get(name, name), [[int(n) for n in basis.split(",") if n]
                                               for basis in re.findall(r"-> \(([^)]*)\)", shown)]))
    sizes = [(THEIRS.get(n, n), int(s)) for n, s in (out.split(": ") for out in outs.split(", ")
                                                     if out)]
    return from_bases(bases, sizes)


def least_inputs(m):
    """Returns, for each word that the map reaches, the least input that reaches it."""
    least = {}
    for x, y in enumerate(m.table()):
        least.setdefault(y, x)
    return least


def rank(m):
    return len(set(m.table())).bit_length() - 1
