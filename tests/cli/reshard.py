#!/usr/bin/env python3
"""Tests axe plan reshard: executes the statements of plans on dictionaries of memory cells, and
checks words, JSON and bad input.
"""

import itertools
import random
import re
import unittest

import program
from program import asked, asked_json

STATEMENT = re.compile(r"(copy|add) (\d+):(\w+)\[(\S+)\] -> (\d+):(\w+)\[(\S+)\]")


class Layout:
    """A layout as digits (extent, stride, axis), replicas and offsets."""

    def __init__(self, digits, replicas=(), offsets=()):
        self.digits, self.replicas, self.offsets = digits, replicas, dict(offsets)

    def text(self):
        def at(n, axis):
            return str(n) if axis == "m" else f"{n}@{axis}"

        extents = ",".join(str(e) for e, _, _ in self.digits)
        strides = ",".join(at(s, a) for _, s, a in self.digits)
        return (f"S[({extents}):({strides})]"
                + "".join(f" + R[{e}:{at(s, a)}]" for e, s, a in self.replicas)
                + "".join(f" + {at(n, a)}" for a, n in self.offsets.items() if n))

    def places(self, x, mesh):
        """Returns the places of element x as {(device, address)}."""
        base = dict(self.offsets)
        for extent, stride, axis in reversed(self.digits):
            base[axis] = base.get(axis, 0) + x % extent * stride
            x //= extent
        found = set()
        for values in itertools.product(*(range(e) for e, _, _ in self.replicas)):
            place = dict(base)
            for value, (_, stride, axis) in zip(values, self.replicas):
                place[axis] = place.get(axis, 0) + value * stride
            device = 0
            for axis, extent in mesh:
                device = device * extent + place.get(axis, 0)
            found.add((device, place.get("m", 0)))
        return found


def addresses(text):
    begin, rest = text.split("+", 1)
    extents, _, strides = rest.partition(":")
    extents = [int(n) for n in extents.strip("()").split(",")]
    strides = [int(n) for n in (strides or "1").strip("()").split(",")]
    return [int(begin) + sum(c * s for c, s in zip(digits, strides))
            for digits in itertools.product(*map(range, extents))]


def execute(text, start):
    """Executes the statements of a plan. Returns {(device, buffer, address): (element, summands)}
    after all steps, and the volume.
    """
    state, after, volume, written = dict(start), dict(start), 0, set()
    for line in text.splitlines():
        if line == "step":
            state, written = dict(after), set()
        elif line.startswith("free "):
            device, buffer = line[5:].split(":")
            after = {cell: held for cell, held in after.items()
                     if cell[:2] != (int(device), buffer)}
        else:
            verb, source, read, left, target, write, right = STATEMENT.fullmatch(line).groups()
            left, right = addresses(left), addresses(right)
            assert len(left) == len(right), line
            volume += len(left) * (source != target)
            for a, b in zip(left, right):
                held, cell = state[int(source), read, a], (int(target), write, b)
                assert cell not in written and write != "src", line
                written.add(cell)
                if verb == "add":
                    old = state[cell]
                    assert old[0] == held[0] and not set(old[1]) & set(held[1]), line
                    held = (held[0], old[1] + held[1])
                after[cell] = held
    return after, volume


class Reshard(unittest.TestCase):
    MESH = (("y", 2), ("x", 4))
    WORDS = ("--mesh", "y=2,x=4", "--shape", "8,8")

    def judge(self, source, target, summands=1):
        """Executes a plan for 64 elements. It must reach the target with the least volume."""
        words = ["plan", "reshard", source.text(), target.text(),
                 *self.WORDS] + (["--summands", str(summands)] if summands > 1 else [])
        start = {(d, "src", a): (x % 64, (x // 64,)) for x in range(64 * summands) for d,
                 a in source.places(x, self.MESH)}
        after, volume = execute(asked(*words, "--messages"), start)
        wanted = {(d, "dst", a): x for x in range(64) for d, a in target.places(x, self.MESH)}
        got = {cell: held for cell, held in after.items() if cell[1] == "dst"}
        self.assertEqual({cell: held[0] for cell, held in got.items()}, wanted, words)
        self.assertTrue(all(sorted(held[1]) == list(range(summands)) for held in got.values()),
                        words)
        self.assertEqual(len({held for held in got.values()}), 64, words)
        stated = asked_json(*words)
        self.assertEqual((stated["volume"], stated["least_volume"]), (volume, volume), words)
        if summands == 1:
            held, wants = ({(d, x) for x in range(64) for d, _ in side.places(x, self.MESH)}
                           for side in (source, target))
            self.assertEqual(volume, len(wants - held), words)

    def test_placements(self):
        """Tests S(0), S(1) and R on each of two mesh axes, in DTensor's notation."""
        def layout(on_y, on_x):
            digits, replicas = {0: [8], 1: [8]}, []
            owner = {0: [None], 1: [None]}
            for axis, extent, placed in (("y", 2, on_y), ("x", 4, on_x)):
                if placed is None:
                    replicas.append((extent, 1, axis))
                    continue
                rest = digits[placed].pop()
                digits[placed] += [extent, rest // extent]
                owner[placed].insert(-1, axis)
            memory, out = 1, []
            for dimension in (1, 0):
                for extent, axis in reversed(list(zip(digits[dimension], owner[dimension]))):
                    out.insert(0, (extent, 1, axis) if axis else (extent, memory, "m"))
                    memory *= 1 if axis else extent
            return Layout(out, replicas)

        pairs = [layout(a, b) for a in (0, 1, None) for b in (0, 1, None)]
        for source in pairs:
            for target in pairs:
                self.judge(source, target)

    def test_random_layouts(self):
        rng = random.Random(5)
        for _ in range(60):
            summands = rng.choice((1, 1, 2, 4))

            def random_layout(leading):
                free, digits, memory = {"y": 2, "x": 4}, [], 1
                extents = ([leading] if leading > 1 else []) + [2, 2, 2, 2, 2, 2]
                order = list(range(len(extents)))
                rng.shuffle(order)
                digits = [None] * len(extents)
                used = {"y": 1, "x": 1}
                for k in order:
                    axis = rng.choice("yxm")
                    if axis != "m" and free[axis] >= extents[k]:
                        digits[k] = (extents[k], used[axis], axis)
                        used[axis] *= extents[k]
                        free[axis] //= extents[k]
                    else:
                        digits[k] = (extents[k], memory, "m")
                        memory *= extents[k]
                return Layout(digits, [(free[a], used[a], a) for a in "yx"
                                       if free[a] > 1 and rng.random() < 0.6])

            self.judge(random_layout(summands), random_layout(1), summands)

    def test_a_plan_prints_its_collective(self):
        out = asked("plan", "reshard", "S[(4,2,8):(1@gpuid,8,1)]", "S[64:1] + R[4:1@gpuid]",
                    "--mesh", "gpuid=4", "--shape", "8,8", "--type", "bf16")
        self.assertEqual(out.splitlines()[0],
                         "64 elements on 4 devices: all-gather over 1 group of gpuid")
        self.assertEqual(out.splitlines()[1],
                         "  digits: 4 gpuid -> m, 16 m, replicas of dst: 4 gpuid")
        self.assertIn("moves 192 elements (384 bytes), the least possible", out)
        self.assertIn("ncclAllGather(src + 0, dst + 0, 16, ncclBfloat16, comm, stream)", out)

    def test_types_that_nccl_lacks(self):
        words = ("plan", "reshard", "S[(4,16):(1@x,1)]", "S[64:1] + R[4:1@x]", "--mesh", "x=4",
                 "--shape", "64")
        self.assertIn("ncclAllGather(src + 0, dst + 0, 32, ncclUint8, comm, stream)",
                      asked(*words, "--type", "u16"))
        self.assertIn("ncclAllGather(src + 0, dst + 0, 2, ncclUint8, comm, stream)",
                      asked(*words, "--type", "b1"))
        words = ("plan", "reshard", "S[(4,64):(1@x,1)]", "S[64:1] + R[4:1@x]", "--mesh", "x=4",
                 "--shape", "64", "--summands", "4")
        self.assertIn("NCCL does not add this type", asked(*words, "--type", "u16"))

    def test_levels_count_what_enters_a_node(self):
        words = ("plan", "reshard", "S[64:1]", "S[64:1] + R[2:1@y] + R[4:1@x]", *self.WORDS)
        self.assertEqual(asked_json(*words, "--levels", "y")["entering"], [64])
        self.assertIn("declined: one direct step: enters enclosures of level 1 with 256 elements",
                      asked(*words, "--levels", "y"))

    def test_padding_is_not_moved(self):
        got = asked_json("plan", "reshard", "S[(4,16):(1@x,1)]", "S[64:1]", "--mesh", "x=4",
                         "--shape", "64", "--real", "61")
        self.assertEqual((got["elements"], got["volume"]), (61, 61 - 16))
        self.assertEqual([d["sent"] for d in got["devices"]], [0, 16, 16, 13])

    def test_elements_by_hand(self):
        """Padding must not be shown as an element, and every rank with a summand must be named."""
        explained = ("explain", "plan", "reshard")
        out = asked(*explained, "S[(4,16):(1@x,1)]", "S[64:1]", "--mesh", "x=4", "--shape", "64",
                    "--real", "61")
        self.assertEqual(re.findall("element .*", out),
                         ["element (0)  moves from rank 0 to rank 0; true",
                          "element (42)  moves from rank 2 to rank 0; true",
                          "element (60)  moves from rank 3 to rank 0; true"])
        out = asked(*explained, "S[(4,8,8):(1@x,8,1)]", "S[(4,2,8):(1@x,8,1)]", "--mesh", "x=4",
                    "--shape", "8,8", "--summands", "4")
        self.assertEqual(re.findall("element .*", out),
                         [f"element ({at})  moves from ranks 0,1,2,3 to rank {rank}; true"
                          for at, rank in (("0,0", 0), ("5,4", 2), ("7,7", 3))])

    def test_bad_input(self):
        for words, sentence in [
                (("S[64:1]", "S[64:1]", "--shape", "8,8"),
                 "--mesh is missing: add the device axes, slowest first, as in --mesh y=2,x=4"),
                (("S[64:1]", "S[64:1]", "--mesh", "x=4"),
                 "--shape is missing: add the padded shape of the tensor, as in --shape 64,64"),
                (("S[64:1]", "S[64:1]", "--mesh", "x=4,y", "--shape", "64"),
                 "--mesh needs axes with extents, as in y=2,x=4, not 'x=4,y'"),
                (("S[64:1]", "S[64:1]", "--mesh", "lane=4", "--shape", "64"),
                 "lane is not a device axis"),
                (("S[64:1]", "S[64:1]", "--mesh", "x=4", "--shape", "64", "--levels", "z"),
                 "--levels needs axes of the mesh, as in y, not 'z'"),
                (("S[64:1]", "S[64:1]", "--mesh", "y=2,x=4", "--shape", "64", "--levels", "x,y,x"),
                 "--levels names x twice"),
                (("S[64:1]", "S[64:1]", "--mesh", "x=4", "--shape", "64", "--real", "65"),
                 "has 65 real elements, but only 64"),
                (("S[(8,8):(1@x,1)]", "S[64:1]", "--mesh", "x=4", "--shape", "64"),
                 "uses the coordinate 7 on x, but the mesh has 4 devices"),
                (("S[64:1]", "S[(8,8):(4,1)]", "--mesh", "x=4", "--shape", "64"),
                 "elements 4 and 8 of S[(8,8):(4,1)] are both at address 4 of device 0"),
                (("S[64:1]", "S[64:1]", "--mesh", "x=4", "--shape", "64", "--summands", "2"),
                 "the shape (2,64) has 128 elements"),
                (("[Shard(0)]", "P()", "--mesh", "x=4", "--shape", "64", "--summands", "4"),
                 "--summands: SRC is in DTensor's notation"),
                (("S[64:1]", "--mesh", "x=4", "--shape", "64"),
                 "expected 2 arguments, SRC DST, but got 1"),
                (("S[1152921504606846976:1]", "S[1152921504606846976:1]", "--mesh", "x=4",
                  "--shape", "1152921504606846976"),
                 "the elements that devices hold in all do not fit in 64 bits"),
                (("S[64:1]", "S[64:1] + R[2000000:64]", "--mesh", "x=4", "--shape", "64"),
                 "undecided after 1000000 steps"),
                (("S[64:1]", "S[64:1]", "--mesh", "x=1000000000", "--shape", "64"),
                 "undecided after 1000000 steps"),
                (("S[100000:1@x]", "S[100000:1@x]", "--mesh", "x=100000", "--shape", "100000"),
                 "undecided after 1000000 steps"),
        ]:
            code, out, err = program.run(["plan", "reshard", *words])
            self.assertEqual((code, out), (2, ""), words)
            self.assertIn(sentence, err, words)
            self.assertEqual(err.count("\n"), 1, words)


if __name__ == "__main__":
    unittest.main()
