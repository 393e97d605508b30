"""The operations of axe and of the public implementation: how each is asked, and how an answer is
judged.

A question is (operation, arguments). The arguments are layouts of maps.py, shapes, regions and
numbers. `ours` makes a line for `axe eval`, `theirs` a request for theirs.py. `verdict` and `right`
use the definitions of truth.py, and neither library.
"""

import dataclasses
from typing import Callable

import truth
from maps import UNIT, Map, in_our_notation, map_of, shape_text, steps_of
from truth import ANSWER, MISUSE, NONE, UNKNOWN, Undecided


@dataclasses.dataclass(frozen=True)
class Operation:
    name: str
    ours: Callable
    theirs: Callable
    verdict: Callable  # takes the arguments: ANSWER, NONE, MISUSE or UNKNOWN
    # Takes the arguments and the layout found. Returns the map that must be equal to `wanted`.
    composed: Callable
    wanted: Callable  # takes the arguments, returns the required map

    def right(self, *arguments_and_found):
        return same_map(self.composed(*arguments_and_found), self.wanted(*arguments_and_found[:-1]))


def as_json(l):
    return [l.shards, l.replicas, l.offsets, l.swizzle]


def call(name, *arguments):
    return f"{name}({', '.join(a if isinstance(a, str) else in_our_notation(a) if hasattr(a, 'shards') else shape_text(a) for a in arguments)})"


def exists(decide):
    try:
        return ANSWER if decide() else NONE
    except Undecided:
        return UNKNOWN


def always(*_):
    return ANSWER


def unary(name):
    return lambda l: call(name, l), lambda l: [name, as_json(l)]


# --- one layout -----------------------------------------------------------------------------------

CANONICALIZE = Operation("canonicalize", *unary("canonicalize"), always,
                         lambda l, found: map_of(found), map_of)


def on_tx(l):
    """Returns the map with lane and warp as one thread number, 32 * warp + lane. For a CUDA target
    their canonicalize keeps this map.
    """
    unit = {**UNIT, "warpid": 32 * UNIT["tx"], "laneid": UNIT["tx"]}
    steps = [0]
    for i in l.shards:
        steps = [s + c * i.stride * unit[i.axis] for s in steps for c in range(i.extent)]
    replicas = {sum(n * unit[a] for a, n in l.offsets)}
    for i in l.replicas:
        replicas = {s + c * i.stride * unit[i.axis] for s in replicas for c in range(i.extent)}
    return Map(tuple(steps), frozenset(replicas), ())


CUDA = Operation("canonicalize for cuda", lambda l: call("canonicalize", l),
                 lambda l: ["canonicalize for cuda", as_json(l)],
                 always, lambda l, found: on_tx(found), on_tx)


def shape_verdict(l, shape):
    return ANSWER if truth.fits(l, shape) else MISUSE


def group_verdict(l, shape):
    if shape_verdict(l, shape) == MISUSE:
        return MISUSE
    return ANSWER if truth.groups(l, shape) else NONE


GROUP = Operation("group", lambda l, shape: call("group", l, shape),
                  lambda l, shape: ["group", as_json(l), shape], group_verdict,
                  lambda l, shape, found: map_of(found), lambda l, shape: map_of(l))


def apply_verdict(l, shape, c):
    return ANSWER if truth.fits(l, shape) and all(0 <= x < e for x, e in zip(c, shape)) else MISUSE


def element(shape, c):
    x = 0
    for at, extent in zip(c, shape):
        x = x * extent + at
    return x


def places_at(l, shape, c):
    return map_of(l).at(element(shape, c))


def first_replica(l, shape, c):
    """Returns D(x) + O, with the swizzle applied. Their `apply` returns this one place."""
    address = steps_of(l.shards)[element(shape, c)] + l.origin
    return l.swizzle(address) if l.swizzle else address


APPLY = Operation("apply", lambda l, shape, c: call("places", l, shape, c),
                  lambda l, shape, c: ["apply", as_json(l), shape, c],
                  apply_verdict, lambda l, shape, c, found: Map((0,), found, ()),
                  lambda *given: Map((0,), places_at(*given), ()))


def slice_verdict(l, shape, region):
    if not truth.fits(l, shape) or any(not 0 <= b < e <= extent
                                       for (b, e), extent in zip(region, shape)):
        return MISUSE
    plain = truth.sliced(l._replace(swizzle=None), shape, region)
    if truth.is_layout(list(plain.steps)):
        return ANSWER
    # A layout with another swizzle might be the slice.
    return NONE if l.swizzle is None else UNKNOWN


def region_text(region):
    return "(" + ", ".join(f"{b}:{e}" for b, e in region) + ")"


SLICE = Operation("slice", lambda l, shape, region: call("slice", l, shape, region_text(region)),
                  lambda l, shape, region: ["slice", as_json(l), shape, region], slice_verdict,
                  lambda l, shape, region, found: map_of(found), truth.sliced)

UNPACK = Operation("unpack", lambda l, n: call("unpack", l, str(n), "m"),
                   lambda l, n: ["unpack", as_json(l), n],
                   lambda l, n: MISUSE if n < 1 else UNKNOWN if n & (n - 1) and not truth.idle(l)
                   else ANSWER,
                   lambda l, n, found: map_of(found), lambda l, n: truth.unpacked(l, n, "m"))


def pack_verdict(l, n):
    if n < 1:
        return MISUSE
    if l.swizzle is None:
        return ANSWER if truth.packs(l, n, "m") else NONE
    plain = truth.packs(l._replace(swizzle=None), n,
                        "m") and n & (n - 1) == 0 and n <= 1 << l.swizzle.M
    return ANSWER if plain else UNKNOWN


PACK = Operation("pack", lambda l, n: call("pack", l, str(n), "m"),
                 lambda l, n: ["pack", as_json(l), n], pack_verdict,
                 lambda l, n, found: truth.unpacked(found, n, "m"), lambda l, n: map_of(l))


def sets(m):
    return tuple(m.at(x) for x in range(m.size))


def same_map(a, b):
    """True if two layouts are the same map. One may be swizzled and the other not."""
    return a == b if bool(a.places) == bool(b.places) else sets(a) == sets(b)


def same(found, wanted):
    return same_map(map_of(found), wanted)


# --- two layouts ----------------------------------------------------------------------------------

def pair_verdict(a, shape_a, b, shape_b, build):
    if not (truth.fits(a, shape_a) and truth.fits(b, shape_b) and len(shape_a) == len(shape_b)):
        return MISUSE
    if not b.swizzle:
        return ANSWER if truth.is_layout(list(build(a, shape_a, b, shape_b).steps)) else NONE
    candidate = truth.joined(truth.outer_of(a, b) if build is truth.tiled else a, shape_a, b,
                             shape_b)
    on_memory = candidate is not None and candidate.axes() <= {"m"}
    # A layout with another swizzle might be the answer.
    return ANSWER if on_memory and map_of(candidate) == build(a, shape_a, b, shape_b) else UNKNOWN


def pair(name, build):
    return Operation(name, lambda a, sa, b, sb: call(name, a, sa, b, sb),
                     lambda a, sa, b, sb: [name, as_json(b), as_json(a), sa, sb],
                     lambda *given: pair_verdict(*given, build),
                     lambda a, sa, b, sb, found: map_of(found), build)


TILE = pair("tile", truth.tiled)
DIRECT_SUM = pair("direct_sum", truth.summed)


def factor_verdict(t, shape_t, known, shape_known, decide):
    if not (truth.fits(t, shape_t) and truth.fits(known, shape_known)
            and len(shape_t) == len(shape_known)):
        return MISUSE
    if any(w % k for w, k in zip(shape_t, shape_known)):
        return MISUSE
    return exists(lambda: decide(t, shape_t, known, shape_known))


def swizzled_factor_verdict(t, shape_t, known, shape_known):
    """Returns UNKNOWN for a valid question. Composing a found factor again shows whether it is
    right.
    """
    given = (t, shape_t, known, shape_known)
    return MISUSE if factor_verdict(*given, lambda *_: True) == MISUSE else UNKNOWN


def recogniser(theirs, ours, decide, known_is_inner, build, swizzled=False):
    def request(t, shape_t, known, shape_known):
        shape = shape_t
        if "sum" in theirs:  # their function takes the extents of the two shapes alternately
            other = [w // k if w % k == 0 else 1 for w, k in zip(shape_t, shape_known)]
            pairs = zip(other, shape_known) if known_is_inner else zip(shape_known, other)
            shape = [e for two in pairs for e in two]
        return [theirs, as_json(known), as_json(t), shape, shape_known]

    def compose(t, shape_t, known, shape_known, found, rule=build):
        other = [w // k for w, k in zip(shape_t, shape_known)]
        if not truth.fits(found, other):
            return Map((), frozenset(), ())
        # Only the sum of a swizzled outer layout is defined: the places are added.
        if known_is_inner and found.swizzle:
            outer, inner = map_of(found), map_of(known)
            both = [frozenset(x + y for x in outer.at(p) for y in inner.at(q))
                    for p, q in truth.pairs(other, shape_known)]
            return Map((), frozenset(), tuple(both) if build is truth.summed else ())
        if known_is_inner:
            return rule(found, other, known, shape_known)
        return rule(known, shape_known, found, other)

    verdict = swizzled_factor_verdict if swizzled else lambda *given: factor_verdict(*given, decide)
    operation = Operation(theirs + SWIZZLED * swizzled, lambda *given: call(ours, *given), request,
                          verdict, compose, lambda t, *_: map_of(t))
    COMPOSE[operation.name] = compose
    return operation


SWIZZLED = ", swizzled"  # these operations are asked all small questions and no random ones
# For the name of each recogniser, the function that composes a found factor by a rule of truth.py.
COMPOSE = {}
FACTORS = [
    ("is_tile_inner", "tile_outer", truth.has_outer, True, truth.tiled),
    ("is_tile_outer", "tile_inner", truth.has_inner, False, truth.tiled),
    ("is_direct_sum_right", "sum_outer", truth.has_outer_addend, True, truth.summed),
    ("is_direct_sum_left", "sum_inner", truth.has_inner_addend, False, truth.summed),
]
RECOGNISERS = [recogniser(*factor, swizzled) for swizzled in (False, True) for factor in FACTORS]

OPERATIONS = {o.name: o for o in
              [CANONICALIZE, CUDA, APPLY, GROUP, SLICE, TILE, DIRECT_SUM, *RECOGNISERS, PACK,
               UNPACK]}
