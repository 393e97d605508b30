"""The pairs of placements on a 2 x 4 mesh for reshard_peers.py: all of S(0), S(1) and R, and random
ones.

A placement has one entry for each axis of the mesh: ("S", dimension), ("R",), ("P",), or ("SS",
dimension, parts) for DTensor's strided shard.
"""

import itertools
import random

MESH = (2, 4)


def all_pairs():
    """Returns the 72 pairs of different placements from S(0), S(1) and R."""
    kinds = [("S", 0), ("S", 1), ("R",)]
    return [(a, b, (4096, 4096)) for a, b in itertools.permutations(
        list(itertools.product(kinds, repeat=2)), 2)]


def random_cases(count, seed):
    """Makes random pairs with partial sums, or with a dimension that the mesh axis x cuts before y
    (strided shards).
    """
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        dimensions = rng.choice((2, 3))

        def side(sums):
            kinds = [("S", d) for d in range(dimensions)] + [("R",)] + ([("P",)] if sums else [])
            both = [rng.choice(kinds), rng.choice(kinds)]
            if both[0] == both[1] and both[0][0] == "S" and rng.random() < 0.6:
                both[0] = ("SS", both[0][1], MESH[1])
            return tuple(both)

        a, b = side(True), side(False)
        special = any(k[0] in ("P", "SS") for k in a + b)
        if a != b and special:
            found.append((a, b, (64,) * dimensions))
    return found


def placed(count, seed, step):
    """Makes random placements of small tensors. Every extent is a multiple of `step`."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        shape = [step * rng.randint(1, 14 if step == 1 else 3)
                 for _ in range(rng.choice((1, 2, 3)))]
        kinds = [("S", d) for d in range(len(shape))] + [("R",)]
        both = [rng.choice(kinds), rng.choice(kinds)]
        if both[0] == both[1] and both[0][0] == "S" and rng.random() < 0.6:
            both[0] = ("SS", both[0][1], MESH[1])
        found.append((tuple(both), shape))
    return found


def dtensor(placement):
    words = {"R": "Replicate()", "P": "Partial(sum)"}
    return "[" + ", ".join(
        words.get(k[0]) or (f"Shard({k[1]})" if k[0] == "S"
                            else f"_StridedShard({k[1]}, split_factor={k[2]})")
        for k in placement
    ) + "]"


def partition_spec(placement, dimensions):
    of, _ = entries(placement, dimensions)
    return "P(" + ", ".join("(" + "".join(f"'{a}'," for a in axes) + ")" if axes else "None"
                            for axes in of) + ")"


def entries(placement, dimensions):
    """Returns the entries of a PartitionSpec (for each dimension its mesh axes, slowest first), and
    the mesh axes of partial sums.
    """
    of = [[] for _ in range(dimensions)]
    sums = []
    for axis, k in zip("yx", placement):
        if k[0] in ("S", "SS"):
            of[k[1]].append(axis)
        elif k[0] == "P":
            sums.append(axis)
    for axis, k in zip("yx", placement):
        if k[0] == "SS":
            of[k[1]].reverse()
    return [tuple(axes) for axes in of], tuple(sums)


def holders(placement, element, extent):
    """Returns (device, group) for every device that has an element or a summand of it. Each
    dimension has `extent` elements.
    """
    found = []
    # The mesh axes in the order in which they cut a dimension.
    order = (1, 0) if placement[0][0] == "SS" else (0, 1)
    for device in itertools.product(*map(range, MESH)):
        # Each dimension is cut into `parts` parts, and the device has number `part`.
        part, parts, group = [0] * len(element), [1] * len(element), []
        for axis in order:
            kind = placement[axis]
            if kind[0] in ("S", "SS"):
                d = kind[1]
                part[d] = part[d] * MESH[axis] + device[axis]
                parts[d] *= MESH[axis]
            elif kind[0] == "P":
                group.append((axis, device[axis]))
        if all(i * n // extent == p for i, n, p in zip(element, parts, part)):
            found.append((device, tuple(sorted(group))))
    return found


def least(src, dst, shape):
    """Returns the fewest elements that all devices together must receive, element by element.

    An element of one group goes to each device that wants it and lacks it. A sum of g groups needs
    g - 1 additions at one device, which may want it, and a copy to each other device that wants it.
    """
    # 8 elements for each dimension are enough, because the mesh axes 2 and 4 together divide 8.
    extent, total = 8, 0
    for element in itertools.product(range(extent), repeat=len(shape)):
        has = holders(src, element, extent)
        wants = {device for device, _ in holders(dst, element, extent)}
        devices, groups = {d for d, _ in has}, {g for _, g in has}
        if len(groups) == 1:
            total += len(wants - devices)
        else:
            total += len(groups) + len(wants) - 1 - bool(wants & devices)
    scale = 1
    for n in shape:
        scale *= n // extent
    return total * scale
