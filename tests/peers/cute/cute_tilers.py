"""Operands that CuTe's types accept besides plain ones: static negative strides, and swizzled
second operands of compositions and products.

A swizzled tiler Sw<B,M,S> o offset o L names elements or blocks by its places. An answer is right
if it has these elements or blocks. No oracle decides whether a right answer exists: a question is
legal if axe answers it, or if CuTe answers it rightly.
"""

import dataclasses

import cute_cases as cases
import cute_questions as plain_questions
import cute_runtime
import plain_layouts as plain
from cute_questions import combined, padded
from cute_swizzled import swizzled
from plain_layouts import Layout


def places_over(a, b):
    """Returns C(b) for each place b of B, where C is the complement of A. None if a place of B is
    past the end of C.
    """
    rest = plain.replicas(a.flat, max(b.values) + 1)
    return None if rest is None or any(not 0 <= v < rest.size for v in b.values) else [
        rest.values[v] for v in b.values]


def inside(rng, n):
    """Makes a random swizzled layout inside n elements. Its offset is 0, because CuTe requires it.
    """
    for _ in range(40):
        b = swizzled(rng, cases.inside(rng, n), 0)
        if max(b.values) < n:
            return b
    return swizzled(rng, Layout(1, 0), 0)


def composed(a, b, r):
    wanted = [a.values[v] if 0 <= v < a.size else None for v in b.values]
    return plain.refines(r.shape, b.shape) and r.values == wanted


def multiplied(a, b):
    over = places_over(a, b)
    return None if over is None else combined([a.values, over])


def side_by_side(a, b, raked):
    """Returns the places of a product in which mode k is (block_k, tiler_k), or (tiler_k, block_k)
    if raked.
    """
    rank = max(len(a.modes()), len(b.modes()))
    block, tiler = padded(a, rank), padded(b.inner, rank)
    over = places_over(block, b)
    if over is None:
        return None
    found = []
    sizes = [(m.size, t.size) for m, t in zip(block.modes(), tiler.modes())]
    for i in range(block.size * b.size):
        in_block, in_tiler, block_weight, tiler_weight = 0, 0, 1, 1
        for block_extent, tiler_extent in sizes:
            mode, i = i % (block_extent * tiler_extent), i // (block_extent * tiler_extent)
            if raked:
                block_digit, tiler_digit = mode // tiler_extent, mode % tiler_extent
            else:
                block_digit, tiler_digit = mode % block_extent, mode // block_extent
            in_block += block_digit * block_weight
            in_tiler += tiler_digit * tiler_weight
            block_weight *= block_extent
            tiler_weight *= tiler_extent
        found.append(block.values[in_block] + over[in_tiler])
    return found


def swizzled_tiler(name, random_arguments, wanted=None, right=None):
    operation = plain_questions.OPERATIONS[name]
    return dataclasses.replace(operation, name=f"{name}, swizzled tiler",
                               random_arguments=random_arguments, legal=lambda *_: None,
                               explained=lambda *_: None, forms=False,
                               right=right or (lambda a, b, r: wanted(a, b) is not None
                                               and r.values == wanted(a, b)))


def tiled_inside(rng):
    a = cases.random_layout(rng)
    return a, inside(rng, a.size)


def block_and_tiler(rng):
    return cases.random_layout(rng, 3, 4, 24), inside(rng, 24)


SWIZZLED_TILERS = [
    swizzled_tiler("composition", tiled_inside, right=composed),
    swizzled_tiler("logical_product", block_and_tiler, multiplied),
    swizzled_tiler("blocked_product", block_and_tiler, lambda a, b: side_by_side(a, b, False)),
    swizzled_tiler("raked_product", block_and_tiler, lambda a, b: side_by_side(a, b, True)),
]
NEGATIVE = [cute_runtime.with_negative_strides(operation) for operation in plain_questions.ALL]
OPERATIONS = {operation.name: operation for operation in SWIZZLED_TILERS + NEGATIVE}
