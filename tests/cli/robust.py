#!/usr/bin/env python3
"""Tests that any input gets one answer for each line and exit code 0 or 1, without a crash. A seed
decides the random lines.
"""

import json
import random
import unittest

import program

SEED = 20240611
CHARACTERS = b"SR[](){}:,+-@0123456789 ostruelanemwrpgzij=*.\t\r\0\""
VALID = [
    b"S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp",
    b"places(S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)], (8,16), (2,9))",
    b"owned_by(S[(4,2,8):(8,1@warp,1)], (4,16), 1@warp)",
    b"coverage(S[(4,7):(8,1)], m: 32)",
    b"slice(S[(4,5):(7,1)], (4,5), (1:3, 2:5))",
    b"tile_outer(S[16:1], (16), S[4:1], (4))",
    b"swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)] + 128",
    b"gpuid = 4*mesh_y + mesh_x",
    b"axis mesh_x : device",
    b"x = inverse(S[(8,4,2):(4@lane,1@lane,1@reg)], (lane, reg))",
    b"group_many(S[24:1], {(4,6), (2,12)})",
    b"difference(S[4:1] + R[2:1], S[4:1])",
]
LONG = [
    *(piece * 100_000 for piece in (b"(", b"size(", b"{", b"S[(", b"1", b"-", b"a", b"a.", b"x=",
                                    b"axis ", b"lane:")),
    b"\xff" * 100_000,
    b"\0" * 100_000,
    b"(" + b",".join([b"1"] * 100_000) + b")",
    b"S[(" + b"1," * 100_000,
    b"size(" + b"S[4:1]," * 10_000 + b")",
    b"{" + b"(1)," * 10_000 + b"}",
    b"1@lane" + b"+1@lane" * 20_000,
    b"S[4:1]" + b"+1@lane" * 20_000,
    b"S[4:1]" + b"+R[2:1]" * 20_000,
    b"gpuid=" + b"2*lane+" * 10_000,
    b" " * 1_000_000 + b"3",
]


def mutated(random_source, line):
    line = bytearray(line)
    for _ in range(random_source.randrange(1, 5)):
        at = random_source.randrange(len(line) + 1)
        kind = random_source.randrange(12)
        digits = [i for i, c in enumerate(line) if chr(c).isdigit()]
        if kind == 0:
            line[at:at + 1] = bytes([random_source.randrange(256)])
        elif kind == 1:
            del line[at:at + 1]
        elif kind == 2:
            line.insert(at, random_source.choice(CHARACTERS))
        elif kind > 3 and digits:
            line[random_source.choice(digits)] = random_source.choice(b"0123456789")
        else:
            other = random_source.choice(VALID)
            line = line[:at] + other[random_source.randrange(len(other)):]
    return bytes(line)


def random_lines(count):
    source = random.Random(SEED)
    for _ in range(count):
        kind = source.random()
        if kind < 0.2:
            line = source.randbytes(source.randrange(80))
        elif kind < 0.4:
            line = bytes(source.choice(CHARACTERS) for _ in range(source.randrange(60)))
        else:
            line = mutated(source, source.choice(VALID))
        yield line.replace(b"\n", b" ")


class Robust(unittest.TestCase):
    def answered(self, lines, options=(), end=b"\n"):
        code, out, err = program.run(["eval", *options], b"\n".join(lines) + end, timeout=300)
        self.assertEqual([line for line in err.splitlines() if not program.NOTE.match(line)], [])
        got = out.split("\n")
        self.assertEqual(got.pop(), "")
        self.assertEqual(len(got), len(lines))
        if not options:
            self.assertEqual(code, int(any(line.startswith("error: ") for line in got)))
        return got

    def test_random_lines(self):
        lines = list(random_lines(20_000))
        text = self.answered(lines)
        as_json = self.answered(lines, ["--json"])
        statuses = {"": "blank", "refused": "refused", "error": "malformed"}
        counts = {}
        for plain, line in zip(text, map(json.loads, as_json)):
            begun = plain.split(":")[0] if plain.startswith(("refused: ", "error: ")) else plain
            self.assertEqual(line["status"], statuses.get(begun, "answered"), plain)
            counts[line["status"]] = counts.get(line["status"], 0) + 1
        print(counts)
        self.assertTrue(all(counts.get(status, 0) > 10
                            for status in (*statuses.values(), "answered")), counts)

    def test_long_lines(self):
        for line in LONG:
            self.answered([line, b"1", line])

    def test_a_line_beyond_16_MiB(self):
        got = self.answered([b"(" + b"1," * (9 << 20), b"7"])
        self.assertTrue(got[0].startswith("error: position 16777216: "), got[0][:100])
        self.assertEqual(got[1], "7")

    def test_deep_nesting_is_rejected(self):
        deep = b"canonicalize(" * 90 + b"S[4:1]" + b")" * 90
        too_deep = b"canonicalize(" * 101 + b"S[4:1]" + b")" * 101
        got = self.answered([deep, too_deep])
        self.assertEqual(got[0], "S[4:1]")
        self.assertTrue(got[1].startswith("error: position "), got[1])

    def test_every_end_of_line_is_accepted(self):
        self.assertEqual(self.answered([b"1", b"2"], end=b""), ["1", "2"])
        self.assertEqual(self.answered([b"1\r", b"\r", b"", b"2\r"]), ["1", "", "", "2"])
        self.assertEqual(program.run(["eval"], b""), (0, "", ""))
        self.assertEqual(program.run(["eval"], b"\n"), (0, "\n", ""))

    def test_bytes_that_are_not_text(self):
        for line in (b"size(S[4:1])\0", b"\0", b"\xff\xfe", b"S[4:1]\xc3\xa9", b"size\0(S[4:1])"):
            got = self.answered([line])
            self.assertTrue(got[0].startswith("error: position "), got)
            self.assertTrue(got[0].isascii(), got)

    def test_sets_that_are_too_long_to_print(self):
        got = self.answered([b"places(S[1:1] + R[10000000:1], (1), (0))",
                             b"elements(S[10000000:1], (10000000))"])
        self.assertTrue(all(line.startswith("refused: ") and "undecided" in line for line in got),
                        got)
        got = self.answered([b"places(S[1:1] + R[60000:1], (1), (0))"], ["--steps", "100000"])
        self.assertEqual(got[0].count("@m"), 60_000)

    def test_functions_have_the_step_limit(self):
        of = "(swizzle(0,1,1) o S[(4,3,3):(64,8,1)], (36), (5)"
        held = "owner_has(S[1:1] + R[(7,9,11):(5,17,29)], (1), 401, (0))"
        calls = (f"window{of})", f"window{of}, (0))", f"window_steps{of})", held)
        got = self.answered([call.encode() for call in calls], ["--steps", "1"])
        self.assertTrue(all("undecided after 1 step;" in line for line in got), got)

    def test_many_declarations(self):
        got = self.answered([b"axis a%d : device" % i for i in range(300)])
        self.assertEqual(got[255], "axis a255 : device")
        self.assertTrue(got[256].startswith("error: position 5: "), got[256])


if __name__ == "__main__":
    unittest.main()
