"""Linear maps over F2 as plain lists, by enumeration of all inputs. Knows neither library.

    BitMap([("lane", 2)], [("dim0", 2)], [1, 3])     lane 1 goes to 1, lane 2 to 3, lane 3 to 1 ^ 3 = 2

An axis is (name, bits); a word has the bits of the axes side by side, the first axis lowest; a column is the word of one in-bit.
Names are Triton's; axe's are the same but for those in OURS.
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
    """The word of a place, axes not named at 0; None when it lies outside."""
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
        """The image of every input word, in order: by doubling, one XOR an input."""
        images = [0]
        for column in self.columns:
            images += [image ^ column for image in images]
        return images

    def places(self):
        """What the map says, free of order and sizes: in-place -> out-place, zeros left out."""
        return {frozenset((n, v) for n, v in components(self.ins, x) if v): frozenset((n, v) for n, v in components(self.outs, y) if v)
                for x, y in enumerate(self.table())}

    def bases(self):
        """As Triton takes them: [(axis, [[component on each out-axis], …]), …]."""
        found, c = [], 0
        for name, bits in self.ins:
            found.append((name, [[n for _, n in components(self.outs, column)] for column in self.columns[c:c + bits]]))
            c += bits
        return found

    def __str__(self):
        """As axe writes it."""
        sides = []
        for name, bases in self.bases():
            shown = ", ".join(f"{1 << k} -> ({','.join(map(str, basis))})" for k, basis in enumerate(bases))
            sides.append(f"{OURS.get(name, name)}:{' ' if shown else ''}{shown}")
        return "{" + "; ".join(sides) + "} to (" + ", ".join(f"{OURS.get(n, n)}: {1 << b}" for n, b in self.outs) + ")"

    def question(self):
        """As JSON for Triton's side."""
        return [self.bases(), [n for n, _ in self.outs], [1 << b for _, b in self.outs]]


def from_bases(bases, outs):
    """From Triton's bases; outs are (axis, size)."""
    sides = tuple((name, size.bit_length() - 1) for name, size in outs)
    columns = tuple(word_of(sides, zip([n for n, _ in sides], basis)) for _, side in bases for basis in side)
    return BitMap(tuple((name, len(side)) for name, side in bases), sides, columns)


def read(text):
    """What axe prints."""
    inside, outs = re.fullmatch(r"\{(.*)\} to \((.*)\)", text).groups()
    bases = []
    for side in filter(None, inside.split("; ")):
        name, shown = side.split(":", 1)
        bases.append((THEIRS.get(name, name), [[int(n) for n in basis.split(",") if n] for basis in re.findall(r"-> \(([^)]*)\)", shown)]))
    sizes = [(THEIRS.get(n, n), int(s)) for n, s in (out.split(": ") for out in outs.split(", ") if out)]
    return from_bases(bases, sizes)


def least_inputs(m):
    """Of every reached word the least input."""
    least = {}
    for x, y in enumerate(m.table()):
        least.setdefault(y, x)
    return least


def rank(m):
    return len(set(m.table())).bit_length() - 1
