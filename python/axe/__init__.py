"""axe: layouts over named axes for GPU kernels.

    tile = axe.Layout("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp")
    tile.span("lane")                       32
    tile.places((8, 16), (2, 9))            [{'lane': 8, 'warp': 6, 'reg': 1}, {'lane': 8, …}]
    tile.places("lane", shape=(8, 16))      a NumPy array

Each function of `axe eval` is a function here and a method of its first argument (docs/python.md).
"""

from . import _axe, plan
from ._bridges import from_dlpack, from_tirx, from_triton, to_triton, to_triton_text, view
from ._functions import add_methods, functions_by_name
from ._placements import Placement, placement
from ._values import (
    Access,
    CuteLayout,
    Error,
    Layout,
    LinearMap,
    Malformed,
    Record,
    Refused,
    Swizzle,
    Value,
    axis,
    evaluate,
    program,
)

__version__ = _axe.version
_named = functions_by_name()
add_methods()
globals().update(_named)
# axe.min, axe.max and axe.slice are left out, because `from axe import *` would hide Python's own.
__all__ = sorted(
    {name for name in _named if name not in ("min", "max", "slice")}
    | ({name for name in globals() if not name.startswith("_")}
       - {"min", "max", "slice", "functions_by_name", "add_methods"})
)
