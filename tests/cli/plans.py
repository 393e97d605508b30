#!/usr/bin/env python3
"""Tests axe plan: each kind in words and as JSON, declined candidates, and refusals in one line."""

import pathlib
import re
import shlex
import unittest

import program
from program import LAYOUT_KEYS, asked, asked_json


class Plan(unittest.TestCase):
    GLOBAL, SHARED = "S[(64,64):(4096,1)]", "swizzle(3,3,3) o S[(64,64):(64,1)]"
    WORDS = ("--shape", "64,64", "--from", "global", "--to", "shared", "--scope", "128")

    def test_copy(self):
        out = asked("plan", "copy", self.GLOBAL, self.SHARED, *self.WORDS)
        self.assertEqual(out.splitlines()[:2],
                         ["vector.16: global to shared, 4096 elements of 16 bits",
                          "  128 threads, 4 accesses each of 8 elements, 16 bytes"])

    def test_the_command_of_a_rejected_copy(self):
        """tests/plan/copy_operand_facts.cpp compares this command with the command that the library
        prints.
        """
        facts = pathlib.Path(__file__).resolve().parents[1] / "plan" / "copy_operand_facts.cpp"
        literals = re.search(r"CHECK\(command ==\s*((?:\"[^\"]*\"\s*)+)\)",
                             facts.read_text(encoding="utf-8"))[1]
        command = shlex.split("".join(re.findall(r'"([^"]*)"', literals)))
        self.assertEqual(command[:3], ["axe", "plan", "copy"])
        out = asked(*command[1:])
        self.assertEqual(out.splitlines()[0],
                         "vector.2: global to global, 1024 elements of 16 bits")
        self.assertIn(
            "\n  declined vector.16: accesses of 16 bytes need strides and an offset "
            "that are multiples of 16 bytes", out)

    def test_one_byte_is_singular(self):
        out = asked("plan", "copy", "S[8:2]", "S[8:1@reg]", "--from", "global", "--to", "registers",
                    "--type", "s8")
        self.assertIn("8 accesses of 1 element, 1 byte, one element at a time\n", out)

    def test_json(self):
        got = asked_json("plan", "copy", self.GLOBAL, self.SHARED, *self.WORDS)
        self.assertEqual((got["plan"], got["instruction"], got["threads"], got["accesses"],
                          got["bytes"]), ("copy", "vector.16", 128, 4, 16))
        self.assertEqual(got["from_traffic"], {"sectors": 256, "least": 256})
        self.assertEqual(got["to_traffic"]["conflicts"], 1)
        self.assertEqual([each["instruction"] for each in got["candidates"]], ["tma", "vector.16"])
        self.assertEqual((got["candidates"][1]["why"], got["tensor"]), (None, None))
        self.assertEqual(set(got["partition"]), LAYOUT_KEYS)

    def test_every_tile_of_a_tensor(self):
        """Tile (0,1) of the first tensor begins at byte 12. Tile 2 of the second lies in two rows."""
        words = ("--from", "global", "--to", "shared")
        got = asked_json("plan", "copy", "S[(8,24):(24,1)]", "S[(8,6):(8,1)]", "--tensor", "8,24",
                         "--shape", "8,6", *words)
        self.assertEqual(got["instruction"], "vector.4")
        _, _, refused = program.run(["plan", "copy", "S[(3,10):(1000,1)]", "S[4:1]",
                                     "--tensor", "(30)", "--shape", "(4)", *words])
        self.assertIn("some windows cross the end of a digit of extent 10, because 4 does not "
                      "divide 10", refused)

    def test_a_plan_has_its_cache_hint(self):
        got = asked_json("plan", "copy", self.GLOBAL, self.SHARED, *self.WORDS,
                         "--cache", "evict_first")
        self.assertEqual((got["cache"], got["one_by_one"]), ("evict_first", False))
        self.assertIn("accesses each of 8 elements, 16 bytes, evict_first",
                      asked("plan", "copy", self.GLOBAL, self.SHARED, *self.WORDS,
                            "--cache", "evict_first"))

    def test_a_declined_instruction_has_its_reason(self):
        got = asked_json("plan", "copy", "S[(16,16):(36,1)]",
                         "S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]", "--shape", "16,16",
                         "--from", "shared", "--to", "registers", "--scope", "warp")
        self.assertEqual(got["candidates"][0],
                         {"instruction": "ldmatrix.x4",
                          "why": "ldmatrix and stmatrix need rows at multiples of 16 bytes, "
                                 "but here some rows are 72 bytes apart"})
        self.assertIsNone(got["candidates"][-1]["why"])

    def test_an_instruction_can_be_forced(self):
        got = asked_json("plan", "copy", self.GLOBAL, self.SHARED, *self.WORDS,
                         "--force", "cp.async.8")
        self.assertEqual((got["instruction"], got["asynchronous"]), ("cp.async.8", True))

    def test_tma(self):
        words = ("plan", "tma", "S[(4096,4096):(4096,1)]", "swizzle(3,3,3) o S[(128,64):(64,1)]",
                 "--tensor", "4096,4096", "--shape", "128,64")
        self.assertEqual(asked(*words).splitlines()[0], "tma.2d load: 1 box of 16384 bytes")
        got = asked_json(*words)
        self.assertEqual((got["rank"], got["swizzle_bytes"], got["boxes"], got["alignment"]),
                         (2, 128, 1, 1024))
        self.assertEqual(got["dimensions"],
                         [{"extent": 4096, "stride_bytes": 2, "box": 64, "element_stride": 1},
                          {"extent": 4096, "stride_bytes": 8192, "box": 128, "element_stride": 1}])
        self.assertEqual(sorted(got["moves"], key=lambda move: move["coordinate"]),
                         [{"coordinate": c, "tile": 1 - c, "divisor": 1, "modulus": 0,
                           "factor": 64 << c} for c in (0, 1)])
        self.assertEqual((got["global_offset"], got["shared_offset"]), (0, 0))
        got = asked_json("plan", "tma", "S[(64,64):(64,1)] + 8", "S[(64,64):(64,1)] + 512",
                         "--tensor", "64,64", "--shape", "64,64")
        self.assertEqual((got["global_offset"], got["shared_offset"]), (16, 1024))

    def test_mma(self):
        words = ("plan", "mma", "swizzle(3,3,3) o S[(64,64):(64,1)]",
                 "swizzle(3,3,3) o S[(64,128):(1,64)]",
                 "S[(4,2,8,16,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]",
                 "--shape", "64,128,64", "--a", "shared", "--b", "shared")
        self.assertEqual(asked(*words).splitlines()[0],
                         "wgmma.m64n128k16: bf16 by bf16 into f32, 1 along M, 1 along N, 4 along K")
        got = asked_json(*words)
        self.assertEqual((got["instruction"], got["k_steps"], got["b_shared"]["stride"],
                          got["a_shared"]["swizzle_bytes"]), ("wgmma.m64n128k16", 4, 1024, 128))
        self.assertEqual(got["candidates"][0], {"instruction": "tcgen05.mma.m64n128k16",
                                                "why": "the instruction exists on sm_100a only"})


    def test_mma_of_a_pair(self):
        c = "S[(2,128,256):(1@cluster_cta_x,1@TLane,1@TCol)]"
        words = ("plan", "mma", "swizzle(3,3,3) o S[(128,64):(64,1)]",
                 "swizzle(3,3,3) o S[(64,128):(1,64)]", c, "--shape", "256,256,64",
                 "--a", "shared", "--b", "shared", "--c", "tensor", "--arch", "sm_100a")
        self.assertIn("C: tensor memory, from column 0", asked(*words))
        got = asked_json(*words)
        self.assertEqual(got["instruction"], "tcgen05.mma.cta_group::2.m256n256k16")
        self.assertEqual((got["m_steps"], got["n_steps"], got["k_steps"]), (1, 1, 4))

    def test_convert(self):
        words = ("plan", "convert", "S[(8,4,2):(4@lane,1@lane,1@reg)]",
                 "S[(4,2,8):(1@lane,1@reg,4@lane)]")
        self.assertEqual(asked(*words).splitlines()[0],
                         "lanes: 1 register of 16-bit elements; 2 shuffles (no plan has fewer), "
                         "0 selects, 1 byte permute, 1 selector")
        got = asked_json(*words)
        self.assertEqual((got["kind"], got["shuffles"], got["fewest_shuffles"],
                          got["byte_permutes"], got["shared"]), ("lanes", 2, 2, 1, None))
        self.assertEqual([(step["value"], step["do"]) for step in got["steps"]],
                         [("v0", "shuffle"), ("v1", "shuffle"), ("v2", "selector"),
                          ("v3", "permute")])
        self.assertEqual((got["steps"][0]["of"], got["steps"][0]["from"][:5],
                          got["steps"][2]["lanes"][:4], got["steps"][2]["there"]),
                         ("s0", [0, 8, 16, 24, 4], [4, 5, 6, 7], "0x3276"))
        self.assertEqual((got["steps"][3]["of"], got["steps"][3]["bytes"], got["filled"],
                          got["runs"]), (["v0", "v1"], "v2", [{"word": "t0", "with": "v3"}],
                                         [{"source": 0, "target": 0}]))
        got = asked_json("plan", "convert", "S[(4,32):(1@warp,1@lane)]",
                         "S[(32,4):(1@lane,1@warp)]", "--type", "f32")
        self.assertEqual((got["kind"], got["shared"]["store_conflicts"],
                          got["shared"]["load_conflicts"], got["shared"]["bytes"]),
                         ("warps", 1, 1, 512))
        # The search takes as many steps as --steps says.
        words = ("plan", "convert", "S[(2,1024,32):(1@reg,1@warp,1@lane)]",
                 "S[(1024,2,32):(1@warp,1@reg,1@lane)]")
        self.assertEqual(asked(*words)[:5], "warps")
        self.assertEqual(program.run([*words, "--steps", "10"])[2],
                         "axe plan convert: undecided after 10 steps; raise the step limit\n")

    def test_reduce(self):
        words = ("plan", "reduce", "S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]", "--shape", "16,8",
                 "--over", "1")
        self.assertEqual(asked(*words).splitlines()[0],
                         "4 registers into 2, then lanes ^ 1, lanes ^ 2: 4 shuffles")
        got = asked_json(*words)
        self.assertEqual((got["registers"], got["results"], got["shuffles"], got["result"]["text"]),
                         (4, 2, 4, "S[(8,2):(4@lane,1@reg)] + R[4:1@lane]"))
        self.assertEqual(got["candidates"][0]["why"],
                         "redux.sync folds all 32 lanes of a warp to one value, "
                         "but here a value is folded from 4 lanes")
        self.assertEqual(asked(*words[:-1], "0,1"),
                         asked(*words[:-1], "(0, 1)"))  # a tuple of Python
        words = ("plan", "reduce", "S[(2,32):(1@reg,1@lane)]", "--shape", "2,32", "--over", "1",
                 "--fold", "maximum", "--type", "f32", "--arch", "sm_100a")
        self.assertEqual(asked(*words).splitlines()[0],
                         "2 registers into 2, then redux.sync over the 32 lanes: 2 instructions")
        got = asked_json(*words)
        self.assertEqual((got["by"], got["shuffles"], got["candidates"]),
                         ("redux.sync", 0, [{"instruction": "redux.sync", "why": None}]))

    def test_refused(self):
        for words, sentence in [
                ((), "the kind of plan is missing; the kinds are copy, tma, mma, convert, reduce"),
                (("melt",), "no plan is called 'melt'; the kinds are copy"),
                (("copi",), "no plan is called 'copi'; did you mean copy?"),
                (("copy", "S[4:1]"), "expected 2 arguments, FROM TO, but got 1"),
                (("tma", "S[(4096,4096):(4096,1)]", "S[(128,64):(64,1)]", "--tensor", "4096,4096",
                  "--shape", "128,64", "--do", "melt"), "load, multicast, store"),
                (("tma", "S[(4096,4096):(4096,1)]", "S[(128,64):(64,1)]", "--tensor", "4096,4096",
                  "--shape", "128,64", "--arch", "sm_80"), "sm_90"),
                (("tma", "S[(4096,4096):(4097,1)]", "S[(128,64):(64,1)]", "--tensor", "4096,4096",
                  "--shape", "128,64"), "8194"),
                (("reduce", "S[(8,4):(4@lane,1@lane)]", "--shape", "8,4"),
                 "--over is missing: add the dimensions to reduce, as in --over 1"),
                (("reduce", "S[(8,4):(4@lane,1@lane)]", "--shape", "8,4", "--over", "x"),
                 "--over: position 0: nothing is called x"),
                (("reduce", "S[(8,4):(4@lane,1@lane)]", "--shape", "8,4", "--over", "-1"),
                 "counted from 0, as 1 or 0,1, not '-1'"),
                (("reduce", "S[(8,4):(4@lane,1@lane)]", "--shape", "8,4", "--over", "()"),
                 "--over is empty"),
                (("reduce", "S[(8,4):(4@lane,1@lane)]", "--shape", "8,4", "--over", "2"), "2"),
                (("reduce", "S[32:1@lane]", "--over", "0", "--fold", "xor"),
                 "--fold: no operation is called 'xor'; the names are another, plus"),
                (("mma", "S[4:1]", "S[4:1]"), "expected 3 arguments, A B C, but got 2"),
                (("mma", "S[4:1]", "S[4:1]", "S[4:1]"),
                 "--shape is missing: add M,N,K, as in --shape 128,256,64"),
                (("mma", "S[4:1]", "S[4:1]", "S[4:1]", "--shape", "2,2"),
                 "--shape needs three numbers M,N,K"),
                (("mma", "S[4:1]", "S[4:1]", "S[4:1]", "--shape", "2,2,2", "--force", "fma"),
                 "mma.sync, wgmma or tcgen05"),
                (("convert", "S[4:1@lane]", "S[5:1@lane]"), "5"),
                (("convert", "S[4:1@lane]", "S[4:1@lane]", "--arch", "sm_90a"),
                 "there is no option --arch"),
                (("convert", "S[4:1@lane]", "S[4:1@lane]", "--force", "shfl"),
                 "there is no option --force"),
                (("convert", "S[4:1@lane]", "S[4:1@lane]", "--json", "-o", "unused.svg"),
                 "-o draws the plan; leave out --json"),
                (("reshard", "S[8:1]", "S[8:1]", "--mesh", "y=2", "--shape", "8",
                  "--arch", "sm_90a"), "there is no option --arch"),
                (("reshard", "S[8:1]", "S[8:1]", "--mesh", "y=2", "--shape", "8", "--messages",
                  "--json"), "--messages prints text; leave out --json"),
                (("reduce", "S[4:1@lane]", "--over", "10"),
                 "there is no dimension 10 left to reduce"),
                (("copy", "S[4:1]", "S[4:1]", "--from", "global", "--to", "shared", "--cache",
                  "forever"), "no cache hint is called 'forever'; the names are none, evict_first"),
                (("copy", "S[4:1]", "S[4:1]"),
                 "--from is missing: add the memory of FROM, as in --from global"),
                (("copy", "S[4:1]", "S[4:1]", "--from", "moon"),
                 "--to is missing: add the memory of TO, as in --to shared"),
                (("copy", "S[4:1", "S[4:1]", "--from", "global", "--to", "shared"),
                 "FROM: position"),
                (("copy", "S[4:1]", "S[5:1]", "--from", "global", "--to", "shared"), "5 elements"),
                *((("copy", "S[(8,8):(8,1)]", "S[4:1]", "--tensor", "8,8", "--shape", f"{n},4",
                    "--from", "global", "--to", "shared"),
                   f"--shape is {n} along dimension 0, but with --tensor it must be from 1 to 8")
                  for n in (0, -1, 9)),
                (("copy", "S[4:1]", "S[4:1]", "--from", "attic", "--to", "shared"),
                 "--from: no memory space is called 'attic'; the names are global, shared"),
                (("copy", "S[4:1]", "S[4:1]", "--from", "global", "--to", "shared",
                  "--scope", "cta"), "--scope 256"),
                (("copy", "S[4:1]", "S[4:1]", "--from", "global", "--to", "shared",
                  "--scope", "2000"), "up to 1024, not '2000'"),
                (("copy", "S[4:1]", "S[4:1]", "--from", "global", "--to", "shared",
                  "--arch", "sm_70"), "sm_70"),
                (("copy", "S[4:1]", "S[4:1]", "--from", "global", "--to", "shared",
                  "--type", "int"), "no element type is called 'int'"),
                (("copy", "S[4:1]", "S[4:1]", "--from", "global", "--to", "shared",
                  "--force", "magic"), "called 'magic'"),
                (("copy", "S[4:1]", "S[4:1]", "--from", "global", "--to", "shared",
                  "--edges", "(1,2)"), "got 2 edges, but the tile (4) has 1 dimension"),
                (("copy", "S[4:1]", "S[4:1]", "--from", "global", "--to", "shared",
                  "--force", "ldmatrix.x4"), "ldmatrix loads from shared memory"),
        ]:
            code, out, err = program.run(["plan", *words])
            self.assertEqual((code, out), (2, ""), words)
            self.assertIn(sentence, err, words)
            self.assertEqual(err.count("\n"), 1, words)


if __name__ == "__main__":
    unittest.main()
