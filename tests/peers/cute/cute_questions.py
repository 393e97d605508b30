"""The operations that both CuTe and axe have. Each makes random questions, writes them for both
sides, and decides whether an answer is right.
"""

import dataclasses
from typing import Callable

import cute_cases as cases
import plain_layouts as plain
from plain_layouts import Layout, Swizzled, leaves, product


@dataclasses.dataclass(frozen=True)
class Operation:
    name: str
    random_arguments: Callable  # takes a random generator, returns arguments
    ours: Callable  # takes the arguments, returns a line for `axe eval`
    theirs: Callable  # takes the arguments, returns a C++ expression
    legal: Callable  # takes the arguments; True if a right answer exists
    right: Callable  # takes the arguments and a result; True if the result is right
    # Takes the arguments and a result that is not right. Returns the convention of CuTe that
    # explains it, or None.
    explained: Callable = lambda *_: None
    # Compares two right answers: CuTe's counts as too short if its measure is below axe's.
    measure: Callable = lambda result: 0
    # False if two right answers may nest their modes differently.
    forms: bool = True
    # Takes CuTe's answer where the definition does not decide. True if it shows that an answer
    # exists.
    says: Callable = lambda result: True


# Layouts and shapes as C++ expressions for CuTe.

def tree_type(tree, of):
    if isinstance(tree, int):
        return f"Int<{tree}>"
    return f"{of}<{','.join(tree_type(entry, of) for entry in tree)}>"


def static(l):
    if isinstance(l, Swizzled):
        return f"composition(Swizzle<{','.join(map(str, l.swizzle))}>{{}}, Int<{l.offset}>{{}}, {static(l.inner)})"
    return f"Layout<{tree_type(l.shape, 'Shape')},{tree_type(l.stride, 'Stride')}>{{}}"


def shape_of(tree):
    return tree_type(tree, "Shape") + "{}"


# Each part is a list of values. Returns every sum of one value from each part. The value of the
# first part changes fastest.

def combined(parts):
    found = [0]
    for part in parts:
        found = [base + v for v in part for base in found]
    return found


def extended(a, b):
    """Returns the values A(B(i)). Where B leaves A, A continues past its end as CuTe's layouts do.
    """
    return [a(v) for v in b.values]


BEHIND = "continues past the end of the layout"


def composed_behind(a, b, r):
    leaves_a = max(b.values, default=0) >= a.size
    return BEHIND if leaves_a and r.values == extended(a, b) else None


# Divides and products.

def divided(a, b):
    rest = plain.complement(b.flat, a.size)
    return rest and plain.side_by_side(b, rest)


def divides(a, b):
    both = divided(a, b)
    return both is not None and plain.composes(a, both)


def divided_behind(a, b, r):
    both = divided(a, b)
    if both is None or max(both.values) < a.size:
        return None
    if r.values == extended(a, both):
        return BEHIND
    # CuTe rounds the number of repetitions up in each mode of the coalesced layout, so only the
    # values of the tile are compared.
    tile, rest = r.modes() if len(r.modes()) == 2 else (r, r)
    return BEHIND if tile.values == extended(a, b) and rest.size >= 1 else None


def mode_parts(a, tile, behind=False):
    """Returns the values of (tile, rest) for each mode, or None if the tile does not divide a mode.
    `behind` allows tiles that do not divide, and continues the mode past its end.
    """
    parts = []
    for k, mode in enumerate(a.modes()):
        if k >= len(tile):
            parts.append((mode.values, None))
            continue
        n = tile[k]
        count = -(-mode.size // n)
        if not behind and (mode.size % n or not plain.composes(mode, Layout((n, count), (1, n)))):
            return None
        parts.append(([mode(i) for i in range(n)], [mode(i * n) for i in range(count)]))
    return parts


def in_order(parts, zipped):
    if not zipped:
        return combined(p for pair in parts for p in pair if p)
    tiles = [tile for tile, rest in parts if rest]
    return combined(tiles + [rest or tile for tile, rest in parts])


def by_mode(name, zipped):
    def right(a, tile, r):
        parts = mode_parts(a, tile)
        return parts is not None and r.values == in_order(parts, zipped)

    def explained(a, tile, r):
        return BEHIND if r.values == in_order(mode_parts(a, tile, True), zipped) else None

    return Operation(f"{name}, by mode", lambda rng: tiled(rng),
                     lambda a, t: f"cute.{name}({a}, {angles(t)})",
                     lambda a, t: f"{name}({static(a)}, {shape_of(t)})",
                     lambda a, t: mode_parts(a, t) is not None, right, explained)


def tiled(rng):
    a = cases.random_layout(rng)
    return a, cases.tilers(rng, a)


def angles(tile):
    return "<" + ", ".join(map(str, tile)) + ">"


def over(a, b):
    """Returns the complement of A that a product uses, or None if it does not compose with B."""
    rest = plain.replicas(a.flat, max(b.values) + 1)
    return rest if rest is not None and plain.composes(rest, b) else None


def product_parts(a, tile):
    parts = []
    for k, mode in enumerate(a.modes()):
        if k >= len(tile):
            parts.append((mode.values, None))
            continue
        rest = over(mode, Layout(tile[k], 1))
        if rest is None:
            return None
        parts.append((mode.values, [rest(i) for i in range(tile[k])]))
    return parts


def product_by_mode(name, zipped):
    def right(a, tile, r):
        parts = product_parts(a, tile)
        return parts is not None and r.values == in_order(parts, zipped)

    def random_arguments(rng):
        a = cases.random_layout(rng, 3, 5, 40)
        return a, tuple(rng.randint(1, 5) for _ in range(rng.randint(1, len(a.modes()))))

    return Operation(f"{name}, by mode", random_arguments,
                     lambda a, t: f"cute.{name}({a}, {angles(t)})",
                     lambda a, t: f"{name}({static(a)}, {shape_of(t)})",
                     lambda a, t: product_parts(a, t) is not None, right)


def padded(a, rank):
    modes = a.modes()
    modes += [Layout(1, 0)] * (rank - len(modes))
    return plain.side_by_side(*modes)


def side_by_side_parts(a, b, raked):
    rank = max(len(a.modes()), len(b.modes()))
    block, tiler = padded(a, rank), padded(b, rank)
    rest = over(block, tiler)
    if rest is None:
        return None
    pairs = [(m.values, [rest(v) for v in t.values]) for m, t in zip(block.modes(), tiler.modes())]
    return combined(part for pair in pairs for part in (reversed(pair) if raked else pair))


def ranked(name, raked):
    def right(a, b, r):
        parts = side_by_side_parts(a, b, raked)
        return parts is not None and r.values == parts

    return Operation(name, lambda rng: (cases.random_layout(rng, 3, 4, 24),
                                        cases.random_layout(rng, 3, 4, 24)),
                     lambda a, b: f"cute.{name}({a}, {b})",
                     lambda a, b: f"{name}({static(a)}, {static(b)})",
                     lambda a, b: side_by_side_parts(a, b, raked) is not None, right)


def shaped(rng):
    a = cases.random_layout(rng, 3, 4, 24)
    factors = [rng.randint(1, 4) for _ in a.modes()]
    shape = [m.size * f for m, f in zip(a.modes(), factors)]
    if rng.random() < 0.1:
        shape[rng.randrange(len(shape))] += 1
    return a, tuple(shape)


def shape_tiler(a, shape):
    counts = [n // m.size for n, m in zip(shape, a.modes())]
    if any(n % m.size for n, m in zip(shape, a.modes())):
        return None
    strides = [product(counts[:k]) for k in range(len(counts))]
    return Layout(tuple(counts), tuple(strides))


def shaped_parts(a, shape):
    tiler = shape_tiler(a, shape)
    return None if tiler is None else side_by_side_parts(a, tiler, False)


# Operations that change the width of the elements.

def upcast_right(l, n, r):
    wanted = plain.upcasts(l, n)
    return wanted is not None and wanted[1] == r.values


def rounded_up(l, n, r):
    """Explains a result that is floor(L / n) for the elements of L, and whose last wide elements
    reach past the end of L.
    """
    if any(d % n and n % d for e, d in l.flat if d and e > 1):
        return None
    cuts = [1 if e == 1 or d % n == 0 else n // d for e, d in l.flat]
    if not r.size == len(r.values) == product(-(-e // cut) for (e, _), cut in zip(l.flat, cuts)):
        return None
    for i, v in enumerate(l.values):
        j, weight = 0, 1
        for (e, _), cut in zip(l.flat, cuts):
            j += i % e // cut * weight
            weight *= -(-e // cut)
            i //= e
        if r.values[j] != v // n:
            return None
    return "rounds an extent up"


def downcast_right(l, n, r):
    """True if each wide element is replaced by n narrow ones that are contiguous along one leaf."""
    if n == 1:
        return r.values == l.values
    for k, (e, d) in enumerate(l.flat):
        if abs(d) != 1:
            continue
        weight = product(e for e, _ in l.flat[:k])
        if [l.values[i % weight + i // weight // n * weight] * n + i // weight % n
            for i in range(l.size * n)] == r.values:
            return True
    return False


def adjacent(l):
    return any(abs(d) == 1 for _, d in l.flat)


def right_inverse_right(l, r):
    return plain.is_right_inverse(l, r)


def common(a, b, n):
    """True if n elements are contiguous in both layouts: for each v < n some element lies v after
    element 0 in both of them.
    """
    if n == 1:
        return True
    return all(any(a.values[i] - a.values[0] == v and b.values[i] - b.values[0] == v
                   for i in range(min(a.size, b.size))) for v in range(n))


def one(rng):
    return (cases.random_layout(rng),)


def two(rng):
    a = cases.random_layout(rng)
    return a, (cases.inside(rng, a.size) if rng.random() < 0.9
               else cases.random_layout(rng, 2, 5, 30))


def with_number(most):
    return lambda rng: (cases.random_layout(rng), rng.randint(1, most))


def with_width(rng):
    return cases.random_layout(rng), rng.choice((1, 2, 2, 3, 4, 4, 8))


def pair_of_layouts(rng):
    a = cases.random_layout(rng, 3, 5, 48)
    return a, (a if rng.random() < 0.4 else cases.random_layout(rng, 3, 5, 48))


def with_types(rng):
    return cases.random_layout(rng), *rng.sample((8, 16, 32, 64), 2)


def recast_legal(l, old, new):
    return plain.upcasts(l, new // old) is not None if new > old else adjacent(l)


def recast_right(l, old, new, r):
    return upcast_right(l, new // old, r) if new > old else downcast_right(l, old // new, r)


def recast_rounded(l, old, new, r):
    return rounded_up(l, new // old, r) if new > old else None


def with_coordinate(rng):
    """Makes a random layout and a coordinate with one entry for each mode. An entry is nested as
    its mode, or is one number inside the mode.
    """
    l = cases.random_layout(rng)

    def entry(mode):
        if isinstance(mode.shape, int) or rng.random() < 0.5:
            return rng.randrange(mode.size)
        return tuple(entry(m) for m in mode.modes())
    return l, (entry(l) if isinstance(l.shape, int) else tuple(entry(m) for m in l.modes()))


def static_coordinate(c):
    if isinstance(c, int):
        return f"Int<{c}>{{}}"
    return f"make_coord({','.join(static_coordinate(entry) for entry in c)})"


def place_at(l, c):
    if isinstance(c, int):
        return l.values[c]
    return sum(place_at(m, entry) for m, entry in zip(l.modes(), c))


def profile_right(l, r):
    return r.values == l.values and [m.size for m in r.modes()] == [m.size for m in l.modes()]


ALL = [
    Operation("coalesce", one, lambda l: f"cute.coalesce({l})", lambda l: f"coalesce({static(l)})",
              lambda l: True,
              lambda l, r: r.values == l.values),
    Operation("coalesce, by profile", one,
              lambda l: f"cute.coalesce({l}, {plain.text((1,) * len(l.modes()))})",
              lambda l: f"coalesce({static(l)}, {shape_of((1,) * len(l.modes()))})", lambda l: True,
              profile_right),
    Operation("composition", two, lambda a, b: f"cute.composition({a}, {b})",
              lambda a, b: f"composition({static(a)}, {static(b)})",
              plain.composes, lambda a, b, r: plain.composes(a, b)
              and plain.refines(r.shape, b.shape) and r.values == [a.values[v] for v in b.values],
              composed_behind),
    Operation("composition, by mode", tiled, lambda a, t: f"cute.composition({a}, {angles(t)})",
              lambda a, t: f"composition({static(a)}, {shape_of(t)})",
              lambda a, t: all(n <= m.size and plain.composes(m, Layout(n, 1))
                               for m, n in zip(a.modes(), t)),
              lambda a, t, r: all(n <= m.size for m, n in zip(a.modes(), t))
              and r.values == combined(m.values[:n] for m, n in zip(a.modes(), t)),
              lambda a, t, r: BEHIND if r.values == combined(
                  [m(i) for i in range(n)] for m, n in zip(a.modes(), t)) else None),
    Operation("complement", with_number(200), lambda l, n: f"cute.complement({l}, {n})",
              lambda l, n: f"complement({static(l)}, Int<{n}>{{}})",
              lambda l, n: plain.injective(l.flat),
              lambda l, n, r: plain.is_complement(l.flat, r, n)),
    Operation("right_inverse", one, lambda l: f"cute.right_inverse({l})",
              lambda l: f"right_inverse({static(l)})", lambda l: True,
              right_inverse_right, measure=lambda r: r.size),
    Operation("left_inverse", one, lambda l: f"cute.left_inverse({l})",
              lambda l: f"left_inverse({static(l)})",
              lambda l: None if plain.injective(l.flat) else False, plain.is_left_inverse),
    Operation("max_common_vector", pair_of_layouts,
              lambda a, b: f"cute.max_common_vector({a}, {b})",
              lambda a, b: f"max_common_vector({static(a)}, {static(b)})", lambda a, b: True,
              common,
              lambda a, b, n: BEHIND if n > min(a.size, b.size) else None, measure=lambda n: n),
    Operation("logical_divide", two, lambda a, b: f"cute.logical_divide({a}, {b})",
              lambda a, b: f"logical_divide({static(a)}, {static(b)})",
              divides, lambda a, b, r: divides(a, b)
              and r.values == [a.values[v] for v in divided(a, b).values], divided_behind),
    by_mode("logical_divide", False),
    by_mode("zipped_divide", True),
    by_mode("tiled_divide", True),
    by_mode("flat_divide", True),
    Operation("logical_product", lambda rng: (cases.random_layout(rng, 3, 5, 30),
                                           cases.random_layout(rng, 2, 5, 20)),
              lambda a, b: f"cute.logical_product({a}, {b})",
              lambda a, b: f"logical_product({static(a)}, {static(b)})",
              lambda a, b: over(a, b) is not None,
              lambda a, b, r: over(a, b) is not None
              and r.values == combined([a.values, [over(a, b)(v) for v in b.values]])),
    product_by_mode("logical_product", False),
    product_by_mode("zipped_product", True),
    product_by_mode("tiled_product", True),
    product_by_mode("flat_product", True),
    ranked("blocked_product", False),
    ranked("raked_product", True),
    Operation("tile_to_shape", shaped, lambda a, s: f"cute.tile_to_shape({a}, {plain.text(s)})",
              lambda a, s: f"tile_to_shape({static(a)}, {shape_of(s)})",
              lambda a, s: shaped_parts(a, s) is not None,
              lambda a, s, r: r.values == shaped_parts(a, s)),
    Operation("upcast", with_width, lambda l, n: f"cute.upcast({l}, {n})",
              lambda l, n: f"upcast<{n}>({static(l)})",
              lambda l, n: plain.upcasts(l, n) is not None, upcast_right, rounded_up),
    Operation("downcast", with_width, lambda l, n: f"cute.downcast({l}, {n})",
              lambda l, n: f"downcast<{n}>({static(l)})",
              lambda l, n: adjacent(l), downcast_right),
    Operation("recast", with_types, lambda l, old, new: f"cute.recast({l}, {old}, {new})",
              lambda l, old, new: f"recast_layout<uint{old}_t, uint{new}_t>({static(l)})",
              recast_legal, recast_right, recast_rounded),
    Operation("coordinates", with_coordinate, lambda l, c: f"cute.at({l}, {plain.text(c)})",
              lambda l, c: f"{static(l)}({static_coordinate(c)})",
              lambda l, c: True, lambda l, c, place: place == place_at(l, c)),
]
OPERATIONS = {operation.name: operation for operation in ALL}
__all__ = ["ALL", "OPERATIONS", "Operation", "leaves"]
