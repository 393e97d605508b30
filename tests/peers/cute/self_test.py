#!/usr/bin/env python3
"""Tests the oracle of CuTe's operations on known answers, the reader of CuTe's types, and the class
that the judge gives to each kind of answer. Runs without CuTe's wheel.
"""

import pathlib
import random
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import cute_cases  # noqa: E402
import cute_judge  # noqa: E402
import cute_questions  # noqa: E402
import cute_runtime  # noqa: E402
import cute_static  # noqa: E402
import cute_swizzled  # noqa: E402
import cute_tilers  # noqa: E402
import plain_layouts as plain  # noqa: E402
from cute_static import Refused  # noqa: E402
from judge import CONVENTION, FAILS, OURS_REFUSES, OURS_RIGHT, OURS_WRONG, REFUSES, RIGHT, UNDECIDED, WRONG  # noqa: E402


def layout(words):
    return cute_judge.read(words)


def judged(name, arguments, mine, theirs):
    found = cute_judge.judge(
        (cute_questions.OPERATIONS | cute_swizzled.OPERATIONS | cute_tilers.OPERATIONS)[name],
        arguments, mine, theirs)
    return found.ours, found.theirs


class Oracle(unittest.TestCase):
    def test_composition(self):
        a = layout("(4,6,8):(2,3,5)")
        self.assertFalse(plain.composes(a, layout("6:3")))  # values 0, 6, 7, 8, 9, 15
        self.assertEqual([a.values[v] for v in layout("6:3").values], [0, 6, 7, 8, 9, 15])
        self.assertTrue(plain.composes(layout("(6,2):(8,2)"), layout("(4,3):(3,1)")))
        self.assertFalse(plain.composes(layout("(4,4):(1,10)"), layout("(2,2):(2,3)")))

    def test_digit_lists(self):
        for f, expected in (([0], True), ([0, 5], True), ([0, 1, 3], False), ([0, 1, 10, 11], True),
                            ([1, 2], False), ([0, 0, 7, 7], True)):
            self.assertEqual(plain.is_digit_list(f), expected)
        rng = random.Random(3)
        for _ in range(200):
            self.assertTrue(plain.is_digit_list(cute_cases.random_layout(rng).values))

    def test_complements_satisfy_their_conditions(self):
        rng = random.Random(4)
        for _ in range(300):
            l, n = cute_cases.random_layout(rng), rng.randint(1, 150)
            if plain.injective(l.flat):
                self.assertTrue(plain.is_complement(l.flat, plain.complement(l.flat, n), n),
                                f"{l}, {n}")
        # Place 2 and place 3 would each hold two elements.
        self.assertFalse(plain.is_complement([(4, 1)], layout("2:2"), 8))

    def test_swizzles(self):
        sw = layout("Sw<2,1,2> o 4 o (2,4):(4,1)")
        # The swizzle XORs bits 3 and 4 into bits 1 and 2.
        self.assertEqual(sw.values, [4, 8 ^ 2, 5, 9 ^ 2, 6, 10 ^ 2, 7, 11 ^ 2])
        self.assertEqual(layout("Sw<1,0,-3> o 0 o 10:1").values, [0, 9, 2, 11, 4, 13, 6, 15, 8, 1])
        self.assertEqual([sw(i) for i in range(8)], sw.values)

    def test_division_by_mode(self):
        a, tile = layout("(4,6):(1,4)"), (2, 3)
        zipped = [i + 2 * x + 4 * (j + 3 * y) for y in range(2) for x in range(2) for j in range(3)
                  for i in range(2)]
        self.assertEqual(cute_swizzled.divided_by_mode(True)(a, tile), zipped)
        self.assertEqual(cute_swizzled.divided_by_mode(False)(a, tile), a.values)
        rng = random.Random(5)
        for _ in range(200):
            a, tile = cute_questions.tiled(rng)
            parts = cute_questions.mode_parts(a, tile)
            for zipping in (False, True):
                if parts is not None:
                    self.assertEqual(cute_swizzled.divided_by_mode(zipping)(a, tile),
                                     cute_questions.in_order(parts, zipping))

    def test_negative_strides(self):
        rng = random.Random(6)
        for operation in cute_runtime.NEGATIVE.values():
            operands = [operation.random_arguments(rng)[0] for _ in range(100)]
            # Negating a stride of 0 changes nothing, so some layouts have no negative stride.
            self.assertGreater(sum(min(d for _, d in first.flat) < 0 for first in operands), 60)

    def test_static_negative_strides_and_swizzled_tilers_occur(self):
        rng = random.Random(7)
        for operation in cute_tilers.NEGATIVE:
            operands = [operation.random_arguments(rng)[0] for _ in range(60)]
            self.assertGreater(sum(min(d for _, d in first.flat) < 0 for first in operands), 30,
                               operation.name)
        for operation in cute_tilers.SWIZZLED_TILERS:
            operands = [operation.random_arguments(rng)[1] for _ in range(100)]
            self.assertGreater(sum(b.values != b.inner.values for b in operands), 10, operation.name)

    def test_swizzled_tilers(self):
        a, b = layout("4:1"), layout("Sw<1,0,1> o 0 o 4:1")
        self.assertEqual(cute_tilers.multiplied(a, b),
                         [4 * t + c for t in (0, 1, 3, 2) for c in range(4)])
        self.assertEqual(cute_tilers.side_by_side(a, b, False), cute_tilers.multiplied(a, b))
        self.assertEqual(cute_tilers.side_by_side(a, b, True),
                         [4 * t + c for c in range(4) for t in (0, 1, 3, 2)])

    def test_vectors_everywhere(self):
        a, b = layout("Sw<1,2,1> o 0 o (4,3):(1,6)"), layout("(4,3):(1,6)")
        # The first vector is at places 0 to 3, the next one at 6, 7, 12, 13.
        self.assertTrue(cute_questions.common(a, b, 4))
        self.assertFalse(cute_swizzled.common_everywhere(a, b, 4))
        self.assertTrue(cute_swizzled.common_everywhere(a, b, 2))
        self.assertTrue(
            cute_swizzled.common_everywhere(layout("Sw<3,3,3> o 8 o 64:1"), layout("64:1"), 8))
        # The swizzle moves the second vector of two elements from 6, 7 to 7, 6.
        self.assertFalse(
            cute_swizzled.common_everywhere(layout("Sw<1,0,1> o 4 o 8:1"), layout("8:1"), 2))

    def test_coordinates(self):
        l = layout("((2,4),8):((1,16),2)")
        self.assertEqual([cute_questions.place_at(l, c) for c in (47, (7, 5), ((1, 3), 5))],
                         [59, 59, 59])

    def test_upcast(self):
        self.assertEqual(plain.upcasts(layout("(2,8):(1,2)"), 4), ([2, 2], [0, 1, 2, 3]))
        self.assertIsNone(plain.upcasts(layout("6:1"), 4))


class Judge(unittest.TestCase):
    a, b, right = layout("(6,2):(8,2)"), layout("(4,3):(3,1)"), layout("((2,2),3):((24,2),8)")

    def test_composition(self):
        def ask(mine, theirs):
            return judged("composition", (self.a, self.b), mine, theirs)

        wrong = layout("(4,3):(24,8)")
        refused = Refused("static assertion failed: Stride Divisibility Condition")
        self.assertEqual(ask(self.right, self.right), (OURS_RIGHT, RIGHT))
        self.assertEqual(ask(wrong, self.right)[0], OURS_WRONG)
        self.assertEqual(ask(self.right, wrong), (OURS_RIGHT, WRONG))
        self.assertEqual(ask(self.right, refused), (OURS_RIGHT, REFUSES))
        self.assertEqual(ask(self.right, Refused("no matching function")), (OURS_RIGHT, FAILS))
        self.assertEqual(ask(Refused("refused: no"), self.right), (OURS_REFUSES, RIGHT))

    def test_result_past_the_end(self):
        self.assertEqual(judged("composition", (layout("2:1"), layout("4:1")),
                                Refused("refused: it leaves"), layout("4:1")),
                         (OURS_RIGHT, CONVENTION))

    def test_no_answer(self):
        none = (layout("(4,6,8):(2,3,5)"), layout("6:3"))
        self.assertEqual(judged("composition", none, Refused("refused: no layout"), layout("6:6")),
                         (OURS_RIGHT, WRONG))
        self.assertEqual(judged("composition", none, layout("6:6"),
                                Refused("static assertion failed: x")), (OURS_WRONG, RIGHT))

    def test_swizzled(self):
        a, b = layout("Sw<1,0,2> o 3 o (4,2):(1,4)"), layout("(2,4):(1,2)")
        right = layout("Sw<1,0,2> o 3 o (2,4):(1,2)")

        def ask(mine, theirs):
            return judged("composition, swizzled", (a, b), mine, theirs)

        for wrong in ("Sw<1,0,2> o 2 o (2,4):(1,2)", "Sw<1,1,2> o 3 o (2,4):(1,2)", "(2,4):(1,2)",
                      "Sw<1,0,2> o 3 o (2,4):(1,4)"):
            self.assertEqual(ask(layout(wrong), right), (OURS_WRONG, CONVENTION))
            self.assertEqual(ask(right, layout(wrong)), (OURS_RIGHT, WRONG))
        self.assertEqual(ask(right, right), (OURS_RIGHT, RIGHT))
        self.assertEqual(ask(Refused("refused: no"), right), (OURS_REFUSES, RIGHT))

    def test_inverse_with_one_element(self):
        a = (layout("Sw<3,0,3> o 0 o 4:8"),)
        ask = lambda mine, theirs: judged("left_inverse, swizzled", a, mine, theirs)  # noqa: E731
        self.assertEqual(ask(Refused("refused: no"), layout("1:0"))[0], OURS_RIGHT)
        self.assertEqual(judged("right_inverse, swizzled", a, Refused("refused: no"),
                                layout("1:0")), (OURS_RIGHT, UNDECIDED))

    def test_swizzled_tiler(self):
        question = (layout("4:1"), layout("Sw<1,0,1> o 0 o 4:1"))
        right, wrong = layout("Sw<1,2,1> o 0 o (4,4):(1,4)"), layout("(4,4):(1,4)")

        def ask(mine, theirs):
            return judged("logical_product, swizzled tiler", question, mine, theirs)

        self.assertEqual(ask(right, right), (OURS_RIGHT, RIGHT))
        self.assertEqual(ask(wrong, right)[0], OURS_WRONG)
        self.assertEqual(ask(right, wrong), (OURS_RIGHT, WRONG))
        self.assertEqual(ask(Refused("refused: no"), right)[0], OURS_REFUSES)

    def test_shorter_inverse_than_possible(self):
        self.assertEqual(judged("right_inverse", (layout("4:1"),), layout("4:1"), layout("1:0")),
                         (OURS_RIGHT, REFUSES))


class Reading(unittest.TestCase):
    def test_types(self):
        spelled = "cute::Layout<cute::tuple<cute::C<4>, cute::tuple<cute::C<2>, cute::C<3> > >, cute::tuple<cute::C<1>, cute::tuple<cute::C<4>, cute::C<-8> > > >"
        self.assertEqual(str(cute_static.result_of(spelled)), "(4,(2,3)):(1,(4,-8))")
        self.assertEqual(cute_static.result_of("cute::C<8>"), 8)
        self.assertEqual(
            str(cute_static.result_of(
                "cute::ComposedLayout<cute::Swizzle<3, 4, 3>, cute::C<0>, cute::Layout<cute::C<6>, cute::C<1> > >")),
                         "Sw<3,4,3> o 0 o 6:1")
        with self.assertRaises(cute_static.Dynamic):
            cute_static.result_of("cute::Layout<int, cute::C<1> >")

    def test_both_notations(self):
        for words in ("6:3", "(6):(3)", "((2,4),8):((1,16),2)"):
            self.assertEqual(str(layout(words)).replace(",)", ")"), words)


if __name__ == "__main__":
    unittest.main(verbosity=0)
