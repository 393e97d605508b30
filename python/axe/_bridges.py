"""Converts layouts from and to Triton, TIRx and tensors with DLPack.

from_triton("#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [], block = []}>")
from_tirx("T.TileLayout(T.S[(8, 4):(4 @ Axis.laneid, 1 @ Axis.laneid)])")
from_dlpack(tensor)
"""

import re

import numpy

from . import _axe
from ._values import FUNCTIONS, Error, Layout, LinearMap, Refused, _as_tuple, _product, _session, ask, written

OURS = {"register": "reg", "block": "cta_x", "offset": "m"}
THEIRS = {ours: theirs for theirs, ours in OURS.items()}
DISTRIBUTED = ("register", "lane", "warp", "block")
SHARED = ("offset", "block")


def _map_text(bases, sizes):
    """Writes a linear map in axe's notation: {reg: 1 -> (0,1); lane: …} to (dim0: 8, dim1: 16)."""
    sides = []
    for name, of_bits in bases:
        shown = ", ".join(f"{1 << k} -> ({','.join(map(str, b))})" for k, b in enumerate(of_bits))
        sides.append(f"{OURS.get(name, name)}: {shown}" if shown else f"{OURS.get(name, name)}:")
    outs = ", ".join(f"dim{d}: {size}" for d, size in enumerate(sizes))
    return "{" + "; ".join(sides) + "} to (" + outs + ")"


def from_triton(source, shape=None):
    """Reads a layout from a Triton LinearLayout, or from the text of an encoding: #ttg.blocked,
    linear, shared_linear, nvidia_mma, amd_mfma, dot_op, slice, swizzled_shared or nvmma_shared.

    Encodings other than linear need the shape, or the type: tensor<64x64xf16, #ttg.blocked<{…}>>.
    Triton's axes register, lane, warp, block and offset become reg, lane, warp, cta_x and m. Places
    that hold the same element become replicas.
    """
    if isinstance(source, str):
        text = re.sub(r"^\s*#\w+\s*=\s*", "", source)
        if shape is not None:
            text = f"tensor<{''.join(f'{n}x' for n in _as_tuple(shape))}f32, {text}>"
        return Layout(text)
    names = [name for name, _ in source.out_dims]
    order = range(len(names))
    if set(names) == {f"dim{d}" for d in order}:  # a LinearLayout may have dim1 before dim0
        order = [names.index(f"dim{d}") for d in order]
    bases = [(name, [[b[k] for k in order] for b in of_bits]) for name, of_bits in source.bases]
    held = LinearMap(_map_text(bases, [source.out_dims[k][1] for k in order]))
    return FUNCTIONS["linear.layout"](FUNCTIONS["linear.preimage"](held))


def _bases_of_layout(layout, shape):
    held = FUNCTIONS["linear.owner"](layout, shape)
    fields = held._json()
    if any(fields["offset"]):
        raise Refused(f"{layout} has an offset, and Triton's linear layouts have none")
    bases, first = {}, 0
    for side in fields["in"]:
        name = THEIRS.get(side["axis"], side["axis"])
        bases[name] = fields["bases"][first : first + side["bits"]]
        first += side["bits"]
    names = SHARED if "offset" in bases else DISTRIBUTED
    unknown = [name for name in bases if name not in names]
    if unknown:
        raise Refused(
            f"Triton has no axis {unknown[0]} in this encoding; its axes are {', '.join(names)}")
    sizes = [(side["axis"], 1 << side["bits"]) for side in fields["out"]]
    return [(name, bases.get(name, [])) for name in names], sizes


def to_triton(layout, shape):
    """Returns the Triton LinearLayout of a layout on a shape. Needs the package triton."""
    from triton._C.libtriton.linear_layout import LinearLayout

    bases, sizes = _bases_of_layout(layout, shape)
    return LinearLayout.from_bases(bases, [n for n, _ in sizes], [s for _, s in sizes], False)


def to_triton_text(layout, shape):
    """Returns a layout on a shape as #ttg.linear<{…}>, or as #ttg.shared_linear if it is on m."""
    extents = ask(written(_as_tuple(shape)))
    if extents.kind != "shape":
        raise Error(f"{shape} is not a shape, but of kind {extents.kind}")
    text, wrong = _axe.to_triton(_session, str(Layout(layout)), extents.text)
    if wrong:
        raise Refused(wrong)
    return text


def from_tirx(source):
    """Returns the axe layout of a TIRx layout object, or of the text that TIRx prints."""
    return Layout(str(source))


def from_dlpack(tensor):
    """Returns the layout on m of a tensor of NumPy, PyTorch, CuPy or JAX, from its extents and
    strides. It is grouped by the tensor's shape. A tensor without elements has no layout.
    """
    try:
        shape, strides = _axe.strides(tensor)
    except TypeError:
        raise TypeError(
            "from_dlpack needs a tensor that DLPack describes, with numbers and with strides of whole "
                        f"elements, not this {type(tensor).__name__}") from None
    if 0 in shape:
        raise Refused(f"a tensor of shape {tuple(shape)} has no elements, and no layout")
    if not shape:
        return Layout("S[]")
    extents = ",".join(f"({e})" for e in shape)
    return Layout(f"S[({extents}):({','.join(f'({s})' for s in strides)})]")


def view(array, layout, shape=None):
    """Returns a tensor that reads a NumPy array through a layout, without a copy of the data.

    The layout needs one stride for each dimension of the shape. The result has __dlpack__.
    """
    array = numpy.asarray(array)
    if not array.flags.c_contiguous:
        raise Error(
            "view needs a C-contiguous array, because address n of a layout means the n-th element in memory")
    flat = array.reshape(-1)
    layout = layout if isinstance(layout, Layout) else Layout(layout)
    shape = layout.shape if shape is None else tuple(map(_product, _as_tuple(shape)))
    canonical = FUNCTIONS["canonicalize"](layout)
    if canonical._json()["R"] or set(canonical.axes) - {"m"}:
        raise Refused(f"{layout} is not on m alone: it has a replica or another axis")

    def address(moved):  # of the first element, or of its neighbour in dimension `moved`
        return canonical.places(shape, tuple(int(d == moved) for d in range(len(shape))))[0].get(
            "m", 0)

    # The only candidate for a stride is the step to the neighbour.
    first = address(None)
    strides = [address(d) - first if extent > 1 else 0 for d, extent in enumerate(shape)]
    iters = [",".join(f"({n})" for n in numbers) for numbers in (shape, strides)]
    strided = Layout(f"S[{':'.join(f'({i})' for i in iters) if shape else ''}] + {first}")
    if not canonical.equivalent(strided):
        raise Refused(
            f"{layout} is not strided on {shape}: no stride for each dimension describes its addresses")
    least, most = FUNCTIONS["min"](strided, "m"), FUNCTIONS["max"](strided, "m")
    if least < 0 or most >= flat.size:
        raise Refused(
            f"{layout} is at addresses {least} to {most}, and the array has {flat.size} elements")
    return numpy.lib.stride_tricks.as_strided(
        flat[first:], tuple(shape), [s * flat.itemsize for s in strides]
    )
