"""Makes gdb print layouts, shapes, coordinates, places and axes as axe writes them.

(gdb) source tools/gdb/axe_printers.py
(gdb) print tile
$1 = S[(8,4):(4@lane,1@lane)] + R[2:4@warp], elements at {0@lane + 0@warp, 0@lane + 4@warp} ...

The printer lists at most four places of each of the first four elements. It prints a variable with an
impossible count or swizzle as `not initialised`.
"""

import gdb
import gdb.printing

CHARACTERS = "\0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
MOST_ELEMENTS = MOST_PLACES = 4


def entries(inline_list):
    """Returns the entries of a list with inline storage. Its members are `at` and `count`."""
    at, count = inline_list["at"], int(inline_list["count"])
    if not 0 <= count <= at.type.range()[1] + 1:
        raise ValueError(count)
    return [at[i] for i in range(count)]


def number(axis):
    return int(axis.cast(gdb.lookup_type("unsigned long")))


def name(axis):
    packed = number(axis)
    if packed >> 63 == 0:
        return axis.format_string(raw=True).rsplit("::", 1)[-1]
    return "".join(CHARACTERS[packed >> (6 * i) & 63] for i in range(9)).rstrip("\0")


def stride(iter):
    n, axis = int(iter["stride"]), name(iter["on"])
    return str(n) if axis == "null" or (axis == "m" and n != 0) else f"{n}@{axis}"


def tuple_of(words, always):
    return words[0] if len(words) == 1 and not always else "(" + ",".join(words) + ")"


def blocks_of(layout):
    counts, shards = layout["blocks"], entries(layout["shards"])
    sizes = [int(counts["bytes"][d // 8]) >> (d % 8 * 8) & 255 for d in range(int(counts["count"]))]
    return [[shards.pop(0) for _ in range(n)] for n in sizes]


def swizzled(layout, m):
    """Returns the address to which the layout's swizzle maps m, as swizzle::operator() does."""
    f = layout["swizzle"]
    M, B, S = int(f["M"]), int(f["B"]), int(f["S"])
    if max(M, B, abs(S)) > 48:
        raise ValueError(f)
    x, mask = m >> M, (1 << B) - 1
    moved = (x >> S) & mask if S > 0 else (x & mask) << -S
    return m ^ (moved << M)


def notation(layout):
    f, shards, blocks = layout["swizzle"], entries(layout["shards"]), blocks_of(layout)
    text = f"swizzle(M={f['M']},B={f['B']},S={f['S']}) o S[" if int(f["B"]) else "S["
    if blocks:
        extents = [tuple_of([str(i["extent"]) for i in block], True) for block in blocks]
        strides = [tuple_of([stride(i) for i in block], True) for block in blocks]
        text += tuple_of(extents, True) + ":" + tuple_of(strides, True)
    elif shards:
        text += tuple_of([str(i["extent"]) for i in shards],
                         False) + ":" + tuple_of([stride(i) for i in shards], False)
    text += "]"
    for r in entries(layout["replicas"]):
        text += f" + R[{r['extent']}:{stride(r)}]"
    for t in entries(layout["offsets"]):
        n, axis = int(t["n"]), name(t["on"])
        text += f" {'-' if n < 0 else '+'} {abs(n)}" + ("" if axis == "m" else f"@{axis}")
    return text


def places(layout, x):
    """Returns the places of element x as text: the first MOST_PLACES, and ... if there are more."""
    axes, base = [], {}
    parts = [*entries(layout["shards"]), *entries(layout["replicas"]), *entries(layout["offsets"])]
    for part in parts:
        axis = name(part["on"])
        if axis != "null" and axis not in axes:
            axes.append(axis)
    for t in entries(layout["offsets"]):
        base[name(t["on"])] = int(t["n"])
    for i in reversed(entries(layout["shards"])):
        axis = name(i["on"])
        base[axis] = base.get(axis, 0) + x % int(i["extent"]) * int(i["stride"])
        x //= int(i["extent"])
    found = [base]
    for r in entries(layout["replicas"]):
        axis, most = name(r["on"]), min(int(r["extent"]), MOST_PLACES + 1)
        found = [{**p, axis: p.get(axis, 0) + j * int(r["stride"])} for p in found
                 for j in range(most)]
        found = [p for k, p in enumerate(found) if p not in found[:k]]
    if int(layout["swizzle"]["B"]):
        found = [{"m": swizzled(layout, p.get("m", 0))} for p in found]
        axes = ["m"]
    shown = [" + ".join(f"{p.get(axis, 0)}@{axis}" for axis in axes) or "0"
             for p in found[:MOST_PLACES]]
    if len(found) > MOST_PLACES:
        shown.append("...")
    return "{" + ", ".join(shown) + "}"


class Printer:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            return self.text()
        except (IndexError, ValueError):
            return "not initialised"


class Layout(Printer):
    def text(self):
        size = 1
        for i in entries(self.value["shards"]):
            if int(i["extent"]) < 1:
                return notation(self.value) + ", an invalid layout"
            size *= int(i["extent"])
        shown = [places(self.value, x) for x in range(min(size, MOST_ELEMENTS))]
        return notation(self.value) + ", elements at " + " ".join(shown) + (
            " ..." if size > MOST_ELEMENTS else "")


class Tree(Printer):
    def node(self, i):
        nodes = self.value["nodes"]
        if i >= int(nodes["count"]):
            raise IndexError(i)
        n = int(nodes["numbers"][i])
        if not int(nodes["groups"]) >> i & 1:
            return str(n), i + 1
        words, i = [], i + 1
        for _ in range(n):
            word, i = self.node(i)
            words.append(word)
        return "(" + ",".join(words) + ")", i

    def text(self):
        return self.node(0)[0] if self.value["nodes"]["count"] else "()"


class Place(Printer):
    def text(self):
        return " + ".join(f"{t['n']}@{name(t['on'])}" for t in entries(self.value["terms"])) or "0"


class Axis(Printer):
    def text(self):
        return name(self.value)


def printers():
    found = gdb.printing.RegexpCollectionPrettyPrinter("axe")
    version = r"^axe::(v\d+_\d+::)?"
    for words, printer in (("layout", Layout), ("shape", Tree), ("coordinate", Tree),
                           ("tree", Tree), ("place", Place), ("axis", Axis)):
        found.add_printer(words, f"{version}{words}$", printer)
    return found


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
