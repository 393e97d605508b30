"""Every operation of the algebra in C++ source: on values, on carriers, and as CuTe's nearest expression.

    operations(7)["tile"]        Operation(value="tile(S({2, 10}, …", type="layout", carrier="tile(static_layout<…", cute="blocked_product(…")

operations(i) has numbers that no other i has, so a compiler can reuse nothing. CuTe's expression is the one that makes the same layout
(ours are canonical: CuTe's is coalesced where its operation leaves that to the user), or answers the same question; where CuTe has
none, the one that must walk the same digits. None as a carrier: the operation takes a carrier but answers no layout.
"""

import collections

Operation = collections.namedtuple("Operation", "value type carrier cute")


def numbers(i):
    """Four extents and a pitch that no other i has."""
    return 2 + i % 7, 3 + i % 11, 4 + i % 13, 2 + i % 5, 64 + i


class Tensor:
    """A padded matrix, or any digits, as a value, a carrier and a CuTe layout (which reads the fastest dimension first)."""

    def __init__(self, *digits):
        self.extents = ", ".join(str(e) for e, s, a in digits)
        self.shape = f"{{{self.extents}}}"
        self.value = f"S({self.shape}, {{{', '.join(f'{s} * axis::{a}' if a != 'm' else str(s) for e, s, a in digits)}}})"
        self.carrier = f"static_layout<shards<{', '.join(f'iter{{{e}, {s}, axis::{a}}}' for e, s, a in digits)}>>{{}}"
        self.static_shape = f"extents<{self.extents}>{{}}"
        back = digits[::-1]
        if len(back) == 1:
            self.cute = f"Layout<Int<{back[0][0]}>, Int<{back[0][1]}>>{{}}"
        else:
            self.cute = (f"Layout<Shape<{', '.join(f'Int<{e}>' for e, s, a in back)}>, "
                         f"Stride<{', '.join(f'Int<{s}>' for e, s, a in back)}>>{{}}")


def tensor(*digits):
    return Tensor(*((*d, "m") if len(d) == 2 else d for d in digits))


def one_layout(i):
    """Operations on one layout."""
    a, b, c, d, pitch = numbers(i)
    outer = tensor((a, pitch), (b, 1))
    packed = tensor((a, 8 * pitch), (8 * b, 1))
    # Two digits that fuse beside one that does not: something to canonicalize.
    fusing = tensor((a, 64 * pitch), (c, d * (1 + i)), (d, 1 + i))
    mixed = tensor((a, pitch, "lane"), (b, 1 + i), (c, 3 + i, "reg"))
    threads = tensor((a, 32, "tid"), (32, 1, "tid"), (b, 1 + i))
    compact = tensor((a, b + i), (b + i, 1))
    order = f"{outer.cute}"
    return {
        "canonicalize": Operation(f"canonicalize({fusing.value})", "layout", f"canonicalize({fusing.carrier})", f"coalesce({fusing.cute})"),
        "group": Operation(f"group({fusing.value}, {{{a}, {c * d}}})", "layout", f"group({fusing.carrier}, extents<{a}, {c * d}>{{}})",
                           f"composition({fusing.cute}, Layout<Shape<Int<{c * d}>, Int<{a}>>>{{}})"),
        "group_many": Operation(f"group_many({fusing.value}, {{shape{{{a}, {c * d}}}, shape{{{a * c}, {d}}}}})", "layout",
                                f"group_many({fusing.carrier}, extents<{a}, {c * d}>{{}}, extents<{a * c}, {d}>{{}})",
                                f"composition({fusing.cute}, Layout<Shape<Int<{d}>, Int<{c}>, Int<{a}>>>{{}})"),
        "permute": Operation(f"permute({outer.value}, {outer.shape}, {{1, 0}})", "layout",
                             f"permute({outer.carrier}, {outer.static_shape}, static_coordinate<1, 0>{{}})",
                             f"coalesce(select<1, 0>({order}))"),
        "broadcast": Operation(f"broadcast({outer.value}, {outer.shape}, 1, {c})", "layout",
                               f"broadcast({outer.carrier}, {outer.static_shape}, constant<1>{{}}, constant<{c}>{{}})",
                               f"coalesce(make_layout(layout<0>({order}), Layout<Int<{c}>, _0>{{}}, layout<1>({order})))"),
        "storage": Operation(f"storage({mixed.value})", "layout", f"storage({mixed.carrier})", f"select<1>({mixed.cute})"),
        "on_axis": Operation(f"on_axis({mixed.value}, axis::lane)", "layout", f"on_axis({mixed.carrier}, constant<axis::lane>{{}})",
                             f"make_layout(shape({mixed.cute}), replace<1>(replace<0>(stride({mixed.cute}), _0{{}}), _0{{}}))"),
        "rewrite": Operation(f"to_lane_warp({threads.value})", "layout", f"to_lane_warp({threads.carrier})",
                             f"coalesce(composition(Layout<Shape<_32, Int<{a + i}>>, Stride<_1, _32>>{{}}, {tensor((a, 32), (32, 1)).cute}))"),
        "pack": Operation(f"pack({packed.value}, 8, axis::m)", "layout", f"pack({packed.carrier}, constant<8>{{}}, constant<axis::m>{{}})",
                          f"coalesce(upcast<8>({packed.cute}))"),
        "unpack": Operation(f"unpack({outer.value}, 4, axis::m)", "layout", f"unpack({outer.carrier}, constant<4>{{}}, constant<axis::m>{{}})",
                            f"coalesce(downcast<4>({outer.cute}))"),
        "inverse": Operation(f"inverse({tensor((a, 1), (b + i, a)).value}, {{axis::m}})", "layout",
                             f"inverse({tensor((a, 1), (b + i, a)).carrier}, static_axes<axis::m>{{}})",
                             f"right_inverse({tensor((a, 1), (b + i, a)).cute})"),
        "equivalent": Operation(f"equivalent({fusing.value}, {tensor((a, 64 * pitch), (c * d, 1 + i)).value})", "bool", None,
                                f"bool_constant<coalesce({fusing.cute}) == coalesce({tensor((a, 64 * pitch), (c * d, 1 + i)).cute})>{{}}"),
        "is_injective": Operation(f"is_injective({outer.value})", "bool", None, f"complement({outer.cute})"),
        "coverage": Operation(f"coverage({compact.value}, {{{{axis::m, {a * (b + i)}}}}}).how == covered::once", "bool", None,
                              f"complement({compact.cute}, Int<{a * (b + i)}>{{}})"),
        "cosize": Operation(f"cosize({outer.value})", "integer", None, f"cosize({outer.cute})"),
        "places": Operation(f"places({outer.value}, {outer.shape}, {{1, {b - 1}}}).first()[axis::m]", "integer", None,
                            f"{outer.cute}(Int<{b - 1}>{{}}, _1{{}})"),
    }


def two_layouts(i):
    """Operations on two layouts, or on a layout and a box of it."""
    a, b, c, d, pitch = numbers(i)
    outer = tensor((a, pitch), (b, 1))
    inner = tensor((c, d + 3 * i + 1), (d, 1))
    span = (c - 1) * (d + 3 * i + 1) + d
    whole = tensor((a * c, pitch * 8), (b * d, 1))
    block = tensor((c, pitch * 8), (d, 1))
    grid = tensor((a, c * pitch * 8), (b, d))
    tiles = tensor((a, b * span), (c, d + 3 * i + 1), (b, span), (d, 1))  # blocks of `inner`, row-major
    tiles_shape, tiles_static = f"{{{a * c}, {b * d}}}", f"extents<{a * c}, {b * d}>{{}}"
    tiler = f"make_tile(Layout<Int<{d}>>{{}}, Layout<Int<{c}>>{{}})"
    divided = f"zipped_divide(Layout<Shape<Shape<Int<{d}>, Int<{b}>>, Shape<Int<{c}>, Int<{a}>>>, " \
              f"Stride<Stride<_1, Int<{span}>>, Stride<Int<{d + 3 * i + 1}>, Int<{b * span}>>>>{{}}, {tiler})"

    def pair(name, first, s_first, second, s_second, cute):
        return Operation(f"{name}({first.value}, {s_first.shape}, {second.value}, {s_second.shape})", "layout",
                         f"{name}({first.carrier}, {s_first.static_shape}, {second.carrier}, {s_second.static_shape})", cute)

    def factor(name, of, part, cute):
        return Operation(f"{name}({of.value}, {tiles_shape}, {part.value}, {part.shape})", "layout",
                         f"{name}({of.carrier}, {tiles_static}, {part.carrier}, {part.static_shape})", cute)

    row_major = tensor((a, b), (b, 1))
    # CuTe's products want blocks without gaps.
    atom, grid_of = tensor((c, d + i), (d + i, 1)), row_major
    return {
        "tile": pair("tile", grid_of, grid_of, atom, atom, f"blocked_product({atom.cute}, {grid_of.cute})"),
        "tile_to": Operation(f"tile_to({atom.value}, {atom.shape}, {{{a * c}, {b * (d + i)}}})", "layout",
                             f"tile_to({atom.carrier}, {atom.static_shape}, extents<{a * c}, {b * (d + i)}>{{}})",
                             f"tile_to_shape({atom.cute}, Shape<Int<{b * (d + i)}>, Int<{a * c}>>{{}})"),
        "tile_outer": factor("tile_outer", tiles, inner, f"coalesce(layout<1>({divided}))"),
        "tile_inner": factor("tile_inner", tiles, row_major, f"coalesce(layout<0>({divided}))"),
        "direct_sum": pair("direct_sum", grid, grid, block, block, f"raked_product({atom.cute}, {grid_of.cute})"),
        "sum_outer": factor("sum_outer", whole, block, f"coalesce(layout<1>(zipped_divide({whole.cute}, {tiler})))"),
        "sum_inner": factor("sum_inner", whole, grid, f"coalesce(layout<0>(zipped_divide({whole.cute}, {tiler})))"),
        "slice": Operation(f"slice({whole.value}, {tiles_shape}, {{{{{c}, {2 * c}}}, {{0, {d}}}}})", "layout",
                           f"slice({whole.carrier}, {tiles_static}, static_region<range{{{c}, {2 * c}}}, range{{0, {d}}}>{{}})",
                           f"slice_and_offset(make_coord(_, make_coord(_0{{}}, _1{{}})), zipped_divide({whole.cute}, {tiler}))"),
        "window": Operation(f"window({whole.value}, {tiles_shape}, {block.shape}).part", "layout", None,
                            f"tiled_divide({whole.cute}, {tiler})"),
        "compose": Operation(f"compose({whole.value}, S({{{c}}}, {{{b * d}}}))", "layout",
                             f"compose({whole.carrier}, {tensor((c, b * d)).carrier})",
                             f"coalesce(composition({whole.cute}, Layout<Int<{c}>, Int<{b * d}>>{{}}))"),
    }


def operations(i):
    return {**one_layout(i), **two_layouts(i)}


VALUES = "#include <axe/axe.hpp>\nusing namespace axe;\n"
CUTE = "#include <cute/layout.hpp>\nusing namespace cute;\n"
FORMS = ("values", "carriers", "cute")


def source(form, name, count):
    """`count` operations of one form; 0 gives the headers alone."""
    lines = [CUTE if form == "cute" else VALUES]
    for i in range(count):
        operation = operations(i)[name]
        if form == "values":
            lines.append(f"constexpr {operation.type} r{i} = {operation.value};")
        else:
            lines.append(f"using r{i} = decltype({operation.carrier if form == 'carriers' else operation.cute});")
        lines.append(f"static_assert(sizeof(r{i}) > 0);")  # used: a warning of nvcc costs more than most operations
    return "\n".join(lines) + "\n"
