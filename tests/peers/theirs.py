#!/usr/bin/env python3
"""Answers questions with TIRx of the TVM wheel: one line of questions in, one line for each answer
out. It runs in the Python that has the wheel.

in   [["tile", inner, outer, [3], [2]], ...]     a layout is [shards, replicas, offsets, swizzle]
out  ["layout", layout, blocks, printed]         flushed line by line, so a crash loses none
     ["place", {"m": 3}]   ["none"]   ["raised", "InternalError", "Check failed: …"]

The wheel's methods are B.tile(A, …), B.is_tile_inner(T, …) and A.is_tile_outer(T, …).
"""

import json
import sys
import types

from tvm.sym import Analyzer
from tvm.target import Target
from tvm.tirx.layout import Axis, ComposeLayout, Iter, R, S, TileLayout

PRINTS = {"print"}
T = types.SimpleNamespace(TileLayout=TileLayout, ComposeLayout=ComposeLayout, S=S, R=R, int64=int,
                          BitwiseAnd=lambda a, b: a & b)


def build(given):
    shards, replicas, offsets, swizzle = given
    tiles = TileLayout.from_iters([Iter(*i) for i in shards], [Iter(*i) for i in replicas],
                                  dict(offsets))
    if swizzle is None:
        return tiles
    m, b, s = swizzle
    return ComposeLayout(m, b, abs(s), tiles, s > 0)


def iters(found):
    return [[int(i.extent), int(i.stride), i.axis.name] for i in found]


def take_apart(found):
    if isinstance(found, ComposeLayout):
        tiles = found.tile_layout
        shift = int(found.atom_len) if found.swizzle_inner else -int(found.atom_len)
        swizzle = [int(found.per_element), int(found.swizzle_len),
                   shift] if int(found.swizzle_len) else None
    else:
        tiles, swizzle = found, None
    offsets = [[axis.name, int(n)] for axis, n in tiles.offset.items()]
    return [iters(tiles.shard), iters(tiles.replica), offsets, swizzle]


def number(found):
    """Returns an integer for a number of the wheel, also for an expression that the wheel did not
    fold.
    """
    try:
        return int(found)
    except TypeError:
        return eval(str(Analyzer().simplify(found)), {"T": T})


def blocks_of(grouped, separators):
    products = []
    for begin, end in zip(separators[:-1], separators[1:]):
        product = 1
        for i in range(int(begin), int(end)):
            product *= int(grouped.shard[i].extent)
        products.append(product)
    return products


def cuda_canonicalize(l):
    with Target({"kind": "cuda", "arch": "sm_90a"}):
        return l.canonicalize()


ANSWERS = {
    "canonicalize": lambda l: build(l).canonicalize(),
    "canonicalize for cuda": lambda l: cuda_canonicalize(build(l)),
    "print": lambda l: build(l),
    "read": lambda text: eval(text, {"T": T, "Axis": Axis}),
    "apply": lambda l, shape, c: build(l).apply(*c, shape=shape),
    "group": lambda l, shape: build(l).group(shape),
    "tile": lambda b, a, shape_a, shape_b: build(b).tile(build(a), shape_a, shape_b),
    "direct_sum": lambda b, a, shape_a, shape_b: build(b).direct_sum(build(a), shape_a, shape_b),
    "is_tile_inner": lambda b, t, shape_t, shape_b: build(b).is_tile_inner(
        build(t), shape_t, shape_b),
    "is_tile_outer": lambda a, t, shape_t, shape_a: build(a).is_tile_outer(
        build(t), shape_t, shape_a),
    "is_direct_sum_right": lambda b, t, shape_t, shape_b: build(b).is_direct_sum_right(
        build(t), shape_t, shape_b),
    "is_direct_sum_left": lambda a, t, shape_t, shape_a: build(a).is_direct_sum_left(
        build(t), shape_t, shape_a),
    "slice": lambda l, shape, region: build(l).slice(shape, [tuple(r) for r in region]),
    "pack": lambda l, n: build(l).pack(n),
    "unpack": lambda l, n: build(l).unpack(n),
}


def answer(question):
    name, *arguments = question
    try:
        found = ANSWERS[name](*arguments)
        if found is None:
            return ["none"]
        if name == "apply":
            return ["place", {str(axis): number(n) for axis, n in found.items()}]
        if name == "group":
            return ["layout", take_apart(found[0]), blocks_of(found[0], found[1]), ""]
        return ["layout", take_apart(found), None, str(found) if name in PRINTS else ""]
    # Every exception is an answer, because judge.py decides whether it is a refusal.
    except Exception as e:
        return ["raised", type(e).__name__, " ".join(str(e).split())[:300]]


def main():
    for line in sys.stdin:
        for question in json.loads(line):
            print(json.dumps(answer(question)), flush=True)


if __name__ == "__main__":
    main()
