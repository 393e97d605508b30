"""Layouts as plain sets of places. The oracle of the peers is built on it. It uses neither axe nor a peer.

L(x) = { D(x) + O + r : r in Delta(R) },  0 <= x < size

A place is one integer: axis a counts in units of 2^(24 a), so that places are added and compared as
numbers. Two layouts are the same map iff D(x) is equal at every x and the set O + Delta(R) is
equal.
"""

import itertools
import re
from typing import NamedTuple

AXES = ("m", "laneid", "warpid", "cbx", "P", "F", "TCol", "tx")
BITS = 24
UNIT = {name: 1 << (BITS * i) for i, name in enumerate(AXES)}
OURS = {"laneid": "lane", "warpid": "warp", "cbx": "cluster_cta_x", "tx": "tid"}
THEIRS = {ours: theirs for theirs, ours in OURS.items()}


class Iter(NamedTuple):
    extent: int
    stride: int
    axis: str

    @property
    def step(self):
        return self.stride * UNIT[self.axis] if self.stride else 0


class Swizzle(NamedTuple):
    M: int
    B: int
    S: int  # a negative S XORs upward

    def __call__(self, address):
        x, mask = address >> self.M, (1 << self.B) - 1
        moved = (x >> self.S) & mask if self.S > 0 else (x & mask) << -self.S
        return address ^ (moved << self.M)


class Layout(NamedTuple):
    shards: tuple = ()
    replicas: tuple = ()
    offsets: tuple = ()  # pairs of axis and number, sorted, without zeros
    swizzle: Swizzle = None

    @property
    def size(self):
        size = 1
        for i in self.shards:
            size *= i.extent
        return size

    @property
    def origin(self):
        return sum(n * UNIT[a] for a, n in self.offsets)

    def offset(self, axis):
        return dict(self.offsets).get(axis, 0)

    def axes(self):
        return {i.axis for i in self.shards + self.replicas} | {a for a, _ in self.offsets}

    def __str__(self):
        return in_our_notation(self)


def layout(shards=(), replicas=(), offsets=(), swizzle=None):
    kept = tuple(sorted((a, n) for a, n in dict(offsets).items() if n != 0))
    return Layout(tuple(Iter(*i) for i in shards), tuple(Iter(*i) for i in replicas), kept, swizzle)


# --- maps -----------------------------------------------------------------------------------------

def steps_of(shards):
    """Returns D(x) for every x. The last digit is the fastest."""
    at = [0]
    for e, *_ in shards:
        if e < 1:
            raise ValueError("an extent below 1")
    for i in shards:
        step = i.step
        at = [a + c * step for a in at for c in range(i.extent)]
    return at


def sums_of(replicas):
    """Returns Delta(R), the set of all sums of replica steps."""
    found = {0}
    for i in replicas:
        step = i.step
        found = {a + c * step for a in found for c in range(i.extent)}
    return found


def within_bounds(l):
    """True if every place fits in the 24 bits of its axis. Places of a wrong answer may not fit."""
    reach = {}
    for i in l.shards + l.replicas:
        reach[i.axis] = reach.get(i.axis, 0) + abs(i.extent * i.stride)
    for a, n in l.offsets:
        reach[a] = reach.get(a, 0) + abs(n)
    return all(n < 1 << (BITS - 1) for n in reach.values()) and l.size <= 1 << 16


class Map(NamedTuple):
    """The map of a layout. Equal maps compare equal."""
    steps: tuple     # D(x) for every x; empty when swizzled
    base: frozenset  # O + Delta(R)
    places: tuple  # the places of every x if there is a swizzle, else empty

    @property
    def size(self):
        return max(len(self.steps), len(self.places))

    def at(self, x):
        return self.places[x] if self.places else frozenset(self.steps[x] + b for b in self.base)


def map_of(l):
    steps, origin = steps_of(l.shards), l.origin
    base = frozenset(origin + r for r in sums_of(l.replicas))
    if l.swizzle is None:
        return Map(tuple(steps), base, ())
    return Map((), frozenset(), tuple(frozenset(l.swizzle(s + b) for b in base) for s in steps))


def components(place):
    """Returns the components of a place, one for each axis."""
    found, half = [], 1 << (BITS - 1)
    for _ in AXES:
        low = (place + half) % (1 << BITS) - half
        found.append(low)
        place = (place - low) >> BITS
    return found


def single_axis(step):
    """Returns (stride, axis) if the step is along one axis, (0, "m") if it is 0, and None if it is
    along two axes.
    """
    moved = [(n, a) for n, a in zip(components(step), AXES) if n]
    return (0, "m") if not moved else moved[0] if len(moved) == 1 else None


def in_words(place):
    moved = [f"{n}@{OURS.get(a, a)}" for n, a in zip(components(place), AXES) if n]
    return " + ".join(moved) or "0"


def set_in_words(places):
    return "{" + ", ".join(in_words(p) for p in sorted(places)) + "}"


# --- which functions are layouts? ----------------------------------------------------------------

def prime_factors(n):
    return [p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, p))]


def digits_of(steps):
    """Returns iters whose D is this function, or None. The function must be 0 at 0. Trying prime
    extents is enough, because a digit of another extent splits into digits of prime extents.
    """
    n = len(steps)
    if n == 1:
        return []
    on = single_axis(steps[1])
    if on is None:
        return None
    for p in prime_factors(n):
        if all(steps[q + c] == steps[q] + c * steps[1] for q in range(0, n, p)
               for c in range(1, p)):
            outer = digits_of(steps[::p])
            if outer is not None:
                return [*outer, Iter(p, *on)]
    return None


def is_layout(steps):
    return digits_of(steps) is not None


def splits(steps, shape):
    """Cuts a function on a shape into one function for each dimension. Returns them if their sum is
    the function and each is a layout, else None.
    """
    parts, inner = [], 1
    for extent in reversed(shape):
        parts.append([steps[c * inner] for c in range(extent)])
        inner *= extent
    parts.reverse()
    if inner != len(steps) or any(sum(p) != s for p, s in zip(itertools.product(*parts), steps)):
        return None
    return parts if all(is_layout(p) for p in parts) else None


# --- text -----------------------------------------------------------------------------------------

def term(n, axis):
    return str(n) if axis == "m" and n != 0 else f"{n}@{OURS.get(axis, axis)}"


def in_our_notation(l):
    text = ""
    if l.swizzle:
        text = "swizzle(M=%d,B=%d,S=%d) o " % l.swizzle
    brackets = "()" if len(l.shards) != 1 else ("", "")
    text += "S[" + ",".join(str(i.extent) for i in l.shards).join(brackets)
    text += ":" + ",".join(term(i.stride, i.axis) for i in l.shards).join(brackets) + "]"
    for i in l.replicas:
        text += f" + R[{i.extent}:{term(i.stride, i.axis)}]"
    for a, n in l.offsets:
        text += f" {'-' if n < 0 else '+'} {term(abs(n), a)}"
    return text.replace("S[():()]", "S[]")


def shape_text(shape):
    return "(" + ",".join(map(str, shape)) + ")"


PRINTED = re.compile(
    r"(?:swizzle\(M=(\d+),B=(\d+),S=(-?\d+)\) o )?S\[([^\]]*)\]((?: \+ R\[[^\]]*\])*)((?: [+-] \d+(?:@\w+)?)*)$")


def read_term(text):
    n, _, axis = text.partition("@")
    if not axis and int(n) == 0:
        return 0, "m"  # a bare stride 0 may be on any axis: the map is the same
    axis = THEIRS.get(axis, axis or "m")
    return int(n), axis


def read_ours(text):
    """Reads a layout that axe printed. Returns the layout and the sizes of its blocks, which are
    None if the layout is not grouped.
    """
    found = PRINTED.match(text)
    if not found:
        raise ValueError(f"cannot read our answer {text!r}")
    m, b, s, digits, replicas, offsets = found.groups()
    extents, _, strides = digits.partition(":")
    blocks = None
    if extents.startswith("(("):
        blocks = []
        for block in re.findall(r"\(([^()]*)\)", extents):
            product = 1
            for e in filter(None, block.split(",")):
                product *= int(e)
            blocks.append(product)
    plain = lambda t: [e for e in re.split(r"[(),]+", t) if e]  # noqa: E731
    shards = [(int(e), *read_term(t)) for e, t in zip(plain(extents), plain(strides), strict=True)]
    copies = [(int(e), *read_term(t))
              for e, t in (r.split(":") for r in re.findall(r"R\[([^\]]*)\]", replicas))]
    sums = {}
    for sign, t in re.findall(r" ([+-]) (\S+)", offsets):
        n, axis = read_term(t)
        sums[axis] = sums.get(axis, 0) + (n if sign == "+" else -n)
    return layout(shards, copies, sums, Swizzle(int(m), int(b), int(s)) if m is not None
                  else None), blocks


def read_places(text):
    """Reads `{5@warp + 1@m, …}` as a set of places, where `0` is the origin."""
    places = set()
    for place in text.strip("{}").split(", "):
        total = 0
        for t in place.split(" + "):
            n, axis = read_term(t) if t != "0" else (0, "m")
            total += n * UNIT[axis] if n else 0
        places.add(total)
    return frozenset(places)
