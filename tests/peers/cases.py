"""The questions that peers.py asks: every small one, and random ones. Random layouts lie on
one to three axes. They have replicas, offsets and negative strides. Shapes have one to three
dimensions.

About one random question in twenty-five is invalid (a shape of another size, a region out of
bounds), because invalid questions must be rejected. The seed of `random.Random` decides all.
"""

import itertools
import math

import truth
from maps import Iter, Swizzle, layout

RANDOM_AXES = ("m", "laneid", "warpid", "cbx", "P", "F")
# The public implementation packs on the memory axis of the last iter. Here m is the only one.
PACKED_AXES = ("m", "laneid", "warpid", "cbx")
CUDA_AXES = ("laneid", "warpid", "m")
EXTENTS = (1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8)


# --- random questions -----------------------------------------------------------------------------

def random_axes(rng, pool):
    count = rng.choice((1, 1, 1, 2, 2, 3))
    if rng.random() < 0.8:
        return ["m", *rng.sample([a for a in pool if a != "m"], count - 1)]
    return rng.sample(pool, min(count, len(pool)))


def random_shards(rng, axes, most):
    extents, size = [], 1
    for _ in range(rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))):
        e = rng.choice(EXTENTS)
        if size * e <= most:
            extents.append(e)
            size *= e
    where = [rng.choice(axes) for _ in extents]
    strides = [0] * len(extents)
    # In half of the layouts, the digits fill each axis from 0 up, in any order and usually without
    # gaps.
    if rng.random() < 0.5:
        order, reach = range(len(extents))[::-1], {}
        if rng.random() < 0.4:
            order = rng.sample(range(len(extents)), len(extents))
        for k in order:
            step = reach.get(where[k], 1)
            strides[k] = step * (-1 if rng.random() < 0.1 else 1)
            reach[where[k]] = step * extents[k] * (rng.choice((2, 3)) if rng.random() < 0.15 else 1)
    else:
        strides = [rng.randint(-3, 12) for _ in extents]
    return list(zip(extents, strides, where))


def random_replicas(rng, axes):
    return [(rng.randint(2, 4), rng.choice((-3, -1, 0, 1, 1, 2, 2, 3, 4, 5, 8)), rng.choice(axes))
            for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))]


def random_offsets(rng, axes):
    return {a: rng.randint(-4, 9) for a in axes if rng.random() < 0.3}


def random_layout(rng, most=48, pool=RANDOM_AXES, swizzled=0.0):
    if rng.random() < swizzled:
        return random_swizzled(rng, most)
    axes = random_axes(rng, pool)
    return layout(random_shards(rng, axes, most), random_replicas(rng, axes), random_offsets(rng, axes))


def random_swizzled(rng, most):
    b, s = rng.choice(((1, 1), (1, 2), (2, 2), (1, 3)))
    shards = [(e, abs(s), a) for e, s, a in random_shards(rng, ["m"], most)]
    replicas = [(2, rng.choice((4, 8, 16, 32)), "m")] if rng.random() < 0.2 else []
    return layout(shards, replicas, {"m": rng.choice((0, 0, 1, 4, 8))},
                  Swizzle(rng.randint(0, 2), b, s))


def cut(rng, factors, rank):
    """Cuts a list of factors into `rank` runs and returns the product of each run."""
    places = sorted(rng.randint(0, len(factors)) for _ in range(rank - 1))
    return tuple(math.prod(factors[b:e]) for b, e in zip([0, *places], [*places, len(factors)]))


def factors_of(n):
    return next(([p, *factors_of(n // p)] for p in range(2, n + 1) if n % p == 0), [])


def random_shape(rng, l, rank=None):
    """Makes a random shape. Its boundaries usually lie where the digits of the layout can be split.
    """
    factors = []
    for i in l.shards:
        factors += rng.sample(factors_of(i.extent), len(factors_of(i.extent)))
    if rng.random() < 0.2:
        rng.shuffle(factors)
    shape = cut(rng, factors, rank or rng.choice((1, 1, 2, 2, 3)))
    if rng.random() < 0.03:
        at = rng.randrange(len(shape))
        shape = (*shape[:at], shape[at] + 1, *shape[at + 1:])
    return shape


def random_region(rng, shape):
    region = []
    for e in shape:
        begin = rng.randrange(e)
        region.append((begin, rng.randint(begin + 1, e)))
    if rng.random() < 0.04:
        at = rng.randrange(len(shape))
        b, e = region[at]
        region[at] = rng.choice(((b, b), (b - shape[at], e), (b, e + shape[at]), (e, b)))
    return tuple(region)


def random_pair(rng, most=9, swizzled=0.0):
    a, b = random_layout(rng, most), random_layout(rng, most)
    if rng.random() < swizzled:
        a, b = layout(random_shards(rng, ["m"], 4)), random_swizzled(rng, 16)
    rank = rng.choice((1, 1, 2, 2, 3))
    return a, random_shape(rng, a, rank), b, random_shape(rng, b, rank)


def fused(iters):
    """Fuses neighbouring iters that are contiguous."""
    done = []
    for e, s, a in iters:
        if done and done[-1][2] == a and done[-1][1] == e * s:
            done[-1] = (done[-1][0] * e, s, a)
        else:
            done.append((e, s, a))
    return done


def composed(rng, a, shape_a, b, shape_b, rule):
    """Returns the tile of two layouts, or their sum if `rule` is None; None if it is not a layout.
    """
    outer = a if rule is None else truth.outer_of(a, b, rule)
    whole = truth.joined(outer, shape_a, b, shape_b)
    if whole is None:
        return None
    replicas = [*outer.replicas, *b.replicas]
    # Two replica iters such as 2:1 and 2:2 have the same set as the single iter 4:1.
    if len(replicas) == 2 and rng.random() < 0.5:
        (e, s, axis), (f, t, other) = sorted(replicas, key=lambda i: i.stride)
        if axis == other and s > 0 and t % s == 0 and t // s <= e:
            replicas = [(e + t // s * (f - 1), s, axis)]
    return layout(fused(whole.shards) if rng.random() < 0.7 else whole.shards, replicas,
                  whole.offsets)


def random_factor(rng, tiled, known_is_inner):
    for _ in range(20):
        a, shape_a, b, shape_b = random_pair(rng, 8)
        if not (truth.fits(a, shape_a) and truth.fits(b, shape_b)):
            continue
        rule = None if not tiled else truth.OURS if rng.random() < 0.8 else truth.THEIRS
        t = composed(rng, a, shape_a, b, shape_b, rule)
        if t is not None:
            break
    else:
        t, a, b, shape_a, shape_b = layout(), layout(), layout(), (1,), (1,)
    shape_t = tuple(p * q for p, q in zip(shape_a, shape_b))
    if rng.random() < 0.25:
        t = disturbed(rng, t)
    known, shape = (b, shape_b) if known_is_inner else (a, shape_a)
    if rng.random() < 0.02:
        shape = (*shape[:-1], shape[-1] + 1)
    return t, shape_t, known, shape


def disturbed(rng, l):
    """Returns the layout with one of its numbers changed."""
    if l.replicas and rng.random() < 0.4:
        at = rng.randrange(len(l.replicas))
        replicas = list(l.replicas)
        replicas[at] = replicas[at]._replace(stride=replicas[at].stride + rng.choice((-1, 1, 2)))
        return l._replace(replicas=tuple(replicas))
    if l.shards and rng.random() < 0.7:
        at = rng.randrange(len(l.shards))
        shards = list(l.shards)
        shards[at] = shards[at]._replace(stride=shards[at].stride + rng.choice((-1, 1, 2)))
        return l._replace(shards=tuple(shards))
    offsets = {**dict(l.offsets), "m": l.offset("m") + rng.choice((-1, 1, 3))}
    return layout(l.shards, l.replicas, offsets)


def with_last(rng, l, n):
    """Returns the layout with a last digit along which n elements can usually be packed."""
    if l.swizzle or rng.random() < 0.2:
        return l
    times = (lambda i: i) if rng.random() < 0.2 else (lambda i: i * n)
    grown = [(i.extent, times(i.stride) if i.axis == "m" else i.stride, i.axis) for i in l.shards]
    if rng.random() < 0.5:
        return layout([*grown, (n * rng.choice((1, 1, 2)), 1, "m")], l.replicas, l.offsets)
    replicas = [(i.extent, i.stride * n if i.axis == "m" else i.stride, i.axis)
                for i in l.replicas]
    return layout([*grown, (n, 1, "m")], replicas,
                  {a: o * n if a == "m" else o for a, o in l.offsets})


def random_question(name, rng):
    """Makes random arguments of one question about the operation `name`."""
    if name == "canonicalize":
        return (random_layout(rng, 96, swizzled=0.1),)
    if name == "canonicalize for cuda":
        return (random_layout(rng, 96, CUDA_AXES),)
    if name == "group":
        l = random_layout(rng, 96)
        return l, random_shape(rng, l)
    if name == "apply":
        l = random_layout(rng, 96, swizzled=0.15)
        shape = random_shape(rng, l)
        return l, shape, tuple(rng.randrange(e) if rng.random() > 0.02 else e + rng.randrange(3)
                               for e in shape)
    if name == "slice":
        l = random_layout(rng, 96, swizzled=0.1)
        shape = random_shape(rng, l)
        return l, shape, random_region(rng, shape)
    if name in ("pack", "unpack"):
        n = rng.choice((1, 2, 2, 2, 3, 4, 4, 5, 6, 8))
        l = random_layout(rng, 24, PACKED_AXES, swizzled=0.1)
        return (with_last(rng, l, n) if name == "pack" else l), n
    if name in ("tile", "direct_sum"):
        return random_pair(rng, swizzled=0.1)
    return random_factor(rng, "tile" in name, name in ("is_tile_inner", "is_direct_sum_right"))


# --- small questions ------------------------------------------------------------------------------

def small_shards(most, extents, strides):
    digits = list(itertools.product(extents, strides))
    for count in range(most + 1):
        for chosen in itertools.product(digits, repeat=count):
            yield tuple(Iter(e, s, "m") for e, s in chosen)


REPLICAS = [(), ((2, 1),), ((2, -3),), ((2, 1), (2, 3)), ((3, 2), (2, 3))]


def with_replicas(shards, choices=REPLICAS, offsets=(0, 2)):
    for replicas in choices:
        for o in offsets:
            yield layout(shards, [(e, s, "m") for e, s in replicas], {"m": o})


def shapes_of(size, most):
    """Yields every shape of this size with at most `most` dimensions."""
    for rank in range(1, most + 1):
        for shape in itertools.product([d for d in range(1, size + 1) if size % d == 0],
                                       repeat=rank):
            if math.prod(shape) == size:
                yield shape


def regions_of(shape):
    return itertools.product(*([(b, e) for b in range(extent) for e in range(b + 1, extent + 1)]
                               for extent in shape))


def small_layouts():
    for shards in small_shards(2, (2, 3), range(-1, 5)):
        yield from with_replicas(shards)


def small_pairs():
    singles = [l for shards in small_shards(1, (1, 2, 3), range(-1, 4))
               for l in with_replicas(shards, REPLICAS[:3])]
    for a, b in itertools.product(singles, repeat=2):
        yield a, (a.size,), b, (b.size,)


SMALL_FACTORS = [(((), 0), ((), 0)), ((((2, 1),), 0), ((), 0)), ((((2, 1),), 0), (((2, 1),), 0)),
                 ((((4, 1),), 0), (((2, 1),), 0)),
                 (((), 2), ((), 0)), (((), 3), ((), 1))]


def small_factors():
    whole = [s for s in small_shards(2, (2, 3), range(0, 5)) if s]
    known = [s for s in small_shards(1, (2, 3), range(-1, 4)) if s] + [()]
    for t, k in itertools.product(whole, known):
        for (replicas_t, offset_t), (replicas_k, offset_k) in SMALL_FACTORS:
            a = layout(t, [(e, s, "m") for e, s in replicas_t], {"m": offset_t})
            b = layout(k, [(e, s, "m") for e, s in replicas_k], {"m": offset_k})
            if a.size % b.size == 0:
                yield a, (a.size,), b, (b.size,)


def small_swizzled(tiled, known_is_inner):
    """Yields a tile or sum of small layouts, its shape, and one of the two factors with its shape.
    The inner factor is swizzled. The tile has the same swizzle, or another one.
    """
    inner = [layout(digits) for digits in ([(4, 1, "m")], [(8, 1, "m")], [(4, 2, "m")],
                                           [(2, 4, "m"), (4, 1, "m")], [(2, 1, "m"), (4, 2, "m")])]
    swizzles = [Swizzle(m, b, s)
                for m, b, s in ((0, 1, 1), (0, 1, 2), (1, 1, 1), (0, 2, 2), (0, 1, 3))]
    for e, step, plain, swizzle, other in itertools.product(
            (1, 2, 3, 4), (1, 2, 8), inner, swizzles, (False, True)):
        a, b = layout([(e, step, "m")]), plain._replace(swizzle=swizzle)
        t = truth.joined(truth.outer_of(a, b) if tiled else a, (e,), b, (b.size,))
        if t is not None:
            t = t._replace(swizzle=Swizzle(swizzle.M, swizzle.B, swizzle.S + 1)) if other else t
            yield t, (t.size,), *((b, (b.size,)) if known_is_inner else (a, (e,)))


def small(name):
    """Yields the arguments of every small question about the operation `name`."""
    if name.endswith(", swizzled"):
        yield from small_swizzled("tile" in name,
                                  name.startswith(("is_tile_inner", "is_direct_sum_right")))
    elif name == "canonicalize":
        yield from ((l,) for l in small_layouts())
    elif name == "canonicalize for cuda":
        for w, t, o in itertools.product(range(4), range(4), itertools.product(range(2), range(2))):
            yield (layout([(2, w, "warpid"), (4, t, "laneid")], [],
                          {"warpid": o[0], "laneid": o[1]}),)
    elif name == "group":
        for l in small_layouts():
            if len(l.replicas) < 2:
                yield from ((l, shape) for shape in shapes_of(l.size, 3))
    elif name == "apply":
        for l in small_layouts():
            if len(l.replicas) < 2 and l.offsets:
                yield from ((l, (l.size,), (x,)) for x in range(l.size))
    elif name == "slice":
        for shards in small_shards(2, (2, 3), range(-1, 5)):
            l = layout(shards)
            for shape in {(l.size,), tuple(i.extent for i in shards) or (1,)}:
                yield from ((l, shape, region) for region in regions_of(shape))
    elif name in ("pack", "unpack"):
        yield from ((l, n) for l in small_layouts() for n in (1, 2, 3))
    elif name in ("tile", "direct_sum"):
        yield from small_pairs()
    else:
        yield from small_factors()
