#!/usr/bin/env python3
"""Tests axe draw: accesses, operations and plans as SVG, and the messages for wrong arguments."""

import re
import unittest
import xml.etree.ElementTree

import explain
import program

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*words):
    code, out, err = program.run(["draw", *words, "-o", "-"])
    if code or err:
        raise AssertionError(f"axe draw {words}: exit code {code}, {err}")
    return xml.etree.ElementTree.fromstring(out)


def hints(picture):
    return [title.text for rect in picture.iter(f"{SVG}rect") for title in rect.iter(f"{SVG}title")]


# The functions of docs/algebra.md and docs/cute.md whose results consist of elements of operands.
OPERATIONS = set("""
    canonicalize group group_many on_axis owned_by not_owned_by devices slice window permute
    broadcast reorder tile tile_to direct_sum tile_outer tile_inner sum_outer sum_inner storage
    threads rewrite to_lane_warp to_wg to_wid_in_wg to_tid to_tid_in_wg to_warp pack unpack
    compose inverse cute.coalesce cute.composition
    cute.from_axe cute.to_axe cute.right_inverse cute.left_inverse cute.max_common_layout
    cute.logical_divide cute.zipped_divide cute.tiled_divide cute.flat_divide cute.logical_product
    cute.zipped_product cute.tiled_product cute.flat_product cute.blocked_product cute.raked_product
    cute.tile_to_shape cute.upcast cute.downcast cute.recast
    """.split())


def documented_calls():
    """Yields the documented calls. Names that a session defines are replaced by their values."""
    for _, lines in explain.documented():
        values = {}
        answers = program.run(["eval", "--", *lines])[1].splitlines()
        for line, answer in zip(lines, answers):
            bound = re.match(r"(\w+) = (.*)", line)
            text = bound[2] if bound else line
            for name, value in values.items():
                text = re.sub(rf"(?<![\w.]){name}(?![\w.(])", lambda _, to=value: to, text)
            if bound and bound[1] != "gpuid" and not answer.startswith("refused"):
                values[bound[1]] = answer
            if re.match(r"[a-z][\w.]*\(", text) and not answer.startswith("refused"):
                yield text
    yield "owned_by(S[(4,2,3):(3,1@lane,1)], (4,6), 1@lane)"
    yield "not_owned_by(S[(4,2,3):(3,1@lane,1)], (4,6), 1@lane)"
    yield "devices(S[(4,2):(1@gpuid,1)])"


def cells(picture):
    """Yields (class, element, places, origins) of each cell with a title such as `element (1,2):
    {5@m}, from A(1)`.
    """
    for rect in picture.iter(f"{SVG}rect"):
        for title in rect.iter(f"{SVG}title"):
            match = re.match(r"element \(([-\d,]*)\): (\{.*?\})((?:, from .*)?)$", title.text)
            if match:
                sources = re.findall(r"from (.*?)\(([-\d,]*)\)", match[3])
                yield rect.get("class").split()[0], match[1], match[2], sources


class Pictures(unittest.TestCase):
    def test_hints_of_a_block(self):
        """A place without an element of the drawn block may have one of another block."""
        shown = hints(drawn("S[(3,8,8):(1@Bank,24@Bank,3@Bank)] + R[2:4@Bank]",
                            "--shape", "6,4,8,1"))
        self.assertIn("1@Bank: no element of this block", shown)
        self.assertFalse([hint for hint in shown if hint.endswith("no element")])

    def test_every_operation(self):
        """Each element of the result names an element of the first operand and must have its
        colour.
        """
        drawn_functions, compared, labels = set(), 0, 0
        for call in documented_calls():
            code, out, err = program.run(["draw", call, "--operation", "-o", "-"])
            if code:
                self.assertRegex(err, "--operation draws|argument 2 of rewrite", call)
                continue
            drawn_functions.add(re.match(r"[\w.]+", call)[0])
            picture = xml.etree.ElementTree.fromstring(out)
            self.assertLessEqual(float(picture.get("width")), 1300, call)
            self.assertLessEqual(float(picture.get("height")), 1100, call)
            self.assertIn("prefers-color-scheme:dark", out)
            shown = list(cells(picture))
            operands = {}  # maps an element of the first operand to its colour
            for colour, element, _, origins in shown:
                if not origins:
                    operands.setdefault(element, colour)
            for colour, element, places, origins in shown:
                if not origins:
                    continue
                name, of = origins[0]
                if len({m[0] for m in origins}) == 1 and f'class="n k"' not in out and of in operands:
                    self.assertEqual(colour, operands[of],
                                     f"{call}: element {element} of {name}({of})")
                    compared += 1
            labels += self.check_labels(call, shown)
        self.assertEqual(OPERATIONS - drawn_functions, set())
        self.assertEqual(drawn_functions - OPERATIONS, set())
        self.assertGreater(compared, 2000)
        self.assertGreater(labels, 1000)

    def check_labels(self, call, shown):
        """If the result is a plain layout, compares the places in the titles with those that
        explain.py computes. Returns the number of compared places.
        """
        answer = program.answers([call])[0]
        digits = explain.plain(answer) if re.match(r"S\[[^+o]*$", answer) else None
        if digits is None or call.startswith(("tile_", "sum_", "inverse")):
            return 0
        results = [(element, places) for _, element, places, origins in shown if origins]
        size = 1
        for extent, _, _ in digits:
            size *= extent
        if len(results) != size:
            return 0
        for x, (element, places) in enumerate(results):
            self.assertEqual(explain.place_of(places), explain.value(digits, x),
                             f"{call}: element {element}")
        return len(results)

    def test_access(self):
        plain = drawn("S[(64,64):(64,1)]", "--shape", "64,64", "--access", "ldmatrix_rows(16)")
        swizzled = drawn("swizzle(3,3,3) o S[(64,64):(64,1)]", "--shape", "64,64",
                         "--access", "ldmatrix_rows(16)")
        marked = [len([r for r in p.iter(f"{SVG}rect") if r.get("class") == "x k" and len(r)])
                  for p in (plain, swizzled)]
        # The four phases are alike, so one is drawn; its 8 lanes conflict without the swizzle.
        self.assertEqual(marked, [8, 0])
        self.assertIn("lane 3: element (3,0), line 3, bank 0", hints(plain))

    def test_operations(self):
        tile = hints(drawn("tile(S[(2,3):(3,1)], (2,3), S[(4,4):(4,1)], (4,4))", "--operation"))
        self.assertIn("element (5,9): {85@m}, from A(1,2), from B(1,1)", tile)
        self.assertIn("element (1,2): {14@m}, from L(1,5)",
                      hints(drawn("slice(S[(4,8):(9,1)], (4,8), (0:3, 3:6))", "--operation")))
        self.assertIn("element (1): {5@m}, from L(5)",
                      hints(drawn("slice(S[8:1], (8), (4:6))", "--operation")))
        self.assertIn("element (2,1): {6@m}, from L(1,2)",
                      hints(drawn("permute(S[(2,4):(4,1)], (2,4), (1,0))", "--operation")))
        self.assertIn("element (3): {14@m}, from A(7), from B(3)",
                      hints(drawn("compose(S[8:2], S[4:2] + 1)", "--operation")))

    def test_too_many_elements(self):
        square = "S[(512,512):(512,1)]"
        for name, words in (("draw_copy", ("copy", square, square, "--shape", "512,512",
                                           "--from", "global", "--to", "shared")),
                            ("draw_boxes", ("tma", square, square, "--tensor", "512,512",
                                            "--shape", "512,512")),
                            ("draw_operation", (f"canonicalize({square})", "--operation"))):
            code, out, err = program.run(["draw", *words, "-o", "-"])
            self.assertEqual((code, out), (2, ""))
            self.assertIn(
                f"{name}: the picture would have 262144 elements, but at most 131072 are drawn",
                err)

    def test_only_the_first_pieces_are_drawn(self):
        """If an owner has many pieces, only the first 8 are drawn, and a sentence says so."""
        def notes(call):
            picture = drawn(call, "--operation")
            return [text.text for text in picture.iter(f"{SVG}text")
                    if "drawn: the first 8 pieces" in (text.text or "")]

        self.assertEqual(
            len(notes("owned_by(S[(2,3,2,3,2,3):(3@lane,1,3@lane,1,3@lane,1)], (6,6,6), 3@lane)")),
            0)
        many = "owned_by(S[24:1] + R[12:2], (24), 23)"
        self.assertEqual(program.answers([many])[0].count(" holds "), 12)
        self.assertEqual(len(notes(many)), 1)
        self.assertIn("pieces after the first 8 are not shown", program.asked("explain", many))

    def test_plans(self):
        copy = hints(drawn("copy", "S[(16,16):(4096,1)]", "S[(16,16):(16,1)]", "--shape", "16,16",
                           "--from", "global",
                           "--to", "shared", "--scope", "warp", "--type", "f32"))
        self.assertIn("element (8,5): thread 1, issue 1", copy)
        boxes = hints(drawn("copy", "S[(4096,4096):(4096,1)]",
                            "swizzle(3,3,3) o S[(2,64,64):(8192,64,1)]", "--shape", "128,64",
                            "--from", "global", "--to", "shared", "--async",
                            "--tensor", "4096,4096"))
        self.assertIn("box 1 adds to coordinate 1: 64", boxes)
        tma = hints(drawn("tma", "S[(4096,4096):(4096,1)]", "swizzle(3,3,3) o S[(128,64):(64,1)]",
                          "--tensor", "4096,4096",
                          "--shape", "128,64"))
        self.assertIn("box 0 begins at byte 0", tma)
        convert = hints(drawn("convert", "S[(4,8):(1@reg,1@lane)]", "S[(8,4):(1@lane,1@reg)]",
                              "--type", "f32"))
        self.assertTrue(any(hint.startswith("lane 1 reads lane ") for hint in convert))
        reshard = hints(drawn("reshard", "S[(2,4,8):(1@y,8,1)]", "S[(8,4,2):(2,1@x,1)]",
                              "--mesh", "y=2,x=4", "--shape", "8,8"))
        self.assertIn("rank 4 sends 8 elements to rank 3", reshard)
        # After `--` all words are operands.
        self.assertIn("5", program.run(["draw", "convert", "--", "S[4:1@lane]", "S[5:1@lane]"])[2])

    def test_mistakes(self):
        for words, sentence in ((("S[64:1]", "--access", "S[4:1]"), "--access needs an access"),
                                (("S[64:1@lane]", "--access", "rows_of_32_bits(32)"), "lane"),
                                (("S[64:1]", "--access", "rows_of_32_bits("),
                                 "--access: position 16: expected an expression, not the end"),
                                (("S[64:1]", "--access", "ldmatrix_rows(7)"),
                                 "--access: ldmatrix_rows: "),
                                (("cute.complement(4:2, 24)", "--operation"),
                                 "not cute.complement"),
                                (("tile(S[64:1]", "--operation"), "OPERATION: "),
                                (("slice(S[(4,5):(7,1)], (20), (3:12))", "--operation"),
                                 "OPERATION: slice: the result is not a layout"),
                                (("S[64:1]", "--operation"), "--operation draws a call"),
                                (("copy", "S[4:1]"), "FROM TO")):
            code, out, err = program.run(["draw", *words, "-o", "-"])
            self.assertEqual((code, out), (2, ""), words)
            self.assertIn(sentence, err)


if __name__ == "__main__":
    unittest.main()
