#!/usr/bin/env python3
"""Asks axe and the package tensor-layouts the same questions: CuTe's algebra, NVIDIA's atoms, bank
conflicts and coalescing.

    tensor_layouts_peers.py --ours AXE [--cases 2000] [--seed 1] [--long]

Runs in a Python that has the package. Each answer is checked against its definition by enumeration,
which decides which side is wrong. The exit code is 1 if axe is wrong, or rejects a question that
the package answers correctly.
"""

import argparse
import collections
import itertools
import random
import re
import subprocess
import sys

from tensor_layouts import Layout, LayoutError, MMAAtom, atoms_nv
from tensor_layouts import analysis
import tensor_layouts

OPERATIONS = {"coalesce": 1, "compose": 2, "complement": 1, "logical_divide": 2,
              "logical_product": 2,
              "right_inverse": 1, "left_inverse": 1}
OURS = {"compose": "composition"}
BITS = {"F16": 16, "BF16": 16, "TF32": 32, "F64": 64, "S8": 8, "S4": 4, "U1": 1, "E4M3": 8,
        "E5M2": 8}


def flat(tree):
    return [n for entry in tree for n in flat(entry)] if isinstance(tree, tuple) else [tree]


class Map:
    """A CuTe layout as the list of its values. The first leaf is the fastest."""

    def __init__(self, shape, stride):
        self.table = [0]
        for extent, step in zip(flat(shape), flat(stride)):
            self.table = [x + c * step for c in range(extent) for x in self.table]

    def __call__(self, i):
        return self.table[i] if 0 <= i < len(self.table) else None


def read(text):
    """Reads axe's answer, such as `(4,2):(1,4)`. None if axe rejected the question."""
    if text.startswith(("refused", "error")):
        return None
    # The text consists of numbers and parentheses.
    shape, stride = (eval(part) for part in text.split(":"))
    return Map(shape, stride)


def theirs(operation, a, b):
    try:
        function = getattr(tensor_layouts, operation)
        found = function(a) if b is None else function(a, b)
        return Map(found.shape, found.stride)
    except (LayoutError, ValueError, AssertionError, NotImplementedError, TypeError,
            ZeroDivisionError):
        return None


def satisfies(operation, a, b, r):
    """True if a result satisfies the definition of its operation."""
    size = len(r.table)
    if operation == "coalesce":
        return r.table == a.table
    if operation == "compose":
        # a(x) is None past the end of a, which no result equals
        return r.table == [a(x) for x in b.table]
    if operation == "right_inverse":
        return all(a(x) == i for i, x in enumerate(r.table))
    if operation == "left_inverse":
        return all(r(x) == i for i, x in enumerate(a.table))
    # A complement ascends and shares only the place 0 with a.
    if operation == "complement":
        reached, others = set(a.table), r.table
        return others == sorted(set(others)) and not any(x in reached for x in others if x) and (
            len({x + y for x, y in itertools.product(reached, others)}) == len(reached) * size)
    if operation == "logical_divide":  # if the tile has a stride of 0, elements repeat
        same = sorted if len(set(b.table)) == len(b.table) else set
        return r.table[: len(b.table)] == [a(i) for i in b.table] and same(r.table) == same(a.table)
    # A product consists of blocks: block j is a plus an offset. Equal values b(j) have equal
    # offsets, and blocks of different values do not overlap.
    blocks = [r.table[k : k + len(a.table)] for k in range(0, size, len(a.table))]
    moved = {}
    for number, block in zip(b.table, blocks):
        shifted = [x + block[0] - a(0) for x in a.table]
        if moved.setdefault(number, block) != block or block != shifted:
            return False
    apart = [set(block) for block in moved.values()]
    return (len(blocks) == len(b.table) and blocks[0] == a.table
            and len(set().union(*apart)) == sum(map(len, apart)))


def repeats_along_complement(a, b, r):
    """True if the product r places its blocks as CuTe does: block j lies at offsets[b(j)]. The list
    `offsets` is built upwards from 0, from each offset at which a overlaps no block before.

        a = 2:2       offsets 0, 1, 4, 5, 8, …
    """
    reached, offsets = set(), []
    for offset in range(8 * (max(a.table) + 1) * (max(b.table) + 1)):
        if len(offsets) > max(b.table):
            break
        if not any(x + offset in reached for x in a.table):
            offsets.append(offset)
            reached |= {x + offset for x in a.table}
    return all(k < len(offsets) and r.table[j * len(a.table)] == a(0) + offsets[k]
               for j, k in enumerate(b.table))


def random_layout(rng, leaves):
    shape = [rng.choice((1, 2, 2, 3, 4, 4, 5, 6, 8)) for _ in range(rng.randint(1, leaves))]
    stride, step = [], 1
    for extent in shape:
        stride.append(rng.choice((step, step, step, 0, 1, 2, 3, 8, 2 * step)))
        step *= extent
    order = rng.sample(range(len(shape)), len(shape))
    if len(shape) == 1:
        return Layout(shape[0], stride[0])
    return Layout(tuple(shape[k] for k in order), tuple(stride[k] for k in order))


def text_of(layout):
    return str(layout).replace(" ", "")


def ask(axe, lines):
    done = subprocess.run([axe, "eval"], input="".join(line + "\n" for line in lines),
                          capture_output=True, text=True)
    return done.stdout.splitlines()


def ask_algebra(axe, cases, seed):
    rng, asked = random.Random(seed), []
    for operation, operands in OPERATIONS.items():
        for _ in range(cases):
            a = random_layout(rng, 3)
            asked.append((operation, a, random_layout(rng, 2) if operands == 2 else None))
    lines = [f"cute.{OURS.get(o, o)}({text_of(a)}" + (f", {text_of(b)})" if b else ")")
             for o, a, b in asked]
    for line, answer, (operation, a, b) in zip(lines, ask(axe, lines), asked, strict=True):
        ours, other = read(answer), theirs(operation, a, b)
        plain = [m and Map(m.shape, m.stride) for m in (a, b)]
        good = [m is not None and satisfies(operation, *plain, m) for m in (ours, other)]
        if ours is None and other is None:
            kind = "both reject"
        elif ours is not None and other is not None and ours.table == other.table:
            kind = "same" if good[0] else "same, past the end of a layout"
        elif ours is None and "are at the same place" in answer and len(set(plain[0].table)) < len(
            plain[0].table):
            kind = "axe rejects elements at one place"
        elif (ours is None and operation == "logical_divide"
              and len(set(plain[1].table)) < len(plain[1].table)):
            kind = "axe rejects tiles that repeat elements"
        elif (ours is None and good[1] and operation == "logical_product"
              and not repeats_along_complement(*plain, other)):
            kind = "axe rejects, their blocks are not CuTe's"
        elif ours is None:
            kind = "AXE REJECTS A RIGHT ANSWER" if good[1] else "axe rejects, they answer wrongly"
        elif other is None:
            kind = "they reject, axe is right" if good[0] else "AXE IS WRONG"
        elif good[0]:
            kind = "both right, different results" if good[1] else "they are wrong"
        else:
            kind = "AXE IS WRONG" if good[1] else "both are wrong"
        yield operation, kind, f"{line}: {answer} | {'rejected' if other is None else other.table[:12]}"


ATOM = re.compile(
    r"SM(?:75|80|89|90)_\d+x\d+x\d+_[A-Z]+\d+(TF32|BF16|F16|F64|S8|S4|U1|E4M3|E5M2).*_TN")


def places_of(axe, fragment, rows, columns, transposed):
    """Returns the (lane, register) of each element, or the text of the refusal."""
    at = [(i, j) for i in range(rows) for j in range(columns)]
    shape = f"({columns},{rows})" if transposed else f"({rows},{columns})"
    lines = [f"places({fragment}, {shape}, {(j, i) if transposed else (i, j)})" for i, j in at]
    answers, found = ask(axe, lines), {}
    if not answers[0].startswith("{"):
        return answers[0]
    for place, words in zip(at, answers, strict=True):
        held = dict((axis, int(n)) for n, axis in re.findall(r"(\d+)@(lane|reg)", words))
        found[place] = (held.get("lane", 0), held.get("reg", 0))
    return found


def ask_atoms(axe):
    """Compares the (lane, register) of every element of mma.sync's operands. The package's layouts
    map (thread, value) to the element, first dimension fastest. Its B is (n,k).
    """
    for name in sorted(dir(atoms_nv)):
        found, atom = ATOM.fullmatch(name), getattr(atoms_nv, name)
        if not found or not isinstance(atom, MMAAtom):
            continue
        m, n, k = atom.shape_mnk
        operands = (("a", atom.a_layout, m, k, BITS[found[1]]),
                    ("b", atom.b_layout, n, k, BITS[found[1]]),
                    ("accumulator", atom.c_layout, m, n, BITS[found[1]]))
        for operand, layout, rows, columns, bits in operands:
            fragment = f"mma.{operand}({m}, {n}, {k}, {bits})"
            ours = places_of(axe, fragment, rows, columns, operand == "b")
            if isinstance(ours, str):
                yield "atoms", "axe has no such instruction", f"{name}: {ours}"
                continue
            threads = tensor_layouts.size(tensor_layouts.mode(layout, 0))
            table = Map(layout.shape, layout.stride).table
            others = {(x % rows, x // rows): (t % threads, t // threads)
                      for t, x in enumerate(table)}
            kind = "same" if ours == others else "DIFFERENT"
            if kind != "same" and len(others) < rows * columns:
                kind = "they miss elements of the operand"
            yield "atoms", kind, f"{name} {operand}: {layout}"


def ask_traffic(axe, cases, seed):
    """Compares accesses in which each of 32 lanes reads one element: the wavefronts in shared
    memory, and the lines in global memory.
    """
    rng = random.Random(seed)
    lines, asked = [], []
    for _ in range(cases):
        bits = rng.choice((32, 32, 16, 8))
        columns = rng.choice((1, 2, 4, 8, 16, 32))
        across, down = rng.choice((1, 2, 3, 8)), rng.choice((1, 4, 8, 9, 16, 31, 32, 33, 64))
        axe_layout = f"S[({32 // columns},{columns}):({down},{across})]"
        asked.append((Layout((columns, 32 // columns), (across, down)), bits))
        access = f"access(S[(32,1):(1,1)], {bits}, 1)"
        lines += [f"conflicts({axe_layout}, (32), {access})",
                  f"global_memory({axe_layout}, (32), {access})"]
    answers = ask(axe, lines)
    for k, (layout, bits) in enumerate(asked):
        # The modes (thread, value) that the package expects.
        lanes = Layout((layout.shape, 1), (layout.stride, 0))
        conflicts = analysis.bank_conflicts(lanes, element_bytes=bits // 8)["max_ways"]
        coalescing = analysis.coalescing_efficiency(lanes, element_bytes=bits // 8)
        transactions = coalescing["transactions"]
        same = answers[2 * k] == str(conflicts)
        yield ("bank conflicts", "same" if same else "DIFFERENT",
               f"{lines[2 * k]}: {answers[2 * k]} | {conflicts}")
        found = re.search(r" in (\d+) lines?", answers[2 * k + 1])
        same = found and int(found[1]) == transactions
        yield "coalescing", "same" if same else "DIFFERENT", f"{lines[2 * k + 1]}: {answers[2 * k + 1]} | {transactions}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", required=True, help="the program that answers for axe")
    parser.add_argument("--cases", type=int, default=2000,
                        help="questions to ask (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1,
                        help="seed of the random questions (default: %(default)s)")
    parser.add_argument("--long", action="store_true", help="ten times as many cases")
    options, _ = parser.parse_known_args()  # other options are for the other peers
    options.cases *= 10 if options.long else 1
    kinds, examples = collections.Counter(), {}
    parts = (ask_algebra(options.ours, options.cases, options.seed), ask_atoms(options.ours),
             ask_traffic(options.ours, options.cases, options.seed))
    for what, kind, example in itertools.chain(*parts):
        kinds[what, kind] += 1
        examples.setdefault((what, kind), example)
    for (what, kind), count in sorted(kinds.items()):
        print(f"{what:16} {kind:40} {count:6}"
              + ("" if kind == "same" else f"   {examples[what, kind]}"))
    wrong = sum(count for (_, kind), count in kinds.items() if kind.isupper())
    print(f"{sum(kinds.values())} questions, {wrong} against axe")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
