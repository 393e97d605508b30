"""Computes Triton's swizzled shared layouts by the formulas of its documentation, as maps from
offsets to elements, and writes lines for `axe eval` that must give the same maps. Offsets count
elements. In transposed layouts rows and columns are exchanged.
    SwizzledShared(vec, per_phase, max_phase): row r of C columns has column c at
        r * C + ((c / vec) ^ (r / per_phase % max_phase)) * vec + c % vec
    NVMMAShared(W, bits): boxes with rows of W bytes lie side by side. In a box, the number of a
        16-byte chunk is XORed with (the number of its 128-byte line) modulo W / 16
"""

import itertools

from bit_maps import BitMap


def log2(n):
    return n.bit_length() - 1


def from_places(shape, place):
    """Returns the map from offsets to elements, where place(row, column) is an offset. Returns None
    if an offset does not have exactly one element, or if the map is not linear.
    """
    rows, cols = map(log2, shape)
    found = {place(r, c): r | c << rows for r, c in itertools.product(*map(range, shape))}
    if sorted(found) != list(range(1 << (rows + cols))):
        return None
    m = BitMap((("offset", rows + cols),), (("dim0", rows), ("dim1", cols)),
               tuple(found[1 << k] for k in range(rows + cols)))
    return m if m.table() == [found[x] for x in range(len(found))] else None


def turned(shape, fast_is_last, place):
    """Returns the map of `place`, whose first argument is the slow coordinate. `fast_is_last` is
    False if the first dimension is the fast one.
    """
    return from_places(shape, place if fast_is_last else lambda r, c: place(c, r))


def swizzled_place(cols, vec, per_phase, max_phase):
    return lambda r, c: r * cols + (c // vec ^ r // per_phase % max_phase) * vec + c % vec


def swizzled_map(shape, vec, per_phase, max_phase, order):
    return turned(shape, order[0] == 1, swizzled_place(shape[order[0]], vec, per_phase, max_phase))


def swizzled_questions():
    """Yields shapes of tiles in real kernels, whose rows contain whole periods of the swizzle."""
    powers = (1, 2, 4, 8)
    for rows, cols in itertools.product((1, 8, 16, 32), (4, 16, 64)):
        for vec, per_phase, max_phase in itertools.product(powers, powers[:3], powers):
            if vec * max_phase <= cols:
                yield (rows, cols), vec, per_phase, max_phase, [1, 0]
                yield (cols, rows), vec, per_phase, max_phase, [0, 1]


def swizzled_line(shape, vec, per_phase, max_phase, order):
    rows, cols = shape
    fast = shape[order[0]]
    plain = f"S[({rows},{cols}):({cols},1)]" if order[0] == 1 else f"S[({rows},{cols}):(1,{rows})]"
    swizzle = f"swizzle(M={log2(vec)},B={log2(max_phase)},S={log2(fast * per_phase // vec)}) o " if max_phase > 1 else ""
    return f"linear.invert(linear({swizzle}{plain}, ({rows},{cols})))"


def nvmma_place(rows, width, bits):
    box, chunk = width * 8 // bits, 128 // bits

    def place(r, c):
        inside = r * box + c % box
        line = inside * bits // 8 // 128
        return c // box * rows * box + (inside // chunk ^ line % (
            width // 16)) * chunk + inside % chunk
    return place


def nvmma_map(shape, width, bits, transposed):
    return turned(shape, not transposed, nvmma_place(shape[1] if transposed else shape[0], width,
                                                     bits))


def nvmma_questions():
    for width, bits, rows, cols in itertools.product((32, 64, 128), (8, 16, 32), (8, 64),
                                                     (8, 16, 32, 64, 128)):
        if cols * bits % (width * 8) == 0:
            yield (rows, cols), width, bits, False
            if bits == 16:
                yield (cols, rows), width, bits, True


def nvmma_line(shape, width, bits, transposed):
    slow, fast = reversed(shape) if transposed else shape
    boxes = f"mma_shared_layout({bits}, {width}, ({slow},{fast}))"
    return f"linear.invert(linear({f'permute({boxes}, ({slow},{fast}), (1,0))' if transposed else boxes}, ({shape[0]},{shape[1]})))"
