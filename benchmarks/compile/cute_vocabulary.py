"""Writes each operation of axe/cute.hpp, and CuTe's operation on the same layouts, as C++
expressions.

cute_operations(7, Operation)["cute.composition"]     Operation(value="cute::composition(…", …)

Each i has other extents and strides, so that a compiler cannot reuse results.
"""


class Modes:
    """A layout of leaves (extent, stride), written as a value and a CuTe type."""

    def __init__(self, *leaves):
        extents, strides = ", ".join(str(e) for e, _ in leaves), ", ".join(
            str(d) for _, d in leaves)
        one = len(leaves) == 1
        self.value = f"cute::make_layout({extents}, {strides})" if one else f"cute::make_layout({{{extents}}}, {{{strides}}})"
        types = [", ".join(f"Int<{n}>" for n in side) for side in zip(*leaves)]
        self.cute = f"Layout<{types[0]}, {types[1]}>{{}}" if one else f"Layout<Shape<{types[0]}>, Stride<{types[1]}>>{{}}"


def cute_operations(i, operation):
    a, b, c, d = 2 + i % 7, 3 + i % 11, 2 + i % 5, 64 + i
    matrix = Modes((a * c, 1), (b * 4, a * c * d))
    block = Modes((a, b), (b, 1))
    pair = Modes((c, 1), (3 + i, c))
    coarse = Modes((a, 1), (c, a), (b + i, a * c))

    def of(name, arguments, theirs=None):
        """Returns the call in axe and in CuTe."""
        layouts = [x for x in arguments if isinstance(x, Modes)]
        values = ", ".join(x.value if isinstance(x, Modes) else x for x in arguments)
        return operation(f"cute::{name}({values})", "cute::layout",
                         theirs or f"{name}({', '.join([x.cute for x in layouts])})")

    tile, tile_cute = f"{{{c}, 4}}", f"Shape<Int<{c}>, _4>{{}}"
    shape, shape_cute = f"{a * 2}, {b * 3}", f"Shape<Int<{a * 2}>, Int<{b * 3}>>{{}}"
    found = {
        "cute.coalesce": of("coalesce", [coarse]),
        "cute.composition": of("composition", [coarse, Modes((a, c), (c, 1))],
                               theirs=f"composition({coarse.cute}, {Modes((a, c), (c, 1)).cute})"),
        "cute.complement": of("complement", [block, str(a * b * d)],
                              f"complement({block.cute}, Int<{a * b * d}>{{}})"),
        "cute.right_inverse": of("right_inverse", [Modes((a, b + i), (b + i, 1))]),
        "cute.left_inverse": of("left_inverse", [Modes((a, b + i), (b + i, 1))]),
        "cute.max_common_layout": of("max_common_layout", [pair, pair]),
        "cute.logical_product": of("logical_product", [block, pair]),
        "cute.blocked_product": of("blocked_product", [block, pair]),
        "cute.raked_product": of("raked_product", [block, pair]),
        "cute.tile_to_shape": of("tile_to_shape", [block, f"{{{shape}}}"],
                                 f"tile_to_shape({block.cute}, {shape_cute})"),
        "cute.upcast": of("upcast", [Modes((4 * a, 1), (b, 4 * d)), "4"],
                          f"upcast<4>({Modes((4 * a, 1), (b, 4 * d)).cute})"),
        "cute.downcast": of("downcast", [Modes((a, 1), (b, d)), "4"],
                            f"downcast<4>({Modes((a, 1), (b, d)).cute})"),
    }
    vector = of("max_common_vector", [pair, pair])
    found["cute.max_common_vector"] = vector._replace(type="integer")
    recast = of("recast", [Modes((a, 1), (b, d)), "16", "8"])
    wide = Modes((a, 1), (b, d)).cute
    found["cute.recast"] = recast._replace(cute=f"recast_layout<uint16_t, uint8_t>({wide})")
    for name in ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"):
        found[f"cute.{name}"] = of(name, [matrix, tile],
                                   f"{name}({matrix.cute}, {tile_cute})")
    return found
