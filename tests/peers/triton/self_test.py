#!/usr/bin/env python3
"""Tests the enumeration of bit_maps.py on every small map, and tests that each kind of mistake of
both sides is noticed. Runs without the wheel of Triton.
"""

import itertools
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import triton_questions as questions  # noqa: E402
from bit_maps import BitMap, bits_of, components, read, word_of  # noqa: E402
from judge import CONVENTION, FAILS, NO_QUESTION, OURS_REFUSES, OURS_RIGHT, OURS_WRONG, REFUSES, RIGHT, WRONG  # noqa: E402

checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"self test: {what}")


def walked(m):
    """Computes a map's table in another way: digit by digit for every input, and each bit of the
    image as a sum over the columns.
    """
    images = []
    for x in range(2 ** bits_of(m.ins)):
        digits = [x // 2 ** c % 2 for c in range(bits_of(m.ins))]
        rows = [sum(d * (column // 2 ** r % 2) for d, column in zip(digits, m.columns)) % 2
                for r in range(bits_of(m.outs))]
        images.append(sum(bit * 2 ** r for r, bit in enumerate(rows)))
    return images


def reply_of(m):
    return ["map", m.bases(), [[n, 1 << b] for n, b in m.outs]]


def disturbed(m, rng):
    """Returns another map with the same axes, or None if there is none."""
    if not m.columns or not bits_of(m.outs):
        return None
    columns = list(m.columns)
    columns[rng.randrange(len(columns))] ^= 1 << rng.randrange(bits_of(m.outs))
    return BitMap(m.ins, m.outs, tuple(columns))


def judged(name, arguments, ours, reply):
    found = questions.judge(questions.OPERATIONS[name], arguments, ours, reply)
    return found.ours, found.theirs


def test_maps():
    for m in questions.small_one():
        check(m.table() == walked(m), f"the table of {m}")
        check(read(str(m)) == m, f"{m} does not read back")
        for x in range(2 ** bits_of(m.ins)):
            check(word_of(m.ins, components(m.ins, x)) == x, "a word and its components")
    check(word_of((("lane", 1),), [("lane", 2)]) is None
          and word_of((("lane", 1),), [("warp", 1)]) is None, "a place outside")


def test_map_answers(rng):
    truths = {"linear.compose": questions.composed_map, "linear.multiply": questions.product,
              "linear.invert": questions.inverse}
    for name, truth in truths.items():
        operation, legal = questions.OPERATIONS[name], 0
        for _ in range(200):
            arguments = operation.random_arguments(rng)
            if not operation.legal(*arguments):
                check(judged(name, arguments, "refused: x", ["died", "x"]) == (OURS_RIGHT, RIGHT),
                      "both reject an invalid question")
                check(judged(name, arguments, str(arguments[0]), reply_of(arguments[0])) == (
                    OURS_WRONG, NO_QUESTION), "an answer to an invalid question")
                continue
            legal += 1
            m = truth(*arguments)
            check(judged(name, arguments, str(m), reply_of(m)) == (OURS_RIGHT, RIGHT),
                  f"{name}: two right answers")
            check(judged(name, arguments, "refused: x", ["died", "isPowerOf2"]) == (
                OURS_REFUSES, REFUSES), f"{name}: two refusals")
            check(judged(name, arguments, "error: x",
                         ["died", "segmentation"]) == (OURS_WRONG, FAILS), f"{name}: two failures")
            wrong = disturbed(m, rng)
            if wrong:
                check(judged(name, arguments, str(wrong), reply_of(wrong)) == (OURS_WRONG, WRONG),
                      f"{name}: two wrong answers")
        check(legal > 20, f"{name}: {legal} questions have an answer")


def test_shared():
    """Tests known bases of shared layouts, that all of them are permutations, and that another
    phase and a missing swizzle are judged wrong.
    """
    rows = {"8 of 64, chunks of 8": (questions.swizzled_map((8, 64), 8, 1, 8, [1, 0]),
                                     [(1, 8), (2, 16), (4, 32)]),
            "128 bytes of 16 bits": (questions.nvmma_map((8, 64), 128, 16, False),
                                     [(1, 8), (2, 16), (4, 32)]),
            "64 bytes of 16 bits": (questions.nvmma_map((8, 32), 64, 16, False),
                                    [(1, 0), (2, 8), (4, 16)])}
    for words, (m, expected) in rows.items():
        check([tuple(basis) for basis in m.bases()[0][1][-3:]] == expected, f"the rows of {words}")
    check([tuple(b) for b in questions.nvmma_map((8, 64), 64, 16, False).bases()[0][1][-1:]] == [
        (0, 32)], "the second box is last")
    for operation in ("swizzled shared", "NVMMA shared"):
        for given in itertools.islice(questions.OPERATIONS[operation].small(), 0, None, 7):
            m = (questions.swizzled_map if operation == "swizzled shared" else questions.nvmma_map)(
                *given)
            check(m is not None and m.table()[0] == 0 and len(set(m.table())) == 1 << bits_of(
                m.ins), f"{operation} of {given} is not a permutation")
    given, m = ((8, 64), 8, 1, 8, [1, 0]), rows["8 of 64, chunks of 8"][0]
    for wrong in (questions.swizzled_map((8, 64), 8, 2, 4, [1, 0]),
                  questions.swizzled_map((8, 64), 8, 1, 1, [1, 0])):
        check(judged("swizzled shared", given, str(wrong), reply_of(wrong)) == (OURS_WRONG, WRONG),
              "two wrong swizzles")
    check(judged("swizzled shared", given, str(m), reply_of(m)) == (OURS_RIGHT, RIGHT),
          "two right swizzles")
    check(judged("swizzled shared", given, "refused: x", ["died", "x"]) == (OURS_REFUSES, FAILS),
          "axe rejects and Triton fails")


def test_replicas(rng):
    """Tests a map in which lanes 0 and 1 hold the same element. The nearest of the two is right,
    the other one is a convention, and a third place is wrong.
    """
    twice = BitMap((("lane", 1), ("warp", 1)), (("dim0", 1),), (0, 1))
    identity = BitMap(twice.ins, twice.ins, (1, 2))
    farther = BitMap(twice.ins, twice.ins, (0, 2))
    elsewhere = BitMap(twice.ins, twice.ins, (1, 1))
    name = "linear.invert_and_compose"
    check(judged(name, (twice, twice), str(identity), reply_of(identity)) == (OURS_RIGHT, RIGHT),
          "the nearest replica")
    check(judged(name, (twice, twice), str(farther), reply_of(farther)) == (OURS_WRONG, CONVENTION),
          "a farther replica")
    check(judged(name, (twice, twice), str(elsewhere), reply_of(elsewhere)) == (OURS_WRONG, WRONG),
          "a place without the element")
    least, other = BitMap(twice.outs, twice.ins, (2,)), BitMap(twice.outs, twice.ins, (3,))
    name = "linear.pseudo_invert"
    check(judged(name, (twice,), str(least), reply_of(least)) == (OURS_RIGHT, RIGHT),
          "the first replica")
    check(judged(name, (twice,), str(other), reply_of(other)) == (OURS_WRONG, CONVENTION),
          "another replica")


def test_words():
    a = BitMap((("lane", 1),), (("dim0", 1),), (1,))
    wider = BitMap(a.ins, (("dim0", 2),), (1,))
    check(judged("linear.equivalent", (a, wider), "true", ["value", False]) == (
        OURS_RIGHT, CONVENTION), "equal maps to sides of different sizes")
    check(judged("linear.equivalent", (a, wider), "false", ["value", True]) == (OURS_WRONG, RIGHT),
          "equal maps")
    check(judged("linear.rank", (wider,), "1", ["value", [True, False, False]]) == (
        OURS_RIGHT, RIGHT), "a right rank and its kinds")
    check(judged("linear.rank", (wider,), "2", ["value", [True, True, True]]) == (
        OURS_WRONG, WRONG), "a wrong rank and wrong kinds")
    check(judged("linear.apply", (a, {"lane": 1}), "1@dim0",
                 ["value", {"dim0": 1}]) == (OURS_RIGHT, RIGHT), "a place")
    check(judged("linear.apply", (a, {"lane": 1}), "0@dim0",
                 ["value", {"dim0": 0}]) == (OURS_WRONG, WRONG), "another place")
    check(judged("linear.apply", (a, {"lane": 2}), "refused: x",
                 ["value", {"dim0": 0}]) == (OURS_RIGHT, NO_QUESTION), "a place outside")
    check(judged("linear.matrix", (wider,), "lane to dim0: 1, 0",
                 ["value", [[1], [0]]]) == (OURS_RIGHT, RIGHT), "a matrix")
    check(judged("linear.matrix", (wider,), "lane to dim0: 0, 1",
                 ["value", [[0], [1]]]) == (OURS_WRONG, WRONG), "another matrix")


def test_views():
    held = BitMap((("register", 1), ("lane", 0), ("warp", 1), ("block", 0)), (("dim0", 1),), (1, 0))
    cells, rows = "[T0:0|T1:0, T0:1|T1:1]\n", "Warp0:\n(0)\n(1)\nWarp1:\n(0)\n(1)\n"
    for hardware, view in ((False, cells), (True, rows)):
        check(judged("distributed view", (held, hardware), str(held),
                     ["value", view]) == (OURS_RIGHT, RIGHT), "a view")
        other = view.replace("T1:1", "T1:0") if not hardware else view.replace("(1)", "(0)", 1)
        check(judged("distributed view", (held, hardware), str(held),
                     ["value", other]) == (OURS_RIGHT, WRONG), "another view")
    memory = BitMap((("offset", 1), ("block", 0)), (("dim0", 1),), (1,))
    check(judged("shared view", (memory, False), str(memory),
                 ["value", "[(0),(1)]\n"]) == (OURS_RIGHT, RIGHT), "a view of memory")
    check(judged("shared view", (memory, False), str(memory),
                 ["value", "[(1),(0)]\n"]) == (OURS_RIGHT, WRONG), "another view of memory")


def main():
    rng = random.Random(3)
    test_maps()
    test_shared()
    test_map_answers(rng)
    test_replicas(rng)
    test_words()
    test_views()
    print(f"{checks} checks")


if __name__ == "__main__":
    main()
