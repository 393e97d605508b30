"""The operations that axe and Triton share: how random questions are made and asked on both sides,
and how both answers are judged by enumeration.
"""

import dataclasses
import itertools
import re
from typing import Callable

from bit_maps import BitMap, OURS, bits_of, components, from_bases, least_inputs, rank, read, word_of
from judge import CONVENTION, FAILS, NO_QUESTION, OURS_REFUSES, OURS_RIGHT, OURS_WRONG, REFUSES, RIGHT, WRONG, Judgement
from triton_shared import nvmma_line, nvmma_map, nvmma_questions, swizzled_line, swizzled_map, swizzled_questions
from triton_views import shared_its, view_its

HARDWARE = ("register", "lane", "warp", "block")
LOGICAL = ("dim0", "dim1", "dim2")


def random_axes(rng, names, most):
    return tuple((name, rng.randint(0, most)) for name in names[:rng.randint(1, len(names))])


def random_map(rng, ins, outs):
    """Makes random columns, or a permutation of bits with a few zeros and XORs as in real layouts.
    """
    rows = bits_of(outs)
    if rng.random() < 0.4:
        columns = [rng.randrange(1 << rows) for _ in range(bits_of(ins))]
    else:
        free = [1 << r for r in range(rows)]
        rng.shuffle(free)
        columns = [free.pop() if free and rng.random() < 0.9 else 0 for _ in range(bits_of(ins))]
        for _ in range(rng.choice((0, 0, 1, 2))):
            if len(columns) > 1:
                to, by = rng.sample(range(len(columns)), 2)
                columns[to] ^= columns[by]
    return BitMap(ins, outs, tuple(columns))


def forward(rng, real_size=0.1):
    """Makes a random map from hardware axes to a tensor. One in ten has the size of a real layout.
    """
    if rng.random() < real_size:
        ins = (("register", rng.randint(0, 3)), ("lane", 5), ("warp", rng.randint(0, 2)))
        rows = bits_of(ins) - rng.choice((0, 0, 0, 1))
        split = rng.randint(0, rows)
        return random_map(rng, ins, (("dim0", split), ("dim1", rows - split)))
    return random_map(rng, random_axes(rng, HARDWARE, 2), random_axes(rng, LOGICAL, 2))


def resized(rng, axes):
    return tuple((name, max(0, bits + rng.choice((0, 0, 0, 0, -1, 1)))) for name, bits in axes)


def another(rng, a):
    """Makes another random map to the same tensor as `a`."""
    return random_map(rng, random_axes(rng, HARDWARE, 2), resized(rng, a.outs))


def small_maps(ins, outs, most_in, most_out):
    """Yields every map between these axes with at most `most_in` and `most_out` bits on each axis.
    """
    for a in itertools.product(range(most_in + 1), repeat=len(ins)):
        for b in itertools.product(range(most_out + 1), repeat=len(outs)):
            sides = tuple(zip(ins, a)), tuple(zip(outs, b))
            for columns in itertools.product(range(1 << sum(b)), repeat=sum(a)):
                yield BitMap(*sides, columns)


def small_one():
    yield from small_maps(("lane",), ("dim0",), 2, 2)
    yield from small_maps(("register", "lane"), ("dim0",), 1, 2)
    yield from small_maps(("lane",), ("dim0", "dim1"), 2, 1)


def small_pairs():
    for a, b in itertools.product(small_maps(("lane",), ("dim0",), 2, 2), repeat=2):
        yield a, b


def small_chains():
    """Yields all pairs of small maps in which A reads the results of B."""
    for a, b in itertools.product(small_maps(("dim0",), ("offset",), 2, 2),
                                  small_maps(("lane",), ("dim0",), 2, 2)):
        yield a, b


@dataclasses.dataclass(frozen=True)
class Operation:
    name: str
    small: Callable  # returns all small lists of arguments
    # Takes a random generator, returns arguments; None: all questions are small.
    random_arguments: Callable | None
    ours: Callable  # takes the arguments, returns a line for `axe eval`
    theirs: Callable  # takes the arguments, returns a question for triton_side.py
    legal: Callable  # takes the arguments; True if an answer exists
    mine: Callable  # takes the arguments and axe's answer; True if it is right
    its: Callable  # takes the arguments and Triton's answer, returns (class, reason)


def line(name):
    return lambda *maps: f"linear.{name}({', '.join(map(str, maps))})"


def asks(name):
    return lambda *maps: [name, *(m.question() if isinstance(m, BitMap) else m for m in maps)]


def its_map(reply):
    """Returns the map of Triton's reply, or None if a basis exceeds the sizes of the map."""
    m = from_bases(reply[1], [tuple(out) for out in reply[2]])
    return None if None in m.columns else m


def exactly(truth):
    """Makes the judges of an operation for which both sides must return the map truth(…)."""
    def mine(arguments, text):
        return read(text).places() == truth(*arguments).places()

    def its(arguments, reply):
        m = its_map(reply)
        return (RIGHT, "") if m and m.places() == truth(*arguments).places() else (
            WRONG, "another map")
    return {"mine": mine, "its": its}


# Composition.

def composed(a, b):
    images = []
    for y in b.table():
        images.append(word_of(a.ins, components(b.outs, y)))
    table = a.table()
    return [None if x is None else table[x] for x in images]


def composed_map(a, b):
    images = composed(a, b)
    return BitMap(b.ins, a.outs, tuple(images[1 << c] for c in range(bits_of(b.ins))))


def random_chain(rng):
    b = forward(rng)
    return random_map(rng, resized(rng, b.outs), random_axes(rng, ("offset", "bank"), 2)), b


# Inverses and solutions.

def is_bijection(a):
    return bits_of(a.ins) == bits_of(a.outs) == rank(a)


def inverse(a):
    least = least_inputs(a)
    return BitMap(a.outs, a.ins, tuple(least[1 << r] for r in range(bits_of(a.outs))))


def pseudo_mine(arguments, text):
    (a,), p = arguments, read(text)
    table = p.table()
    return (p.ins == a.outs and p.outs == a.ins
            and all(table[y] == x for y, x in least_inputs(a).items()))


def pseudo_its(arguments, reply):
    (a,), p = arguments, its_map(reply)
    if p is None:
        return WRONG, "no such place"
    forward_again, table, chosen = a.table(), p.table(), True
    for y, least in least_inputs(a).items():
        x = word_of(a.ins, components(p.outs, table[word_of(p.ins, components(a.outs, y))]))
        if x is None or forward_again[x] != y:
            return WRONG, "the place holds another element"
        chosen = chosen and x == least
    return (RIGHT, "") if chosen else (CONVENTION, "another replica")


def nearest(a, b):
    """Returns, for every x of B, the y with A(y) = B(x) that is nearest to x, or None."""
    by_image = {}
    for y, z in enumerate(a.table()):
        by_image.setdefault(z, []).append(y)
    found = []
    for x, wanted in enumerate(b.table()):
        goal = word_of(a.outs, components(b.outs, wanted))
        there = dict(components(b.ins, x))
        itself = word_of(a.ins, ((n, there.get(n, 0) & ((1 << bits) - 1)) for n, bits in a.ins))
        found.append(None if goal is None else min(by_image.get(goal, []), key=lambda y: y ^ itself,
                                                   default=None))
    return found


def solve_mine(arguments, text):
    c = read(text)
    a, b = arguments
    return (c.ins, c.outs) == (b.ins, a.ins) and c.table() == nearest(a, b)


def solve_its(arguments, reply):
    (a, b), c = arguments, its_map(reply)
    if c is None:
        return WRONG, "no such place"
    table, best, same = a.table(), nearest(a, b), True
    for x, y in enumerate(c.table()):
        here = word_of(a.ins, components(c.outs, y))
        if here is None or table[here] != table[best[x]]:
            return WRONG, "the place holds another element"
        same = same and here == best[x]
    return (RIGHT, "") if same else (CONVENTION, "returns a replica that is farther away")


# The direct sum.

def stacked(low, high):
    sides = dict(low)
    for name, bits in high:
        sides[name] = sides.get(name, 0) + bits
    return tuple(sides.items())


def product(a, b):
    ins, outs = stacked(a.ins, b.ins), stacked(a.outs, b.outs)

    def lift(word, part, below):
        return word_of(outs, [(n, v << below.get(n, 0)) for n, v in components(part, word)])
    columns = []
    for name, bits in ins:
        for source, below, shift in ((a, {}, 0), (b, dict(a.outs), dict(a.ins).get(name, 0))):
            for k in range(dict(source.ins).get(name, 0)):
                c = bits_of(source.ins[:[n for n, _ in source.ins].index(name)]) + k
                columns.append(lift(source.columns[c], source.outs, below))
    return BitMap(ins, outs, tuple(columns))


# Equality, rank, single places and matrices.

def kinds(a):
    one_to_one, onto = rank(a) == bits_of(a.ins), rank(a) == bits_of(a.outs)
    return [one_to_one, onto, one_to_one and onto]


def equal(a, b):
    return a.places() == b.places() and stripped(a) == stripped(b)


def equal_its(arguments, reply):
    same = equal(*arguments)
    if reply[1] == same:
        return RIGHT, ""
    if same:
        return CONVENTION, "compares the order and sizes of axes, and axes without bits"
    return WRONG, "different maps are called equal"


def stripped(a):
    return {name: bits for name, bits in a.ins if bits}


def random_equal(rng):
    a = forward(rng)
    how = rng.randrange(4)
    if how == 0:
        return a, BitMap(a.ins, a.outs[:-1] + ((a.outs[-1][0], a.outs[-1][1] + 1),), a.columns)
    if how == 1:
        order = list(range(len(a.ins)))
        rng.shuffle(order)
        first = [bits_of(a.ins[:i]) for i in range(len(a.ins))]
        return a, BitMap(tuple(a.ins[i] for i in order), a.outs,
                         tuple(a.columns[first[i] + k] for i in order for k in range(a.ins[i][1])))
    if how == 2 and len(a.ins) < len(HARDWARE):
        return a, BitMap(a.ins + ((HARDWARE[len(a.ins)], 0),), a.outs, a.columns)
    return a, another(rng, a)


def random_applied(rng):
    a = forward(rng)
    outside = rng.random() < 0.1
    return a, {name: rng.randrange(1 << (bits + outside)) for name, bits in a.ins}


def place_text(place):
    return " + ".join(f"{n}@{OURS.get(name, name)}" for name, n in place.items())


def image(a, place):
    return {n: v for n, v in components(a.outs, a.table()[word_of(a.ins, place.items())])}


def read_place(text):
    found = {}
    for n, name in re.findall(r"(\d+)@(\w+)", text):
        found[{v: k for k, v in OURS.items()}.get(name, name)] = int(n)
    return found


def rows_of(a):
    return [[(column >> r) & 1 for column in a.columns] for r in range(bits_of(a.outs))]


def read_rows(text):
    sides = text.split(" to", 1)[1].split("; ")
    return [[int(c) for c in row if c in "01"] for side in sides if ": " in side
            for row in side.split(": ", 1)[1].split(", ")]


# Maps of one axis with a stride.

def strided(size, stride):
    return {x: x * stride for x in range(size)}


def is_linear(values):
    n = len(values)
    return n & (n - 1) == 0 and all(values[x ^ y] == values[x] ^ values[y] for x in values
                                    for y in values)


def ask_steps(size, stride):
    if stride < 2:
        return ["identity_1d", size] if stride else ["zeros_1d", size, 1]
    return ["strided_1d", size, stride]


def step_map(size, stride):
    top = (size - 1) * stride
    return BitMap((("dim0", size.bit_length() - 1),), (("offset", top.bit_length()),),
                  tuple(stride << k for k in range(size.bit_length() - 1)))


# Printed views.

def random_view(rng):
    ins = tuple((n, rng.randint(0, 2 if n in ("register", "lane") else 1)) for n in HARDWARE)
    return random_map(rng, ins, random_axes(rng, LOGICAL[:2], 2)), rng.random() < 0.5


def random_shared(rng):
    ins = (("offset", rng.randint(0, 4)), ("block", rng.randint(0, 1)))
    if rng.random() < 0.2:
        return random_map(rng, ins, random_axes(rng, LOGICAL[:2], 2)), rng.random() < 0.5
    split = rng.randint(0, bits_of(ins))
    return random_map(rng, ins, (("dim0", split), ("dim1", bits_of(ins) - split))), rng.random() < 0.5


def same_bases(arguments, text):
    return read(text) == arguments[0]


def value_is(truth, reader=None):
    def mine(arguments, text):
        return (reader or str)(text) == truth(*arguments)

    def its(arguments, reply):
        return (RIGHT, "") if reply[1] == truth(*arguments) else (WRONG, "another value")
    return {"mine": mine, "its": its}


ALWAYS = lambda *_: True  # noqa: E731

OPERATIONS = {o.name: o for o in [
    Operation("linear.compose", small_chains, random_chain, line("compose"), asks("compose"),
              lambda a, b: None not in composed(a, b), **exactly(composed_map)),
    Operation("linear.multiply", small_pairs, lambda rng: (forward(rng, 0), forward(rng, 0)),
              line("multiply"), asks("multiply"), ALWAYS,
              **exactly(product)),
    Operation("linear.invert", lambda: ((a,) for a in small_one()), lambda rng: (forward(rng),),
              line("invert"), asks("invert"), is_bijection,
              **exactly(inverse)),
    Operation("linear.pseudo_invert", lambda: ((a,) for a in small_one()),
              lambda rng: (forward(rng),), line("pseudo_invert"),
              asks("pseudoinvert"), ALWAYS, pseudo_mine, pseudo_its),
    Operation("linear.invert_and_compose", small_pairs,
              lambda rng: (lambda a: (a, another(rng, a)))(forward(rng)),
              line("invert_and_compose"), asks("invert_and_compose"),
              lambda a, b: None not in nearest(a, b), solve_mine, solve_its),
    Operation("linear.equivalent", small_pairs, random_equal, line("equivalent"), asks("equal"),
              ALWAYS,
              lambda arguments, text: text == str(equal(*arguments)).lower(), equal_its),
    Operation("linear.rank", lambda: ((a,) for a in small_one()), lambda rng: (forward(rng),),
              line("rank"), asks("kinds"), ALWAYS,
              lambda arguments, text: int(text) == rank(*arguments),
              lambda arguments, reply: (RIGHT, "") if reply[1] == kinds(*arguments)
              else (WRONG, "another kind")),
    Operation("linear.apply", lambda: (), random_applied,
              lambda a, place: f"linear.apply({a}, {place_text(place)})", asks("apply"),
              lambda a, place: word_of(a.ins, place.items()) is not None,
              **value_is(image, read_place)),
    Operation("linear.matrix", lambda: ((a,) for a in small_one()), lambda rng: (forward(rng),),
              line("matrix"), asks("matrix"), ALWAYS,
              **value_is(rows_of, read_rows)),
    Operation("linear(S[n:d])", lambda: itertools.product(range(1, 10), range(0, 10)),
              lambda rng: (1 << rng.randint(0, 5), rng.randint(0, 40)),
              lambda size, stride: f"linear(S[{size}:{stride}@m], {size})", ask_steps,
              lambda size, stride: is_linear(strided(size, stride)), **exactly(step_map)),
    Operation("distributed view", lambda: (), random_view, lambda a, hardware: str(a),
              asks("distributed_view"), ALWAYS,
              same_bases, view_its),
    Operation("shared view", lambda: (), random_shared, lambda a, hardware: str(a),
              asks("shared_view"), ALWAYS, same_bases, shared_its),
    Operation("swizzled shared", swizzled_questions, None, swizzled_line,
              lambda *given: ["swizzled", *given], ALWAYS, **exactly(swizzled_map)),
    Operation("NVMMA shared", nvmma_questions, None, nvmma_line, lambda *given: ["nvmma", *given],
              ALWAYS, **exactly(nvmma_map)),
]}

# The reasons why Triton aborted although an answer exists, each with the text of its assertion.
REASONS = [("getOutDimSize(outDim) <= outer.getInDimSize",
            "the inner map has a larger axis than the outer one, but does not use the additional positions"),
           ("called with incompatible output shapes",
            "B has a larger axis than A, but does not use the additional positions"),
           ("does not cover this layout's image", "the map is not onto"),
           ("Dimensions must match", "the axes' names differ"),
           ("isPowerOf2", "a size that is not a power of two"),
           ("must be powers of 2", "a step that is not a power of two")]


def judge(operation, arguments, ours, reply):
    legal = operation.legal(*arguments)
    if ours.startswith("error: "):
        mine = OURS_WRONG
    elif ours.startswith("refused: "):
        mine = OURS_REFUSES if legal else OURS_RIGHT
    else:
        mine = OURS_RIGHT if legal and operation.mine(arguments, ours) else OURS_WRONG
    if reply[0] in ("map", "value"):
        said = str(its_map(reply)) if reply[0] == "map" else " / ".join(str(reply[1]).split("\n"))
        theirs, kind = operation.its(arguments, reply) if legal else (NO_QUESTION, "")
        return Judgement(mine, theirs, kind, ours, said)
    said = f"{'ends the process' if reply[0] == 'died' else 'raises'}: {reply[1]}"
    if not legal:
        return Judgement(mine, RIGHT, "", ours, said)
    reason = next((why for words, why in REASONS if words in reply[1]), "")
    return Judgement(mine, REFUSES if reason else FAILS, reason or reply[1][:90], ours, said)
