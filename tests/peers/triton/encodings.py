#!/usr/bin/env python3
"""Makes random encodings of Triton as text, and compares the linear map that axe reads with the
wheel's.

    encodings.py --ours axe [--seed 1] [--cases 2000]

Triton parses a module with the encoding and converts it to a linear layout. axe must have the same
element at every place. The exit code is 1 if a map differs, or if axe rejects an encoding that is a
layout.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

AXES = {"m": "offset", "reg": "register", "lane": "lane", "warp": "warp", "cta_x": "block"}
OURS = {"offset_bases": "m", "reg_bases": "reg", "lane_bases": "lane", "warp_bases": "warp",
        "block_bases": "cta_x"}
NO_LAYOUT = ("the linear map is not a layout", "the linear map is not onto")


def product_of(rng, n, rank):
    factors = [1] * rank
    while n > 1:
        factors[rng.randrange(rank)] *= 2
        n //= 2
    return factors


def ctas(rng, rank):
    """Makes a random CGALayout in a third of the cases. Its CTAs cut a dimension or hold the same
    elements.
    """
    if rng.random() < 0.7:
        return ""
    bases, used = [], [1] * rank
    for _ in range(rng.choice((1, 2))):
        d, basis = rng.randrange(rank), [0] * rank
        if rng.random() < 0.8:
            basis[d] = used[d]
            used[d] *= 2
        bases.append(basis)
    return f", CGALayout = {bases}"


def blocked(rng, rank):
    order = rng.sample(range(rank), rank)
    sizes = [rng.choice((1, 2, 4)) for _ in range(rank)]
    return (f"#ttg.blocked<{{sizePerThread = {sizes}, threadsPerWarp = {product_of(rng, 32, rank)}, "
            f"warpsPerCTA = {product_of(rng, 4, rank)}, order = {order}{ctas(rng, rank)}}}>")


def mma(rng, rank):
    major, warps, shape = 2, product_of(rng, 4, rank), [1, 16, 8][3 - rank :]
    if rank == 2 and rng.random() < 0.4:
        major, warps, shape = 3, rng.choice(([4, 1], [4, 2], [8, 1])), [
            16, rng.choice((8, 16, 32, 64, 256)), 16]
    return (f"#ttg.nvidia_mma<{{versionMajor = {major}, versionMinor = 0, warpsPerCTA = {warps}{ctas(rng, rank)}, "
            f"instrShape = {shape}}}>")


def mfma(rng):
    m, n = rng.choice(((16, 16), (32, 32), (4, 64), (64, 4)))
    tiles = [rng.choice((1, 2)), rng.choice((1, 2))]
    width = rng.choice((32, 32, 64))
    # An assertion rejects 64 x 4 that is not transposed.
    transposed = "true" if m == 64 else rng.choice(("true", "false"))
    more = rng.choice(("", f", tilesPerWarp = {tiles}")) + rng.choice(
        ("", f", elementBitWidth = {width}"))
    return (f"#ttg.amd_mfma<{{version = {rng.choice((2, 3, 4))}, warpsPerCTA = {product_of(rng, 4, 2)}, "
            f"instrShape = [{m}, {n}, {rng.choice((8, 16))}], isTransposed = {transposed}{more}{ctas(rng, 2)}}}>")


def linear(rng, shape):
    rank = len(shape)
    bases = [[n if k == d else 0 for k in range(rank)] for d, size in enumerate(shape)
             for n in (1 << b for b in range(size.bit_length() - 1))]
    rng.shuffle(bases)
    cut = rng.randint(0, len(bases))
    registers, rest, none = bases[:cut], bases[cut:], [0] * rank
    lanes, warps = (rest[:5] + [none] * 5)[:5], (rest[5:7] + [none] * 2)[:2]
    return f"#ttg.linear<{{register = {registers + rest[7:]}, lane = {lanes}, warp = {warps}, block = []}}>"


def swizzled(rng, rank):
    order = rng.sample(range(rank), rank)
    vec, per_phase = rng.choice((1, 2, 4, 8)), rng.choice((1, 2, 4))
    phases = rng.choice((1, 2, 4, 8))
    return (f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {phases}, "
            f"order = {order}{ctas(rng, rank)}}}>")


def nvmma(rng):
    """Makes a random shared tile as TMA writes it. The tile has at least 8 rows of the swizzle's
    width.
    """
    swizzle, width = rng.choice((0, 32, 64, 128)), rng.choice((8, 16, 32))
    rank = rng.choice((2, 2, 3))
    padded = swizzle > 0 and width == 8 and rng.random() < 0.4
    # Triton 3.9 repeats elements of other transposed tiles.
    turned = rng.random() < 0.5 and (swizzle > 0 or rank == 2)
    shape, long = [1 << rng.randint(0, 5) for _ in range(rank)], 0 if turned else rank - 1
    columns = max(1, 8 * swizzle // width // (2 if padded else 1))
    shape[long] = columns << rng.randint(0, 2 if rank == 2 else 1)
    rows = rank - 1 if turned else rank - 2
    shape[rows] = max(8, shape[rows])
    more = ", fp4Padded = true" if padded else ""
    more += f", rank = {rank}" if rank != 2 else ctas(rng, rank) if rng.random() < 0.5 else ""
    if "CGALayout" in more:  # the part of each CTA must stay large enough
        shape = [8 * n for n in shape]
    return (f"#ttg.nvmma_shared<{{swizzlingByteWidth = {swizzle}, transposed = {str(turned).lower()}, "
            f"elementBitWidth = {width}{more}}}>"), shape, True


def random_encoding(rng):
    """Makes a random encoding. Returns (encoding, shape, True for shared memory)."""
    kind = rng.choice(("blocked", "mma", "mfma", "slice", "dot", "dot", "swizzled", "linear",
                       "nvmma"))
    rank = rng.choice((2, 2, 3))
    if kind == "nvmma":
        return nvmma(rng)
    shape = [1 << rng.randint(0, 8 - 2 * rank + 3) for _ in range(rank)]
    if kind == "mfma":
        return mfma(rng), shape[:2], False
    if kind == "slice":
        removed = rng.randrange(rank)
        parent = rng.choice((blocked(rng, rank), mma(rng, rank), linear(rng, shape)))
        rest = shape[:removed] + shape[removed + 1 :]
        return f"#ttg.slice<{{dim = {removed}, parent = {parent}}}>", rest, False
    if kind == "dot":
        index, wide = rng.choice((0, 1)), rng.choice((1, 2, 4, 8))
        if rng.random() < 0.5:
            return f"#ttg.dot_op<{{opIdx = {index}, parent = {blocked(rng, rank)}}}>", shape, False
        return f"#ttg.dot_op<{{opIdx = {index}, parent = {mma(rng, rank)}, kWidth = {wide}}}>", shape, False
    if kind == "linear":
        text = linear(rng, shape)
        return text, shape if rng.random() < 0.6 else [1 << rng.randint(0, 4) for _ in shape], False
    if kind == "swizzled":
        return swizzled(rng, rank), shape, True
    return (blocked if kind == "blocked" else mma)(rng, rank), shape, False


def type_of(encoding, shape, shared, memory="#smem"):
    extents = "".join(f"{n}x" for n in shape)
    return f"!ttg.memdesc<{extents}f16, {encoding}, {memory}>" if shared else f"tensor<{extents}f16, {encoding}>"


class Theirs:
    def __init__(self):
        from triton._C.libtriton import gluon_ir, ir, linear_layout

        self.linear = linear_layout
        self.ir, self.context = ir, ir.context()
        ir.load_dialects(self.context)
        self.builder = gluon_ir.GluonOpBuilder(self.context)

    def bases(self, encoding, shape, shared):
        """Returns the bases of each axis, or None if Triton rejects the encoding."""
        argument = type_of("#L", shape, shared, "#ttg.shared_memory")
        text = (f'#L = {encoding}\nmodule attributes {{"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, '
                f'"ttg.threads-per-warp" = 32 : i32}} {{ tt.func @f(%a: {argument}) {{ tt.return }} }}')
        with tempfile.NamedTemporaryFile("w", suffix=".ttgir") as file:
            file.write(text)
            file.flush()
            try:
                value = self.ir.parse_mlir_module(file.name, self.context).get_function("f").args(0)
                read = self.builder.get_gluon_layout_from_memdesc if shared else self.builder.get_gluon_layout_from_tensor
                found = self.builder.to_linear_layout(read(value)._to_ir(self.builder), shape)
            except (RuntimeError, AssertionError):
                return None
        return {ours: getattr(found, theirs) for theirs, ours in OURS.items()
                if hasattr(found, theirs)}

    def printed(self, bases, shape):
        """Returns what the wheel prints for a linear layout, in one line."""
        named = [(AXES[axis], [list(b) for b in of_axis]) for axis, of_axis in bases.items()]
        dims = [f"dim{d}" for d in range(len(shape))]
        linear = self.linear.LinearLayout.from_bases(named, dims, list(shape), False)
        return " ".join(str(linear).split())


def map_text(bases, shape):
    sides = (f"{axis}:" + ",".join(f" {1 << k} -> ({','.join(map(str, b))})"
                                   for k, b in enumerate(of_bits))
             for axis, of_bits in bases.items())
    dims = ", ".join(f"dim{d}: {n}" for d, n in enumerate(shape))
    return "{" + "; ".join(sides) + "} to (" + dims + ")"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", required=True, help="the program that answers for axe")
    parser.add_argument("--seed", type=int, default=1,
                        help="seed of the random questions (default: %(default)s)")
    parser.add_argument("--cases", type=int, default=2000,
                        help="number of random encodings (default: %(default)s)")
    options = parser.parse_args()
    rng, theirs, cases = random.Random(options.seed), Theirs(), []
    quiet, loud = os.open(os.devnull, os.O_WRONLY), os.dup(2)
    os.dup2(quiet, 2)  # MLIR prints every encoding that it rejects
    while len(cases) < options.cases:
        encoding, shape, shared = random_encoding(rng)
        bases = theirs.bases(encoding, shape, shared)
        if bases is not None:
            cases.append((encoding, shape, type_of(encoding, shape, shared),
                          map_text(bases, shape)))
            if rng.random() < 0.2:
                cases.append(("#ttg.LinearLayout", shape, theirs.printed(bases, shape),
                              map_text(bases, shape)))
    os.dup2(loud, 2)
    lines = [f"linear.equivalent(linear.owner({text}, ({','.join(map(str, shape))})), {bases})"
             for _, shape, text, bases in cases]
    done = subprocess.run([options.ours, "eval"], input="\n".join(lines) + "\n",
                          capture_output=True, text=True)
    tally, wrong = collections.Counter(), 0
    for (encoding, _, _, _), line, answer in zip(cases, lines, done.stdout.splitlines(),
                                                 strict=True):
        name = " of ".join(re.findall(r"#ttg\.(\w+)", encoding))
        verdict = "wrong"
        if answer == "true":
            verdict = "the same"
        elif any(why in answer for why in NO_LAYOUT):
            verdict = "no layout"
        tally[name, verdict] += 1
        if verdict == "wrong" and (wrong := wrong + 1) <= 5:
            print(f"{line}\n    {answer}")
    for (name, verdict), count in sorted(tally.items()):
        print(f"{name:24} {verdict:10} {count:5}")
    print(f"{len(cases)} encodings, {wrong} wrong")
    sys.stdout.flush()
    os._exit(bool(wrong))  # a usual exit would print the wheel's memory leaks


if __name__ == "__main__":
    main()
