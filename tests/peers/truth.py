"""Computes the right answer of each operation by brute force on the sets of maps.py.

A question has an answer, has none, or is misuse (a shape of another size, a region out of bounds).
Several layouts may be right, for example if a factor has replicas. Then questions.py applies the
operation to the found layout and compares the maps.
"""

import itertools
import math

from maps import AXES, UNIT, Iter, Map, components, digits_of, is_layout, layout, map_of, splits, steps_of, sums_of

ANSWER, NONE, MISUSE, UNKNOWN = "answer", "none", "misuse", "unknown"


class Undecided(Exception):
    """Raised if the search for replicas takes too long."""


# --- spans ----------------------------------------------------------------------------------------

class Rule:
    """How the span of an inner layout is counted, and what a tile multiplies by it. The default is
    axe's rule. Each switch turns on one rule of the public implementation.
    """

    def __init__(self, span_counts_offset=False, replicas_unscaled=False, offsets_unscaled=False,
                 signed_span=False,
                 span_needs_digit=False, span_before_swizzle=False):
        self.span_counts_offset = span_counts_offset
        self.replicas_unscaled = replicas_unscaled  # the replicas of the outer layout
        self.offsets_unscaled = offsets_unscaled
        self.signed_span = signed_span
        self.span_needs_digit = span_needs_digit
        self.span_before_swizzle = span_before_swizzle

    def span(self, l, axis):
        digits = [i for i in l.shards if i.extent > 1] or l.shards[:1]
        if self.span_needs_digit and not any(i.axis == axis for i in digits):
            return 1
        if l.swizzle and not self.span_before_swizzle:
            reached = [components(p)[AXES.index(axis)] for places in map_of(l).places
                       for p in places]
            return 1 + max(reached) - min(reached)
        reach = lambda s: s if self.signed_span else abs(s)  # noqa: E731
        span = 1 + sum((i.extent - 1) * reach(i.stride) for i in l.shards + l.replicas
                       if i.axis == axis)
        return span + (l.offset(axis) if self.span_counts_offset else 0)


OURS = Rule()
THEIRS = Rule(span_counts_offset=True, replicas_unscaled=True, offsets_unscaled=True,
              span_before_swizzle=True)


def scaled(l, factor):
    """Returns the layout with its strides, replicas and offsets multiplied by factor(axis)."""
    def times(iters):
        return [(i.extent, i.stride * factor(i.axis), i.axis) for i in iters]

    return layout(times(l.shards), times(l.replicas), [(a, n * factor(a)) for a, n in l.offsets])


def pairs(outer_shape, inner_shape):
    """Yields, for every element of a tile, the element of the outer and that of the inner layout.
    """
    whole = [p * q for p, q in zip(outer_shape, inner_shape)]
    for c in itertools.product(*map(range, whole)):
        p = q = 0
        for at, e, f in zip(c, outer_shape, inner_shape):
            p, q = p * e + at // f, q * f + at % f
        yield p, q


def interleaved(outer, outer_shape, inner, inner_shape):
    """Returns outer(p) + inner(q) for every element (p,q) of a tile."""
    return [outer[p] + inner[q] for p, q in pairs(outer_shape, inner_shape)]


def summed(a, shape_a, b, shape_b):
    """Returns the map of a direct sum, which may not be a layout. Only b may be swizzled."""
    if b.swizzle:
        outer, inner = steps_of(a.shards), map_of(b).places
        replicas = [a.origin + r for r in sums_of(a.replicas)]
        return Map((), frozenset(),
                   tuple(frozenset(outer[p] + r + at for r in replicas for at in inner[q])
                         for p, q in pairs(shape_a, shape_b)))
    steps = interleaved(steps_of(a.shards), shape_a, steps_of(b.shards), shape_b)
    sums = {r + s for r in sums_of(a.replicas) for s in sums_of(b.replicas)}
    return Map(tuple(steps), frozenset(a.origin + b.origin + r for r in sums), ())


def joined(outer, shape_a, b, shape_b):
    """Returns the layout with the sum's digits and b's swizzle, or None if the digits are not a
    list of iters. With a swizzle its map may differ from that of `summed`.
    """
    digits = digits_of(interleaved(steps_of(outer.shards), shape_a, steps_of(b.shards), shape_b))
    if digits is None:
        return None
    offsets = {axis: outer.offset(axis) + b.offset(axis) for axis in outer.axes() | b.axes()}
    return layout(digits, [*outer.replicas, *b.replicas], offsets, b.swizzle)


def outer_of(a, b, rule=OURS):
    """Returns the outer layout scaled by the spans of the inner one, as a tile adds it."""
    outer = scaled(a, lambda axis: rule.span(b, axis))
    return outer._replace(replicas=a.replicas if rule.replicas_unscaled else outer.replicas,
                          offsets=a.offsets if rule.offsets_unscaled else outer.offsets)


def tiled(a, shape_a, b, shape_b, rule=OURS):
    return summed(outer_of(a, b, rule), shape_a, b, shape_b)


# --- replicas: is X = s*C + B for a sum C of arithmetic progressions? -----------------------------

def on_axis(places, axis):
    at = AXES.index(axis)
    return {components(p)[at] for p in places}


def sum_of_runs(target, fixed, step):
    """True if C + fixed = target for a set C of multiples of `step` that is a sum of progressions
    from 0. `target` and `fixed` start at 0.
    """
    def moved(mask, run):
        return mask << run

    whole, part = sum(1 << t for t in target), sum(1 << f for f in fixed)

    def plus_part(mask):
        total = 0
        for f in fixed:
            total |= moved(mask, f)
        return total

    seen, steps_left = set(), [20000]

    def search(mask, least):
        if plus_part(mask) == whole:
            return True
        if (mask, least) in seen:
            return False
        seen.add((mask, least))
        steps_left[0] -= 1
        if steps_left[0] < 0:
            raise Undecided
        for stride in range(least, max(target) + 1, step):
            grown, run = mask, mask
            while True:
                run <<= stride
                grown |= run
                if plus_part(grown) & ~whole:
                    break
                if search(grown, stride):
                    return True
        return False

    return not part & ~whole and search(1, step)


def replicas_fit(target, fixed, factor):
    """True if factor*C + fixed = target for a set C of replica steps. `target` and `fixed` are
    products of one set of positions for each axis, because each iter has one axis.
    """
    for a in AXES:
        t, f = on_axis(target, a), on_axis(fixed, a)
        t, f = {n - min(t) for n in t}, {n - min(f) for n in f}
        if not sum_of_runs(t, f, factor(a)):
            return False
    return True


def least(places):
    """Returns the place with the least component on each axis."""
    return sum(min(on_axis(places, a)) * UNIT[a] for a in AXES)


# --- factors --------------------------------------------------------------------------------------

def factor_of(t, shape_t, known, shape_known, known_is_inner, factor):
    """True if t = factor*A + B has a solution for the operand that is not known. factor(axis) is
    the span for a tile, and 1 for a sum.
    """
    other = [w // k for w, k in zip(shape_t, shape_known)]
    t_map, k_steps = map_of(t), steps_of(known.shards)
    at = dict(zip(itertools.product(*map(range, shape_t)), t_map.steps))
    outer_shape, inner_shape = (other, shape_known) if known_is_inner else (shape_known, other)
    place = lambda p, q: tuple(a * e + b for a, b, e in zip(p, q, inner_shape))  # noqa: E731
    zero = (0,) * len(shape_t)
    outer = [at[place(p, zero)] for p in itertools.product(*map(range, outer_shape))]
    inner = [at[place(zero, q)] for q in itertools.product(*map(range, inner_shape))]

    def grow(step):
        return sum(n * factor(a) * UNIT[a] for n, a in zip(components(step), AXES) if n)

    known_steps = [s if known_is_inner else grow(s) for s in k_steps]
    if known_steps != (inner if known_is_inner else outer):
        return False
    if interleaved(outer, outer_shape, inner, inner_shape) != list(t_map.steps):
        return False
    replicas = [known.origin + r for r in sums_of(known.replicas)]
    replicas = {r if known_is_inner else grow(r) for r in replicas}
    sought = outer if known_is_inner else inner
    each = factor if known_is_inner else (lambda a: 1)  # noqa: E731
    rest = [n for s in [*sought, least(t_map.base) - least(replicas)]
            for n in zip(components(s), AXES)]
    if any(n % each(a) for n, a in rest):
        return False
    shrunk = [sum(n // each(a) * UNIT[a] for n, a in zip(components(s), AXES)) for s in sought]
    return is_layout(shrunk) and replicas_fit(t_map.base, replicas, each)


def span_of_inner(t, a, axis):
    """Returns the span of B in t = tile(a, B), because span(t) = span(a) * span(B). None if it is
    not an integer.
    """
    whole, known = OURS.span(t, axis), OURS.span(a, axis)
    return whole // known if whole % known == 0 else None


def has_outer(t, shape_t, b, shape_b):
    return factor_of(t, shape_t, b, shape_b, True, lambda a: OURS.span(b, a))


def has_inner(t, shape_t, a, shape_a):
    spans = {axis: span_of_inner(t, a, axis) for axis in AXES}
    return None not in spans.values() and factor_of(t, shape_t, a, shape_a, False,
                                                    spans.__getitem__)


def has_outer_addend(t, shape_t, b, shape_b):
    return factor_of(t, shape_t, b, shape_b, True, lambda a: 1)


def has_inner_addend(t, shape_t, a, shape_a):
    return factor_of(t, shape_t, a, shape_a, False, lambda a: 1)


# --- one layout -----------------------------------------------------------------------------------

def region_of(l, shape, region):
    """Returns the elements of a region in row-major order."""
    found = []
    for c in itertools.product(*(range(b, e) for b, e in region)):
        x = 0
        for at, extent in zip(c, shape):
            x = x * extent + at
        found.append(x)
    return found


def sliced(l, shape, region):
    whole = map_of(l)
    xs = region_of(l, shape, region)
    if whole.places:
        return Map((), frozenset(), tuple(whole.places[x] for x in xs))
    first = whole.steps[xs[0]]
    return Map(tuple(whole.steps[x] - first for x in xs), frozenset(b + first for b in whole.base),
               ())


def idle(l):
    """True if the swizzle changes no place of the layout."""
    if l.swizzle is None:
        return True
    swizzled, plain = map_of(l), map_of(l._replace(swizzle=None))
    return all(swizzled.at(x) == plain.at(x) for x in range(plain.size))


def unpacked(l, n, axis):
    """Returns the map in which part i of element x is at n times x's component on the axis, plus i.
    """
    if idle(l):
        l = l._replace(swizzle=None)
    if l.swizzle is None:
        grown = scaled(l, lambda a: n if a == axis else 1)
        return map_of(grown._replace(shards=(*grown.shards, Iter(n, 1, axis))))
    whole, at = map_of(l), AXES.index(axis)
    return Map((), frozenset(), tuple(frozenset(p + (components(p)[at] * (n - 1) + i) * UNIT[axis]
                                                for p in whole.at(x))
                                      for x in range(whole.size) for i in range(n)))


def packs(l, n, axis):
    """True if each run of n elements is contiguous, and the runs begin at multiples of n."""
    m = map_of(l)
    if m.size % n:
        return False
    outer = m.steps[::n]
    if any(m.steps[q * n + c] != s + c * UNIT[axis] for q, s in enumerate(outer) for c in range(n)):
        return False
    at = AXES.index(axis)
    if any(components(p)[at] % n for p in [*outer, *m.base]):
        return False
    shrunk = [p - components(p)[at] // n * (n - 1) * UNIT[axis] for p in outer]
    return is_layout(shrunk)


def groups(l, shape):
    return splits(list(map_of(l).steps), shape) is not None


def fits(l, shape):
    return all(e >= 1 for e in shape) and math.prod(shape) == l.size
