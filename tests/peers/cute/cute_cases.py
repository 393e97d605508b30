"""Makes the random layouts that cute_peers.py asks about. They have one to four leaves, and are
compact in some order, have gaps, have strides of 0, or have any strides.
"""

from plain_layouts import Layout, product


def nest(rng, flat):
    """Makes a layout of a list of leaves. Some pairs of neighbours become one nested mode."""
    if len(flat) == 1:
        return Layout(*flat[0])
    shape, stride = [], []
    while flat:
        n = 2 if len(flat) > 1 and rng.random() < 0.25 else 1
        taken, flat = flat[:n], flat[n:]
        shape.append(taken[0][0] if n == 1 else tuple(e for e, _ in taken))
        stride.append(taken[0][1] if n == 1 else tuple(d for _, d in taken))
    return Layout(tuple(shape), tuple(stride))


def random_layout(rng, most_leaves=4, most_extent=6, most_size=96):
    while True:
        count = rng.randint(1, most_leaves)
        extents = [rng.choice((rng.randint(1, most_extent), 2, 4)) for _ in range(count)]
        if product(extents) <= most_size:
            break
    style = rng.randrange(6)
    order = list(range(count))
    if style:
        rng.shuffle(order)
    strides, step = [0] * count, 1
    for k in order:
        strides[k] = step
        step *= extents[k]
        if style == 1 and rng.random() < 0.5:
            step = step * rng.randint(1, 2) + rng.choice((0, 0, 1))
        if style == 2:
            strides[k] = rng.randint(0, 9)
        if style == 3 and rng.random() < 0.25:
            strides[k] = 0
    return nest(rng, list(zip(extents, strides)))


def inside(rng, n, most_leaves=2):
    """Makes a random layout whose values are less than n, or 1:0 if none is found."""
    for _ in range(30):
        l = random_layout(rng, most_leaves, 6, max(n, 1))
        if max(l.values) < n:
            return l
    return Layout(1, 0)


def divisor(rng, n):
    return rng.choice([k for k in range(1, n + 1) if n % k == 0])


def tilers(rng, l, dividing=0.8):
    """Makes one random extent for each of the first modes. It usually divides the size of its mode.
    """
    modes = l.modes()
    return tuple(divisor(rng, m.size) if rng.random() < dividing else rng.randint(1, m.size + 1)
                 for m in modes[:rng.randint(1, len(modes))])
