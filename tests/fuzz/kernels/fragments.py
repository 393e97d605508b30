"""Draws random kernels on fragments: conversions, elementwise operations, reductions, products.

A layout here has one digit for each iter, so that plain loops (fragments.hpp) can follow it.
"""

import dataclasses
import math

import cases
from cases import words

EXTENTS = (1, 2, 2, 4, 4, 8, 8, 16, 16, 32, 64, 3, 5, 6, 7, 12, 20, 24)
WIDTHS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "double", 16: "uint4"}
FLOATS = ("float", "__half", "__nv_bfloat16", "__nv_fp8_e4m3", "__nv_fp8_e5m2")
# Types of A, B and the sums, bits of A, and the instructions (m, k).
PRODUCTS = (
    ("__nv_bfloat16", "__nv_bfloat16", "float", 16, ((16, 16), (16, 8))),
    ("__half", "__half", "float", 16, ((16, 16), (16, 8))),
    ("__half", "__half", "__half", 16, ((16, 16), (16, 8))),
    ("float", "float", "float", 32, ((16, 8), (16, 4))),
    ("signed char", "signed char", "int", 8, ((16, 32), (16, 16), (8, 16))),
    ("unsigned char", "signed char", "int", 8, ((16, 32), (16, 16), (8, 16))),
    ("__nv_fp8_e4m3", "__nv_fp8_e5m2", "float", 8, ((16, 32),)),
    ("double", "double", "double", 64, ((8, 4), (16, 4), (16, 8), (16, 16))),
)


@dataclasses.dataclass
class Held:
    """A layout of a tile. Digits and replicas are (extent, stride on threads, on registers). `first`
    is the offset on threads, and `offset` is `first` without the threads before the scope.
    """

    extents: list
    digits: list  # by dimension
    replicas: list
    axis: str = "tid"  # "tid", "lane", or "warps": on warp and lane
    first: int = 0
    offset: int = 0
    of_registers: int = 0  # an offset on registers, which moves no element

    def all_digits(self):
        return [digit for along in self.digits for digit in along]

    @property
    def threads(self):
        return math.prod(e for e, t, _ in self.all_digits() + self.replicas if t)

    @property
    def registers(self):
        return math.prod(e for e, _, r in self.all_digits() + self.replicas if r)

    def place(self, digit):
        extent, thread, reg = digit
        if not thread:
            return f"{max(reg, 1)}@reg"
        if self.axis == "warps":
            return f"{thread // 32}@warp" if thread >= 32 else f"{thread}@lane"
        return f"{thread}@{self.axis}"

    def text(self):
        digits = self.all_digits()
        text = f"S[({','.join(str(d[0]) for d in digits)}):({','.join(map(self.place, digits))})]"
        for replica in self.replicas:
            text += f" + R[{replica[0]}:{self.place(replica)}]"
        if self.first and self.axis == "warps":
            text += f" + {self.first // 32}@warp"
        elif self.first:
            text += f" + {self.first}@{self.axis}"
        if self.of_registers:
            text += f" + {self.of_registers}@reg"
        return f'axe::carrier<"{text}"_axe>'

    def facts(self):
        """Returns the arguments of a fragments::held."""
        digits, replicas = (
            words(f"{{{words(d)}}}" for d in all) for all in (self.all_digits(), self.replicas)
        )
        return f"fragments::held{{{{{digits}}}, {{{replicas}}}, {self.registers}, {self.offset}}}"

    def fragment(self, type, dropped=0):
        """`dropped` leading dimensions are left out."""
        extents = words(self.extents[dropped:])
        return f"axe::fragment<{type}, {self.text()}, axe::extents<{extents}>>"


def fits_warps(held):
    """True if each digit lies on lanes or on warps, and all lanes hold elements."""
    on_threads = [d for d in held.all_digits() + held.replicas if d[1]]
    lanes = math.prod(e for e, t, _ in on_threads if t < 32)
    whole = all(t >= 32 or t * e <= 32 for e, t, _ in on_threads)
    return held.threads > 32 and lanes == 32 and whole


def random_held(random, extents, threads, registers):
    """Returns a layout on at most these numbers of threads and registers, or None."""
    for _ in range(60):
        digits = [[[e, 0, 0] for e in cases.random_digits(random, extent)] for extent in extents]
        flat = [digit for along in reversed(digits) for digit in reversed(along)]
        replicas = []
        if random.random() < 0.25:
            replicas.append([random.choice((2, 2, 3, 4)), 0, 0])
            flat.insert(random.randint(0, len(flat)), replicas[0])
        if random.random() < 0.4:
            random.shuffle(flat)
        ends = [0, 1, 1]
        of_thread = random.choice((0.3, 0.5, 0.7))
        for digit in flat:
            if digit[0] == 1:
                continue
            on = 1 if random.random() < of_thread else 2
            if digit in replicas and random.random() < 0.8:
                on = 1
            digit[on] = ends[on]
            ends[on] *= digit[0]
        if ends[1] <= threads and ends[2] <= registers:
            held = Held(extents, digits, replicas)
            if random.random() < 0.1:
                held.of_registers = random.randint(1, 5)
            if fits_warps(held) and random.random() < 0.6:
                held.axis = "warps"
            return held
    return None


def with_registers_shuffled(random, held):
    """Returns the layout with its registers numbered without gaps, in their order or a random one."""
    digits = [[list(d) for d in along] for along in held.digits]
    replicas = [list(d) for d in held.replicas]
    on_registers = [d for along in [*digits, replicas] for d in along if d[2]]
    on_registers.sort(key=lambda d: d[2])
    if random.random() < 0.5:
        random.shuffle(on_registers)
    end = 1
    for digit in on_registers:
        digit[2] = end
        end *= digit[0]
    return dataclasses.replace(held, digits=digits, replicas=replicas)


def broadcast(random, held, dimensions):
    """Returns the layout of an operand that has extent 1 along some dimensions."""
    extents = [1 if d in dimensions else e for d, e in enumerate(held.extents)]
    digits = [[(1, 0, 0)] if d in dimensions else along for d, along in enumerate(held.digits)]
    lost = [digit for d in dimensions for digit in held.digits[d] if digit[1]]
    replicas = [*held.replicas, *lost]
    return with_registers_shuffled(
        random, dataclasses.replace(held, extents=extents, digits=digits, replicas=replicas)
    )


def random_extents(random, most):
    while True:
        extents = [random.choice(EXTENTS) for _ in range(random.choice((1, 2, 2, 2, 3)))]
        if 2 <= math.prod(extents) <= most:
            return extents


@dataclasses.dataclass
class Threads:
    """The threads that execute a call. `first` threads of the block come before them."""

    scope: str
    size: int
    first: int = 0
    groups: int = 1

    def facts(self):
        return f"fragments::threads{{{self.first}, {self.size}, {self.groups}}}"

    @property
    def block(self):
        return self.first + self.size * self.groups

    @property
    def arguments(self):
        return f"{self.first}, {self.size}, {self.groups}"


def move_threads(random, helds, most, together):
    """Gives each layout an offset of at most `most` threads, the same if `together`."""
    offset = random.randint(1, most)
    for held in helds:
        if held.axis != "warps":
            held.first = held.offset = offset if together else random.randint(0, most)


def random_threads(random, helds, groups=False, together=True):
    """Returns a scope that has the threads of these layouts, and sets the axes and offsets of the
    layouts. Unless `together`, they may have different offsets. If `groups`, the scope may be a
    part of a warp.
    """
    most = max(held.threads for held in helds)
    moves = random.random() < 0.25
    if groups and most <= 16 and random.random() < 0.3:
        size = random.choice([n for n in (1, 2, 4, 8, 16) if n >= most])
        if moves and most < size:
            move_threads(random, helds, size - most, together)
        return Threads(f"axe::group_scope<{size}>{{}}", size, 0, 64 // size)
    if most <= 32 and random.random() < 0.6:
        for held in helds:
            held.axis = random.choice(("tid", "lane"))
        if moves and most < 32:
            move_threads(random, helds, 32 - most, together)
        return Threads("axe::warp", 32, 0, random.randint(1, 3))
    if random.random() < 0.3:  # a partial warp
        apart = random.randint(1, 70) if moves else 0
        if apart:
            move_threads(random, helds, apart, together)
        size = most + apart + random.choice((0, 0, 1, 5, 29))
        return Threads(f"axe::cta<{size}>", size)
    size = -(-most // 32) * 32 + random.choice((0, 0, 0, 32))
    if random.random() < 0.6:
        return Threads(f"axe::cta<{size}>", size)
    first = 32 * random.randint(1, 3)
    if random.random() < 0.5:
        for held in helds:
            held.first = first
    members = f'axe::carrier<"S[{size}:1@tid] + {first}@tid"_axe>'
    return Threads(f"axe::thread_scope<{members}>{{}}", size, first)


@dataclasses.dataclass
class Case:
    """A kernel. The text has {number} in place of the number of the case."""

    way: str
    kernel: str
    run: str

    def lines(self, number):
        text = f"namespace case_{number} {{\n{self.kernel}\n"
        text += f"bool run() {{\n  return {self.run};\n}}\n}}  // namespace case_{number}"
        return text.replace("{number}", str(number)).split("\n")


def convert(random):
    extents = random_extents(random, 1024)
    in_warp = random.random() < 0.5
    most = 32 if in_warp else 256
    order = list(range(len(extents)))
    if random.random() < 0.4:
        random.shuffle(order)
    source = random_held(random, extents, most, 64)
    target = random_held(random, [extents[d] for d in order], most, 64)
    if source is None or target is None:
        return None
    size = random.choice(list(WIDTHS))
    if size * max(source.registers, target.registers) > 256:
        return None
    t = random_threads(random, (source, target), together=False)
    name = WIDTHS[size]
    return Case(
        "convert",
        f"""using T = {name};
using From = {source.fragment("T")};
using To = {target.fragment("T")};
__global__ void kernel(T const* in, T* out) {{
  fragments::converted<From, To, {t.arguments}, {words(order)}>(in, out, {t.scope});
}}""",
        f"""fragments::check_conversion<T>({{number}}, {source.facts()}, {{{words(extents)}}},
      {target.facts()}, {{{words(order)}}}, {t.facts()},
      [](T const* in, T* out) {{ kernel<<<1, {t.block}>>>(in, out); }})""",
    )


def combine(random):
    extents = random_extents(random, 2048)
    held = random_held(random, extents, 256, 64)
    if held is None:
        return None
    t = random_threads(random, (held,), groups=True)

    def operand():
        rank = range(len(extents))
        return broadcast(random, held, [d for d in rank if random.random() < 0.35])

    def operand_type(of, type):
        """An operand may lack leading dimensions of extent 1."""
        ones = next((d for d, e in enumerate(of.extents) if e > 1), len(of.extents))
        return of.fragment(type, random.randint(0, min(ones, len(of.extents) - 1)))

    a, b, d = operand(), operand(), with_registers_shuffled(random, held)
    types = ("unsigned char", "int", "double", *FLOATS)
    of_a, of_b = random.choice(types), random.choice(types)
    of_c = random.choice(("float", "float", "__half", "__nv_bfloat16", "int", "__nv_fp8_e4m3"))
    of_d = random.choice(("signed char", *types)) if of_c == "float" else "float"
    return Case(
        "combine",
        f"""using A = {operand_type(a, of_a)};
using B = {operand_type(b, of_b)};
using C = {held.fragment(of_c)};
using D = {d.fragment(of_d)};
__global__ void kernel({of_a} const* a, {of_b} const* b, {of_d}* out) {{
  fragments::combined<A, B, C, D, {t.first}>(a, b, out);
}}""",
        f"""fragments::check_combination<{of_a}, {of_b}, {of_d}>({{number}}, {{{words(extents)}}},
      {a.facts()}, {{{words(a.extents)}}}, {b.facts()}, {{{words(b.extents)}}}, {d.facts()},
      {t.facts()}, [](auto const* a, auto const* b, auto* out) {{
        kernel<<<1, {t.block}>>>(a, b, out);
      }})""",
    )


def reduce(random):
    extents = random_extents(random, 2048)
    held = random_held(random, extents, 256, 64)
    dims = [d for d in range(len(extents)) if random.random() < 0.6]
    if held is None or not dims:
        return None
    random.shuffle(dims)
    t = random_threads(random, (held,), groups=True)
    type = random.choice(
        ("float", "float", "int", "unsigned", "unsigned char", "double", "__half", "uint64", "long")
        + ("short", "fragments::triple")
    ).replace("uint64", "unsigned long long")
    op = random.choice(("axe::plus", "axe::plus", "axe::maximum", "axe::minimum"))
    if type == "fragments::triple":
        op = "axe::plus"
    if type in ("int", "unsigned", "unsigned char") and random.random() < 0.2:
        op = "fragments::exclusive_or"
    how = "reduce"
    if t.scope == "axe::warp" and random.random() < 0.3:
        how = "in_two_steps"
    elif random.random() < 0.3:
        how = "accumulate"
    start = {"axe::minimum": 50}.get(op, 0) if how == "in_two_steps" else 3
    sums = [1 if d in dims else e for d, e in enumerate(extents)]
    begin = held.first - held.offset
    return Case(
        "reduce",
        f"""using T = {type};
using F = {held.fragment("T")};
__global__ void kernel(T const* in, T* out, int* at) {{
  fragments::reduced<F, fragments::fold::{how}, {t.arguments}, {begin}, {words(dims)}>(
      {op}{{}}, in, out, at, T({start}), {t.scope});
}}""",
        f"""fragments::check_reduction<T>({{number}}, fragments::fold::{how}, {held.facts()},
      {{{words(extents)}}}, {{{words(sums)}}}, axe::reduced<F, {words(dims)}>::size,
      {t.facts()}, {1 if type == "__half" else 4}, T({start}), {op}{{}},
      [](T const* in, T* out, int* at) {{ kernel<<<1, {t.block}>>>(in, out, at); }})""",
    )


def operand(random, atom, steps, warps, axis, product_replicas, warps_first):
    """Returns an operand of a product. `atom` has the digits of the instruction's fragment for each
    dimension, `steps` the number of repetitions in registers. `warps` has (extent, stride) of the
    warps for each dimension and for the replicas. `product_replicas` are those of the product.
    """
    registers = math.prod(e for along in atom for e, _, r in along if r)
    order = list(range(2))
    random.shuffle(order)
    strides = [0, 0]
    for d in order:
        strides[d] = registers
        registers *= steps[d]
    digits, extents = [], []
    for d in range(2):
        outer = [(steps[d], 0, strides[d])] if steps[d] > 1 else []
        if warps[d][0] > 1:
            outer.insert(0 if warps_first else len(outer), (warps[d][0], 32 * warps[d][1], 0))
        digits.append([*outer, *atom[d]])
        extents.append(math.prod(e for e, _, _ in digits[d]))
    replicas = [(warps[2][0], 32 * warps[2][1], 0)] if warps[2][0] > 1 else []
    replicas += [product_replicas] if product_replicas[0] > 1 else []
    return Held(extents, digits, replicas, axis)


def multiply(random):
    of_a, of_b, of_c, bits, shapes = random.choice(PRODUCTS)
    m, k = random.choice(shapes)
    v = max(1, 32 // bits)
    rows = [(2, 0, v)] if m == 16 else []
    # For doubles an instruction of k 16 has four steps of 4 along k.
    deep = k // (4 * v)
    along_k = [(deep, 0, v * m // 8)] if deep > 1 else []
    packed = [(v, 0, 1)] if v > 1 else []
    a = [[*rows, (8, 4, 0)], [*along_k, (4, 1, 0), *packed]]
    b = [[*([(deep, 0, v)] if deep > 1 else []), (4, 1, 0), *packed], [(8, 4, 0)]]
    c = [[*([(2, 0, 2)] if m == 16 else []), (8, 4, 0)], [(4, 1, 0), (2, 0, 1)]]
    wm, wn = random.choice(((1, 1), (1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 4)))
    sm, sn = random.choice(((wn, 1), (1, wm)))
    steps = [random.choice((1, 1, 2, 3)) for _ in range(3)]
    product_replicas = (2 if random.random() < 0.15 else 1, 32 * wm * wn, 0)
    warps = wm * wn * product_replicas[0]
    axis, first = "warps" if warps > 1 else "lane", random.random() < 0.5
    x = operand(
        random, a, (steps[0], steps[2]), ((wm, sm), (1, 0), (wn, sn)), axis, product_replicas, first
    )
    y = operand(
        random, b, (steps[2], steps[1]), ((1, 0), (wn, sn), (wm, sm)), axis, product_replicas, first
    )
    z = operand(
        random, c, (steps[0], steps[1]), ((wm, sm), (wn, sn), (1, 0)), axis, product_replicas, first
    )
    if axis == "lane":
        t = Threads("axe::warp", 32, 0, random.randint(1, 2))
    else:
        t = Threads(f"axe::cta<{32 * warps}>", 32 * warps)
    accumulate = str(random.random() < 0.7).lower()
    return Case(
        "multiply",
        f"""using A = {x.fragment(of_a)};
using B = {y.fragment(of_b)};
using C = {z.fragment(of_c)};
__global__ void kernel({of_a} const* a, {of_b} const* b, {of_c} const* c, {of_c}* out) {{
  fragments::multiplied<A, B, C, {t.first}>(a, b, c, out, {accumulate});
}}""",
        f"""fragments::check_product<{of_a}, {of_b}, {of_c}>({{number}}, {z.extents[1]},
      {x.extents[1]}, {x.facts()}, {y.facts()}, {z.facts()}, {t.facts()}, {accumulate},
      [](auto const* a, auto const* b, auto const* c, auto* out) {{
        kernel<<<1, {t.block}>>>(a, b, c, out);
      }})""",
    )


def random_shared(random, extents, size):
    """Returns a row-major or column-major layout of shared memory, perhaps padded or swizzled."""
    along = list(extents)
    columns = random.random() < 0.4
    fast = 0 if columns else len(along) - 1
    order = [fast, *(d for d in reversed(range(len(along))) if d != fast)]
    strides, span = [0] * len(along), 1
    pad = random.choice((0, 0, 16, 16, 4)) // size
    for d in order:
        strides[d] = span
        span = span * along[d] + (pad if d == fast else 0)
    text = f"S[({words(along)}):({words(strides)})]".replace(" ", "")
    chunk = (16 // size).bit_length() - 1
    if random.random() < 0.4 and pad == 0:
        text = f"swizzle({chunk},{random.randint(1, 3)},3) o {text}"
    return text


def stage(random):
    """Stores a fragment to a tile of a shared tile, and loads it again."""
    size = random.choice((1, 2, 2, 2, 4, 8))
    v = max(1, 4 // size)
    rows = [(random.choice((1, 2, 2, 3)), 0, "reg"), (8, 4, 0)]
    row = [(random.choice((1, 2, 2, 4)), 0, "reg"), (4, 1, 0), *([(v, 0, 1)] if v > 1 else [])]
    warps = random.choice((1, 1, 2, 3))
    if warps > 1:
        random.choice((rows, row)).insert(0, (warps, 32, 0))
    if random.random() < 0.25:  # any layout of two dimensions
        held = random_held(random, random_extents(random, 1024), 128, 32)
        if held is None or len(held.extents) != 2:
            return None
    else:
        ends, places = (v, [(along, k) for along in (rows, row) for k in range(len(along))])
        random.shuffle(places)
        for along, k in places:
            if along[k][2] == "reg":
                along[k] = (along[k][0], 0, ends if along[k][0] > 1 else 0)
                ends *= along[k][0]
        digits = [rows, row]
        if random.random() < 0.5:
            digits.reverse()
        held = Held([math.prod(e for e, _, _ in along) for along in digits], digits, [])
        if warps > 1:
            held.axis = random.choice(("tid", "warps"))
    if held.registers * size > 256:
        return None
    t = random_threads(random, (held,))
    type = WIDTHS[size]
    tiles = [random.choice((1, 1, 2, 3)) for _ in held.extents]
    whole = [n * e for n, e in zip(tiles, held.extents)]
    if math.prod(whole) * size > 16384:
        return None
    at = [random.randrange(n) for n in tiles]
    return Case(
        "stage",
        f"""using T = {type};
using F = {held.fragment("T")};
using L = axe::carrier<"{random_shared(random, whole, size)}"_axe>;
using Whole = axe::extents<{words(whole)}>;
__global__ void kernel(T const* in, T* tiles, T* out) {{
  fragments::staged<F, L, Whole, {words(at)}, {t.arguments}>(in, tiles, out, {t.scope});
}}""",
        f"""fragments::check_staging<T>({{number}}, {held.facts()}, {t.facts()},
      [](T const* in, T* tiles, T* out) {{ kernel<<<1, {t.block}>>>(in, tiles, out); }})""",
    )


def number(random):
    """Writes the number of each element by for_each, and reads it by reinterpret."""
    extents = random_extents(random, 2048)
    held = random_held(random, extents, 256, 64)
    if held is None:
        return None
    t = random_threads(random, (held,), groups=True)
    other = with_registers_shuffled(random, held)
    return Case(
        "number",
        f"""using F = {held.fragment("int")};
using G = {other.fragment("int")};
__global__ void kernel(int* out) {{
  fragments::numbered<F, G, {t.first}>(out, {t.scope});
}}""",
        f"""fragments::check_numbers({{number}}, {other.facts()}, {{{words(extents)}}}, {t.facts()},
      [](int* out) {{ kernel<<<1, {t.block}>>>(out); }})""",
    )


SPREAD = (("float", "float"), ("int", "int"), ("double", "double"), ("long", "long"))
SPREAD += (("int", "float"), ("float", "double"), ("unsigned char", "int"))


def spread(random):
    """Folds registers by accumulate_registers, perhaps into several registers for a result."""
    extents = random_extents(random, 2048)
    held = random_held(random, extents, 256, 64)
    dims = [d for d in range(len(extents)) if random.random() < 0.6]
    if held is None or not dims:
        return None
    t = random_threads(random, (held,))
    to = broadcast(random, held, [d for d in dims if random.random() < 0.5])
    sums = [1 if d in dims else e for d, e in enumerate(extents)]
    type, result = random.choice(SPREAD)
    op = random.choice(("sum", "sum", "largest"))
    return Case(
        "spread",
        f"""using F = {held.fragment(type)};
using To = {to.fragment(result)};
__global__ void kernel({type} const* in, {result} const* start, {result}* out) {{
  fragments::spread<F, To, {t.first}, {words(dims)}>(fragments::{op}{{}}, in, start, out);
}}""",
        f"""fragments::check_spread<{type}, {result}>({{number}}, {held.facts()},
      {{{words(extents)}}}, {{{words(sums)}}}, {to.facts()}, {{{words(to.extents)}}},
      {t.facts()}, fragments::{op}{{}}, [](auto const* in, auto const* start, auto* out) {{
        kernel<<<1, {t.block}>>>(in, start, out);
      }})""",
    )


def softmax(random):
    extents = [random.choice(EXTENTS), random.choice(EXTENTS)]
    if not 2 <= math.prod(extents) <= 2048:
        return None
    held = random_held(random, extents, 256, 64)
    if held is None:
        return None
    t = random_threads(random, (held,), groups=True)
    return Case(
        "softmax",
        f"""using F = {held.fragment("float")};
__global__ void kernel(float const* in, float* weights, float* rows, int* at) {{
  fragments::softmaxed<F, {t.arguments}, {held.first - held.offset}>(in, weights, rows, at,
                                                                     {t.scope});
}}""",
        f"""fragments::check_softmax({{number}}, {held.facts()}, {{{words(extents)}}},
      axe::reduced<F, 1>::size, {t.facts()},
      [](float const* in, float* weights, float* rows, int* at) {{
        kernel<<<1, {t.block}>>>(in, weights, rows, at);
      }})""",
    )


WAYS = {f.__name__: f for f in (convert, combine, reduce, multiply, stage, number, spread, softmax)}


def random_case(random, way):
    """Returns a case, or None if the choices break a rule."""
    return WAYS[way](random)
