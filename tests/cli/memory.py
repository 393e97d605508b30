#!/usr/bin/env python3
"""Tests that long lists are written while they are enumerated, and that an answer that does not fit
in memory ends with a sentence.
"""

import json
import resource
import subprocess
import sys
import unittest

import program

LIMIT = 192 << 20  # the limit of the address space in bytes


def run(*words, limit=LIMIT):
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    done = subprocess.run([program.PATH, *words], capture_output=True, preexec_fn=limited,
                          timeout=120, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Memory(unittest.TestCase):
    N = 200_000

    def listed(self, *words):
        code, out, err = run(*words)
        self.assertEqual((code, err), (0, ""))
        return out

    def test_a_long_map_is_listed(self):
        lines = self.listed("map", f"S[{self.N}:1]", "--limit", "1000000000000").splitlines()
        self.assertEqual(len(lines), self.N)
        self.assertEqual((lines[7], lines[-1]), ("(7)       {7@m}", "(199999)  {199999@m}"))

    def test_long_json_is_written(self):
        for words in (("map", f"S[{self.N}:1]", "--limit", str(self.N)),
                      ("table", f"S[{self.N}:1]", "--steps", str(self.N))):
            got = json.loads(self.listed(*words, "--json"))
            self.assertEqual((len(got["elements"]), got["left_out"]), (self.N, 0))

    def test_a_large_owner_is_listed(self):
        words = ("owner", f"S[({self.N},2):(2@reg,1@lane)]", "--at", "1@lane",
                 "--limit", str(self.N))
        lines = self.listed(*words).splitlines()
        self.assertEqual((len(lines), lines[-1].split()),
                         (self.N + 2, ["(399999)", "{399998@reg}"]))
        got = json.loads(self.listed(*words, "--json"))
        self.assertEqual((len(got["elements"]), got["elements"][-1]), (self.N, [399999]))

    def test_columns_fit_the_widest_coordinate(self):
        """The first column must be as wide as the widest coordinate, although that one is printed
        last.
        """
        for layout, shape, limit in (("S[(11,11):(11,1)]", "11,11", 111),
                                     ("S[(3,120):(120,1)]", "3,120", 101),
                                     ("S[(2,2,10):(20,10,1)]", "(2,2),10", 40),
                                     ("S[1200:1]", "1200", 1001), ("S[4:1]", "4", 2)):
            lines = program.asked("map", layout, "--shape", shape,
                                  "--limit", str(limit)).splitlines()[:limit]
            widths = {line.index("{") for line in lines}
            self.assertEqual(widths, {max(len(line.split("  ")[0]) for line in lines) + 2}, layout)

    def test_the_first_line_comes_at_once(self):
        words = [program.PATH, "map", "S[1000000000000:1]", "--limit", "1000000000000"]
        with subprocess.Popen(words, stdout=subprocess.PIPE) as child:
            self.assertEqual(child.stdout.readline().split(), [b"(0)", b"{0@m}"])
            child.kill()

    def test_an_answer_beyond_memory_has_its_sentence(self):
        many = "places(S[1:1] + R[100000000:1], (1), (0))"
        code, out, err = run("eval", "--steps", "1000000000", "1 + 2@m", many)
        self.assertEqual((code, out), (2, "3@m\n"))
        self.assertEqual(
            err, "axe eval: the answer does not fit in memory; lower --steps, or use a smaller layout\n")
        code, out, err = run("map", "S[1:1] + R[100000000:1]", "--steps", "1000000000")
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(
            err, "axe map: the answer does not fit in memory; lower --limit or --steps, or use a smaller layout\n")
        words = ("draw", "S[(3000,3000):(3000,1)]", "--shape", "3000,3000", "-o", "/dev/null")
        code, out, err = run(*words, limit=64 << 20)
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, "axe draw: the answer does not fit in memory; use a smaller layout\n")


if __name__ == "__main__":
    if run("--version")[0] != 0:
        print(f"the program does not start in {LIMIT >> 20} MiB of address space")
        sys.exit(77)
    unittest.main()
