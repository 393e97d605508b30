#!/usr/bin/env python3
"""Tests the commands of the program `axe`: text, JSON, exit codes, help and bad input."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import program
from program import LAYOUT_KEYS, asked, asked_json

TILE = program.TILE


class Map(unittest.TestCase):
    def test_one_element(self):
        self.assertEqual(asked("map", TILE, "--shape", "8,16", "--at", "2,9"),
                         "(2,9)  {8@lane + 6@warp + 1@reg, 8@lane + 10@warp + 1@reg}\n")

    def test_options_have_several_spellings(self):
        wanted = asked("map", TILE, "--shape", "8,16", "--at", "2,9")
        self.assertEqual(asked("map", "--at=(2, 9)", "--shape=(8, 16)", TILE), wanted)
        self.assertEqual(asked("map", "--shape", "8,16", "--at", "2,9", "--", TILE), wanted)

    def test_several_coordinates_and_nested_ones(self):
        out = asked("map", TILE, "--shape", "(2,4),16", "--at", "(0,2),9", "--at", "2,9",
                    "--at", "0,0")
        self.assertEqual([line.split("  ")[0] for line in out.splitlines()],
                         ["((0,2),9)", "(2,9)", "(0,0)"])

    def test_elements_beyond_the_limit_are_counted(self):
        self.assertEqual(asked("map", "S[3:2@lane]"),
                         "(0)  {0@lane}\n(1)  {2@lane}\n(2)  {4@lane}\n")
        self.assertEqual(asked("map", "S[3:2]", "--limit", "1").splitlines()[1],
                         "2 of 3 elements are left out; --limit 3 lists all")
        self.assertEqual(asked("map", "S[2:2]", "--limit", "1").splitlines()[1],
                         "1 of 2 elements is left out; --limit 2 lists all")
        self.assertEqual(len(asked("map", TILE, "--shape", "8,16").splitlines()), 65)

    def test_without_shape_a_nested_layout_has_its_own(self):
        self.assertEqual(asked("map", "S[((2),(2)):((1),(1@reg))]").splitlines()[3],
                         "(1,1)  {1@m + 1@reg}")

    def test_expression(self):
        self.assertEqual(asked("map", "group(S[4:1], (2,2))", "--at", "1,0"), "(1,0)  {2@m}\n")

    def test_declared_axis(self):
        self.assertEqual(asked("map", "S[2:1@mesh_x]", "--axis", "mesh_x:device"),
                         "(0)  {0@mesh_x}\n(1)  {1@mesh_x}\n")

    def test_json(self):
        got = asked_json("map", TILE, "--shape", "8,16", "--at", "2,9")
        self.assertEqual(set(got), {"layout", "shape", "elements", "left_out"})
        self.assertEqual(set(got["layout"]), LAYOUT_KEYS)
        self.assertEqual(got["layout"]["text"], TILE)
        self.assertEqual(got["layout"]["D"][0], {"extent": 8, "stride": 4, "axis": "lane"})
        self.assertEqual(got["layout"]["O"], [{"offset": 5, "axis": "warp"}])
        self.assertEqual(got["shape"], [8, 16])
        places = [{"lane": 8, "warp": 6, "reg": 1}, {"lane": 8, "warp": 10, "reg": 1}]
        self.assertEqual(got["elements"], [{"at": [2, 9], "places": places}])


class Table(unittest.TestCase):
    def test_text_holds_every_element(self):
        out = asked("table", "S[(3,4):(4@lane,1@lane)]", "--shape", "3,4")
        for held in range(12):
            self.assertIn(f" {held}", out)

    def test_an_instruction_has_a_shape(self):
        for layout, shape in (("mma.a(16,8,16,16)", "16,16"), ("mma.b(16,8,16,16)", "16,8"),
                              ("mma.accumulator(16,8,16,16)", "16,8"),
                              ("ldmatrix.fragment(4)", "4,8,8"), ("wgmma.a(16)", "64,16"),
                              ("wgmma.accumulator(16)", "64,16"),
                              ("wgmma.k_major(16, 128, (64,64), 16, 1024)", "64,64"),
                              ("tcgen05.ld_16x64b(4)", "16,8"),
                              ("tcgen05.ld_16x32bx2(4)", "16,2,4"), ("tcgen05.layout_B(8)", "64,8"),
                              ("tcgen05.layout_G(8)", "32,8"),
                              ("tcgen05.scale_factors(4)", "32,4"),
                              ("trainium.sbuf(32,16)", "32,16"),
                              ("trainium.sbuf_transposed(32,16)", "16,32"),
                              ("trainium.psum(32,16)", "32,16")):
            with self.subTest(layout=layout):
                self.assertEqual(asked("table", layout), asked("table", layout, "--shape", shape))
        # mma.a has the shape of its instruction. A layout that is computed from it does not.
        flat = asked("table", "canonicalize(mma.a(16,8,16,16))")
        self.assertEqual(flat, asked("table", "mma.a(16,8,16,16)", "--shape", "256"))
        self.assertNotEqual(flat, asked("table", "mma.a(16,8,16,16)"))

    def test_json_is_the_whole_map(self):
        table = asked_json("table", TILE, "--shape", "8,16")
        self.assertEqual(table, asked_json("map", TILE, "--shape", "8,16", "--limit", "128"))
        self.assertEqual([e["at"] for e in table["elements"]],
                         [[i, j] for i in range(8) for j in range(16)])


class Owner(unittest.TestCase):
    def test_one_owner(self):
        self.assertEqual(
            asked("owner", TILE, "--shape", "8,16", "--at", "8@lane+6@warp"),
            "8@lane + 6@warp holds 2 of 128 elements\n"
            "(2:3, 8:10)  shape (1,2)  layout S[((),(2)):((),(1@reg))]\n"
            "  (2,8)  {0@reg}\n"
            "  (2,9)  {1@reg}\n")

    def test_an_owner_of_no_element(self):
        self.assertEqual(asked("owner", TILE, "--shape", "8,16", "--at", "99@lane"),
                         "99@lane holds 0 of 128 elements\n")
        self.assertIn("holds 1 of 1 element\n", asked("owner", "S[1:1@lane]", "--at", "0@lane"))

    def test_an_owner_beyond_the_limit(self):
        out = asked("owner", TILE, "--shape", "8,16", "--at", "8@lane", "--limit", "1").splitlines()
        self.assertEqual(out[-1], "  and 3 more; --limit 4 lists all")

    def test_pieces_are_the_elements(self):
        cases = [(TILE, [8, 16], "8@lane"), ("S[(4,2,8):(8,1@warp,1)]", [4, 16], "1@warp"),
                 ("S[(4,6):(1@reg,1@lane)]", [24], "3@lane"),
                 ("S[(2,3):(1@lane,1)]", [3, 2], "1@lane")]
        for layout, shape, place in cases:
            extents = ",".join(map(str, shape))
            got = asked_json("owner", layout, "--shape", extents, "--at", place, "--limit", "1000")
            self.assertEqual(set(got), {"layout", "shape", "place", "pieces", "count", "elements",
                                        "left_out"})
            self.assertEqual((got["count"], got["left_out"]), (len(got["elements"]), 0))
            listed = [tuple(c) for piece in got["pieces"] for c in coordinates_of(piece, shape)]
            self.assertEqual(sorted(listed), sorted(map(tuple, got["elements"])))
            self.assertEqual(len(listed), len(set(listed)))
            self.assertTrue(listed)

    def test_a_large_owner(self):
        got = asked_json("owner", "S[(2,2048,4,1024):(4@gpuid,1024@m,1@gpuid,1@m)]",
                         "--shape", "4096,4096",
                         "--at", "3@gpuid")
        self.assertEqual((got["count"], len(got["elements"]), got["left_out"]),
                         (1 << 21, 64, (1 << 21) - 64))
        self.assertEqual([(d["begin"], d["extent"]) for d in got["pieces"][0]["dimensions"]],
                         [(0, 2048), (3072, 1024)])

    def test_without_a_place_every_owner_is_shown(self):
        self.assertIn("31", asked("owner", TILE, "--shape", "8,16"))


def coordinates_of(piece, shape):
    """Returns the coordinates of the elements of a piece, from the steps of its dimensions."""
    along = []
    for dimension in piece["dimensions"]:
        steps = [0]
        for digit in dimension["steps"]:
            steps = [s + c * digit["stride"] for s in steps for c in range(digit["extent"])]
        assert len(steps) == dimension["extent"]
        assert not dimension["range"] or steps == list(range(dimension["extent"]))
        along.append([dimension["begin"] + s for s in steps])
    found = [()]
    for choices in along:
        found = [c + (i,) for c in found for i in choices]
    if not piece["flattened"]:
        return found
    return [unflattened(c[0], shape) for c in found]


def unflattened(index, shape):
    out = []
    for extent in reversed(shape):
        out.insert(0, index % extent)
        index //= extent
    return out


class Diff(unittest.TestCase):
    def test_equal_maps_have_no_difference(self):
        self.assertEqual(asked("diff", "S[(2,2):(2,1)]", "S[4:1]"),
                         "no difference: both are the same map\n")
        self.assertEqual(asked_json("diff", "S[(2,2):(2,1)]", "S[4:1]")["first"], None)

    def test_the_first_difference_is_named(self):
        out = asked("diff", "S[(2,4):(5,1)]", "S[8:1]", "--shape", "2,4")
        self.assertEqual(out.splitlines()[0],
                         "element 4 at (1,0) is the first that differs: A {5@m}, B {4@m}")
        self.assertIn("4 of 8", out)
        got = asked_json("diff", "S[(2,4):(5,1)]", "S[8:1]", "--shape", "2,4")
        self.assertEqual(set(got), {"a", "b", "shape", "equivalent", "first"})
        self.assertIs(got["equivalent"], False)
        self.assertEqual(got["first"], {"element": 4, "at": [1, 0], "a": [{"m": 5}],
                                        "b": [{"m": 4}]})

    def test_layouts_of_different_sizes_differ(self):
        self.assertEqual(asked("diff", "S[4:1]", "S[8:1]"),
                         "element 4 is the first that differs: A nothing, B {4@m}\n")
        got = asked_json("diff", "S[4:1]", "S[8:1]")
        self.assertIsNone(got["shape"])
        self.assertEqual(got["first"], {"element": 4, "at": None, "a": None, "b": [{"m": 4}]})

    def test_a_difference_gives_exit_code_1(self):
        self.assertEqual(program.run(["diff", "S[4:2]", "S[4:1]", "--exit-code"])[0], 1)
        self.assertEqual(program.run(["diff", "S[4:1]", "S[4:1]", "--exit-code"])[0], 0)

    def test_a_difference_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x.svg")
            asked("diff", "S[(2,4):(5,1)]", "S[8:1]", "--shape", "2,4", "-o", str(path))
            self.assertIn("<svg", path.read_text())


class CheckSharding(unittest.TestCase):
    NODES = ["--mesh", "y=2,x=4", "--shape", "64,64"]
    FORMS = [
        "[Replicate(), Shard(0)]",
        "P('x', None)",
        "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
        "S[(4,16,64):(1@x,64,1)] + R[2:1@y]",
    ]

    def test_equal_forms_are_the_same_placement(self):
        for a in self.FORMS:
            for b in self.FORMS:
                self.assertTrue(asked("check-sharding", a, b,
                                      *self.NODES).startswith("the same placement"))

    def test_a_descriptor_of_scalapack_is_read(self):
        blocks = "S[((4,2,8),(2,4,8)):((8,1@y,1),(256,1@x,32))]"
        out = asked("check-sharding", "[1,0,64,64,8,8,0,0,32]", blocks, *self.NODES)
        self.assertTrue(out.startswith("the same placement: A (ScaLAPACK) and B (axe)"))

    def test_a_descriptor_of_another_matrix(self):
        form = "[1,0,64,64,8,8,0,0,32]"
        code, _, err = program.run(["check-sharding", form, form, "--mesh", "y=2,x=4",
                                    "--shape", "32,64"])
        self.assertEqual(code, 2)
        self.assertIn("A: the descriptor is of a (64,64) matrix, but the tensor is (32,64)", err)

    def test_the_first_element_on_other_devices_is_named(self):
        words = ["check-sharding", "[Shard(0), Shard(0)]", "P(('x','y'))", *self.NODES]
        self.assertIn(
            "element (8,0) is the first that differs: A (DTensor) has it on device 1 at address 0, "
                      "B (JAX) on device 4 at address 0", asked(*words))
        self.assertEqual(program.run([*words, "--exit-code"])[0], 1)
        got = asked_json(*words)
        self.assertEqual(got["first"], {"at": [8, 0], "a": [{"device": 1, "address": 0}],
                                        "b": [{"device": 4, "address": 0}]})

    def test_too_many_places_are_rejected(self):
        code, out, err = program.run(["diff", "S[4:1]", "S[4:2] + R[1000000000000:1]", "--json"])
        self.assertEqual((code, out), (2, ""))
        self.assertIn("undecided after 1000000 steps", err)

    def test_every_device_is_listed(self):
        words = ("check-sharding", "[Replicate()]", "[Shard(0)]", "--mesh", "y=2048",
                 "--shape", "4096")
        self.assertEqual(len(asked_json(*words)["first"]["a"]), 2048)
        self.assertEqual(program.run([*words, "--json", "--steps", "2047"])[0], 2)

    def test_device_numbers_are_moved_to_the_mesh(self):
        both = ("--mesh", "y=2,x=2", "--shape", "4,8")
        got = asked_json("notation", "{devices=[1,4]<=[4]}", *both)
        self.assertEqual((got["axe"]["text"], got["dtensor"], got["jax"]),
                         ("S[(4,2,2,2):(2,1@y,1@x,1)]", "[Shard(1), Shard(1)]",
                          "P(None, ('y', 'x'))"))
        one = asked_json("notation", "{devices=[4]<=[4]}", "--mesh", "y=1,x=4", "--shape", "8")
        self.assertEqual((one["dtensor"], one["jax"]), ("[Replicate(), Shard(0)]", "P('x')"))
        across = asked_json("notation", "{devices=[3,2]<=[6]}", "--mesh", "y=2,x=3",
                            "--shape", "6,4")
        self.assertEqual((across["axe"]["text"], across["dtensor"]),
                         ("S[(3,2,2,2):(2@gpuid,2,1@gpuid,1)]", None))
        levels = ["plan", "reshard", "{devices=[4,1]<=[4]}", "{devices=[1,4]<=[4]}", *both,
                  "--levels", "y"]
        self.assertEqual(program.run(levels)[0], 0)

    def test_devices_may_count_down(self):
        words = ["--mesh", "x=4", "--shape", "8"]
        self.assertTrue(asked("check-sharding", "{devices=[4]3,2,1,0}", "S[(4,2):(-1@x,1)] + 3@x",
                              *words)
                        .startswith("the same"))

    def test_padding_is_not_compared(self):
        words = ["--mesh", "x=4", "--shape", "8", "--real", "6"]
        self.assertTrue(asked("check-sharding", "[Shard(0)]", "S[(4,2):(1@x,1)]",
                              *words).startswith("the same"))


class Help(unittest.TestCase):
    def test_every_command_has_help(self):
        everything = asked("--help")
        self.assertEqual(asked("help"), everything)
        for name in ("map", "table", "owner", "diff", "check-sharding", "draw", "eval"):
            self.assertIn(f"  {name} ", everything)
            text = asked(name, "--help")
            self.assertTrue(text.startswith(f"usage: axe {name} "), text)
            self.assertIn(f"\n  axe {name} ", text, "an example")
            self.assertEqual(asked("help", name), text)
        self.assertIn("\n  axe map ", everything)
        self.assertEqual(asked("help", "map", "--", "S[4:1]"), asked("map", "--help"))

    def test_a_kind_of_plan_has_its_own_help(self):
        everything = asked("plan", "--help")
        options = set(re.findall(r"^  (--?[a-z]+)", everything, re.MULTILINE))
        seen = set()
        for kind in ("copy", "tma", "mma", "convert", "reduce", "reshard"):
            text = asked("plan", kind, "--help")
            self.assertTrue(text.startswith(f"usage: axe plan {kind} "), text)
            self.assertEqual(set(re.findall(r"axe plan (\w+)", text)), {kind})
            self.assertIn(f"\n  axe plan {kind} ", text, "an example")
            self.assertEqual(asked("help", "plan", kind), text)
            seen |= set(re.findall(r"^  (--?[a-z]+)", text, re.MULTILINE))
        self.assertEqual(seen, options)
        self.assertNotIn("--mesh", asked("plan", "copy", "--help"))
        self.assertEqual(asked("plan", "copyy", "--help"), everything)

    def test_functions_are_listed(self):
        text = asked("eval", "--help")
        for name in ("size(L)", "places(L, S, c)", "tile_outer(T, S_T, B, S_B)",
                     "rewrite(L, axis = sum)"):
            self.assertIn(name, text)

    def test_version_is_printed(self):
        self.assertRegex(asked("--version"), r"^axe \d+\.\d+\.\d+\n$")


class BadInput(unittest.TestCase):
    """Bad input must give one sentence on standard error, exit code 2, no output and no file."""

    CASES = [
        ([], "a command is missing"),
        (["mpa"], "no command is called 'mpa'; did you mean map? the commands are map, table"),
        (["plot"], "no command is called 'plot'; did you mean plan? the commands are"),
        (["picture"], "no command is called 'picture'; the commands are"),
        (["map"], "expected 1 argument, LAYOUT, but got 0"),
        (["map", "S[4:1]", "S[4:1]"], "expected 1 argument, LAYOUT, but got 2"),
        (["map", "S[0:1]"], "LAYOUT: position 2: the extent is 0"),
        (["map", "S[4:1@lnae]"], "LAYOUT: position 6: there is no axis lnae"),
        (["map", "3"], "LAYOUT: expected a layout"),
        (["map", ""], "LAYOUT is empty"),
        (["map", "group(S[4:1], (3))"], "LAYOUT: group: the shape (3) has 3 elements"),
        (["map", "S[(4294967296,4294967296):(0,1)]"],
         "LAYOUT: the size of S[(4294967296,4294967296):(0,1)] does not"),
        (["map", "swizzle(3,3,3) o S[8:1@lane]"],
         "LAYOUT: a swizzled layout must lie on m only, but swizzle(M=3,B=3,S=3) o S[8:1@lane] also names lane"),
        (["map", "S[4:1]", "--shape", "5"],
         "the shape (5) has 5 elements, but the layout S[4:1] has 4"),
        (["map", "S[4:1]", "--shape", "2,x"], "--shape: position 2: nothing is called x"),
        (["map", "S[4:1]", "--shape", "(2,2))"], "--shape: position 5: ')' without '('"),
        (["map", "S[4:1]", "--shape", "(2,2"],
         "--shape: position 4: expected ',' or ')', not the end"),
        (["map", "S[4:1]", "--shape", "2,"],
         "--shape: position 2: expected an expression, not the end"),
        (["map", "S[4:1]", "--shape", " "], "--shape is empty"),
        (["map", "S[4:1]", "--shape", "lane"], "--shape: expected integers"),
        (["map", "S[4:1]", "--shape"], "--shape needs a value"),
        (["map", "S[4:1]", "--at", "4"],
         "entry 0 of the coordinate is 4, which is outside the shape (4) (0 to 3)"),
        (["map", "S[4:1]", "--at", "0,0"], "the coordinate has 2 entries"),
        (["map", "S[4:1]", "--at", "a"], "--at: position 0: nothing is called a\n"),
        (["notation", "[Shard(0)]"], "--mesh is missing: add the device axes"),
        (["map", "S[4:1]", "--limit", "0"], "--limit needs a whole number"),
        (["map", "S[4:1]", "--limit", "99999999999999999999"],
         "--limit needs a whole number from 1 to 2^63 - 1"),
        (["map", "S[4:1]", "--at", "0", "--limit", "3"],
         "--limit is for the list of all elements; leave out --at or --limit"),
        (["map", "S[4:1]", "--colour", "x"], "there is no option --colour"),
        (["diff", "S[4:1]", "S[4:2]", "-o", "-"], "-o needs the name of a file"),
        (["draw", "S[32:1]", "--access", "rows_of_32_bits(32)", "--json"],
         "axe draw: a picture has no JSON; leave out --json"),
        (["draw", "canonicalize(S[4:1])", "--operation", "--json"],
         "axe draw: a picture has no JSON; leave out --json"),
        (["draw", "S[32:1]", "--access", "rows_of_32_bits(32)", "--view", "banks"],
         "axe draw --access: there is no option --view\n"),
        (["draw", "canonicalize(S[4:1])", "--operation", "--text"],
         "axe draw --operation: there is no option --text\n"),
        (["draw", "S[4:1]", "--shape", "4", "--text", "-o", "unused.svg"],
         "--text prints to standard output; leave out -o"),
        (["draw", "mma", "S[4:1]", "S[4:1]", "S[4:1]"],
         "axe draw: a plan of mma has no picture; use axe plan mma\n"),
        (["notation", "S[4:1]", "--as", "cute", "--json"], "--as prints text; leave out --json"),
        (["eval", "--axis", "x", "1"], "--axis needs a name and a kind"),
        (["explain", "--axis", "x:y", "1"], "--axis x:y: an axis is of kind thread"),
        (["map", "S[4:1]", "--shap", "4"], "there is no option --shap; did you mean --shape?"),
        (["draw", "S[4:1]", "--shap=4"], "there is no option --shap; did you mean --shape?\n"),
        (["eval", "--jsn", "3"], "there is no option --jsn; did you mean --json?"),
        (["map", "szie(S[4:1])"], "no function is called szie; did you mean size?"),
        (["map", "composition(4:1, 2:1)"],
         "no function is called composition; did you mean cute.composition?"),
        (["map", "S[4:1]", "--json=yes"], "--json takes no value"),
        (["map", "S[4:1]", "--axis", "mesh_x"], "--axis needs a name and a kind"),
        (["map", "S[4:1]", "--axis", ":device"], "--axis :device: the name of the axis is empty"),
        (["map", "S[4:1]", "--axis", "lane:device"], "lane is a thread axis already"),
        (["map", "S[4:1]", "--axis", "ü:device"],
         "has the letters A to Z and a to z, digits and underscores"),
        (["map", "S[4:1]", "--axis", "direction_x:device"], "direction_x has 11 characters"),
        (["map", "S[1:1] + R[10000000:1]"], "undecided"),
        (["draw", "tile(S[2:1], (2), S[4:1])", "--shape", "8"],
         "LAYOUT: position 0: tile(A, S_A, B, S_B) takes 4"),
        (["draw", "size(S[4:1])", "--shape", "4"], "LAYOUT: expected a layout"),
        (["draw", "S[(8,4):(1,8]"], "LAYOUT: position 12: expected ',' or ')'"),
        (["draw", "S[8:1]"], "--shape is missing: add the shape of the tensor, as in --shape 8,16"),
        (["draw", "S[4:1]", "--shape", "4", "--axis", "lane:device"],
         "lane is a thread axis already"),
        (["table", "S[4:1]", "--shape", "5"], "the shape (5)"),
        (["table", "S[10000000:1]", "--json"], "undecided"),
        (["table", "S[4:1]", "--color", "nothing"], "nothing"),
        (["owner", "S[4:1]", "--at", "(2,3)"], "--at: expected a place"),
        (["owner", "S[4:1]", "--at", "3@lnae"], "--at: position 2: there is no axis"),
        (["owner", "S[4:1]", "--json"], "--json needs --at"),
        (["owner", "S[4:1]", "--limit", "3"], "--limit needs --at"),
        (["owner", "S[4:1]", "--at", "0", "--at", "1"],
         "--at is given 2 times, but owner answers for one place"),
        (["draw", "S[4:1]", "--shape", "4", "-o", ""], "-o is empty"),
        (["plan", "reshard", "S[(2,2):(1@x,1)]", "S[4:1]", "--mesh", "x=2", "--shape", "4",
          "--summands", "0"],
         "--summands: a dimension of summands has extent 0, but it must be at least 1"),
        *((["explain", "plan", "reshard", "S[4:1]", "S[4:1]", "--mesh", "x=2", "--shape", "4",
            *option],
           f"{option[0]} is for axe plan; leave it out of axe explain plan")
          for option in (["--json"], ["--messages"], ["-o", "-"])),
        (["explain", "plan", "convert", "S[4:1@lane]", "S[5:1@lane]", "--json"],
         "--json is for axe plan"),
        (["plan", "reshard", "S[4:1]", "S[4:1]", "--mesh", "x=2", "--shape", "4", "--messages",
          "-o", "-"],
         "-o draws the plan; leave out --messages"),
        (["plan", "tma", "S[64:1]", "S[64:1]", "--reduction", "add"],
         "--reduction needs --do reduce"),
        (["plan", "tma", "S[64:1]", "S[64:1]", "--do", "reduce"],
         "--do reduce needs --reduction, as in --reduction add"),
        (["plan", "tma", "S[64:1]", "S[64:1]", "--scope", "warp"], "there is no option --scope"),
        (["plan", "reduce", "S[64:1@reg]", "--over", "0", "-o", "x.svg"],
         "axe plan reduce: there is no option -o\n"),
        (["plan", "copy", "S[64:1]", "S[64:1]", "--from", "global", "--to", "global", "--async"],
         "cp.async copies from global to shared memory"),
        (["diff", "S[4:1]"], "expected 2 arguments, A B, but got 1"),
        (["diff", "S[4:1]", "S[0:1]"], "B: position 2: the extent is 0"),
        (["diff", "S[4:1]", "S[8:1]", "--shape", "4"],
         "the shape (4) has 4 elements, but the layout S[8:1] has 8"),
        (["check-sharding", "[Shard(0)]", "P()", "--shape", "8"], "--mesh is missing"),
        (["check-sharding", "[Shard(0)]", "P()", "--mesh", "x=4"], "--shape is missing"),
        (["check-sharding", "[Shard(0)]", "--mesh", "x=4", "--shape", "8"],
         "expected 2 arguments, A B, but got 1"),
        (["check-sharding", "[Cut(0)]", "P()", "--mesh", "x=4", "--shape", "8"],
         "A: position 1: expected placements, as [Shard(0)"),
        (["check-sharding", "[Shard(0)]", "P('y')", "--mesh", "x=4", "--shape", "8"],
         "B: the mesh has no axis y"),
        (["check-sharding", "[Shard(0), Shard(0)]", "P()", "--mesh", "y=2,x=2", "--shape", "5"],
         "A: dimension 0 of 5 elements is cut twice into unequal parts: element 3 is on rank 2"),
        (["check-sharding", "[Shard(0)]", "P('x')", "--mesh", "x=4", "--shape", "8", "--real", "9"],
         "dimension 0 of the tensor has 9 real elements, but only 8 with padding"),
        (["check-sharding", "[Shard(0)]", "P('x')", "--mesh", "x=4", "--shape", "8",
          "--real", "4,2"],
         "the real extents have 2 entries, but the tensor has 1 dimension"),
        (["check-sharding", "[Shard(0)]", "P('x')", "--mesh", "x=4", "--shape", "8", "--real", "0"],
         "dimension 0 of the shape (0) has extent 0"),
        (["check-sharding", "[Shard(0)]", "P('x')", "--mesh", "x=4", "--shape", "8",
          "--summands", "2"],
         "--summands is for a layout, but A is in DTensor's notation and B in JAX's; leave it out"),
        (["eval", "--colour", "3"], "there is no option --colour"),
        (["eval", "--steps", "x"], "--steps needs a whole number"),
    ]

    def test_bad_input_has_its_sentence(self):
        for words, sentence in self.CASES:
            with self.subTest(words=words):
                code, out, err = program.run(words)
                self.assertEqual((code, out), (2, ""))
                self.assertIn(sentence, err)
                self.assertTrue(err.startswith("axe") and err.endswith("\n")
                                and err.count("\n") == 1, err)

    def test_long_words_are_shortened(self):
        long = "7x" * 60_000
        layout = ["S[32:1@lane]", "--shape", "32"]
        plan = ["S[32:1@lane]", "S[32:1]", "--shape", "32"]
        for words in ([long], ["plan", long], ["eval", "--" + long],
                      ["map", "S[4:1]", "--axis", long + ":device"],
                      ["notation", "S[4:1]", "--as", long],
                      ["check-sharding", "P()", "P()", "--mesh", long],
                      ["draw", *layout, long],
                      *(["draw", *layout, option, long]
                        for option in ("--color", "--row", "--view", "--bits", "--axis", "--access",
                                       "--operation")),
                      *(["plan", "copy", *plan, option, long]
                        for option in ("--arch", "--scope", "--type", "--from", "--cache",
                                       "--force", "--outside")),
                      *(["plan", "reduce", *layout, option, long]
                        for option in ("--over", "--fold")),
                      *(["plan", "tma", *plan, option, long]
                        for option in ("--do", "--reduction"))):
            with self.subTest(words=[word[:40] for word in words]):
                code, out, err = program.run(words)
                self.assertEqual((code, out), (2, ""))
                self.assertLess(len(err), 600, err[:600])

    def test_bad_input_leaves_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            for words in (["diff", "S[4:1]", "S[8:1]"], ["diff", "S[4:1]", "S[0:1]"],
                          ["draw", "S[0:1]"],
                          ["draw", "S[4:1]", "--shape", "5"]):
                path = pathlib.Path(folder, "x.svg")
                code, out, err = program.run(words + ["-o", str(path)])
                self.assertEqual((code, out, path.exists()), (2, "", False), err)


class Draw(unittest.TestCase):
    def test_the_result_of_an_expression_is_drawn(self):
        for layout, same, shape in (("mma.a(16,8,16,16)",
                                     "S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]", "16,16"),
                                    ("tile(S[2:1], (2), S[4:1], (4))", "S[8:1]", "8"),
                                    ("swizzle_128B<16> o S[(8,64):(64,1)]",
                                     "swizzle(3,3,3) o S[(8,64):(64,1)]", "8,64"),
                                    ("rewrite(S[8:1@gpuid], gpuid = 4*y + x)", "S[(2,4):(1@y,1@x)]",
                                     "8")):
            declared = ["--axis", "x:device", "--axis", "y:device"]
            for form in (["--text"], ["-o", "-"]):
                with self.subTest(layout=layout, form=form):
                    drawn = asked("draw", layout, "--shape", shape, *declared, *form)
                    self.assertEqual(drawn, asked("draw", same, "--shape", shape, *declared, *form))

    def test_no_color_on_a_terminal(self):
        for words in (["draw", "S[4:1]", "--shape", "4", "--text"], ["table", "S[4:1]"]):
            for no_color in ("", "1"):
                reads, terminal = os.openpty()
                subprocess.run([program.PATH, *words], stdout=terminal,
                               env={**os.environ, "NO_COLOR": no_color}, check=True)
                os.close(terminal)
                self.assertEqual(b"\x1b" in os.read(reads, 1 << 16), not no_color, words)
                os.close(reads)


class EvalJson(unittest.TestCase):
    def test_every_kind_of_value_has_its_json(self):
        lines = ["S[4:1]", "3", "(2,(3,4))", "true", "lane", "8@lane - 1@warp", "(2:5, 0:8)",
                 "lane: 32", "{(2,8)}",
                 "(lane, m)", "swizzle(3,2,4)", "tid = 32*warp + lane", "axis z : memory",
                 "places(S[2:1@lane], (2), (1))", "elements(S[2:1], (2))",
                 "owned_by(S[2:1], (2), 1@m)",
                 "coverage(S[2:1], m: 2)", "coverage(S[2:1] + R[2:1], m: 3)",
                 "difference(S[2:1], S[2:2])",
                 "difference(S[2:1], S[2:1])", "(4,2):(1,4)",
                 "swizzle(0,0,0)", "cute.coalesce(4:2)", "<4:1, 2>"]
        got = [json.loads(line) for line in program.answers(lines, ["--json"])]
        for number, (line, answer) in enumerate(zip(lines, got), 1):
            self.assertEqual((answer["line"], answer["status"]), (number, "answered"), line)
            self.assertEqual(set(answer), {"line", "status", "kind", "text", "value"})
        self.assertEqual([a["text"] for a in got], program.answers(lines))
        values = {a["kind"]: a["value"] for a in reversed(got)}
        self.assertEqual(set(values["layout"]), LAYOUT_KEYS)
        self.assertEqual(values["integer"], 3)
        self.assertEqual(values["shape"], [2, [3, 4]])
        self.assertIs(values["word"], True)
        self.assertEqual(values["axis"], "lane")
        self.assertEqual(values["place"], {"lane": 8, "warp": -1})
        self.assertEqual(values["region"], [[2, 5], [0, 8]])
        self.assertEqual(values["box_axis"], {"axis": "lane", "extent": 32})
        self.assertEqual(values["shapes"], [[2, 8]])
        self.assertEqual(values["axes"], ["lane", "m"])
        self.assertEqual(values["swizzle"], {"M": 3, "B": 2, "S": 4})
        self.assertEqual(values["composition"], {"axis": "tid", "sum": {"warp": 32, "lane": 1}})
        self.assertEqual(values["declaration"], {"axis": "z", "kind": "memory"})
        self.assertEqual(values["places"], [{"lane": 1}])
        self.assertEqual(values["elements"], [[0], [1]])
        self.assertEqual(values["owned_by"][0]["origin"], [1])
        self.assertEqual(values["coverage"], {"coverage": "once"})
        self.assertEqual(got[17]["value"], {"coverage": "contested", "place": {"m": 1},
                                            "elements": [0, 1]})
        self.assertEqual(values["difference"],
                         {"found": True, "element": 1, "a": [{"m": 1}], "b": [{"m": 2}]})
        self.assertEqual(got[19]["value"], {"found": False})
        self.assertEqual(values["pair"], [[4, 2], [1, 4]])
        self.assertIsNone(got[21]["value"])
        cute = {"text": "4:2", "swizzle": None, "offset": 0, "shape": 4, "stride": 2}
        self.assertEqual(values["cute_layout"], cute)
        self.assertEqual([mode["text"] for mode in values["tiler"]], ["4:1", "2:1"])

    def test_every_line_has_its_status(self):
        code, out, _ = program.run(["eval", "--json", "size(group(S[4:1], (3)))", "S[0:1]", ""])
        refused, malformed, blank = map(json.loads, out.splitlines())
        self.assertEqual(code, 1)
        self.assertEqual([refused[k] for k in ("status", "operation", "rule")],
                         ["refused", "group", "shape_does_not_fit"])
        self.assertEqual([malformed[k] for k in ("status", "position")], ["malformed", 2])
        self.assertEqual(blank, {"line": 3, "status": "blank"})

    def test_text_is_escaped(self):
        answer = json.loads(program.answers(['"\\'], ["--json"])[0])
        self.assertEqual(answer["text"], "position 0: expected an expression, not '\"'")


if __name__ == "__main__":
    unittest.main()
