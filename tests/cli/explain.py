"""Tests `axe explain` on every expression of docs/algebra.md and docs/cute.md, and on a few others.

Each explanation must name its rule and its digits, and show three elements computed by hand. The
test reads the layouts in an explanation and computes digits, boundaries and places again in Python.
"""

import math
import os
import pathlib
import random
import re
import unittest

import program

BLOCK = re.compile(r"^```axe\n(.*?)^```$", re.M | re.S)
EXPECTED = {
    "tile(S[(2,2):(2,1)], (2,2), S[(4,8):(8,1)], (4,8))": [
        "  A  S[(2,2):(2,1)]\n"
        "     canonical form S[4:1]\n"
        "     digits 4:1@m with row-major strides (1)\n",
        "  S_B  (4,8) with row-major strides (8,1)\n",
        "sigma: 32 on m\n",
        "  A  extent 2, boundaries 4 to 2: digits 2:2@m, times sigma 2:64@m\n",
        "  B  extent 8, boundaries 8 to 1: digits 8:1@m\n",
        "result: S[(2,4,2,8):(64,8,32,1)]\n",
        "  (6,6)  p = (1,0), q = (2,6): sigma*{2@m} + {22@m} = {86@m}; the result agrees\n",
    ],
    "places(S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp, (8,16), (2,9))": [
        "  (2,9) of (8,16) is element 41\n  its digits in (8,2,4,2) are (2,1,0,1)\n",
        "  lane   2*4 + 0*1 = 8\n"
        "  warp   1*1 + 5 = 6, with replicas {0, 4}: {6, 10}\n"
        "  reg    1*1 = 1\n",
        "  L  dimension 0, extent 8, boundary 16: between 8:4@lane and 2:1@warp; "
        "digits 8:4@lane\n",
    ],
    "places(swizzle(3,3,3) o S[(8,64):(64,1)], (8,64), (2,9))": [
        "  m      2*64 + 9*1 = 137, swizzled 137 ^ 16 = 153\n"
    ],
    "places(S[2:1] + R[3:10] + R[5000:100], (2), (1))": [
        "  m      1*1 = 1, with too many replicas to list\n"
    ],
    "slice(S[(8,8):(100,1)], (64), (4:20))": [
        "  range 4:20 in 8:100@m, 8:1@m: begins at digits (0,4); "
        "rest 16 from digit 8:1@m, c = 4: 2 turns (case 4)\n",
        "  element 11  L(15) = {107@m}; the result agrees\n",
    ],
    "slice(S[(4,5):(7,1)], (20), (3:12))": [
        "rest 9 from digit 5:1@m, c = 2: the table of places decides\n"
        "refused: the result is not a layout: elements 3",
        "elements that the result would have:\n"
        "  element 0  L(3) = {3@m}\n"
        "  element 1  L(4) = {4@m}\n"
        "  element 2  L(5) = {7@m}\n",
    ],
    "group(S[15:1], (3,5))": ["boundary 5: cuts 15:1@m into 3:5@m and 5:1@m; digits 3:5@m\n"],
    "group(S[(2,3):(100,1)], (3,2))": [
        "boundary 2: inside 3:1@m; a boundary there divides 3 and is a multiple of 1\n",
        "refused: S[(2,3):(100,1)] does not group by (3,2): ",
    ],
    "inverse(S[(4,7):(8,1)], (m))": [
        "  digit 4:8@m: 7 positions below it, 1 empty between its steps\n",
        "  place {7@m} (number 7)  no element of L\n",
    ],
    "tile_outer(S[(2,8,3,8):(192,8,64,1)], (16,24), S[(8,8):(8,1)], (8,8))": ["; T agrees\n"],
    "inverse(S[(4,8):(1,4)], (m))": [
        "  place {22@m} (number 22)  element 21 of L = {21@m}; the result agrees\n"],
    "compose(S[8:4], S[2:1] + R[2:2])": [
        "  element 0  A(B(0)) = A(0) and A(2) = {0, 8@m}; the result agrees\n"],
    "to_lane_warp(S[48:1@tid] + 96@tid)": ["  digit 48:1@tid: cannot split tid",
                                           "refused: cannot split tid"],
    "cute.composition((4,6,8):(2,3,5), 6:3)": [
        "  B  leaf 6:3: from boundary 3 to 18 of A's digits 8:5@m, 6:3@m, 4:2@m: "
        "no such boundaries\n",
        "  element 2  A(6), from (B(2) = 6) = {7@m}\n",
    ],
    "cute.complement(4:2, 24)": [
        "  leaf 4:2: smaller strides fill a block of 1, and its step has room for 2\n",
        "R(5) = 17, L + 17 = {17, 19, 21, 23}, which no smaller j reaches; true\n",
    ],
    "cosize(swizzle(3,3,3) o S[(1048576,8):(64,1)], m)": ["67108863 on m, the largest; true\n"],
    "access(S[5:32], 32, 2)": ["  lane 0: elements 0, …, 32; true\n"],
    "is_injective(S[(1099511627776,2):(-1,4611686018427387904)])": ["{0} holds element 0; true\n"],
    "conflicts(S[(64,64):(64,1)], (64,64), ldmatrix_rows(16))": [
        "  vectors of 128 bits: 8 lanes in a phase, 8 units of 4 banks\n",
        "  instruction 0, phase 0: lanes 0,1,…7 need 8 vectors of bank 0; true\n",
        "  lane 2: element 128 is at byte 256: word 64, bank 0; true\n",
    ],
    "global_memory(S[(8,16):(16,1)], (8,16), row_blocks(16))": [
        "  lane 0: element 0 is at byte 0: sector 0, line 0; true\n"
        "  lane 1: element 8 is at byte 16: sector 0, line 0; true\n"
        "  instruction 0 touches 1 sector; true\n",
    ],
    "row_blocks(8)": ["  lane 15 of a tile (64,64): elements 3120 to 3135; true\n"],
}
# The pages call these functions with an instruction that does not exist. The explanation of such a
# refusal shows no digits.
WITHOUT_DIGITS = {"mma.a", "trainium.matmul"}


def documented():
    """Yields each page with the lines of its calculator blocks, without malformed lines. The lines
    of a page are one session.
    """
    for page in ("algebra.md", "cute.md"):
        text = pathlib.Path(os.environ["AXE_DOCS"], page).read_text(encoding="utf-8")
        lines = [re.split(r"\s{2,}", line)[0] for block in BLOCK.findall(text)
                 for line in block.splitlines()]
        answers = program.run(["eval", "--", *lines])[1].splitlines()
        yield page, [line for line, answer in zip(lines, answers) if not answer.startswith("error")]


def explanations():
    for _, lines in documented():
        for call in program.run(["explain", "--", *lines])[1].split("\n\n"):
            if re.match(r"(?!swizzle\()[\w.]+\(", call):
                yield call


ITER = re.compile(r"(\d+):(-?\d+)(?:@(\w+))?$")


def iters(text):
    """Reads `4:8@m, 2:0` as [(4, 8, "m"), (2, 0, None)]."""
    found = []
    for one in text.split(", "):
        match = ITER.match(one)
        if match is None:
            raise AssertionError(f"not digits: {text}")
        found.append((int(match[1]), int(match[2]), match[3] if match[2] != "0" else None))
    return found


def plain(text):
    """Reads D of a layout without nested blocks, or returns None."""
    match = re.match(r"(?:swizzle\([^)]*\) o )?S\[(?:\(([\d,]*)\):\(([^()]*)\)|(\d+):([^\]]*))\]",
                     text)
    if match is None:
        return [] if text.startswith("S[]") else None
    extents = [int(e) for e in (match[1] or match[3]).split(",")]
    found = []
    for extent, stride in zip(extents, (match[2] or match[4]).split(",")):
        number, _, axis = stride.partition("@")
        found.append((extent, int(number), (axis or "m") if int(number) else None))
    return found


def canonical(digits):
    """Returns the canonical form of D by rule D5 of docs/algebra.md."""
    out = []
    for extent, stride, axis in digits:
        if extent == 1:
            continue
        if out and out[-1][2] == axis and out[-1][1] == extent * stride:
            out[-1] = (out[-1][0] * extent, stride, axis)
        else:
            out.append((extent, stride, axis))
    return out


def value(digits, x):
    """Returns the place of element x as {axis: n}."""
    place = {}
    for extent, stride, axis in reversed(digits):
        if axis:
            place[axis] = place.get(axis, 0) + x % extent * stride
        x //= extent
    return {axis: n for axis, n in place.items() if n}


def place_of(text):
    """Reads a set with one place, `{3@lane + 1@reg}`."""
    found = {}
    for term in text.strip("{}").split(" + "):
        number, _, axis = term.partition("@")
        if int(number):
            found[axis or "m"] = int(number)
    return found


class Explain(unittest.TestCase):
    def test_expected_lines(self):
        for expression, wanted in EXPECTED.items():
            out = program.asked("explain", expression)
            for words in wanted:
                self.assertIn(words, out, expression)

    def test_every_call_has_a_rule_digits_and_three_elements(self):
        functions, refused = set(), set()
        for call in explanations():
            name = re.match(r"[\w.]+", call)[0]
            self.assertIn("\nrule (", call)
            self.assertNotRegex(call, r"; but |; false\n|differs\n", call)
            if "\nrefused: " in call:
                refused.add(name)
                if name not in WITHOUT_DIGITS:
                    self.assertIn("\ndigits:\n", call, call)
                continue
            functions.add(name)
            self.assertIn("\ndigits:\n", call, call)
            shown = call.count(" agrees") + call.count("; true")
            self.assertGreaterEqual(shown, min(3, self.elements(name, call)), call)
        self.assertGreater(len(functions), 130)
        self.assertGreater(len(refused), 20)

    def elements(self, name, call):
        """Returns the number of elements of the result, or any number above 3 if there are more
        than three: an explanation shows at most three.
        """
        if name in ("places", "elements", "owner_has", "cute.at", "cute.coordinate"):
            return 1  # the call is about one element
        if name in ("gap_ok", "equivalent", "difference", "is_injective"):
            return 1 if re.search(r"^result: (false|element)", call,
                                  re.M) else self.size_of_operand(call)
        if name in ("linear.apply", "linear.rank", "widest_vector", "cute.max_common_vector"):
            return 1
        result = re.search(r"^result: (.*)$", call, re.M)[1]
        if name.startswith("cute."):
            shape = result.split(":")[0] if ":" in result else "4"
            numbers = [int(n) for n in re.findall(r"\d+",
                                                  re.sub(r"Sw<[^>]*> o -?\d+ o ", "", shape))]
            return math.prod(numbers)
        digits = plain(result)
        if name.startswith("linear") or name in ("linear", "relabel"):
            digits = plain(result) if result.startswith("S[") else [(2, 1, "m")]
        return math.prod(e for e, _, _ in digits) if digits is not None else 1

    def size_of_operand(self, call):
        return math.prod(e for e, _, _ in plain(re.search(r"^  [ALT]  (.*)$", call, re.M)[1]) or [])

    def test_digits_and_boundaries_are_those_of_the_operands(self):
        shown, dimensions, blocks, walks = 0, 0, 0, 0
        for call in explanations():
            # Operands: `  A  S[(2,2):(2,1)]`,
            # then      `     digits 4:1@m with row-major strides (1)`.
            operands = {m[1]: plain(m[2])
                        for m in re.finditer(r"^  (\w+)  ((?:swizzle|S\[).*)$", call, re.M)}
            for name, digits in operands.items():
                line = re.search(
                    rf"^  {name}  .*(?:\n {{4,}}canonical form .*)?"
                    r"\n +digits (.*) with row-major strides \((.*)\)$", call, re.M)
                if digits is None or line is None or "swizzle" in line[0]:
                    continue
                self.assertEqual(iters(line[1]), canonical(digits), call)
                behind = [math.prod(e for e, _, _ in canonical(digits)[k + 1:])
                          for k in range(len(canonical(digits)))]
                self.assertEqual([int(n) for n in line[2].split(",")], behind, call)
                shown += 1
            # Dimensions: `  L  dimension 0, extent 8, boundary 16: cuts 16:1@m into …; digits
            # 8:2@m`.
            for m in re.finditer(
                r"^  (\w+)  dimension \d+, extent (\d+), boundary (\d+): (.*?)(?:; (digits|.* share) (.*))?$",
                                 call, re.M):
                digits = operands.get(m[1])
                if digits is None:
                    continue
                dimensions += 1
                below = int(m[3])
                ends = [math.prod(e for e, _, _ in canonical(digits)[k:])
                        for k in range(len(canonical(digits)) + 1)]
                inside = [(high, low) for high, low in zip(ends, ends[1:]) if low < below < high]
                if below in ends:
                    self.assertRegex(m[4], "between|the end|the beginning", call)
                elif inside[0][0] % below == 0 and below % inside[0][1] == 0:
                    self.assertTrue(m[4].startswith("cuts "), call)
                else:
                    self.assertTrue(m[4].startswith("inside "), call)
                if m[5] == "digits" and m[6] != "no digit":
                    # Coordinate x of the dimension is element below * x of the operand.
                    self.assertEqual(math.prod(e for e, _, _ in iters(m[6])), int(m[2]), call)
                    for x in range(min(int(m[2]), 64)):
                        self.assertEqual(value(iters(m[6]), x), value(digits, below * x), call)
                    blocks += 1
            # Tiles: `  A  extent 2, boundaries 4 to 2: digits 2:2@m, times sigma 2:64@m`.
            for m in re.finditer(
                r"^  ([AB])  extent (\d+), boundaries (\d+) to (\d+): digits (.*?)(?:, times sigma (.*))?$",
                                 call, re.M):
                if m[5] == "no digit" or operands.get(m[1]) is None:
                    continue
                walks += 1
                self.assertEqual(int(m[3]), int(m[2]) * int(m[4]))
                for x in range(min(int(m[2]), 64)):
                    self.assertEqual(value(iters(m[5]), x), value(operands[m[1]], int(m[4]) * x),
                                     call)
                sigma = dict((axis, int(n)) for n, axis in
                             re.findall(r"(\d+) on (\w+)",
                                        (re.search(r"^sigma: .*$", call, re.M) or [""])[0]))
                rewritten = iters(m[6]) if m[6] else []
                for (_, scaled, axis), (_, stride, _) in zip(rewritten, iters(m[5])):
                    self.assertEqual(scaled, stride * sigma.get(axis, 1), call)
        self.assertGreater(shown, 60)
        self.assertGreater(dimensions, 60)
        self.assertGreater(blocks, 60)
        self.assertGreater(walks, 15)

    def test_elements_are_where_python_computes_them(self):
        """Compares lines such as `element 11  L(15) = {107@m}`, for layouts without swizzle and
        replicas.
        """
        checked = 0
        for call in explanations():
            operand = re.search(r"^  L  (S\[[^+o]*)$", call, re.M)
            shape = re.search(r"^  S  \(([\d,]*)\) with", call, re.M)
            if operand is None or plain(operand[1]) is None:
                continue
            size = math.prod(e for e, _, _ in plain(operand[1]))
            extents = [int(e) for e in shape[1].split(",")] if shape else [size]
            for m in re.finditer(r"^  [^ ]+(?: \d+)?  L\(([\d,]+)\) = (\{[^,{}]*\})", call, re.M):
                x = 0
                coordinate = [int(n) for n in m[1].split(",")]
                if len(coordinate) != len(extents):
                    coordinate, extents = [int(m[1])], [size]
                for n, extent in zip(coordinate, extents):
                    x = x * extent + n
                self.assertEqual(value(plain(operand[1]), x), place_of(m[2]), call)
                checked += 1
        self.assertGreater(checked, 20)

    def test_a_cute_layout_that_is_not_a_layout_says_why(self):
        out = program.asked("explain", "(4,8):(1,9223372036854775807)")
        self.assertRegex(out, r"\nnot a layout: .*64 bits.*\n  rule \w+ \(docs/refusals.md\)")

    def test_mistakes(self):
        for words in ([], ["tile(S[2:1]"], ["S[2:1]", "--limit", "3"]):
            code, out, err = program.run(["explain", *words])
            self.assertEqual((code, out), (2, ""), words)
            self.assertTrue(err.startswith("axe explain: "), err)

    def test_plans(self):
        """`axe explain plan` must print the text of the plan, and then three elements computed by
        hand.
        """
        rows, half = "S[(64,64):(4096,1)]", "swizzle(3,3,3) o S[(64,64):(64,1)]"
        for words, shown in (
            (("copy", rows, half, "--shape", "64,64", "--from", "global", "--to", "shared",
              "--scope", "128"), 3),
            (("copy", rows, "S[(64,64):(64,1)]", "--shape", "64,64", "--from", "global",
              "--to", "shared", "--type", "e2m1"), 3),
            (("copy", "S[(16,16):(16,1)]", "mma.a(16,8,16,16)", "--shape", "16,16",
              "--from", "shared",
              "--to", "registers", "--scope", "warp"), 3),
            (("copy", "S[(3,4):(9,1)] + R[2:64]", "S[(2,6):(20,2)] + R[2:128]", "--shape", "12",
              "--from", "global",
              "--to", "shared"), 3),
            (("tma", "S[(4096,4096):(4096,1)]", "swizzle(3,3,3) o S[(2,64,64):(8192,64,1)]",
              "--tensor", "4096,4096",
              "--shape", "128,64"), 3),
            (("tma", "S[(512,512):(512,1)] + 64", "S[(64,128):(128,1)] + 256",
              "--tensor", "512,512", "--shape", "64,128",
              "--type", "e2m1"), 3),
            (("tma", "S[(64,60):(64,1)]", "S[(64,64):(64,1)]", "--tensor", "64,60",
              "--shape", "64,64"), 3),
            (("mma", "mma.a(16,8,16,16)", "mma.b(16,8,16,16)", "mma.accumulator(16,8,16,16)",
              "--shape", "16,8,16"), 3),
            (("mma", "swizzle(3,3,3) o S[(64,2,64):(64,4096,1)] + 8192",
              "swizzle(3,3,3) o S[(128,64):(64,1)]",
              "wgmma.accumulator(64)", "--shape", "64,64,128", "--a", "shared", "--b", "shared"),
             3),
            (("mma", "swizzle(3,3,3) o S[(64,2,64):(64,4096,1)] + 8256",
              "swizzle(3,3,3) o S[(128,64):(64,1)]",
              "wgmma.accumulator(64)", "--shape", "64,64,128", "--a", "shared", "--b", "shared"),
             3),
            (("convert", "S[(4,8):(1@reg,1@lane)]", "S[(8,4):(1@lane,1@reg)]", "--type", "f32"), 3),
            (("convert", "S[(4,32):(1@warp,1@lane)]", "S[(32,4):(1@lane,1@warp)]", "--type", "f32"),
             3),
            (("copy", "S[(2,8,4,2):(1@warp,4@lane,1@lane,1@reg)] + 1@warp", "S[(16,8):(8,1)]",
              "--shape", "16,8",
              "--from", "registers", "--to", "shared", "--scope", "128"), 3),
            (("reduce", "S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]", "--shape", "16,8",
              "--over", "1"), 3),
            (("reshard", "S[(2,4,8):(1@y,8,1)]", "S[(8,4,2):(2,1@x,1)]", "--mesh", "y=2,x=4",
              "--shape", "8,8"), 3),
        ):
            out = program.asked("explain", "plan", *words)
            self.assertTrue(out.startswith(program.asked("plan", *words)
                                           + "elements computed from the operands:\n"), out)
            self.assertEqual(out.count("; true\n"), shown, out)
            self.assertNotIn("; false\n", out)
        out = program.asked("explain", "plan", "copy", rows, "S[(64,64):(64,1)]",
                            "--shape", "64,64", "--from", "global",
                            "--to", "shared", "--scope", "128")
        found = re.findall(r"element (\d+)  .*: from byte (\d+) to byte (\d+);", out)
        self.assertEqual(len(found), 3)
        for x, begin, end in ([int(n) for n in line] for line in found):
            self.assertEqual((begin, end), (2 * (x // 64 * 4096 + x % 64), 2 * x), out)
        code, out, err = program.run(["explain", "plan", "copy", "S[(16,16):(36,1)]",
                                      "mma.a(16,8,16,16)", "--shape", "16,16",
                                      "--from", "shared", "--to", "registers", "--scope", "warp",
                                      "--force", "ldmatrix.x4"])
        self.assertEqual((code, err), (0, ""))
        for words in ("plan copy: no plan\n",
                      "  FROM  S[(16,16):(36,1)]\n"
                      "        digits 16:36@m, 16:1@m with row-major strides (16,1)",
                      "\nrule (docs/plans.md, Copy): ",
                      "\nrefused: ldmatrix and stmatrix need rows at multiples of 16 bytes, "
                      "but here some rows are 72 bytes apart\n"
                      "  rule ", "copy_matrix_rows (docs/refusals.md), number 72\n",
                      "\nelements of the operands:\n  FROM(0) = {0}\n",
                      "  FROM(255) = {555@m}\n", "  TO(255) = {7@reg + 31@lane}\n"):
            self.assertIn(words, out)

    def test_every_kind_of_plan_explains_a_refusal(self):
        lanes = "S[(4,8):(1@reg,1@lane)]"
        for words in (("copy", "S[8:1@lane]", "S[8:1]", "--from", "global", "--to", "shared"),
                      ("tma", "S[(64,64):(64,1)]", "S[(3,64):(64,1)]", "--tensor", "64,64",
                       "--shape", "3,64", "--type", "e2m1"),
                      ("mma", lanes, lanes, lanes, "--shape", "16,8,16"),
                      ("convert", lanes, "S[16:1@lane]"),
                      ("reduce", "S[(8,4):(4,1)]", "--shape", "8,4", "--over", "1"),
                      ("reshard", "S[(2,4):(1@y,1)]", "S[(4,2):(1,1@y)]", "--mesh", "y=2",
                       "--shape", "2,4", "--summands", "1")):
            code, out, err = program.run(["plan", *words])
            if code == 0:
                continue
            self.assertEqual((code, out), (2, ""), words)
            reason = err.split(": ", 1)[1].strip()
            code, out, err = program.run(["explain", "plan", *words])
            self.assertEqual((code, err), (0, ""), words)
            self.assertIn("\nrefused: " + reason + "\n  rule ", out)
            self.assertRegex(out, r"\nrule \(docs/\w+\.md, ")
            self.assertGreaterEqual(out.split("elements of the operands:\n")[1].count("\n"), 3, out)

    def test_arguments_of_a_plan(self):
        for words in (["plan"], ["plan", "copi", "S[4:1]"]):
            self.assertEqual(program.run(["explain", *words])[1:], program.run(words)[1:])
        words = ["convert", "--type", "f32", "--", "S[(4,8):(1@reg,1@lane)]",
                 "S[(8,4):(1@lane,1@reg)]"]
        self.assertIn("elements computed from the operands:\n",
                      program.asked("explain", "plan", *words))

    def test_operands_without_elements(self):
        """Extents of 0 and numbers that are not extents must be rejected, and no element may be
        computed.
        """
        for expression in ("cute.upcast((4,2):(1,4), 0)", "cute.downcast((4,2):(1,4), 0)",
                           "cute.recast((4,2):(1,4), 0, 8)",
                           "cute.tile_to_shape((0,2):(1,4), (4,4))",
                           "cute.composition((0,2):(1,4), 4:1)",
                           "cute.logical_divide((4,2):(1,4), 0:1)",
                           "cute.zipped_divide((4,2):(1,4), (0,2))",
                           "cute.blocked_product((4,2):(1,4), (0,2):(1,4))",
                           "cute.complement((0,2):(1,4), 8)",
                           "permute(S[(4,4):(4,1)], (4,4), (0,0))", "pack(S[8:1], 0, m)",
                           "broadcast(S[8:1], (8), 0, 0)"):
            out = program.asked("explain", expression)
            self.assertIn("\nrefused: ", out)
            self.assertNotIn("elements", out.split("\nrefused: ")[1], expression)

    def test_one_lane_and_large_addresses(self):
        access = "rows_of_128_bits(32)"
        self.assertIn(": lane 0 needs 1 vector of bank 0",
                      program.asked("explain", f"conflicts(S[(1,32):(32,1)], (1,32), {access})"))
        self.assertIn("touches 1 sector;", program.asked(
            "explain", "global_memory(S[32:1], (32), rows_of_elements(8))"))
        wide = "S[8:1152921504606846976]"
        said = program.asked("explain", f"X = {wide}", "conflicts(X, (8), rows_of_elements(128))")
        self.assertNotIn("hold", said.split("result: 8")[1])
        self.assertIn("from {3458764513820540928@m} to byte 24", program.asked(
            "explain", "plan", "copy", "S[4:1152921504606846976]", "S[4:1]", "--from", "global",
            "--to", "shared", "--type", "f64"))

    def test_products_beyond_64_bits(self):
        out = program.asked("explain", "tile(S[2:4611686018427387904], (2), S[4:1], (4))")
        self.assertIn("digits 2:4611686018427387904@m, times sigma beyond 64 bits\n", out)

    def test_elements_of_many_places_are_not_listed(self):
        """Elements with more than 64 places must not be listed, and counting them must not take
        long.
        """
        for a, b in (("S[] + R[2:1] + R[64:3] + R[2:1099511627776]",
                      "S[] + R[1099511627776:1] + R[3:3] + R[3:4]"),
                     ("S[] + R[2:1] + R[4:3] + R[2:5]",
                      "S[] + R[2:1] + R[3:3] + R[1099511627776:4]")):
            out = program.asked("explain", f"equivalent({a}, {b})")
            self.assertIn("\nresult: false\n", out)
            self.assertNotIn("; false\n", out)
        for expression in ("elements(S[2:1@lane] + R[128:1], (2), 1@lane)",
                           "linear.layout(linear(S[2:1] + R[128:4], (2)))"):
            self.assertIn("many places; true\n" if "linear" in expression else "many places agrees",
                          program.asked("explain", expression))

    def test_drawn_operations_do_not_crash(self):
        """Changes numbers in the documented expressions. `program.run` raises if the program
        crashes.
        """
        source = random.Random(21)
        lines = [line for _, all_lines in documented() for line in all_lines if "(" in line
                 and "=" not in line]
        for _ in range(150):
            line = source.choice(lines)
            for _ in range(source.randint(1, 3)):
                numbers = list(re.finditer(r"-?\d+", line))
                if numbers:
                    at = source.choice(numbers)
                    line = line[: at.start()] + str(source.choice(
                        (0, -1, 1, 2, 3, 7, 64, 1 << 40, (1 << 63) - 1))) + line[at.end():]
            program.run(["explain", "--", line])
            program.run(["draw", line, "--operation", "-o", "-"])


if __name__ == "__main__":
    unittest.main()
