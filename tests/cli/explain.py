"""`axe explain`: every expression of docs/algebra.md and docs/cute.md, and a few by heart.

The elements that it computes by hand are a check of the library: each must be where the result has
it. The rule is named for every function of the algebra and of CuTe's vocabulary.
"""

import os
import pathlib
import re
import unittest

import program

BLOCK = re.compile(r"^```axe\n(.*?)^```$", re.M | re.S)
ALWAYS = {
    "tile(S[(2,2):(2,1)], (2,2), S[(4,8):(8,1)], (4,8))": [
        "  A  S[(2,2):(2,1)]\n     canonical form S[4:1]\n     digits 4:1@m with (1) elements behind them\n",
        "  S_B  (4,8) with (8,1) elements behind its dimensions\n",
        "sigma: 32 on m\n",
        "result: S[(2,4,2,8):(64,8,32,1)]\n",
        "  (6,6)  p = (1,0), q = (2,6): sigma*{2@m} + {22@m} = {86@m}; so has the result\n",
    ],
    "places(S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp, (8,16), (2,9))": [
        "  (2,9) of (8,16) is element 41\n  its digits in (8,2,4,2) are (2,1,0,1)\n",
        "  lane   2*4 + 0*1 = 8\n  warp   1*1 + 5 = 6, with replicas {0, 4}: {6, 10}\n  reg    1*1 = 1\n",
    ],
    "places(swizzle(3,3,3) o S[(8,64):(64,1)], (8,64), (2,9))": [
        "  m      2*64 + 9*1 = 137, swizzled 137 ^ 16 = 153\n"
    ],
    "places(S[2:1] + R[3:10] + R[5000:100], (2), (1))": [
        "  m      1*1 = 1, with too many replicas to list\n"
    ],
    "slice(S[(4,5):(7,1)], (20), (3:12))": ["refused: the result is not a layout: elements 3"],
    "tile_outer(S[(2,8,3,8):(192,8,64,1)], (16,24), S[(8,8):(8,1)], (8,8))": ["; so has T\n"],
    "inverse(S[(4,8):(1,4)], (m))": ["  place {26@m} (number 26)  element 22 of L = {22@m}; so has the result\n"],
    "compose(S[8:4], S[2:1] + R[2:2])": ["  element 0  A(B(0)) = A(0) and A(2) = {0, 8@m}; so has the result\n"],
}


def documented():
    """The lines of the calculator blocks that are not malformed, one session for each page."""
    for page in ("algebra.md", "cute.md"):
        text = pathlib.Path(os.environ["AXE_DOCS"], page).read_text(encoding="utf-8")
        lines = [re.split(r"\s{2,}", line)[0] for block in BLOCK.findall(text) for line in block.splitlines()]
        answers = program.run(["eval", "--", *lines])[1].splitlines()
        yield page, [line for line, answer in zip(lines, answers) if not answer.startswith("error")]


class Explain(unittest.TestCase):
    def test_words(self):
        for expression, wanted in ALWAYS.items():
            out = program.asked("explain", expression)
            for words in wanted:
                self.assertIn(words, out, expression)

    def test_documented_expressions(self):
        by_hand, without_rule = 0, set()
        for _, lines in documented():
            out = program.asked("explain", "--", *lines)
            by_hand += out.count("; so has ")
            for call in out.split("\n\n"):
                function = re.match(r"[\w.]+(?=\()", call)
                if function and "\nrule (" not in call:
                    without_rule.add(function.group())
        self.assertGreater(by_hand, 100)
        self.assertEqual(without_rule, set())

    def test_mistakes(self):
        for words in ([], ["tile(S[2:1]"], ["S[2:1]", "--limit", "3"]):
            code, out, err = program.run(["explain", *words])
            self.assertEqual((code, out), (2, ""), words)
            self.assertTrue(err.startswith("axe explain: "), err)

    def test_a_plan(self):
        words = ["plan", "convert", "S[8:1@reg]", "S[8:1@reg]"]
        self.assertEqual(program.asked("explain", *words), program.asked(*words))


if __name__ == "__main__":
    unittest.main()
