"""The operations on swizzled operands, Sw<B,M,S> o offset o L. A result is right if its places are
the swizzled places of L's result.

If there is no result for L, a result with another swizzle might exist. The test assumes that one
exists only if axe or CuTe finds it.
"""

import dataclasses
import itertools

import cute_cases as cases
import cute_questions as plain_questions
import plain_layouts as plain
from cute_questions import combined, divided, over, product_parts, shape_tiler, side_by_side_parts
from plain_layouts import Layout, Swizzled


def swizzled(rng, inner, offset=None, least=0):
    b, m = rng.randint(1, 3), rng.randint(least, 3)
    s = rng.choice((1, -1)) * rng.randint(b, 3)
    if offset is None:
        offset = rng.choice((0, 0, 1, 4, 8, rng.randint(0, 40)))
    return Swizzled((b, m, s), offset, inner)


def behind_the_swizzle(name, wanted):
    """Makes the operation `name` with a swizzled first operand. wanted(L, …) returns the places of
    the result before the swizzle, or None.
    """
    operation = plain_questions.OPERATIONS[name]

    def random_arguments(rng):
        first, *others = operation.random_arguments(rng)
        return swizzled(rng, first), *others

    def legal(a, *others):
        return True if operation.legal(a.inner, *others) else None

    def right(a, *others_and_found):
        *others, r = others_and_found
        places = wanted(a.inner, *others)
        return places is not None and r.values == [a.place(a.offset + v) for v in places]

    def explained(a, *others_and_found):
        *others, r = others_and_found
        same = isinstance(r, Swizzled) and (r.swizzle, r.offset) == (a.swizzle, a.offset)
        return operation.explained(a.inner, *others, r.inner) if same else None

    return dataclasses.replace(operation, name=f"{name}, swizzled",
                               random_arguments=random_arguments, legal=legal, right=right,
                               explained=explained, forms=False)


def inside(a, b):
    is_inside = b is not None and all(0 <= v < a.size for v in b.values)
    return [a.values[v] for v in b.values] if is_inside else None


def first_of_each(a, tile):
    if any(n > m.size for n, m in zip(tile, a.modes())):
        return None
    return combined(m.values[:n] for m, n in zip(a.modes(), tile))


def divided_by_mode(zipped):
    """Returns the places of a divide by mode, with tile extents n. Element i of tile j is element
    i + n * j of its mode. In zipped forms, tile modes precede rest modes.
    """
    def wanted(a, tile):
        cuts = [(m, tile[k] if k < len(tile) else None) for k, m in enumerate(a.modes())]
        if any(n and m.size % n for m, n in cuts):
            return None
        if not zipped:
            return a.values
        tiles = [range(n) for _, n in cuts if n]
        rests = [range(m.size // n if n else m.size) for m, n in cuts]
        found = []
        for rest in itertools.product(*reversed(rests)):
            for at in itertools.product(*reversed(tiles)):
                i = (*reversed(at), *[0] * (len(cuts) - len(at)))
                found.append(sum(m.values[i[k] + j * n if n else j]
                                 for k, ((m, n), j) in enumerate(zip(cuts, reversed(rest)))))
        return found
    return wanted


def multiplied(a, b):
    rest = over(a, b)
    return None if rest is None else combined([a.values, [rest(v) for v in b.values]])


def multiplied_by_mode(zipped):
    def wanted(a, tile):
        parts = product_parts(a, tile)
        return None if parts is None else plain_questions.in_order(parts, zipped)
    return wanted


def shaped(a, shape):
    tiler = shape_tiler(a, shape)
    return None if tiler is None else side_by_side_parts(a, tiler, False)


# The inverses, max_common_vector, upcast and downcast on a swizzled operand.

def one_swizzled(rng):
    """Makes a random swizzled layout. A third of them have an offset. Half of these offsets are
    above all bits that the swizzle reads.
    """
    a = swizzled(rng, cases.random_layout(rng), 0)
    if rng.random() < 1 / 3:
        a = Swizzled(a.swizzle, rng.choice((rng.randint(1, 20), 1 << sum(map(abs, a.swizzle)))),
                     a.inner)
    return (a,)


def right_behind(a, r):
    """Explains a right inverse that satisfies L(R(i)) = i only if L continues past its end."""
    return plain_questions.BEHIND if all(a(v) == i for i, v in enumerate(r.values)) else None


def left_behind(a, r):
    """Explains a left inverse that satisfies R(L(i)) = i only if R continues past its end. If
    several elements are at one place, R may return any of them.
    """
    return plain_questions.BEHIND if all(a(r(v)) == v for v in a.values) else None


def injective(a):
    return len(set(a.values)) == len(a.values)


def pair(rng):
    a, b = plain_questions.pair_of_layouts(rng)
    return swizzled(rng, a, rng.choice((0, 0, 0, 4, 8, rng.randint(1, 20)))), b


def steps_on(values, n, wanted):
    """Returns a list. Entry v, for v < n, is the element of `wanted` that lies v places after
    element 0, or None if there is no such element.
    """
    at = {values[i] - values[0]: i for i in reversed(wanted)}
    return [at.get(v) for v in range(n)]


def common_everywhere(a, b, n):
    """True if n elements are contiguous in both layouts from the first element on. If the places of
    A are not those of a plain layout, the swizzle may split other vectors of A. Every vector
    that is contiguous without the swizzle must then be contiguous with it.
    """
    if n == 1:
        return True
    if not plain_questions.common(a, b, n):
        return False
    # A has the places of a plain layout, in which all vectors are alike.
    if plain.is_digit_list([v - a.values[0] for v in a.values]):
        return True
    step = steps_on(a.inner.values, n, range(a.size))
    left = set(range(a.size))
    while left and None not in step:
        e = min(left)
        taken = [e + s for s in step]
        if left.issuperset(taken) and all(a.inner.values[t] == a.inner.values[e] + i
                                          for i, t in enumerate(taken)):
            if any(a.values[t] != a.values[e] + i for i, t in enumerate(taken)):
                return False
            left.difference_update(taken)
        left.discard(e)
    return None not in step


def first_vector_alone(a, b, n):
    """Explains a vector length that is right without the swizzle. CuTe tests only the first vector,
    and assumes that the offset is above the swizzled bits.
    """
    if n > min(a.size, b.size):
        return plain_questions.BEHIND
    if plain_questions.common(a.inner, b, n):
        return "tests only the first vector, and ignores the offset"
    return None


def wide_values(a, n):
    """Returns floor(place / n) for each wide element, or None if it varies within an element."""
    found = plain.upcasts(a, n)
    return found and found[1]


def with_width(rng):
    bits = rng.choice((1, 1, 2, 3))
    inner = cases.random_layout(rng)
    offset = rng.choice((0, 0, 1 << bits, 3 << bits, rng.randint(1, 20)))
    return swizzled(rng, inner, offset, rng.choice((0, bits))), 1 << bits


def is_wide_for_sure(a, n):
    """True if a swizzled layout of the wide elements must exist: S > 0 (bits are XORed into lower
    ones), or the swizzle uses no bits below log2(n).
    """
    _, m, s = a.swizzle
    return s > 0 or n <= 1 << m


ALL = [
    behind_the_swizzle("coalesce", lambda a: a.values),
    behind_the_swizzle("coalesce, by profile", lambda a: a.values),
    behind_the_swizzle("composition", inside),
    behind_the_swizzle("composition, by mode", first_of_each),
    behind_the_swizzle("logical_divide", lambda a, b: inside(a, divided(a, b))),
    *(behind_the_swizzle(f"{name}_divide, by mode", divided_by_mode(name != "logical"))
      for name in ("logical", "zipped", "tiled", "flat")),
    behind_the_swizzle("logical_product", multiplied),
    *(behind_the_swizzle(f"{name}_product, by mode", multiplied_by_mode(name != "logical"))
      for name in ("logical", "zipped", "tiled", "flat")),
    behind_the_swizzle("blocked_product", lambda a, b: side_by_side_parts(a, b, False)),
    behind_the_swizzle("raked_product", lambda a, b: side_by_side_parts(a, b, True)),
    behind_the_swizzle("tile_to_shape", shaped),
    dataclasses.replace(plain_questions.OPERATIONS["right_inverse"], name="right_inverse, swizzled",
                        random_arguments=one_swizzled, forms=False,
                        # CuTe's right inverse may not be the longest, so it does not show that
                        # axe's refusal is wrong.
                        explained=right_behind, legal=lambda a: None, says=lambda r: False),
    dataclasses.replace(plain_questions.OPERATIONS["left_inverse"], name="left_inverse, swizzled",
                        random_arguments=one_swizzled, forms=False,
                        explained=left_behind, legal=lambda a: None if injective(a) else False,
                        says=lambda r: r.size > 1),
    dataclasses.replace(plain_questions.OPERATIONS["max_common_vector"],
                        name="max_common_vector, swizzled", random_arguments=pair,
                        right=common_everywhere, explained=first_vector_alone),
    dataclasses.replace(plain_questions.OPERATIONS["upcast"], name="upcast, swizzled",
                        random_arguments=with_width, forms=False,
                        legal=lambda a, n: True if wide_values(a, n) and is_wide_for_sure(a, n)
                        else None,
                        right=lambda a, n, r: wide_values(a, n) == r.values,
                        explained=lambda *_: None),
    dataclasses.replace(plain_questions.OPERATIONS["downcast"], name="downcast, swizzled",
                        random_arguments=with_width, forms=False),
]
OPERATIONS = {operation.name: operation for operation in ALL}
__all__ = ["ALL", "OPERATIONS", "Layout", "plain"]
