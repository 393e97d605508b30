#!/usr/bin/env python3
"""Tests layouts and placements in the notations of other libraries: reading, messages and printing.
"""

import json
import unittest

import program
from program import asked, asked_json

MMA = ("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], "
       "instrShape = [16, 8]}>")
LINEAR = "#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [], block = []}>"
MESH = ("--mesh", "y=2,x=4", "--shape", "64,64")


class Read(unittest.TestCase):
    def check(self, words, out, note):
        self.assertEqual(program.run(["map", *words]), (0, out, f"axe map: LAYOUT {note}\n"))

    def test_cute(self):
        self.check(["(2,2):(1,2)", "--at", "1"], "(1)  {1@m}\n",
                   "is CuTe's notation for S[(2,2):(2,1)]")
        self.check(["Sw<1,0,1> o 0 o (2,2):(1,2)", "--at", "2"], "(2)  {3@m}\n",
                   "is CuTe's notation for swizzle(M=0,B=1,S=1) o S[(2,2):(2,1)]")

    def test_a_range_is_said_to_be_ambiguous(self):
        self.check(["4:8", "--at", "3"], "(3)  {24@m}\n",
                   "could be a range; it is read as CuTe's notation for S[4:8]")

    def test_tirx(self):
        self.check(["T.TileLayout(T.S[(2, 2):(2 @ Axis.laneid, 1 @ Axis.laneid)])", "--at", "3"],
                   "(3)  {3@lane}\n",
                   "is TIRx's notation for S[(2,2):(2@lane,1@lane)]")

    def test_triton(self):
        self.check([LINEAR, "--at", "3,1"], "(3,1)  {3@lane + 1@reg}\n",
                   "is Triton's notation for S[(4,2):(1@lane,1@reg)]")
        wanted = "is Triton's notation for S[(2,32,2):(2@reg,1@lane,1@reg)]\n"
        for words in ([f"tensor<16x8xf16, {MMA}>"], [MMA, "--shape", "16,8"]):
            code, out, err = program.run(["map", *words, "--at", "9,3"])
            self.assertEqual(code, 0)
            self.assertEqual(out, "(9,3)  {3@reg + 5@lane}\n")
            self.assertTrue(err.endswith(wanted))

    def test_the_printed_linear_layout_of_triton(self):
        text = ("\n - register=1 -> (0, 1)\n - lane=1 -> (1, 0)\n   lane=2 -> (2, 0)\n"
                "where out dims are: [dim0 (size 4), dim1 (size 2)]")
        self.check([text, "--at", "3,1", "--shape", "4,2"], "(3,1)  {3@lane + 1@reg}\n",
                   "is Triton's notation for S[(4,2):(1@lane,1@reg)]")

    def test_linear_map(self):
        self.check(["{lane: 1 -> (1); reg: 1 -> (0)} to (dim0: 2)", "--at", "1"],
                   "(1)  {1@lane + 0@reg, 1@lane + 1@reg}\n",
                   "is a linear map, the layout S[2:1@lane] + R[2:1@reg]")
        self.check(["{dim0: 1 -> (3)} to (m: 4)", "--at", "1"], "(1)  {3@m}\n",
                   "is a linear map, the layout S[2:3]")

    def test_every_command(self):
        for words in (["table", "(2,2):(1,2)"], ["owner", "(2,2):(1,2)", "--at", "1@m"],
                      ["diff", "(2,2):(1,2)", "S[4:1]"],
                      ["draw", "(2,2):(1,2)", "--shape", "2,2", "-o", "-"],
                      ["draw", LINEAR, "--shape", "4,2", "-o", "-"],
                      ["draw", "(8,32):(1,8)", "--shape", "32,8", "--access", "ldmatrix_rows(16)",
                       "-o", "-"],
                      ["plan", "reduce", LINEAR, "--shape", "4,2", "--over", "1"]):
            code, out, err = program.run(words)
            self.assertEqual(code, 0, err)
            self.assertTrue(out and "notation for" in err)
        self.assertEqual(program.run(["map", "S[4:1]"])[2], "")
        self.assertEqual(program.run(["map", "group(S[4:1], (2,2))"])[2], "")

    def test_a_malformed_notation_has_its_position(self):
        for words, sentence in ((["#ttg.blocked<{}>"], "position 15: a field is missing"),
                                ([MMA], "position 0: this encoding needs the extents of the tensor"),
                                (["tensor<16xf16, #ttg.swizzle<{}>>"],
                                 "position 15: expected an encoding of Triton"),
                                (["T.TileLayout(S)"], "position 13: expected a layout"),
                                (["(2,2):(1)"],
                                 "the shape and the strides are not nested in the same way"),
                                (["{lane: 1 -> (0)} to (dim0: 2)"], "the linear map is not onto")):
            code, out, err = program.run(["map", *words])
            self.assertEqual((code, out), (2, ""))
            self.assertIn(sentence, err)

    def test_layouts_inside_expressions(self):
        """`axe eval`, `axe explain` and commands that take a layout must name the notation of each
        layout.
        """
        tirx = "T.TileLayout(T.S[(2, 2):(2, 1)])"
        for words, out, notes in (
            (["eval", "(8,4):(1,8)"], "(8,4):(1,8)\n",
             ["line 1 has CuTe's notation for S[(4,8):(8,1)]"]),
            (["eval", "4:8"], "4:8\n", ["line 1 has a range, or CuTe's notation for S[4:8]"]),
            (["eval", "1", tirx], "1\nS[(2,2):(2,1)]\n",
             ["line 2 has TIRx's notation for S[(2,2):(2,1)]"]),
            (["eval", LINEAR], "S[(4,2):(1@lane,1@reg)]\n",
             ["line 1 has Triton's notation for S[(4,2):(1@lane,1@reg)]"]),
            (["eval", "size((4,2):(1,4))"], "8\n",
             ["line 1 has CuTe's notation for S[(2,4):(4,1)]"]),
            (["eval", f"equivalent({tirx}, (2,2):(1,2))"], "true\n",
             ["line 1 has TIRx's notation for S[(2,2):(2,1)]",
              "line 1 has CuTe's notation for S[(2,2):(2,1)]"]),
            (["eval", "T = (4,2):(1,4)", "places(T, (2,4), (1,0))"], "(4,2):(1,4)\n{4@m}\n",
             ["line 1 has CuTe's notation for S[(2,4):(4,1)]",
              "line 2 has CuTe's notation for S[(2,4):(4,1)]"]),
            (["eval", "cute.size((4,2):(1,4))", "S[4:1]", "(2,3)"], "8\nS[4:1]\n(2,3)\n", []),
            (["map", f"canonicalize({tirx})", "--at", "3"], "(3)  {3@m}\n",
             ["LAYOUT has TIRx's notation for S[(2,2):(2,1)]"]),
        ):
            code, got, err = program.run(words)
            self.assertEqual((code, got), (0, out), words)
            self.assertEqual(err.splitlines(), [f"axe {words[0]}: {note}" for note in notes], words)
        code, out, err = program.run(["explain", "(8,4):(1,8)"])
        self.assertEqual((code, err),
                         (0, "axe explain: line 1 has CuTe's notation for S[(4,8):(8,1)]\n"))
        self.assertEqual(out, "(8,4):(1,8)\n  L  S[(4,8):(8,1)]\n     canonical form S[32:1]\n"
                              "     digits 32:1@m with row-major strides (1)\n")
        # An encoding inside of an expression has the shape of --shape.
        blocked = ("#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "
                   "warpsPerCTA = [1, 1], order = [1, 0]}>")
        code, out, err = program.run(["draw", f"canonicalize({blocked})", "--shape", "8,8",
                                      "-o", "-"])
        self.assertEqual((code, err),
                         (0, "axe draw: LAYOUT has Triton's notation for S[(32,2):(1@lane,1@reg)]\n"))
        code, out, err = program.run(["draw", "tile((2,2):(1,2), (2,2), S[4:1], (2,2))",
                                      "--operation", "-o", "-"])
        self.assertEqual((code, err),
                         (0, "axe draw --operation: OPERATION has CuTe's notation for S[(2,2):(2,1)]\n"))
        for line, why in (("size((2,2):(1))",
                           "refused: the shape and the strides are not nested in the same way"),
                          ("size((0,2):(1,2))", "refused: leaf 0 of the shape is 0")):
            self.assertTrue(program.answers([line])[0].startswith(why), program.answers([line]))

    def test_pictures_of_plans(self):
        rows = "(8,8):(8,1)"
        for kind, words in (("copy", ["S[(8,8):(8,1)]", rows, "--shape", "8,8", "--from", "global",
                                      "--to", "shared"]),
                            ("tma", ["S[(64,64):(64,1)]", "(64,64):(1,64)", "--tensor", "64,64",
                                     "--shape", "64,64"]),
                            ("convert", [LINEAR, LINEAR, "--shape", "4,2"])):
            for command in ("plan", "draw"):
                code, out, err = program.run([command, kind, *words, "-o", "-"])
                self.assertEqual((code, out[:4]), (0, "<?xm"), err)
                self.assertIn(f"axe plan {kind}: ", err)
                self.assertIn("notation for S[", err)


class Printed(unittest.TestCase):
    def test_a_layout_is_printed_in_every_notation(self):
        self.assertEqual(asked("notation", "S[(4,8):(8,1)]").splitlines()[:4],
                         ["read as    axe", "axe        S[(4,8):(8,1)]", "cute       (8,4):(1,8)",
                          "tirx       T.TileLayout(T.S[(4, 8):(8, 1)])"])
        got = asked_json("notation", "S[(4,2):(1@lane,1@reg)]", "--shape", "4,2")
        self.assertEqual((got["read"], got["shape"], got["cute"], got["triton"]),
                         ("axe", [4, 2], None, LINEAR))
        self.assertIn("cute       refused: ", asked("notation", "S[(4,2):(1@lane,1@reg)]"))

    def test_as_chooses_a_notation(self):
        self.assertEqual(asked("notation", "S[(4,2):(1@lane,1@reg)]", "--shape", "4,2",
                               "--as", "triton"), LINEAR + "\n")
        self.assertEqual(asked("notation", LINEAR, "--as", "axe"), "S[(4,2):(1@lane,1@reg)]\n")
        self.assertEqual(program.run(["notation", "S[4:1@lane]", "--as", "mlir"])[0], 2)
        self.assertEqual(program.run(["notation", "S[2:1] + R[2:2]", "--as", "cute"])[:2], (2, ""))
        note = " has the axis lane, which CuTe's notation leaves out\n"
        self.assertEqual(program.run(["notation", "S[4:1@lane]", "--as", "cute"]),
                         (0, "4:1\n", "axe notation: LAYOUT" + note))
        self.assertEqual(program.run(["eval", "--as", "cute", "S[4:1@lane]"]),
                         (0, "4:1\n", "axe eval: line 1" + note))
        self.assertEqual(program.run(["notation", "S[4:1] + 1", "--as", "cute"])[2], "")
        lines = ["S[(4,8):(1,4)]", f"tensor<16x8xf16, {MMA}>", "size(S[4:1])", "S[2:1] + R[2:4]"]
        answers = program.answers(lines, ("--as", "cute"))
        self.assertEqual((answers[0], answers[2]), ("(8,4):(4,1)", "4"))
        self.assertTrue(answers[1].startswith("refused: ") and answers[3].startswith("refused: "))
        self.assertTrue(program.answers(lines, ("--as", "triton"))[1].startswith(
            "#ttg.linear<{register = [[0, 1], [8, 0]]"))
        answer = json.loads(program.answers(["S[4:1]"], ("--as", "tirx", "--json"))[0])
        self.assertEqual(answer["text"], "T.TileLayout(T.S[4:1])")
        self.assertEqual(program.run(["eval", "--as", "latex", "1"])[0], 2)

    def test_a_placement_is_printed_in_every_notation(self):
        got = asked_json("notation", "[Shard(0), Replicate()]", *MESH)
        self.assertEqual((got["read"], got["dtensor"], got["jax"], got["xla"], got["scalapack"]),
                         ("dtensor", "[Shard(0), Replicate()]", "P('y', None)",
                          "{devices=[2,1,4]<=[8] last_tile_dim_replicate}", None))
        self.assertEqual(asked("notation", "P('y')", *MESH, "--as", "dtensor"),
                         "[Shard(0), Replicate()]\n")

    def test_resharding_reads_placements(self):
        layouts = asked("plan", "reshard", "S[(2,32,64):(1@y,64,1)] + R[4:1@x]",
                        "S[(64,2,32):(32,1@y,1)] + R[4:1@x]", *MESH)
        code, out, said = program.run(["plan", "reshard", "[Shard(0), Replicate()]", "P(None, 'y')",
                                       *MESH])
        self.assertEqual((code, out), (0, layouts))
        self.assertEqual(said.split("\n"),
                         ["axe plan reshard: SRC is DTensor's notation for S[(2,32,64):(1@y,64,1)] + R[4:1@x]",
                          "axe plan reshard: DST is JAX's notation for S[(64,2,32):(32,1@y,1)] + R[4:1@x]", ""])
        code, _, _ = program.run(["plan", "reshard", "[Shard(2), Replicate()]", "P()", *MESH])
        self.assertEqual(code, 2)
        said_of_cute = program.run(["plan", "reshard", "(64,64):(1,64)", "P()", *MESH])[2]
        self.assertIn("SRC is CuTe's notation for S[(64,64):(64,1)]", said_of_cute)
        for options in (["--messages"], ["-o", "-"]):
            self.assertEqual(program.run(["plan", "reshard", "[Shard(0), Replicate()]",
                                          "P(None, 'y')", *MESH, *options])[2], said)


if __name__ == "__main__":
    unittest.main()
