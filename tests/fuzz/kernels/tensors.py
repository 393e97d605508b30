"""Draws random kernels with tensor copies (TMA) and atomic additions."""

import math

import cases
from cases import words
from fragments import Case, Threads, random_held, random_shared, random_threads

MAPPED = {1: ("unsigned char",), 2: ("unsigned short",), 4: ("unsigned", "float")}
MAPPED[8] = ("unsigned long long", "double")
ADDED = {"int": 4, "unsigned": 4, "float": 4, "double": 8, "unsigned long long": 8}
ADDED |= {"long": 8, "long long": 8}
ADDED |= {"__half": 2, "__nv_bfloat16": 2}


def side(tensor, origin):
    dimensions = words(
        f"{{{e}, {s}, {o}}}" for e, s, o in zip(tensor.extents, tensor.strides, origin)
    )
    return f"tensors::side{{{{{dimensions}}}, {tensor.first}, {tensor.size}}}"


def random_mapped(random, extents, size, type, stored):
    """Returns a tensor whose strides are multiples of 16 bytes. If it is stored to, its rows end at
    such multiples, too.
    """
    rank, grain = len(extents), 16 // size
    order = random.choice(("row_major", "row_major", "column_major", "static"))
    unit = 0 if order == "column_major" else rank - 1
    extents = list(extents)
    if order == "static" or stored:
        extents[unit] = -(-extents[unit] // grain) * grain

    def pitch(span):
        if order == "static":
            return span
        return -(-(span + random.choice((0, 0, 1, grain, 40))) // grain) * grain

    strides = cases.strides_of(extents, unit, pitch)
    if order == "static":
        text, arguments = cases.random_static_sizes(random, extents)
    else:
        text = f"{order}<{rank}>"
        arguments = [*extents, *(strides[d] for d in range(rank) if d != unit)]
    first = grain * random.randint(0, 3)
    size_of_memory = first + sum((e - 1) * s for e, s in zip(extents, strides)) + 9
    declared = random.choice(("", "", ", axe::aligned_rows<16>"))
    if stored:
        declared = ", axe::aligned<16>"
    return cases.Tensor(
        f"axe::tensor<{type}{'' if stored else ' const'}, axe::{text}{declared}>",
        arguments, extents, strides, first, size_of_memory, order != "static", unit,
    )  # fmt: skip


def random_boxes(random, tile, size, unit):
    """Returns a layout of shared memory for tensor copies of a tile."""
    widths = [w for w in (32, 64, 128) if tile[unit] * size % w == 0]
    width = random.choice(widths) // size if widths and random.random() < 0.6 else 0
    digits = []  # dimension, extent, stride in shared memory
    for d, extent in enumerate(tile):
        inner = width if d == unit and width else 0
        if not inner and d != unit and extent % 2 == 0 and random.random() < 0.12:
            inner = random.choice([e for e in range(2, extent + 1) if extent % e == 0])
        if inner and inner < extent:
            digits.append([d, extent // inner, 0])
            extent = inner
        digits.append([d, extent, 0])
    fast = max(k for k, digit in enumerate(digits) if digit[0] == unit)
    order = [k for k in reversed(range(len(digits))) if k != fast]
    if random.random() < 0.25:
        random.shuffle(order)
    end = 1
    for k in [fast, *order]:
        digits[k][2] = end
        end *= digits[k][1]
    text = f"S[({words(e for _, e, _ in digits)}):({words(s for _, _, s in digits)})]"
    text = text.replace(" ", "")
    if width:
        chunk = (16 // size).bit_length() - 1
        text = f"swizzle({chunk},{(width * size // 16).bit_length() - 1},3) o {text}"
    return text


def random_place(random, tensor, tile, name, signed, along, steps, grain=1, lowest=None):
    """Returns the expression of a tile, its numbers and its first element; None if none fits. Along
    the rows it begins at a multiple of grain, and nowhere below `lowest`.
    """
    numbers, origin, arguments = [], [], []
    for d, extent in enumerate(tensor.extents):
        further = steps - 1 if d == along else 0
        if signed and tile[d] > 1:
            low = -tile[d] - 1 if lowest is None and random.random() < 0.5 else 0
            number = random.choice((0, random.randint(low, extent + 2)))
            numbers.append(number // grain * grain if d == tensor.unit else number)
            origin.append(numbers[-1])
            arguments.append(f"at.{name}[{d}]")
        else:  # the first tiles are in bounds; the last ones need not be if the end is tested
            inside = tile[d] == 1 or not tensor.tests_all
            last = -(-extent // tile[d]) - 1 - (further if inside else 0)
            if last < 0:
                return None
            numbers.append(random.randint(0, last))
            origin.append(numbers[-1] * tile[d])
            number = f"static_cast<unsigned>(at.{name}[{d}])"
            arguments.append(number)
    function = "tile_at" if signed else "tile"
    return (f"axe::{function}<{words(tile)}>({name}, {words(arguments)})", numbers, origin)


def move(random):
    size = random.choice((1, 2, 2, 4, 4, 8))
    type = random.choice(MAPPED[size])
    rank = random.choice((2, 2, 2, 3, 3, 4))
    tile = [random.choice((1, 2, 4, 8, 8, 16, 3, 5, 32)) for _ in range(rank)]
    unit_last = random.random() < 0.8
    unit = rank - 1 if unit_last else 0
    tile[unit] = 16 * random.choice((1, 2, 2, 3, 4, 4, 8, 8, 16)) // size
    if math.prod(tile) * size > 8192 or tile[unit] > 256:
        return None
    extents = [cases.random_extent(random, e) for e in tile]
    source = random_mapped(random, extents, size, type, False)
    other = [random.choice((e, cases.random_extent(random, t))) for e, t in zip(extents, tile)]
    result = random_mapped(random, other, size, type, True)
    if source.unit != unit or result.unit != unit:
        return None
    if sum(e * s for e, s in zip(source.extents, source.strides)) > 60000:
        return None
    steps = random.choice((1, 1, 2, 3))
    along = random.randrange(rank)
    signed = random.random() < 0.4
    places = [
        random_place(random, tensor, tile, name, signed, along, steps, 16 // size, lowest)
        for tensor, name, lowest in ((source, "in", None), (result, "out", 0))
    ]
    if None in places:
        return None
    (read, in_numbers, in_origin), (written, out_numbers, out_origin) = places
    adds = type in ("unsigned", "float", "unsigned long long") and random.random() < 0.4
    how = "axe::reducing<axe::tma_reduction::add>" if adds else "axe::copy_how{}"
    call = "move_tiles" if steps > 1 or random.random() < 0.5 else "move_one_tile"
    threads = random.choice((32, 64, 100))
    return Case(
        "move",
        f"""using T = {type};
using In = {source.type};
using Out = {result.type};
using S = axe::extents<{words(tile)}>;
using L = axe::carrier<"{random_boxes(random, tile, size, unit)}"_axe>;
__global__ void kernel(__grid_constant__ axe::tensor_map const from,
                       __grid_constant__ axe::tensor_map const to, In in, Out out, T* image,
                       tensors::origins at, int steps) {{
  tensors::{call}<T, L, S, {along}, {threads}, {how}>(from, to, {read},
      {written}, image, steps);
}}""",
        f"""tensors::check_move<T>({{number}}, {{{words(tile)}}}, {along}, {steps},
      {side(source, in_origin)},
      {side(result, out_origin)}, {str(adds).lower()}, [](T const* in, T* out, T* image) {{
        In const from({words(["in + " + str(source.first), *source.arguments])});
        Out const to({words(["out + " + str(result.first), *result.arguments])});
        using buffer = axe::shared_tile<T, L, S>;
        kernel<<<1, {threads}>>>(
            axe::map_for<buffer>(from), axe::map_for<buffer>(to), from, to, image,
            tensors::origins{{{{{words(in_numbers)}}}, {{{words(out_numbers)}}}}}, {steps});
      }})""",
    )


def add(random):
    type = random.choice(list(ADDED))
    rank = random.choice((2, 2, 3))
    tile = [random.choice((1, 2, 4, 8, 8, 16, 32, 3, 5, 12)) for _ in range(rank)]
    if not 2 <= math.prod(tile) <= 2048:
        return None
    held = random_held(random, tile, 256, 32)
    if held is None:
        return None
    extents = [cases.random_extent(random, e) for e in tile]
    tensor = cases.random_tensor(random, extents, ADDED[type], False)
    tensor.type = tensor.type.replace(cases.TYPES[ADDED[type]] + ",", type + ",", 1)
    t = random_threads(random, (held,))
    signed = random.random() < 0.3
    place, numbers, origin = random_place(random, tensor, tile, "out", signed, 0, 1)
    return Case(
        "add",
        f"""using T = {type};
using F = {held.fragment("T")};
using Out = {tensor.type};
__global__ void kernel(T const* in, Out out, tensors::origins at) {{
  tensors::add_twice<F, {t.first}>(in, {place}, {t.scope});
}}""",
        f"""tensors::check_addition<T>({{number}}, {held.facts()}, {{{words(tile)}}},
      {side(tensor, origin)}, {t.facts()}, [](T const* in, T* out) {{
        kernel<<<1, {t.block}>>>(in,
            Out({words(["out + " + str(tensor.first), *tensor.arguments])}),
            tensors::origins{{{{}}, {{{words(numbers)}}}}});
      }})""",
    )


def add_in_shared(random):
    type = random.choice([name for name, size in ADDED.items() if size > 2])
    rank = random.choice((2, 2, 3))
    tile = [random.choice((1, 2, 4, 8, 8, 16, 32, 3, 5, 12)) for _ in range(rank)]
    if not 2 <= math.prod(tile) <= 2048:
        return None
    held = random_held(random, tile, 256, 32)
    if held is None:
        return None
    t = random_threads(random, (held,), groups=True)
    return Case(
        "add_in_shared",
        f"""using T = {type};
using F = {held.fragment("T")};
using L = axe::carrier<"{random_shared(random, tile, ADDED[type])}"_axe>;
__global__ void kernel(T const* in, T* out) {{
  tensors::add_twice_in_shared<F, L, {t.first}>(in, out, {t.scope});
}}""",
        f"""tensors::check_shared_addition<T>({{number}}, {held.facts()}, {t.facts()},
      [](T const* in, T* out) {{ kernel<<<1, {t.block}>>>(in, out); }})""",
    )


WAYS = {f.__name__: f for f in (move, add, add_in_shared)}


def random_case(random, way):
    """Returns a case, or None if the choices break a rule."""
    return WAYS[way](random)
