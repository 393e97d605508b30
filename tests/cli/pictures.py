#!/usr/bin/env python3
"""axe draw: accesses, operations and plans as SVG, and what it says of wrong arguments."""

import unittest
import xml.etree.ElementTree

import program

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*words):
    code, out, err = program.run(["draw", *words, "-o", "-"])
    if code or err:
        raise AssertionError(f"axe draw {words}: exit code {code}, {err}")
    return xml.etree.ElementTree.fromstring(out)


def hints(picture):
    return [title.text for rect in picture.iter(f"{SVG}rect") for title in rect.iter(f"{SVG}title")]


class Pictures(unittest.TestCase):
    def test_access(self):
        plain = drawn("S[(64,64):(64,1)]", "--shape", "64,64", "--access", "ldmatrix_rows(16)")
        swizzled = drawn("swizzle(3,3,3) o S[(64,64):(64,1)]", "--shape", "64,64", "--access", "ldmatrix_rows(16)")
        marked = [len([r for r in p.iter(f"{SVG}rect") if r.get("class") == "x k" and len(r)]) for p in (plain, swizzled)]
        self.assertEqual(marked, [32, 0])
        self.assertIn("lane 9: element (9,0), line 9, bank 0", hints(plain))

    def test_operations(self):
        tile = hints(drawn("tile(S[(2,3):(3,1)], (2,3), S[(4,4):(4,1)], (4,4))", "--operation"))
        self.assertIn("element (5,9): {85@m}, from A(1,2), from B(1,1)", tile)
        self.assertIn("element (1,2): {14@m}, from L(1,5)", hints(drawn("slice(S[(4,8):(9,1)], (4,8), (0:3, 3:6))", "--operation")))
        self.assertIn("element (1): {5@m}, from L(5)", hints(drawn("slice(S[8:1], (8), (4:6))", "--operation")))
        self.assertIn("element (2,1): {6@m}, from L(1,2)", hints(drawn("permute(S[(2,4):(4,1)], (2,4), (1,0))", "--operation")))
        self.assertIn("element (3): {14@m}, from A(7), from B(3)", hints(drawn("compose(S[8:2], S[4:2] + 1)", "--operation")))

    def test_plans(self):
        copy = hints(drawn("copy", "S[(16,16):(4096,1)]", "S[(16,16):(16,1)]", "--shape", "16,16", "--from", "global",
                           "--to", "shared", "--scope", "warp", "--type", "f32"))
        self.assertIn("element (8,5): thread 1, issue 1", copy)
        convert = hints(drawn("convert", "S[(4,8):(1@reg,1@lane)]", "S[(8,4):(1@lane,1@reg)]", "--type", "f32"))
        self.assertTrue(any(hint.startswith("lane 1 reads lane ") for hint in convert))
        reshard = hints(drawn("reshard", "S[(2,4,8):(1@y,8,1)]", "S[(8,4,2):(2,1@x,1)]", "--mesh", "y=2,x=4", "--shape", "8,8"))
        self.assertIn("rank 4 sends 8 elements to rank 3", reshard)

    def test_mistakes(self):
        for words, sentence in ((("S[64:1]", "--access", "S[4:1]"), "--access needs an access"),
                                (("S[64:1@lane]", "--access", "rows_of_32_bits(32)"), "lane"),
                                (("S[64:1]", "--access", "rows_of_32_bits("), "--access needs an access"),
                                (("pack(S[64:1], 2, m)", "--operation"), "not 'pack(S[64:1], 2, m)'"),
                                (("S[64:1]", "--operation"), "--operation draws"),
                                (("copy", "S[4:1]"), "FROM TO")):
            code, out, err = program.run(["draw", *words, "-o", "-"])
            self.assertEqual((code, out), (2, ""), words)
            self.assertIn(sentence, err)


if __name__ == "__main__":
    unittest.main()
