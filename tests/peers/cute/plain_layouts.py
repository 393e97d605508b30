"""CuTe's layouts as nested tuples, and the right answer of each operation by brute force over all
points. Uses neither library.

    Layout((4, (2, 3)), (1, (4, 8)))        printed (4,(2,3)):(1,(4,8)); first mode fastest
"""

import functools
import itertools


def leaves(tree):
    return [tree] if isinstance(tree, int) else [leaf for entry in tree for leaf in leaves(entry)]


def text(tree):
    if isinstance(tree, int):
        return str(tree)
    return "(" + ",".join(text(entry) for entry in tree) + ")"


class Layout:
    def __init__(self, shape, stride):
        self.shape, self.stride = shape, stride
        self.flat = list(zip(leaves(shape), leaves(stride), strict=True))
        self.size = product(e for e, _ in self.flat)

    def __str__(self):
        return f"{text(self.shape)}:{text(self.stride)}"

    def __eq__(self, other):
        return (self.shape, self.stride) == (other.shape, other.stride)

    def modes(self):
        if isinstance(self.shape, int):
            return [self]
        return [Layout(s, d) for s, d in zip(self.shape, self.stride, strict=True)]

    def __call__(self, i):
        """Returns the value at i. As in CuTe, the last leaf has no end, so i may be past the end.
        """
        at = 0
        for e, d in self.flat[:-1]:
            at += i % e * d
            i //= e
        return at + i * self.flat[-1][1] if self.flat else at

    @functools.cached_property
    def values(self):
        return values_of(self.flat)


class Swizzled(Layout):
    """Sw<B,M,S> o offset o inner: XORs B bits of offset + inner(i) into B others. For S > 0 the
    source starts at bit M + S and the target at bit M; for S < 0 at bits M and M - S.
    """

    def __init__(self, swizzle, offset, inner):
        super().__init__(inner.shape, inner.stride)
        self.swizzle, self.offset, self.inner = swizzle, offset, inner

    def __str__(self):
        return f"Sw<{','.join(map(str, self.swizzle))}> o {self.offset} o {self.inner}"

    def __eq__(self, other):
        return isinstance(other, Swizzled) and (self.swizzle, self.offset, self.inner) == (
            other.swizzle, other.offset, other.inner)

    def place(self, address):
        b, m, s = self.swizzle
        mask = (1 << b) - 1
        moved = (address >> (m + max(s, 0))) & mask
        return address ^ moved << (m + max(-s, 0))

    def __call__(self, i):
        return self.place(self.offset + self.inner(i))

    @functools.cached_property
    def values(self):
        return [self.place(self.offset + v) for v in self.inner.values]


def product(numbers):
    n = 1
    for number in numbers:
        n *= number
    return n


def values_of(flat):
    """Returns the place of every element, the first leaf fastest."""
    found = [0]
    for e, d in flat:
        found = [base + c * d for c in range(e) for base in found]
    return found


def side_by_side(*layouts):
    return Layout(tuple(l.shape for l in layouts), tuple(l.stride for l in layouts))


def is_digit_list(f):
    """True if a layout has exactly these values. Tries every divisor of their number as the first
    extent.
    """
    if f[0] != 0:
        return False
    if len(f) == 1:
        return True
    for n in range(2, len(f) + 1):
        if len(f) % n == 0 and all(f[i] == f[i - i % n] + i % n * f[1]
                                   for i in range(len(f))) and is_digit_list(f[::n]):
            return True
    return False


def composes(a, b):
    """True if a layout R exists with R(c) = A(B(c)) and one group of leaves for each leaf of B.
    False if B reaches past the end of A.
    """
    if any(v < 0 or v >= a.size for v in b.values):
        return False
    parts = [[a.values[c * d] for c in range(e)] for e, d in b.flat]
    if not all(is_digit_list(part) for part in parts):
        return False
    sums = [0]
    for part in parts:
        sums = [base + v for v in part for base in sums]
    return sums == [a.values[v] for v in b.values]


def refines(shape, by):
    """True if every coordinate of the shape `by` is also a coordinate of `shape`."""
    if isinstance(by, int):
        return product(leaves(shape)) == by
    if isinstance(shape, int):
        return len(by) == 1 and refines(shape, by[0])
    return len(shape) == len(by) and all(refines(s, b) for s, b in zip(shape, by))


def injective(flat):
    moving = values_of([(e, d) for e, d in flat if d])
    return len(set(moving)) == len(moving)


def complement(flat, n):
    """Returns the complement up to n by its definition, or None if two elements share a place. A
    digit of stride d above a block of b places leaves room for d // b replicas of the block.

        complement([(2, 1), (2, 6)], 24)       (3,2):(2,12): blocks of 2 places, then of 12

    Digits whose strides interleave, such as (3, 2) and (2, 3), form one block with those below.
    """
    moving = sorted((abs(d), e) for e, d in flat if d and e > 1)
    if not injective(flat):
        return None
    interleaved, block, span = 0, 1, 1  # the first `interleaved` digits make one block
    for k, (d, e) in enumerate(moving):
        span += (e - 1) * d
        if d < block:
            interleaved, block = k + 1, span
        else:
            block = d * e
    block = 1 + sum((e - 1) * d for d, e in moving[:interleaved])
    found = []
    for d, e in moving[interleaved:]:
        found.append((d // block, block))
        block = d * e
    found.append((max(-(-n // block), 1), block))
    found = [leaf for leaf in found if leaf[0] > 1] or [(1, 0)]
    return Layout(tuple(e for e, _ in found), tuple(d for _, d in found))


def replicas(flat, n):
    """Returns a complement of at least n elements. If the layout has gaps, the complement reaches
    past size * n places.
    """
    places = product(e for e, _ in flat) * n
    while (found := complement(flat, places)) is not None and found.size < n:
        places *= 2
    return found


def is_complement(flat, r, n):
    """True if R is a complement up to n. R starts at 0 and ascends, and the sums of a place of the
    layout and a value of R are all different. The block at the last value of R reaches n.
    """
    places, found = set(values_of(flat)), r.values
    sums = {i + j for i in places for j in found}
    ascends = found[:1] == [0] and all(a < b for a, b in itertools.pairwise(found))
    reach = max(places) - min(places) + 1
    period = max([reach, *(abs(d) * e for e, d in flat)])
    return ascends and len(sums) == len(places) * len(found) and found[-1] + period >= n


def is_right_inverse(l, r):
    """True if R is a right inverse: L(R(i)) = i."""
    return all(0 <= v < l.size and l.values[v] == i for i, v in enumerate(r.values))


def is_left_inverse(l, r):
    """True if R is a left inverse: for each place v of L, R(v) is an element at v."""
    first = {}
    for i, v in enumerate(l.values):
        first.setdefault(v, i)
    # If CuTe returns negative extents, `back` is shorter than r.size.
    back = r.values
    return all(0 <= v < len(back) and 0 <= back[v] < l.size and l.values[back[v]] == v
               for v in first)


def upcasts(l, n):
    """Returns (divisors, values) of floor(L / n), or None if elements that should share one wide
    element have different quotients. Entry k of `divisors` divides the extent of leaf k.

        upcasts((4, 3):(1, 8), 2)              [2, 1] and [0, 1, 4, 5, 8, 9]
    """
    cuts = []
    for e, d in l.flat:
        if e == 1 or d % n == 0:
            cuts.append(1)
        elif n % abs(d) or e % min(n // abs(d), e):
            return None
        else:
            cuts.append(min(n // abs(d), e))
    wanted = {}
    for i, v in enumerate(l.values):
        j, weight = 0, 1
        for (e, _), cut in zip(l.flat, cuts):
            j += i % e // cut * weight
            weight *= e // cut
            i //= e
        if wanted.setdefault(j, v // n) != v // n:
            return None
    return cuts, [wanted[j] for j in range(len(wanted))]
