#!/usr/bin/env python3
"""Checks that the sentences of refusals are true: random calls through `axe eval`, and every number of a sentence looked up in the map.

    refused: slice: the result is not a layout: elements 3 (at 3@m) and 4 (at 4@m) of S[(4,5):(7,1)] differ by 1@m, but …

Each place, element, step, span and hole that a sentence names is computed again from the map. Sentences about a missing factor
are computed again only without swizzles. A sentence that no check below knows is a failure, and so is `undecided`. The maps are
plain loops (maps.py); nothing of the library is used.

    truth.py [--calls 6000] [--seed 11]        environment: AXE, the program
"""

import argparse
import collections
import math
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
import program  # noqa: E402
from maps import AXES, Layout, entries, flat, is_digit_list, is_replica_set, plus, swizzled, tuple_text  # noqa: E402

MOST = 48  # the largest number of elements of an operand


class Call:
    """One line of `axe eval`, and the facts that a check needs: the operands `a` and `b`, and the
    element of `a`, or the place, at each element x of the result.
    """

    def __init__(self, line, a, b=None, elements=None, value=None, placed=None, more=None):
        self.line, self.a, self.b = line, a, b
        self.elements = elements  # for each element of the result, the element of `a`
        if elements is not None:
            value = [a.at(e) for e in elements]

            def placed(x):
                return corner(through(a.swizzle, p) for p in a.replica_places(elements[x]))
        self.value = value  # for each element of the result, its place before the swizzle
        self.of = placed    # the corner() of its replicas after the swizzle
        self.more = more or {}


    def placed(self):
        return [self.of(x) for x in range(len(self.value))] if self.of else self.value


def corner(places):
    """The smallest component on each axis. It moves by the step by which all places move."""
    return tuple(map(min, zip(*places)))


def through(swizzle, place):
    return (swizzled(swizzle, place[0]),) + place[1:]


def layout(source, axes=AXES, swizzles=0.2, replicas=0.25, most=MOST):
    while True:
        def iters(count):
            return [(source.choice((1, 2, 2, 3, 3, 4, 5, 6, 8)), source.choice((0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, -1, -3, -6)),
                     source.choice(axes)) for _ in range(count)]

        swizzle = None
        if source.random() < swizzles:
            swizzle = source.choice(((0, 1, 1), (0, 2, 2), (1, 1, 1), (0, 1, 2), (1, 2, 2), (0, 1, -1)))
            axes = ("m",)
        d = iters(source.randint(0, 4))
        r = iters(source.randint(1, 2)) if source.random() < replicas else []
        o = {a: source.randint(-6, 12) for a in axes if source.random() < 0.3}
        l = Layout(d, r, o, swizzle)
        if l.size <= most:
            return l


def factors(source, n, rank):
    """Makes `rank` random extents whose product is n."""
    out = []
    for _ in range(rank - 1):
        e = source.choice([k for k in range(1, n + 1) if n % k == 0])
        out.append(e)
        n //= e
    out.append(n)
    source.shuffle(out)
    return tuple(out)


def a_slice(source):
    l = layout(source)
    s = factors(source, l.size, source.randint(1, 3))
    box = []
    for e in s:
        begin = source.randrange(e)
        box.append((begin, source.randint(begin + 1, e)))
    across = [e - b for b, e in box]
    elements = [flat([b + c for (b, _), c in zip(box, entries(x, across))], s) for x in range(math.prod(across))]
    region = "(" + ", ".join(f"{b}:{e}" for b, e in box) + ")"
    return Call(f"slice({l.text()}, {tuple_text(s)}, {region})", l, elements=elements)


def a_permute(source):
    l = layout(source)
    s = factors(source, l.size, source.randint(2, 4))
    order = list(range(len(s)))
    source.shuffle(order)
    across = [s[d] for d in order]
    elements = []
    for x in range(l.size):
        c = [0] * len(s)
        for d, n in zip(order, entries(x, across)):
            c[d] = n
        elements.append(flat(c, s))
    return Call(f"permute({l.text()}, {tuple_text(s)}, {tuple_text(order)})", l, elements=elements)


def a_broadcast(source):
    l = layout(source, most=24)
    s = factors(source, l.size, source.randint(1, 3))
    at, extent = source.randint(0, len(s)), source.randint(2, 3)
    across = s[:at] + (extent,) + s[at:]
    elements = []
    for x in range(math.prod(across)):
        c = entries(x, across)
        elements.append(flat(c[:at] + c[at + 1:], s))
    return Call(f"broadcast({l.text()}, {tuple_text(s)}, {at}, {extent})", l, elements=elements)


def pairs_of(source):
    axes = source.choice((AXES, ("m",), ("m",)))
    a = layout(source, axes, swizzles=0.1, most=8)
    b = layout(source, axes, swizzles=0.4, most=12)
    rank = source.randint(1, 2)
    return a, factors(source, a.size, rank), b, factors(source, b.size, rank)


def a_sum(source, name):
    a, s, b, t = pairs_of(source)
    sigma = [b.span(axis) if name == "tile" else 1 for axis in AXES]
    across = [e for pair in zip(s, t) for e in pair]

    def scaled(place):
        return tuple(n * by for n, by in zip(through(a.swizzle, place), sigma))

    def value(x):
        c = entries(x, across)
        return plus(scaled(a.at(flat(c[::2], s))), b.at(flat(c[1::2], t)))

    def placed(x):
        c = entries(x, across)
        inner = [through(b.swizzle, q) for q in b.replica_places(flat(c[1::2], t))]
        return corner(plus(scaled(p), q) for p in a.replica_places(flat(c[::2], s)) for q in inner)

    return Call(f"{name}({a.text()}, {tuple_text(s)}, {b.text()}, {tuple_text(t)})", a, b,
                value=[value(x) for x in range(math.prod(across))], placed=placed, more={"scaled": scaled})


def a_factor(source, name):
    t = layout(source, source.choice((AXES, ("m",))), swizzles=0.3, most=24)
    s = factors(source, t.size, source.randint(1, 2))
    known = tuple(source.choice([k for k in range(1, e + 1) if e % k == 0]) for e in s)
    for _ in range(40):
        b = layout(source, source.choice((AXES, ("m",))), swizzles=0.3, most=24)
        if b.size == math.prod(known):
            break
    else:
        b = Layout([(math.prod(known), source.choice((1, 2, 3)), "m")])
    return Call(f"{name}({t.text()}, {tuple_text(s)}, {b.text()}, {tuple_text(known)})", t, b, elements=list(range(t.size)),
                more={"any": True, "name": name, "shape": s, "known": known})


def a_compose(source):
    a = layout(source, most=32)
    for _ in range(200):
        b = layout(source, ("m",), swizzles=0.3, most=12)
        least, most = b.reach("m")
        if least >= 0 and (most < a.size or source.random() < 0.05):
            break
    if most >= a.size or least < 0:
        return Call(f"compose({a.text()}, {b.text()})", a, b)

    def value(x, swizzle):
        return corner(through(swizzle, p) for q in b.places(x) for p in a.replica_places(q[0]))

    return Call(f"compose({a.text()}, {b.text()})", a, b, value=[value(x, None) for x in range(b.size)],
                placed=lambda x: value(x, a.swizzle))


def an_inverse(source):
    l = layout(source, source.choice((AXES, ("m",))), most=16)
    named = source.sample(AXES, source.randint(1, len(AXES)))
    sides = [range(l.reach(a)[0], l.reach(a)[1] + 1) for a in named]
    across = [len(s) for s in sides]
    where = collections.defaultdict(list)
    for x in range(l.size):
        for p in {tuple(p[AXES.index(a)] for a in named) for p in l.places(x)}:
            where[p].append(x)
    value = []
    if math.prod(across) <= 200:
        for x in range(math.prod(across)):
            p = tuple(s[c] for s, c in zip(sides, entries(x, across)))
            value.append((where[p][0] if where[p] else 0,))
    return Call(f"inverse({l.text()}, ({', '.join(named)}))", l, value=value, more={"named": named, "where": where})


def a_group(source):
    l = layout(source)
    name = source.choice(("group", "group_many"))
    if name == "group":
        s = factors(source, l.size, source.randint(1, 4))
        return Call(f"group({l.text()}, {tuple_text(s)})", l, more={"shapes": [s]})
    shapes = [factors(source, l.size, source.randint(1, 3)) for _ in range(2)]
    return Call(f"group_many({l.text()}, {{{', '.join(map(tuple_text, shapes))}}})", l, more={"shapes": shapes})


def a_pack(source):
    l = layout(source)
    if source.random() < 0.7:
        n = source.choice((2, 3, 4))
        l = Layout(l.d[:3] + [(n * source.choice((1, 2)), 1, "m")], l.r, l.o, l.swizzle)
    return Call(f"pack({l.text()}, {source.choice((2, 2, 3, 4))}, {source.choice(('m', 'm', 'm', 'lane'))})", l)


def an_unpack(source):
    l = layout(source, source.choice((AXES, ("m",))), swizzles=0.5)
    return Call(f"unpack({l.text()}, {source.choice((2, 3, 4))}, {source.choice(('m', 'reg', 'lane'))})", l)


def a_swizzle(source):
    l = layout(source, source.choice((AXES, ("m",))), swizzles=0.5)
    return Call(f"compose(swizzle({source.randint(0, 2)},{source.randint(1, 2)},{source.choice((-2, -1, 1, 2))}), {l.text()})", l)


def a_rewrite(source):
    l = layout(source, ("lane", "warp", "m"), swizzles=0.1)
    if source.random() < 0.5:
        return Call(f"rewrite({l.text()}, tid = {source.choice((4, 8, 12))}*warp + lane)", l)
    return Call(f"rewrite({l.text()}, lane = {source.choice((2, 4, 6))}*wg + tid_in_wg)", l)


KINDS = [a_slice, a_slice, a_permute, a_broadcast, lambda s: a_sum(s, "tile"), lambda s: a_sum(s, "direct_sum"), a_compose, an_inverse, a_group,
         a_pack, a_rewrite, an_unpack, a_swizzle] + [lambda s, n=n: a_factor(s, n) for n in ("tile_outer", "tile_inner", "sum_outer", "sum_inner")]


class Untrue(Exception):
    pass


def demand(holds, what):
    if not holds:
        raise Untrue(what)


def place_of(words):
    """The place `2@lane + 0@m` as a tuple. Axes that are not named are 0."""
    place = [0] * len(AXES)
    for term in words.split(" + "):
        if "@" in term:
            n, axis = term.split("@")
            place[AXES.index(axis)] = int(n)
    return tuple(place)


def term_of(words):
    n, _, axis = words.partition("@")
    return int(n), axis


def lies_at(l, x, words):
    before = words.endswith(" before the swizzle")
    demand(before == (l.swizzle is not None), "places are named before a swizzle, and only then")
    demand(0 <= x < l.size, f"{x} is not an element")
    demand(place_of(words.removesuffix(" before the swizzle")) == l.at(x), f"element {x} lies at {l.at(x)}")


def moves(before, after, words):
    """Fails unless the component on the axis of `words` changes by the number in `words`."""
    n, axis = term_of(words)
    k = AXES.index(axis) if axis in AXES else None
    demand(n == (0 if k is None else after[k] - before[k]), f"from {before} to {after} is not {words}")


def steps(before, after, words):
    """Fails unless the place changes by `words` and on no other axis."""
    moves(before, after, words)
    demand(sum(a != b for a, b in zip(before, after)) == (term_of(words)[0] != 0), f"from {before} to {after} is a step on two axes")


def no_layout(call, result):
    """Without a swizzle, the result must not be a digit list. The fuzzer tests swizzled results."""
    if result and call.a.swizzle is None and (call.b is None or call.b.swizzle is None):
        demand(not is_digit_list(result), "the function is a layout")


def in_order(call, x, y, w, z):
    """Fails unless the elements are at equal distances in the result, beginning with its first."""
    if call.more.get("any"):
        return
    at = [{i for i, e in enumerate(call.elements) if e == asked} for asked in (x, y, w, z)]  # broadcasts repeat elements
    demand(all(at), "an element that the result does not have")
    demand(0 in at[0] and any(v + near in at[3] for near in at[1] for v in at[2]), "entries of the result at other distances")


def steps_there(call, x, p, y, q, l, first, w, p2, z, q2, second):
    x, y, w, z = map(int, (x, y, w, z))
    demand(l == call.a.text(), "another layout")
    for e, words in ((x, p), (y, q), (w, p2), (z, q2)):
        lies_at(call.a, e, words)
    steps(call.a.at(x), call.a.at(y), first)
    steps(call.a.at(w), call.a.at(z), second)
    demand(plus(call.a.at(y), call.a.at(x), -1) != plus(call.a.at(z), call.a.at(w), -1), "the steps are the same")
    in_order(call, x, y, w, z)
    no_layout(call, None if call.more.get("any") else [call.a.at(e) for e in call.elements])


def two_axes_there(call, x, p, y, q, l, first, second):
    x, y = int(x), int(y)
    demand(l == call.a.text(), "another layout")
    lies_at(call.a, x, p)
    lies_at(call.a, y, q)
    moves(call.a.at(x), call.a.at(y), first)
    moves(call.a.at(x), call.a.at(y), second)
    demand(term_of(first)[1] != term_of(second)[1] and term_of(first)[0] and term_of(second)[0], "one axis")
    demand(call.more.get("any") or {x, y} <= set(call.elements), "an element that the result does not have")
    no_layout(call, None if call.more.get("any") else [call.a.at(e) for e in call.elements])


def here(check):
    """The sentence must be true of the result's places before the swizzle, or of those after it."""
    def either(call, *words):
        try:
            check(call, call.value, *words)
        except Untrue:
            check(call, call.placed(), *words)
    return either


@here
def steps_here(call, value, x, y, first, w, z, second):
    x, y, w, z = map(int, (x, y, w, z))
    demand(max(x, y, w, z) < len(value), "no such element")
    steps(value[x], value[y], first)
    steps(value[w], value[z], second)
    demand(plus(value[y], value[x], -1) != plus(value[z], value[w], -1), "the steps are the same")
    demand(x == 0 and y - x == z - w, "entries at other distances")
    no_layout(call, value)


@here
def two_axes_here(call, value, x, y, first, second):
    x, y = int(x), int(y)
    moves(value[x], value[y], first)
    moves(value[x], value[y], second)
    demand(term_of(first)[1] != term_of(second)[1] and term_of(first)[0] and term_of(second)[0], "one axis")
    no_layout(call, value)


def does_not_commute(call, x, a, y, b, should, puts, step):
    x, y, should, puts, step = map(int, (x, y, should, puts, step))
    demand(a == call.a.text() and b == call.b.text(), "other layouts")
    demand(x < call.a.size and y < call.b.size and should != puts, "no witness")
    outer = {call.more["scaled"](p)[0] for p in call.a.replica_places(x)}
    inner = {p[0] for p in call.b.replica_places(y)}
    demand(step in outer, f"the outer element moves by {outer}")
    demand(any(should == step + swizzled(call.b.swizzle, i) and puts == swizzled(call.b.swizzle, step + i) for i in inner),
           "the swizzle does something else")


def leaves_the_outer(call, b, least, most, a, last):
    demand(b == call.b.text() and a == call.a.text() and call.b.reach("m") == (int(least), int(most)) and int(last) == call.a.size - 1,
           f"it reaches {call.b.reach('m')}")
    demand(int(least) < 0 or int(most) > int(last), "it stays inside")


def is_hole(call, l, where):
    n, axis = term_of(where)
    demand(l == call.a.text(), "another layout")
    reached = {p[AXES.index(axis)] for x in range(call.a.size) for p in call.a.places(x)}
    demand(n not in reached and min(reached) <= n <= max(reached), "an element is there")


def is_contested(call, l, x, y, where=None):
    x, y = int(x), int(y)
    demand(l == call.a.text() and x != y, "another layout")
    kept = [AXES.index(a) for a in call.more["named"]]
    there = [{tuple(p[k] for k in kept) for p in call.a.places(e)} for e in (x, y)]
    demand(there[0] & there[1], "the elements share no place")
    if where is not None:
        n, axis = term_of(where)
        demand(any(p[call.more["named"].index(axis)] == n for p in there[0] & there[1]), "they share another place")


def is_inside_a_digit(call, l, shape, dimension, extent, need, digit, stride, need_again, again):
    dimension, extent, digit, need = map(int, (dimension, extent, digit, need))
    s = call.more["shapes"][0]
    demand(l == call.a.text() and shape == tuple_text(s) and s[dimension] == extent and digit == int(again) and need == int(need_again), "another shape")
    cannot_cut(call, math.prod(s[dimension:]), digit, stride, need)


def is_inside_for_all(call, l, behind, need, digit, stride, need_again, again):
    demand(l == call.a.text() and (digit, need) == (again, need_again), "another layout")
    ends = {math.prod(s[d:]) for s in call.more["shapes"] for d in range(len(s))}
    demand(int(behind) in ends, f"the boundaries have the positions {sorted(ends)}")
    cannot_cut(call, int(behind), int(digit), stride, int(need))


def cannot_cut(call, behind, digit, stride, need):
    """D has no boundary at position `behind`: x -> D(x) cannot be split there."""
    demand(digit % need and need % digit, "one of them divides the other")
    step = term_of(stride)
    before = behind // need if behind % need == 0 else None
    if before is None or before >= call.a.size:
        return
    first, last = call.a.at(0), call.a.at(before)
    try:
        moves(first, last, stride if step[1] else "0@m")
    except Untrue:  # the layout may be cut by its addresses after the swizzle
        moves(through(call.a.swizzle, first), through(call.a.swizzle, last), stride if step[1] else "0@m")


def no_chain(call, larger, smaller):
    larger, smaller = int(larger), int(smaller)
    ends = {math.prod(s[d:]) for s in call.more["shapes"] for d in range(len(s))}
    demand(larger in ends and smaller in ends and larger % smaller and smaller % larger, "they do divide")


def apart(call, n, l, axis):
    demand(l == call.a.text(), "another layout")
    n, k = int(n), AXES.index(axis)
    together = call.a.size % n == 0 and all(
        call.a.at(x) == plus(call.a.at(x - x % n), tuple(x % n if j == k else 0 for j in range(len(AXES)))) for x in range(call.a.size))
    demand(not together, "they are next to each other")


def no_multiple(call, step, l, n):
    demand(l == call.a.text() and term_of(step)[0] % int(n), "it is a multiple")
    k = AXES.index(term_of(step)[1])
    for at in (call.a.at, lambda x: through(call.a.swizzle, call.a.at(x))):  # or after the swizzle
        steps = {at(y)[k] - at(x)[k] for x in range(call.a.size) for y in range(x + 1, call.a.size)}
        if term_of(step)[0] in steps:
            return
    demand(False, f"the steps are {sorted(steps)}")


def no_multiple_of_span(call, step, l, n, known, axis):
    demand(known == call.b.text() and call.b.span(axis) == int(n), f"the span is {call.b.span(axis)}")
    no_multiple(call, step, l, n)


def replicas_apart(call, l, step, n):
    demand(l == call.a.text() and term_of(step)[0] % int(n), "it is a multiple")
    k = AXES.index(term_of(step)[1])
    values = {p[k] for p in call.a.moves()}
    demand(any(v + term_of(step)[0] in values for v in values), "no replicas are so far apart")


def offset_apart(call, step, l, n):
    """The offset is counted from the smallest replica, which negative strides of R move."""
    n_here, axis = term_of(step)
    k = AXES.index(axis)
    demand(l == call.a.text() and n_here % int(n) and n_here == call.a.offset()[k] + min(p[k] for p in call.a.moves()), "another offset")


def rest_is_no_multiple(call, offset, span, known, axis):
    demand(known == call.b.text() and term_of(offset)[0] % int(span) and call.b.span(axis) == int(span), "it is a multiple")


def spans(call, axis, t, span, other, known):
    demand(t == call.a.text() and known == call.b.text() and call.a.span(axis) == int(span) and call.b.span(axis) == int(other)
           and int(span) % int(other), f"the spans are {call.a.span(axis)} and {call.b.span(axis)}")


def part_range(call, l, least, most, axis, _whole, room):
    demand(l == call.a.text() and call.a.reach(axis) == (int(least), int(most)), f"it reaches {call.a.reach(axis)}")
    demand(int(least) < 0 or int(most) >= int(room), "it stays in its range")


def carries(call, _whole, _part, least, most, room):
    demand(int(least) >= 0 and int(most) >= int(room), "it stays in its range")


def splits(call, l, bits, n):
    demand(l == call.a.text() and call.a.swizzle[0] == int(bits) and 2 ** int(bits) < int(n), "it does not")


def moves_on(call, l, axis):
    demand(axis in AXES, f"nothing is on {axis}")
    k = AXES.index(axis)
    demand(any(p[k] for x in range(l.size) for p in l.replica_places(x)), f"nothing moves on {axis}")


def names(letter):
    def check(call, l, axis, *_):
        operand = getattr(call, letter)
        demand(l == operand.text(), "another layout")
        moves_on(call, operand, axis)
    return check


def swizzled_one(letter):
    def check(call, l, *_):
        operand = getattr(call, letter)
        demand(l == operand.text() and operand.swizzle is not None, "it is not swizzled")
        demand(any(swizzled(operand.swizzle, p[0]) != p[0] for x in range(operand.size) for p in operand.replica_places(x)), "its swizzle moves nothing")
    return check


def around_swizzled(call, b, a, axis):
    swizzled_one("b")(call, b)
    names("a")(call, a, axis)


def both_named(call, l, whole, part):
    names("a")(call, l, part)
    moves_on(call, call.a, whole) if whole in AXES else None


def operands(call, t, known):
    demand(t == call.a.text() and known == call.b.text(), "other layouts")


def known_inside(call):
    return call.more["name"].endswith("outer")


def sigma(call):
    """On each axis, the factor of the known operand in T."""
    return [call.a.span(axis) // call.b.span(axis) if call.more["name"] == "tile_inner" else 1 for axis in AXES]


def swizzles(call):
    return call.a.swizzle is not None or call.b.swizzle is not None


def follows(call, x):
    """True if T(x) - T(y) is known(k) - known(0), where the known operand is at k in x and at 0 in y."""
    k, y = [], []
    for n, whole, part in zip(entries(x, call.more["shape"]), call.more["shape"], call.more["known"]):
        unit = 1 if known_inside(call) else whole // part
        k.append(n // unit % part)
        y.append(n - k[-1] * unit)
    moved = plus(call.b.at(flat(k, call.more["known"])), call.b.at(0), -1)
    return plus(call.a.at(x), call.a.at(flat(y, call.more["shape"])), -1) == tuple(n * by for n, by in zip(moved, sigma(call)))


def differs(call, t, known, x):
    operands(call, t, known)
    demand(0 <= int(x) < call.a.size, "no such element")
    if call.more["name"] == "tile_inner" and int(x) == 0:
        return  # the span of the candidate may be another one, which moves all elements
    demand(swizzles(call) or not follows(call, int(x)), "the candidate does not differ there")


def no_candidate(call, t, known):
    operands(call, t, known)
    demand(swizzles(call) or not all(follows(call, x) for x in range(call.a.size)), "T moves as the known operand does")


def candidate_does_not_commute(call, t, known, should, puts):
    """If the known operand is inside, its swizzle is that of the result."""
    operands(call, t, known)
    should, puts, f = int(should), int(puts), call.b.swizzle
    inner = {p[0] for x in range(call.b.size) for p in call.b.replica_places(x)}
    demand(should != puts, "no witness")
    demand(not known_inside(call) or any(puts == swizzled(f, should - swizzled(f, i) + i) for i in inner), "the swizzle does something else")


def no_replicas(call, axis, known, t):
    """No steps, multiples of the span for tile_outer, move the replicas of the known operand to exactly those of T."""
    operands(call, t, known)
    k = AXES.index(axis)
    whole, part = {p[k] for p in call.a.moves()}, {p[k] * sigma(call)[k] for p in call.b.moves()}
    unit = call.b.span(axis) if call.more["name"] == "tile_outer" else 1
    first = min(whole) - min(part)
    steps = [d for d in {w - min(part) for w in whole} if (d - first) % unit == 0 and all(d + p in whole for p in part)]
    demand({d + p for d in steps for p in part} != whole, "replicas combine to those of T")


def no_common_replicas(call, x):
    """The places of elements 0 to x of a composition differ by more than a move, or are not sums of steps."""
    demand(call.line.startswith("compose("), "one operand's replicas are those of the result")
    found = set()
    for e in range(int(x) + 1):
        places = {p for q in call.b.places(e) for p in call.a.places(q[0])}
        found.add(frozenset(plus(p, corner(places), -1) for p in places))
    demand(len(found) > 1 or not is_replica_set(found.pop()), "an R gives these places")


L, P, N, T = r"((?:swizzle\(.*?\) o )?S\[.*?\](?: [+-] (?:R\[.*?\]|\d+(?:@\w+)?))*)", r"([^()]*)", r"(-?\d+)", r"(-?\d+(?:@\w+)?)"
AXIS = r"(\w+)"
CHECKS = [(re.compile(pattern), check) for pattern, check in [
    (rf"the result is not a layout: elements {N} \(at {P}\) and {N} \(at {P}\) of {L} differ by {T}, but {N} \(at {P}\) and {N} \(at {P}\) "
     rf"differ by {T}, and these steps do not repeat", steps_there),
    (rf"the result is not a layout: elements {N} \(at {P}\) and {N} \(at {P}\) of {L} differ by {T} and by {T}, but a digit steps along one axis",
     two_axes_there),
    (rf"the result is not a layout: its elements {N} and {N} differ by {T}, but {N} and {N} differ by {T}, and these steps do not repeat",
     steps_here),
    (rf"the result is not a layout: its elements {N} and {N} differ by {T} and by {T}, but a digit steps along one axis", two_axes_here),
    (rf"element {N} of {L} with element {N} of {L} should be at {N}@m, but the swizzle moves it to {N}@m: the outer step {N}@m changes bits that "
     r"the swizzle reads", does_not_commute),
    (rf"{L} has no such factor: the only candidate with {L} should have an element at {N}@m, but the swizzle moves it to {N}@m",
     candidate_does_not_commute),
    (rf"{L} has no such factor: the only candidate composed with {L} is not a layout", no_candidate),
    (rf"{L} has no such factor: the only candidate composed with {L} differs from it at element {N}", differs),
    (rf"no replicas on {AXIS} combine with those of {L} to the replicas of {L}", no_replicas),
    (rf"{L} has places {N} to {N}, but {L} has only the elements 0 to {N}", leaves_the_outer),
    (rf"{L} has a hole: no element is at {T}", is_hole),
    (rf"{L} has the elements {N} and {N} at {T}", is_contested),
    (rf"{L} has the elements {N} and {N} at one place of the named axes", is_contested),
    (rf"{L} does not group by (\([\d,]*\)): dimension {N} \(extent {N}\) needs a factor of {N} from the digit {N}:{T}, but neither of {N} "
     rf"and {N} divides the other; choose extents whose boundaries lie between digits or at a divisor of a digit", is_inside_a_digit),
    (rf"{L} does not group by all shapes: the last dimensions of a shape hold {N} elements?, which needs a factor of {N} from the digit {N}:{T}, but "
     rf"neither of {N} and {N} divides the other", is_inside_for_all),
    (rf"the shapes have no common refinement: the last dimensions of one hold {N} elements?, those of another {N}, and neither number divides the other",
     no_chain),
    (rf"the elements of {L} are not neighbours on {AXIS} in groups of {N}", lambda call, l, axis, n: apart(call, n, l, axis)),
    (rf"the step {T} of {L} is not a multiple of {N}", no_multiple),
    (rf"the step {T} of {L} is not a multiple of {N}, the span of {L} on {AXIS}", no_multiple_of_span),
    (rf"the replicas of {L} are {T} apart, which is not a multiple of {N}", replicas_apart),
    (rf"the offset {T} of {L} is not a multiple of {N}", offset_apart),
    (rf"the remaining offset {T} is not a multiple of {N}, the span of {L} on {AXIS}", rest_is_no_multiple),
    (rf"{L} spans {N} places? on {AXIS}, which is not a multiple of {N}, the span of {L}",
     lambda call, l, span, axis, other, known: spans(call, axis, l, span, other, known)),
    (rf"{L} has places {N} to {N} on {AXIS}, but inside {AXIS} they must be at least 0 and less than {N}", part_range),
    (rf"cannot split {AXIS}: the part on {AXIS} would have places {N} to {N}, but they must be at least 0 and less than {N}", carries),
    (rf"the swizzle of {L} keeps runs of 2\^{N} elements together, which is fewer than {N}", splits),
    (rf"{L} is swizzled, but {N} is not a power of two", swizzled_one("a")),
    (rf"{L} is swizzled, so that its addresses on {AXIS} are not digits of other axes", swizzled_one("a")),
    (rf"the outer layout {L} is swizzled, but only the inner one may be", lambda call, l: swizzled_one("a" if l == call.a.text() else "b")(call, l)),
    (rf"{L} is swizzled, so that the outer layout must lie on m only, but {L} also names {AXIS}", around_swizzled),
    (rf"{L} names {AXIS} and its part {AXIS}, so that it can be neither split nor joined", both_named),
    (rf"{L} is swizzled, so that narrower elements are neighbours on m, not on {AXIS}", swizzled_one("a")),
    (rf"{L} is swizzled already, and two swizzles do not combine to one", swizzled_one("a")),
    (rf"a swizzled layout must lie on m only, but {L} also names {AXIS}", names("a")),
    (r"the result is not a layout, with or without a swizzle",
     lambda call: demand(call.a.swizzle or call.b and call.b.swizzle, "nothing is swizzled")),
    (r"elements are packed on a memory axis, but lane is not one",
     lambda call: demand(call.line.endswith(", lane)"), "another axis")),
    (rf"the result is not a layout: a layout has one R\[extents:strides\] for all elements, but no R gives the places of all elements up to {N}",
     no_common_replicas),
    (rf"D has {N} iters, but a layout holds at most 24", lambda call, n: demand(int(n) > 24, "so few fit")),
]]


def check(call, answer):
    """The pattern of the sentence. Raises Untrue if a number is wrong or no pattern matches."""
    _, name, sentence = answer.split(": ", 2)
    demand(call.line.startswith(name + "("), "another operation")
    for pattern, checker in CHECKS:
        found = pattern.fullmatch(sentence)
        if not found:
            continue
        checker(call, *found.groups())
        return pattern.pattern[:60]
    raise Untrue("no check knows this sentence")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=6000, help="the number of random calls (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=11, help="seed of the random calls (default: %(default)s)")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    calls = [source.choice(KINDS)(source) for _ in range(arguments.calls)]
    answers = program.answers([call.line for call in calls])
    counts, wrong = collections.Counter(), 0
    for call, answer in zip(calls, answers):
        if answer.startswith("error: "):
            wrong += 1
            print(f"{call.line}\n  {answer}")
        if not answer.startswith("refused: "):
            continue
        try:
            counts[check(call, answer)] += 1
        except Untrue as why:
            wrong += 1
            if wrong <= 12:
                print(f"{call.line}\n  {answer}\n  untrue: {why}")
    for words, count in counts.most_common():
        print(f"{count:6}  {words}")
    print(f"{len(calls)} calls, {sum(counts.values()) + wrong} rejected, {wrong} sentences untrue")
    return 1 if wrong or len(answers) != len(calls) or sum(counts.values()) < len(calls) // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
