"""Writes operations of the algebra as C++: on values, on carriers, and as CuTe's nearest expression.

operations(7)["tile"]             Operation(value="tile(t19, {2, 10}, …", type="layout",
                                 carrier="tile(t19, extents<…", cute="blocked_product(t21, …")
source("values", "tile", 200)     … constexpr layout r7 = tile(t173, {2, 10}, …); …

operations(i) has numbers that no other i has, so that a compiler cannot reuse results. `carrier` is
None if the operation is not measured on carriers.
"""

# CuTe's expression makes the same layout (coalesced if ours is canonical) or answers the same
# question. If CuTe has no such operation, it is one of CuTe's operations on the same digits.

import collections
import re

Operation = collections.namedtuple("Operation", "value type carrier cute")


def numbers(i):
    """Returns four extents and a pitch. No other i has the same five numbers."""
    return 2 + i % 7, 3 + i % 11, 4 + i % 13, 2 + i % 5, 64 + i


OPERANDS = {}  # every Tensor since source() began, by name


class Tensor:
    """A named layout, written as a value, a carrier and a CuTe layout. CuTe's has the
    fastest dimension first.
    """

    def __init__(self, *digits):
        self.name = f"t{len(OPERANDS)}"
        OPERANDS[self.name] = self
        self.extents = ", ".join(str(e) for e, s, a in digits)
        self.shape = f"{{{self.extents}}}"
        self.static_shape = f"extents<{self.extents}>{{}}"
        value = f"S({self.shape}, {{{', '.join(f'{s} * axis::{a}' if a != 'm' else str(s) for e, s, a in digits)}}})"
        carrier = f"static_layout<shards<{', '.join(f'iter{{{e}, {s}, axis::{a}}}' for e, s, a in digits)}>>{{}}"
        back = digits[::-1]
        if len(back) == 1:
            cute = f"Layout<Int<{back[0][0]}>, Int<{back[0][1]}>>{{}}"
        else:
            cute = (f"Layout<Shape<{', '.join(f'Int<{e}>' for e, s, a in back)}>, "
                    f"Stride<{', '.join(f'Int<{s}>' for e, s, a in back)}>>{{}}")
        self.written = {"values": value, "carriers": carrier, "cute": cute}

    def __str__(self):
        return self.name


def tensor(*digits):
    return Tensor(*((*d, "m") if len(d) == 2 else d for d in digits))


def cute_operand(text):
    """Returns a layout that only CuTe's expression uses."""
    operand = tensor((2, 1))
    operand.written = {"cute": text}
    return operand


def one_layout(i):
    """Returns the operations on one layout."""
    a, b, c, d, pitch = numbers(i)
    outer = tensor((a, pitch), (b, 1))
    packed = tensor((a, 8 * pitch), (8 * b, 1))
    # Two neighbouring digits fuse and one does not, so that canonicalize has work to do.
    fusing = tensor((a, 64 * pitch), (c, d * (1 + i)), (d, 1 + i))
    mixed = tensor((a, pitch, "lane"), (b, 1 + i), (c, 3 + i, "reg"))
    threads = tensor((a, 32, "tid"), (32, 1, "tid"), (b, 1 + i))
    compact = tensor((a, b + i), (b + i, 1))
    return {
        "layout": Operation(str(outer), "layout", str(outer), str(outer)),
        "canonicalize": Operation(f"canonicalize({fusing})", "layout", f"canonicalize({fusing})",
                                  f"coalesce({fusing})"),
        "group": Operation(f"group({fusing}, {{{a}, {c * d}}})", "layout",
                           f"group({fusing}, extents<{a}, {c * d}>{{}})",
                           f"composition({fusing}, Layout<Shape<Int<{c * d}>, Int<{a}>>>{{}})"),
        "group_many": Operation(
            f"group_many({fusing}, {{shape{{{a}, {c * d}}}, shape{{{a * c}, {d}}}}})", "layout",
                                f"group_many({fusing}, extents<{a}, {c * d}>{{}}, extents<{a * c}, {d}>{{}})",
                                f"composition({fusing}, Layout<Shape<Int<{d}>, Int<{c}>, Int<{a}>>>{{}})"),
        "permute": Operation(f"permute({outer}, {outer.shape}, {{1, 0}})", "layout",
                             f"permute({outer}, {outer.static_shape}, static_coordinate<1, 0>{{}})",
                             f"coalesce(select<1, 0>({outer}))"),
        "broadcast": Operation(f"broadcast({outer}, {outer.shape}, 1, {c})", "layout",
                               f"broadcast({outer}, {outer.static_shape}, constant<1>{{}}, constant<{c}>{{}})",
                               f"coalesce(make_layout(layout<0>({outer}), Layout<Int<{c}>, _0>{{}}, layout<1>({outer})))"),
        "storage": Operation(f"storage({mixed})", "layout", f"storage({mixed})",
                             f"select<1>({mixed})"),
        "on_axis": Operation(f"on_axis({mixed}, axis::lane)", "layout",
                             f"on_axis({mixed}, constant<axis::lane>{{}})",
                             f"make_layout(shape({mixed}), replace<1>(replace<0>(stride({mixed}), _0{{}}), _0{{}}))"),
        "rewrite": Operation(f"to_lane_warp({threads})", "layout", f"to_lane_warp({threads})",
                             f"coalesce(composition({cute_operand(f'Layout<Shape<_32, Int<{a + i}>>, Stride<_1, _32>>{{}}')}, {tensor((a, 32), (32, 1))}))"),
        "pack": Operation(f"pack({packed}, 8, axis::m)", "layout",
                          f"pack({packed}, constant<8>{{}}, constant<axis::m>{{}})",
                          f"coalesce(upcast<8>({packed}))"),
        "unpack": Operation(f"unpack({outer}, 4, axis::m)", "layout",
                            f"unpack({outer}, constant<4>{{}}, constant<axis::m>{{}})",
                            f"coalesce(downcast<4>({outer}))"),
        "inverse": Operation(f"inverse({tensor((a, 1), (b + i, a))}, {{axis::m}})", "layout",
                             f"inverse({tensor((a, 1), (b + i, a))}, static_axes<axis::m>{{}})",
                             f"right_inverse({tensor((a, 1), (b + i, a))})"),
        "equivalent": Operation(f"equivalent({fusing}, {tensor((a, 64 * pitch), (c * d, 1 + i))})",
                                "bool", None,
                                f"bool_constant<coalesce({fusing}) == coalesce({tensor((a, 64 * pitch), (c * d, 1 + i))})>{{}}"),
        "is_injective": Operation(f"is_injective({outer})", "bool", None, f"complement({outer})"),
        "coverage": Operation(
            f"coverage({compact}, {{{{axis::m, {a * (b + i)}}}}}).how == covered::once", "bool",
            None,
                              f"complement({compact}, Int<{a * (b + i)}>{{}})"),
        "cosize": Operation(f"cosize({outer})", "integer", None, f"cosize({outer})"),
        "places": Operation(f"places({outer}, {outer.shape}, {{1, {b - 1}}}).first()[axis::m]",
                            "integer", None,
                            f"{outer}(Int<{b - 1}>{{}}, _1{{}})"),
    }


def two_layouts(i):
    """Returns the operations on two layouts, or on a layout and a region of it."""
    a, b, c, d, pitch = numbers(i)
    inner = tensor((c, d + 3 * i + 1), (d, 1))
    span = (c - 1) * (d + 3 * i + 1) + d
    whole = tensor((a * c, pitch * 8), (b * d, 1))
    block = tensor((c, pitch * 8), (d, 1))
    grid = tensor((a, c * pitch * 8), (b, d))
    # Blocks of `inner`, in row-major order.
    tiles = tensor((a, b * span), (c, d + 3 * i + 1), (b, span), (d, 1))
    tiles_shape, tiles_static = f"{{{a * c}, {b * d}}}", f"extents<{a * c}, {b * d}>{{}}"
    tiler = f"make_tile(Layout<Int<{d}>>{{}}, Layout<Int<{c}>>{{}})"
    hierarchy = cute_operand(f"Layout<Shape<Shape<Int<{d}>, Int<{b}>>, Shape<Int<{c}>, Int<{a}>>>, "
                             f"Stride<Stride<_1, Int<{span}>>, Stride<Int<{d + 3 * i + 1}>, Int<{b * span}>>>>{{}}")
    divided = f"zipped_divide({hierarchy}, {tiler})"

    def pair(name, first, s_first, second, s_second, cute):
        return Operation(f"{name}({first}, {s_first.shape}, {second}, {s_second.shape})", "layout",
                         f"{name}({first}, {s_first.static_shape}, {second}, {s_second.static_shape})", cute)

    def factor(name, of, part, cute):
        return Operation(f"{name}({of}, {tiles_shape}, {part}, {part.shape})", "layout",
                         f"{name}({of}, {tiles_static}, {part}, {part.static_shape})", cute)

    row_major = tensor((a, b), (b, 1))
    few = tensor((c, b * d))
    # CuTe's products need blocks without gaps.
    atom, grid_of = tensor((c, d + i), (d + i, 1)), row_major
    return {
        "tile": pair("tile", grid_of, grid_of, atom, atom, f"blocked_product({atom}, {grid_of})"),
        "tile_to": Operation(f"tile_to({atom}, {atom.shape}, {{{a * c}, {b * (d + i)}}})", "layout",
                             f"tile_to({atom}, {atom.static_shape}, extents<{a * c}, {b * (d + i)}>{{}})",
                             f"tile_to_shape({atom}, Shape<Int<{b * (d + i)}>, Int<{a * c}>>{{}})"),
        "tile_outer": factor("tile_outer", tiles, inner, f"coalesce(layout<1>({divided}))"),
        "tile_inner": factor("tile_inner", tiles, row_major, f"coalesce(layout<0>({divided}))"),
        "direct_sum": pair("direct_sum", grid, grid, block, block,
                           f"raked_product({atom}, {grid_of})"),
        "sum_outer": factor("sum_outer", whole, block,
                            f"coalesce(layout<1>(zipped_divide({whole}, {tiler})))"),
        "sum_inner": factor("sum_inner", whole, grid,
                            f"coalesce(layout<0>(zipped_divide({whole}, {tiler})))"),
        "slice": Operation(f"slice({whole}, {tiles_shape}, {{{{{c}, {2 * c}}}, {{0, {d}}}}})",
                           "layout",
                           f"slice({whole}, {tiles_static}, static_region<range{{{c}, {2 * c}}}, range{{0, {d}}}>{{}})",
                           f"slice_and_offset(make_coord(_, make_coord(_0{{}}, _1{{}})), zipped_divide({whole}, {tiler}))"),
        "window": Operation(f"window({whole}, {tiles_shape}, {block.shape}).part", "layout", None,
                            f"tiled_divide({whole}, {tiler})"),
        "compose": Operation(f"compose({whole}, {few})", "layout", f"compose({whole}, {few})",
                             f"coalesce(composition({whole}, {few}))"),
    }


def operations(i):
    return {**one_layout(i), **two_layouts(i)}


VALUES = """#include <axe/algebra/factor.hpp>
#include <axe/algebra/window.hpp>
#include <axe/axe.hpp>
using namespace axe;
"""
CUTE = "#include <cute/layout.hpp>\nusing namespace cute;\n"
FORMS = ("values", "carriers", "cute")


def source(form, name, count, operands_only=False):
    """Writes `count` operations of one form after their operands, or with `operands_only` only the
    operands. With a count of 0 it writes only the headers.
    """
    OPERANDS.clear()
    operands, lines = [], []
    for i in range(count):
        operation = operations(i)[name]
        text = {"values": operation.value, "carriers": operation.carrier,
                "cute": operation.cute}[form]
        if name == "layout":  # measures the cost of writing an operand down
            lines.append(
                f"constexpr {'layout' if form == 'values' else 'auto'} r{i} = {OPERANDS[text].written[form]};")
        else:
            for operand in sorted(set(re.findall(r"\bt\d+\b", text))):
                operands.append(
                    f"constexpr {'layout' if form == 'values' else 'auto'} {operand} = {OPERANDS[operand].written[form]};")
                operands.append(f"static_assert(sizeof({operand}) > 0);")
            lines.append(f"constexpr {operation.type} r{i} = {text};" if form == "values"
                         else f"using r{i} = decltype({text});")
        # Uses the result, because nvcc's warning about an unused one costs more than most
        # operations.
        lines.append(f"static_assert(sizeof(r{i}) > 0);")
    return "\n".join([CUTE if form == "cute" else VALUES, *operands,
                      *([] if operands_only else lines)]) + "\n"
