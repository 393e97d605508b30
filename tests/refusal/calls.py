"""Random calls of `axe eval`, with what truth.py needs to know about each: the operands, and the
place of each element of the result by plain loops (maps.py).
"""

import collections
import math

from maps import AXES, Layout, entries, flat, plus, swizzled, tuple_text

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
    """The smallest component on each axis. If all places move by one step, so does the corner."""
    return tuple(map(min, zip(*places)))


def through(swizzle, place):
    return (swizzled(swizzle, place[0]),) + place[1:]


def layout(source, axes=AXES, swizzles=0.2, replicas=0.25, most=MOST):
    while True:
        def iters(count):
            return [(source.choice((1, 2, 2, 3, 3, 4, 5, 6, 8)),
                     source.choice((0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, -1, -3, -6)),
                     source.choice(axes)) for _ in range(count)]

        swizzle = None
        if source.random() < swizzles:
            swizzle = source.choice(((0, 1, 1), (0, 2, 2), (1, 1, 1), (0, 1, 2), (1, 2, 2),
                                     (0, 1, -1)))
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
    elements = [flat([b + c for (b, _), c in zip(box, entries(x, across))], s)
                for x in range(math.prod(across))]
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
                value=[value(x) for x in range(math.prod(across))], placed=placed,
                more={"scaled": scaled})


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
    return Call(f"{name}({t.text()}, {tuple_text(s)}, {b.text()}, {tuple_text(known)})", t, b,
                elements=list(range(t.size)),
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

    return Call(f"compose({a.text()}, {b.text()})", a, b,
                value=[value(x, None) for x in range(b.size)],
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
    return Call(f"inverse({l.text()}, ({', '.join(named)}))", l, value=value,
                more={"named": named, "where": where})


def a_group(source):
    l = layout(source)
    name = source.choice(("group", "group_many"))
    if name == "group":
        s = factors(source, l.size, source.randint(1, 4))
        return Call(f"group({l.text()}, {tuple_text(s)})", l, more={"shapes": [s]})
    shapes = [factors(source, l.size, source.randint(1, 3)) for _ in range(2)]
    return Call(f"group_many({l.text()}, {{{', '.join(map(tuple_text, shapes))}}})", l,
                more={"shapes": shapes})


def a_pack(source):
    l = layout(source)
    if source.random() < 0.7:
        n = source.choice((2, 3, 4))
        l = Layout(l.d[:3] + [(n * source.choice((1, 2)), 1, "m")], l.r, l.o, l.swizzle)
    return Call(
        f"pack({l.text()}, {source.choice((2, 2, 3, 4))}, {source.choice(('m', 'm', 'm', 'lane'))})", l)


def an_unpack(source):
    l = layout(source, source.choice((AXES, ("m",))), swizzles=0.5)
    return Call(
        f"unpack({l.text()}, {source.choice((2, 3, 4))}, {source.choice(('m', 'reg', 'lane'))})", l)


def a_swizzle(source):
    l = layout(source, source.choice((AXES, ("m",))), swizzles=0.5)
    return Call(
        f"compose(swizzle({source.randint(0, 2)},{source.randint(1, 2)},{source.choice((-2, -1, 1, 2))}), {l.text()})", l)


def a_rewrite(source):
    l = layout(source, ("lane", "warp", "m"), swizzles=0.1)
    if source.random() < 0.5:
        return Call(f"rewrite({l.text()}, tid = {source.choice((4, 8, 12))}*warp + lane)", l)
    return Call(f"rewrite({l.text()}, lane = {source.choice((2, 4, 6))}*wg + tid_in_wg)", l)


KINDS = [a_slice, a_slice, a_permute, a_broadcast, lambda s: a_sum(s, "tile"),
         lambda s: a_sum(s, "direct_sum"), a_compose, an_inverse, a_group,
         a_pack, a_rewrite, an_unpack, a_swizzle,
         *(lambda s, n=n: a_factor(s, n)
           for n in ("tile_outer", "tile_inner", "sum_outer", "sum_inner"))]
