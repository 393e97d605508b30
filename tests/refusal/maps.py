"""Layouts as plain loops, to check the sentences of refusals without any formula of the library.

A place is a tuple with one integer for each of AXES. `at` is the place of an element's first
replica before the swizzle. `replica_places` are the places of all its replicas before the swizzle.
"""

import itertools

AXES = ("m", "lane", "warp")


def plus(a, b, times=1):
    return tuple(x + times * y for x, y in zip(a, b))


def unit(axis, n):
    return tuple(n if a == axis else 0 for a in AXES)


def swizzled(parameters, address):
    """The swizzled address. All source bits are those of the unchanged address."""
    if parameters is None:
        return address
    base, bits, shift = parameters
    moved = address
    for bit in range(base, base + bits):
        source, target = (bit + shift, bit) if shift > 0 else (bit, bit - shift)
        if (address >> source) & 1:
            moved ^= 1 << target
    return moved


class Layout:
    def __init__(self, d, r=(), o=None, swizzle=None):
        self.d, self.r, self.swizzle = list(d), list(r), swizzle
        self.o = {a: n for a, n in (o or {}).items() if n}
        self.size = 1
        for extent, _, _ in self.d:
            self.size *= extent

    def named(self):
        """The axes in the order of their first appearance, in which the library prints O."""
        found = [a for _, _, a in self.d + self.r] + list(self.o)
        return list(dict.fromkeys(found))

    def text(self):
        def stride(s, a):
            return str(s) if a == "m" and s else f"{s}@{a}"

        def iters(which, of):
            parts = [str(i[0]) if which == 0 else stride(i[1], i[2]) for i in of]
            return parts[0] if len(parts) == 1 else "(" + ",".join(parts) + ")"

        out = "" if self.swizzle is None else "swizzle(M=%d,B=%d,S=%d) o " % self.swizzle
        out += f"S[{iters(0, self.d)}:{iters(1, self.d)}]" if self.d else "S[]"
        out += "".join(f" + R[{e}:{stride(s, a)}]" for e, s, a in self.r)
        for a in self.named():
            n = self.o.get(a, 0)
            if n:
                out += f" {'-' if n < 0 else '+'} {abs(n)}" + ("" if a == "m" else f"@{a}")
        return out

    def offset(self):
        return tuple(self.o.get(a, 0) for a in AXES)

    def at(self, x):
        """The place of the first replica of element x, before the swizzle."""
        place = self.offset()
        for extent, stride, axis in reversed(self.d):
            place = plus(place, unit(axis, x % extent * stride))
            x //= extent
        return place

    def moves(self):
        """The offsets of all replicas: the sums of every combination of digits of R."""
        for steps in itertools.product(*(range(e) for e, _, _ in self.r)):
            total = (0,) * len(AXES)
            for c, (_, s, a) in zip(steps, self.r):
                total = plus(total, unit(a, c * s))
            yield total

    def replica_places(self, x):
        return {plus(self.at(x), moved) for moved in self.moves()}

    def places(self, x):
        """The places of all replicas of element x, after the swizzle."""
        return {(swizzled(self.swizzle, p[0]),) + p[1:] for p in self.replica_places(x)}

    def reach(self, axis):
        k = AXES.index(axis)
        values = [p[k] for x in range(self.size) for p in self.places(x)]
        return min(values), max(values)

    def span(self, axis):
        least, most = self.reach(axis)
        return most - least + 1


def is_digit_list(values):
    """True if x -> values[x] is a sum of digits. Tries every extent of the fastest digit."""
    if len(values) == 1:
        return True
    step = plus(values[1], values[0], -1)
    if sum(1 for n in step if n) > 1:
        return False
    for extent in range(2, len(values) + 1):
        if len(values) % extent:
            continue
        runs = all(values[i] == plus(values[i - i % extent], step, i % extent)
                   for i in range(len(values)))
        if runs and is_digit_list(values[::extent]):
            return True
    return False


def is_replica_set(places):
    """True if the places, whose smallest component on each axis is 0, are the sums of some R. Tries
    every list of steps.
    """
    sides = [sorted({p[k] for p in places}) for k in range(len(AXES))]
    return (set(itertools.product(*sides)) == set(places)
            and all(are_sums({0}, set(s), s[1:]) for s in sides))


def are_sums(made, wanted, steps):
    """True if some of the steps, each any number of times, lead from `made` to `wanted`."""
    if made == wanted:
        return True
    for k, step in enumerate(steps):
        more = made | {n + step for n in made}
        if more <= wanted and are_sums(more, wanted, steps[k:]):
            return True
    return False


def flat(coordinate, extents):
    x = 0
    for c, e in zip(coordinate, extents):
        x = x * e + c
    return x


def entries(x, extents):
    out = []
    for e in reversed(extents):
        out.append(x % e)
        x //= e
    return tuple(reversed(out))


def tuple_text(numbers):
    return "(" + ",".join(map(str, numbers)) + ")"
