"""Draws random copies: tensors, tiles, layouts, and the function that copies.

The module knows the rules of axe that a user must keep (docs/index_code.md, "Tensors and tiles"):
declared alignments are true, and a dimension that is not tested has only whole tiles.
"""

import dataclasses
import math

TYPES = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long long"}
DECLARATIONS = (
    "",
    "aligned<16>",
    "aligned_rows<16>",
    "aligned<8>",
    "aligned_rows<8>",
    "aligned<4>",
)
EXTENTS = (1, 2, 4, 8, 16, 16, 32, 32, 64, 64, 128, 3, 5, 7, 12, 24, 33, 48)
WAYS = ("shared_memory", "registers", "both", "cp_async", "transposed", "chosen")
WAYS += ("partition", "prepared", "ring", "index", "index_async", "index_held", "scattered")
WAYS += ("summed", "elements", "shared_elements")
INDEXED = ("index", "index_async", "index_held", "scattered")
STEPPED = ("prepared", "ring")  # a loop visits the tiles along one dimension
# A copy of 1024 elements by one thread takes nvcc 79 s, and has objects in local memory.
MOST_IN_A_THREAD = 64
# Each thread stores all elements that it holds.
BY_THREADS = ("elements", "shared_elements")
PARTITIONED = ("registers", "both", "partition", "index_held", "summed", *BY_THREADS)


@dataclasses.dataclass
class Tensor:
    """A tensor of the kernel. `first` is its first element, `size` is the size of the memory."""

    type: str
    arguments: list
    extents: list
    strides: list
    first: int
    size: int
    tests_all: bool  # every dimension is tested, because nothing is declared about its extents
    unit: int  # the dimension of stride 1


@dataclasses.dataclass
class Case:
    way: str
    bytes: int
    tile: list
    target: list  # the dimension of the result for each dimension
    folded: list
    source: Tensor
    result: Tensor
    grid: list
    origins: tuple  # None: tiles are numbered; else the origins in both tensors
    factor: int  # origins are multiples of it
    signed: bool
    layout: str
    partition: str
    threads: int
    scope: str
    before: int  # threads of the block that do not execute the copy
    warps: int  # each copies its own tile, adjacent along dimension 0
    stepped: int  # the dimension along which a prepared copy moves


def words(values):
    return ", ".join(map(str, values))


def slower_dimensions(rank, unit):
    """Returns the dimensions except the contiguous one, from the fastest to the slowest."""
    return range(1, rank) if unit == 0 else range(rank - 2, -1, -1)


def strides_of(extents, unit, pitch):
    """Returns the strides of a tensor. pitch(n) is the pitch of rows that span n elements."""
    strides, span = [1] * len(extents), extents[unit]
    for d in slower_dimensions(len(extents), unit):
        strides[d] = pitch(span)
        span = strides[d] * extents[d]
    return strides


def random_static_sizes(random, extents):
    """Returns the type of sizes with some static extents, and the arguments of the others."""
    rank = len(extents)
    known = random.randint(1, rank)
    return f"row_major<{rank}, {words(extents[rank - known :])}>", extents[: rank - known]


def random_tensor(random, extents, size, const, far=False):
    """Returns a tensor of about these extents. Its declaration may shorten the rows. If `far`, the
    slowest dimension spans gigabytes."""
    extents, rank = list(extents), len(extents)
    order = random.choice(
        ("row_major", "row_major", "row_major", "column_major", "strided", "static")
    )
    declared = random.choice(DECLARATIONS)
    grain = max(1, int(declared.split("<")[1][:-1]) // size) if declared else 1
    unit = 0 if order == "column_major" else rank - 1
    if declared.startswith("aligned<"):
        extents[unit] = max(grain, extents[unit] // grain * grain)
    slower = slower_dimensions(rank, unit)
    contiguous = order == "static" or random.random() < 0.3

    def pitch(span):
        if contiguous:
            return span
        return math.ceil((span + random.choice((0, 0, 1, 3, 8, 16))) / grain) * grain

    strides = strides_of(extents, unit, pitch)
    if far and order != "static" and not contiguous and extents[slower[-1]] > 1:
        most = (1 << 34 if order == "strided" else 1 << 32) // size - 16
        bytes = random.choice((1 << 31, 1 << 32, 5 << 30)) + 16 * random.randint(-9, 9)
        strides[slower[-1]] = min(most, bytes // size // (extents[slower[-1]] - 1)) // grain * grain
    if any(strides[d] % grain for d in slower) or order == "strided" and grain > 1:
        declared, grain = "", 1
    element = TYPES[size] + (" const" if const else "")
    if order == "static":
        text, arguments = random_static_sizes(random, extents)
    else:
        text = f"{order}<{rank}>"
        arguments = list(extents)
        if order == "strided":
            arguments += strides
        elif not contiguous:
            arguments += [strides[d] for d in range(rank) if d != unit]
    first = grain * random.randint(0, 3)
    size_of_memory = first + sum((e - 1) * s for e, s in zip(extents, strides)) + 1 + 8
    declaration = f", axe::{declared}" if declared else ""
    tests_all = order != "static" and not declared.startswith("aligned<")
    return Tensor(
        f"axe::tensor<{element}, axe::{text}{declaration}>",
        arguments,
        extents,
        strides,
        first,
        size_of_memory,
        tests_all,
        unit,
    )


def random_layout(random, tile):
    """Returns a layout of a tile in shared memory: padded, by columns or swizzled."""
    kind = random.choice(("padded", "columns", "swizzled", "swizzled", "plain"))
    strides, span = [0] * len(tile), 1
    for d in range(len(tile)) if kind == "columns" else reversed(range(len(tile))):
        strides[d] = span
        span *= tile[d]
        if kind == "padded" and d == len(tile) - 1:
            span += random.choice((1, 2, 4, 8))
    text = f"S[({','.join(map(str, tile))}):({','.join(map(str, strides))})]"
    if kind == "swizzled":
        bits = random.randint(1, 3)
        text = f"swizzle({random.randint(0, 4)},{bits},{random.randint(bits, 4)}) o {text}"
    return text


def random_digits(random, extent):
    """Returns factors of an extent: its primes, some powers of two joined."""
    digits = []
    while extent > 1:
        factor = next((p for p in (2, 3, 5, 7, 11) if extent % p == 0), extent)
        extent //= factor
        if factor == 2 and digits and digits[-1] % 2 == 0 and random.random() < 0.6:
            digits[-1] *= 2
        else:
            digits.append(factor)
    if random.random() < 0.5:
        digits.reverse()
    return digits or [1]


def random_partition(random, tile, replicated):
    """Returns a layout of a tile on threads and registers, and its number of threads."""
    if len(tile) == 2 and all(extent % 16 == 0 for extent in tile) and random.random() < 0.5:
        rows, columns = tile[0] // 16, tile[1] // 16
        if rows * columns <= 8:  # the A operand of mma, which ldmatrix loads
            places = f"{8 * columns}@reg,2@reg,4@tid,8@reg,4@reg,1@tid,1@reg"
            return f"S[({rows},2,8,{columns},2,4,2):({places})]", 32
    for _ in range(200):
        digits = [digit for extent in tile for digit in random_digits(random, extent)]
        axes = [random.choice(("tid", "reg")) for _ in digits]
        ends = {"tid": 1, "reg": 1}
        order = list(reversed(range(len(digits))))
        if random.random() < 0.3:
            random.shuffle(order)
        strides = [0] * len(digits)
        for k in order:
            strides[k] = ends[axes[k]]
            ends[axes[k]] *= digits[k]
        if ends["tid"] <= 256 and ends["reg"] <= 64:
            break
    else:
        return None
    places = ",".join(f"{stride}@{axis}" for stride, axis in zip(strides, axes))
    text = f"S[({','.join(map(str, digits))}):({places})]"
    threads = ends["tid"]
    if replicated and threads <= 128 and random.random() < 0.25:
        text, threads = f"{text} + R[2:{threads}@tid]", 2 * threads
    return text, threads


def random_extent(random, extent):
    return max(
        1,
        random.choice(
            (
                extent,
                2 * extent,
                3 * extent,
                extent + 1,
                2 * extent - 1,
                random.randint(1, 3 * extent + 2),
            )
        ),
    )


def random_origin(random, kind, tensor, tile, factor):
    """Returns the origin of a tile in units of `factor`, one number for each dimension."""

    def along(d):
        extent = tensor.extents[d]
        if tile[d] == 1:  # not tested: within the tensor
            return random.randrange(extent)
        if kind == "signed":
            return random.choice((random.randint(-tile[d] - 2, extent + 3), 0, -1))
        if kind == "multiple" and tensor.tests_all and random.random() < 0.3:
            return -random.randint(0, 2)
        return random.choice((0, random.randint(0, (extent - 1) // factor)))

    return [along(d) for d in range(len(tile))]


def random_case(random, way):
    """Returns a case, or None if the choices break a rule."""
    size = random.choice((1, 2, 2, 4, 4, 8))
    rank = 2 if way == "transposed" else random.choice((2, 2, 2, 3))
    tile = [random.choice(EXTENTS) for _ in range(rank)]
    if rank == 3:
        tile[0] = random.choice((1, 1, 2, 4))
    if not 2 <= math.prod(tile) <= 4096 or math.prod(tile) * size > 16384:
        return None
    far = way in ("shared_memory", "registers", "cp_async", "elements", "chosen")
    far = random.choice(("in", "out")) if far and random.random() < 0.15 else ""
    extents = [random_extent(random, e) for e in tile]
    source = random_tensor(random, extents, size, True, far == "in")
    target = [1, 0] if way == "transposed" else list(range(rank))
    folded = [way == "summed" and random.random() < 0.6 for _ in range(rank)]
    if way == "summed" and not any(folded):
        folded[-1] = True
    kind = random.choice(("number", "number", "signed", "unsigned", "multiple"))
    if way in ("summed", *INDEXED):
        kind = "number"
    if way in BY_THREADS and kind in ("signed", "multiple"):
        kind = "unsigned"  # local_partition takes no signed origin
    stepped = random.randrange(rank)
    same = kind == "number" and random.random() < 0.7
    wanted = [0] * rank
    for d in range(rank):
        tiles = -(-source.extents[d] // tile[d])
        extent = source.extents[d] if same else random_extent(random, tile[d])
        wanted[target[d]] = tiles if folded[d] else extent
    result = random_tensor(random, wanted, size, False, far == "out")
    grid = [1] * rank
    if kind == "number":
        for d in range(rank):
            step = 1 if folded[d] else tile[d]
            ends = (source.extents[d], result.extents[target[d]])
            grid[d] = max(-(-ends[0] // tile[d]), -(-ends[1] // step))
            is_tested = source.tests_all and result.tests_all and tile[d] > 1 and not folded[d]
            if not is_tested and -(-ends[0] // tile[d]) != -(-ends[1] // step):
                return None  # a tile would begin past an end that is not tested
        if math.prod(grid) > 24:
            return None
    elif way in STEPPED and source.tests_all and result.tests_all and tile[stepped] > 1:
        grid[stepped] = random.randint(1, 3)
    factor = random.choice((2, 4, 8, 16)) if kind == "multiple" else 1
    origins = None
    if kind != "number":
        to = [tile[target[d]] for d in range(rank)]
        origins = (
            random_origin(random, kind, source, tile, factor),
            random_origin(random, kind, result, to, factor),
        )
    partition, threads = ("", random.choice((32, 32, 64, 96, 100, 128, 128, 256, 1, 7, 20, 45)))
    if way in PARTITIONED:
        owned = random_partition(random, tile, way not in BY_THREADS)
        if owned is None or way == "summed" and owned[1] % 32 != 0:
            return None
        partition, threads = owned
    if math.prod(tile) > MOST_IN_A_THREAD * threads:
        return None
    if way in ("registers", "both", "index_held") and threads < 32 and random.random() < 0.5:
        threads = 32
    warp = threads == 32 and random.random() < 0.5
    scope, before = "axe::warp" if warp else f"axe::cta<{threads}>", 0
    in_one_warp = threads < 32
    if (threads % 32 == 0 or in_one_warp) and not warp and random.random() < 0.2:
        before = random.randint(1, 32 - threads) if in_one_warp else 32 * random.randint(1, 3)
    if way in BY_THREADS:
        before = 0
    if before:
        members = f'axe::carrier<"S[{threads}:1@tid] + {before}@tid"_axe>'
        scope = f"axe::thread_scope<{members}>{{}}"
        if partition and random.random() < 0.5:
            partition += f" + {before}@tid"
    warps = 1
    if warp and way == "registers" and origins is None:
        warps = random.choice([w for w in (1, 2, 3, 4) if grid[0] % w == 0])
    return Case(
        way,
        size,
        tile,
        target,
        folded,
        source,
        result,
        grid,
        origins,
        factor,
        kind in ("signed", "multiple"),
        random_layout(random, tile),
        partition,
        threads,
        scope,
        before,
        warps,
        stepped,
    )
