"""The types of the package axe. python/stubs.py writes this file."""

from collections.abc import Mapping, Sequence
from typing import Any, Union, overload

import numpy

from . import plan as plan

Tree = Union[int, Sequence[Any], str]
Place = Union[Mapping[str, int], int, str]
Region = Union[Sequence[slice], slice, str]

__version__: str

class Error(ValueError):
    sentence: str

class Refused(Error):
    rule: str
    numbers: tuple[int, ...]
    axes: tuple[str, ...]
    operation: str

class Malformed(Error):
    position: int
    text: str

class Record:
    def __getattr__(self, name: str) -> Any: ...

class Value:
    text: str
    def __init__(self, text: str) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

class Layout(Value):
    @property
    def axes(self) -> tuple[str, ...]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @overload
    def places(self, axis: str, *, shape: Tree | None = ...) -> numpy.ndarray: ...
    @overload
    def places(self, S: Tree, c: Tree, /) -> list[dict[str, int]]: ...
    def svg(self, shape: Tree | None = ..., **options: Any) -> str: ...
    def table(self, shape: Tree | None = ...) -> str: ...
    def to_tirx(self) -> str: ...
    def _repr_svg_(self) -> str | None: ...
    def access(self, bits: int, values: int, lanes: int = ...) -> Access:
        """the access whose layout P maps (…, lane, value) to elements of the tile"""
        ...
    def alignment(self) -> int:
        """the largest number that divides every address"""
        ...
    def broadcast(self, S: Tree, position: int, e: int) -> Layout:
        """a new dimension of extent e that changes no place"""
        ...
    def canonicalize(self) -> Layout:
        """the same map in canonical form"""
        ...
    def compose(self, B: Layout | str) -> Layout:
        """A after B: C(x) = A(B(x))"""
        ...
    def conflict_free_layout(self, S: Tree, access: Access | str, access4: Access | str = ..., argument5: Access | str = ..., argument6: Access | str = ...) -> Layout:
        """L with the swizzle of conflict_free_swizzle"""
        ...
    def conflict_free_matrix(self, S: Tree, access: Access | str, access4: Access | str = ..., argument5: Access | str = ..., argument6: Access | str = ...) -> Value:
        """the matrix over F2 on address bits under which no access has a bank conflict"""
        ...
    def conflict_free_swizzle(self, S: Tree, access: Access | str, access4: Access | str = ..., argument5: Access | str = ..., argument6: Access | str = ...) -> Swizzle:
        """the swizzle under which no access has a bank conflict"""
        ...
    def conflicts(self, S: Tree, access: Access | str) -> int:
        """wavefronts of the worst phase of the access in shared memory; 1: no bank conflict"""
        ...
    def contiguity(self) -> int:
        """the largest n such that elements n*k to n*k + n-1 are contiguous for every k"""
        ...
    def convert(self, TO: Layout | str, bits: int) -> Value:
        """the plan that converts registers from layout FROM to TO"""
        ...
    def cosize(self, axis: str = ...) -> int:
        """the size of a buffer that starts at 0 on the axis (default m)"""
        ...
    def coverage(self, *box: Mapping[str, int], **extents: int) -> Value:
        """how the layout fills the box [0,n) of each axis: contested, holes, copies (replicas) or once"""
        ...
    def devices(self) -> Layout:
        """L with only its device axes"""
        ...
    def difference(self, B: Layout | str) -> Value:
        """the first element that A and B place differently, with both sets of places, or none"""
        ...
    def direct_sum(self, S_A: Tree, B: Layout | str, S_B: Tree) -> Layout:
        """A(p) + B(q): a tile without scaling"""
        ...
    def elements(self, S: Tree, place: Place = ...) -> tuple[Any, ...]:
        """the coordinates of the elements at a place; axes that it does not name are ignored"""
        ...
    def equivalent(self, B: Layout | str) -> bool:
        """true if A and B are the same map"""
        ...
    def fragment_access(self, T: Tree, S: Tree, bits: int, values: int) -> Access:
        """the access of a warp that holds fragment F of each tile T of S"""
        ...
    def gap_ok(self) -> bool:
        """true if the gap condition (D5) holds, so that no other canonical R has the same set"""
        ...
    def global_memory(self, S: Tree, access: Access | str) -> Value:
        """the sectors and lines of the access in global memory, and the fewest possible"""
        ...
    def group(self, S: Tree) -> Layout:
        """L with one block of iters for each dimension of S"""
        ...
    def group_many(self, S1S2: Sequence[Tree]) -> Layout:
        """L with the coarsest blocks that group by each of the shapes"""
        ...
    def inverse(self, axis: str | Sequence[str]) -> Layout:
        """the layout from positions on the axes, counted from the smallest, to elements on m"""
        ...
    def is_injective(self) -> bool:
        """true if no place holds two different elements"""
        ...
    def linear(self, S: Tree) -> LinearMap:
        """L on S as a linear map over F2, from dim0, dim1, … and replica to the axes of L"""
        ...
    def max(self, axis: str) -> int:
        """the largest place on the axis"""
        ...
    def min(self, axis: str) -> int:
        """the least place on the axis"""
        ...
    def not_owned_by(self, S: Tree, place: Place) -> tuple[Record, ...]:
        """the elements not at a place, as pieces with all axes"""
        ...
    def on_axis(self, axis: str) -> Layout:
        """the same elements with only their position on the axis"""
        ...
    def owned_by(self, S: Tree, place: Place) -> tuple[Record, ...]:
        """the elements at a place, as pieces: coordinates, and a layout on the other axes"""
        ...
    def owner_has(self, S: Tree, place: Place, c: Tree) -> bool:
        """true if the element at coordinate c is at the place"""
        ...
    def pack(self, n: int, axis: str) -> Layout:
        """joins each n elements, adjacent on the axis, into one"""
        ...
    def permute(self, S: Tree, order: Tree) -> Layout:
        """dimension i of the result is dimension order[i] of S"""
        ...
    def redundancy(self) -> int:
        """the number of places of each element"""
        ...
    def relabel(self, TO: Layout | str, S: Tree, d: int) -> Layout:
        """an order of dimension d of S in which the conversion moves no element between lanes"""
        ...
    def reorder(self, S: Tree, d: int, order: Layout | str) -> Layout:
        """TO with dimension d of S in the given order"""
        ...
    def rewrite(self, axis_sum: str) -> Layout:
        """the same places with an axis split or joined; if the sum is declared, pass only the axis"""
        ...
    def shared_memory(self, S: Tree, access: Access | str) -> Value:
        """the wavefronts of the access in shared memory, and the worst phase"""
        ...
    def size(self) -> int:
        """the number of elements"""
        ...
    def slice(self, S: Tree, be: Region) -> Layout:
        """the same map on a region of S: begin included, end excluded"""
        ...
    def span(self, axis: str) -> int:
        """the number of positions from the least to the largest place on the axis"""
        ...
    def storage(self) -> Layout:
        """L with only its memory axes"""
        ...
    def sum_inner(self, S_T: Tree, A: Layout | str, S_A: Tree) -> Layout:
        """the B with direct_sum(A, S_A, B, …) equal to T"""
        ...
    def sum_outer(self, S_T: Tree, B: Layout | str, S_B: Tree) -> Layout:
        """the A with direct_sum(A, …, B, S_B) equal to T"""
        ...
    def threads(self) -> Layout:
        """L with only its thread axes"""
        ...
    def tile(self, S_A: Tree, B: Layout | str, S_B: Tree) -> Layout:
        """B once for each element of A: the strides of A are scaled by the span of B"""
        ...
    def tile_inner(self, S_T: Tree, A: Layout | str, S_A: Tree) -> Layout:
        """the B with tile(A, S_A, B, …) equal to T"""
        ...
    def tile_outer(self, S_T: Tree, B: Layout | str, S_B: Tree) -> Layout:
        """the A with tile(A, …, B, S_B) equal to T"""
        ...
    def tile_to(self, S_B: Tree, S: Tree) -> Layout:
        """B repeated row-major on m up to the shape S"""
        ...
    def to_lane_warp(self) -> Layout:
        """tid split: tid = 32*warp + lane"""
        ...
    def to_tid(self) -> Layout:
        """tid from warp and lane, or from wg and its parts"""
        ...
    def to_tid_in_wg(self) -> Layout:
        """tid_in_wg from wid_in_wg and lane"""
        ...
    def to_warp(self) -> Layout:
        """warp from wg and wid_in_wg"""
        ...
    def to_wg(self) -> Layout:
        """tid split: tid = 128*wg + tid_in_wg"""
        ...
    def to_wg_wid_in_wg(self) -> Layout:
        """warp split: warp = 4*wg + wid_in_wg"""
        ...
    def to_wid_in_wg(self) -> Layout:
        """tid_in_wg split: tid_in_wg = 32*wid_in_wg + lane"""
        ...
    def unpack(self, n: int, axis: str) -> Layout:
        """splits each element into n narrower ones, adjacent on the axis"""
        ...
    def widest_vector(self, bits: int) -> int:
        """the number of elements in the widest vector access, a power of two; at most 16 bytes"""
        ...
    @overload
    def window(self, S: Tree, W: Tree) -> Layout:
        """the layout of every slice of shape W, without its offset"""
        ...
    @overload
    def window(self, S: Tree, W: Tree, origin: Tree) -> Layout:
        """the layout of the slice of shape W at the origin"""
        ...
    def window_steps(self, S: Tree, W: Tree) -> tuple[Any, ...]:
        """windows of shape W begin at multiples of these numbers"""
        ...

class CuteLayout(Value):
    def at(self, c: Tree) -> int:
        """the place of a coordinate; an integer can stand for the coordinate in a mode"""
        ...
    def blocked_product(self, B: str | CuteLayout) -> CuteLayout:
        """((block, blocks), …)"""
        ...
    @overload
    def coalesce(self) -> CuteLayout:
        """the same map with the fewest leaves"""
        ...
    @overload
    def coalesce(self, profile: Tree) -> CuteLayout:
        """the same map with the fewest leaves in each mode"""
        ...
    @overload
    def complement(self, n: Tree) -> CuteLayout:
        """the offsets at which repetitions of L fill 0 to n - 1"""
        ...
    @overload
    def complement(self) -> CuteLayout:
        """the offsets at which repetitions of L fill its cosize"""
        ...
    def composition(self, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """A after B: R(c) = A(B(c)), with B's modes"""
        ...
    def coordinate(self, i: int) -> tuple[Any, ...]:
        """the coordinate of element i, counted from 0, first mode fastest"""
        ...
    def cosize(self) -> int:
        """1 + the largest place, after the swizzle"""
        ...
    def downcast(self, n: int) -> CuteLayout:
        """L in elements n times as narrow"""
        ...
    def flat_divide(self, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """(tile, …, tiles, …)"""
        ...
    def flat_product(self, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """(block, …, blocks, …)"""
        ...
    def layout(self) -> CuteLayout:
        """the pair shape:stride as a layout"""
        ...
    def left_inverse(self) -> CuteLayout:
        """R with R(L(i)) = i"""
        ...
    def logical_divide(self, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """(tile, tiles), mode by mode for a tuple"""
        ...
    def logical_product(self, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """(block, blocks), mode by mode for a tuple"""
        ...
    def max_common_layout(self, B: str | CuteLayout) -> CuteLayout:
        """the longest R with A(R(i)) - A(0) = B(R(i)) - B(0) = i"""
        ...
    def max_common_vector(self, B: str | CuteLayout) -> int:
        """the number of elements that are contiguous in both"""
        ...
    def raked_product(self, B: str | CuteLayout) -> CuteLayout:
        """((blocks, block), …)"""
        ...
    def recast(self, old_bits: int, new_bits: int) -> CuteLayout:
        """L in elements of another width"""
        ...
    def right_inverse(self) -> CuteLayout:
        """R with L(R(i)) = i, for the longest run of places from 0"""
        ...
    def size(self) -> int:
        """the number of elements"""
        ...
    @overload
    def tile_to_shape(self, shape: Tree) -> CuteLayout:
        """L repeated up to the shape, first mode fastest"""
        ...
    @overload
    def tile_to_shape(self, shape: Tree, order: Tree) -> CuteLayout:
        """L repeated up to the shape, the mode of least order fastest"""
        ...
    def tiled_divide(self, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """((tile, …), tiles, …)"""
        ...
    def tiled_product(self, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """((block, …), blocks, …)"""
        ...
    def to_axe(self) -> Layout:
        """the same map in axe's notation, modes reversed"""
        ...
    def upcast(self, n: int) -> CuteLayout:
        """L in elements n times as wide"""
        ...
    def zipped_divide(self, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """((tile, …), (tiles, …))"""
        ...
    def zipped_product(self, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """((block, …), (blocks, …))"""
        ...

class LinearMap(Value):
    def apply(self, place: Place) -> dict[str, int]:
        """the image of a place of the in-axes"""
        ...
    def compose(self, B: LinearMap | str) -> LinearMap:
        """A after B; B's out-axes are A's in-axes"""
        ...
    def divide_left(self, A: LinearMap | str) -> LinearMap:
        """the X with linear.multiply(A, X) equal to T"""
        ...
    def divide_right(self, A: LinearMap | str) -> LinearMap:
        """the X with linear.multiply(X, A) equal to T"""
        ...
    def equivalent(self, B: LinearMap | str) -> bool:
        """true if A and B are the same map"""
        ...
    def invert(self) -> LinearMap:
        """the inverse"""
        ...
    def invert_and_compose(self, B: LinearMap | str) -> LinearMap:
        """the C with A(C(x)) = B(x); of several C(x) the nearest to x"""
        ...
    def kernel(self) -> LinearMap:
        """the inputs that, XORed to another input, keep its image; numbered by the axis replica"""
        ...
    def layout(self) -> Layout:
        """the layout with these places; in-axes are dimensions, replica is R"""
        ...
    def matrix(self) -> Value:
        """the rows of its matrix, lowest out-bit first"""
        ...
    def multiply(self, B: LinearMap | str) -> LinearMap:
        """the direct sum: A on the low bits of each axis, B on the bits above"""
        ...
    def part(self, axis: str | Sequence[str], axis3: str | Sequence[str]) -> LinearMap:
        """A from these in-axes, with the others at 0, to these out-axes; () is no axis"""
        ...
    def preimage(self) -> LinearMap:
        """from each image to all its preimages, numbered by the axis replica"""
        ...
    def pseudo_invert(self) -> LinearMap:
        """from each image to its least preimage"""
        ...
    def quotient(self, axis: str | Sequence[str]) -> LinearMap:
        """A without these axes, which it must map to themselves"""
        ...
    def rank(self) -> int:
        """the number of independent bits of the image"""
        ...

class Swizzle(Value): ...
class Access(Value): ...

class _cute:
    @staticmethod
    def at(L: str | CuteLayout, c: Tree) -> int:
        """the place of a coordinate; an integer can stand for the coordinate in a mode"""
        ...
    @staticmethod
    def blocked_product(A: str | CuteLayout, B: str | CuteLayout) -> CuteLayout:
        """((block, blocks), …)"""
        ...
    @overload
    @staticmethod
    def coalesce(L: str | CuteLayout) -> CuteLayout:
        """the same map with the fewest leaves"""
        ...
    @overload
    @staticmethod
    def coalesce(L: str | CuteLayout, profile: Tree) -> CuteLayout:
        """the same map with the fewest leaves in each mode"""
        ...
    @overload
    @staticmethod
    def complement(L: str | CuteLayout, n: Tree) -> CuteLayout:
        """the offsets at which repetitions of L fill 0 to n - 1"""
        ...
    @overload
    @staticmethod
    def complement(L: str | CuteLayout) -> CuteLayout:
        """the offsets at which repetitions of L fill its cosize"""
        ...
    @staticmethod
    def composition(A: str | CuteLayout, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """A after B: R(c) = A(B(c)), with B's modes"""
        ...
    @staticmethod
    def coordinate(L: str | CuteLayout, i: int) -> tuple[Any, ...]:
        """the coordinate of element i, counted from 0, first mode fastest"""
        ...
    @staticmethod
    def cosize(L: str | CuteLayout) -> int:
        """1 + the largest place, after the swizzle"""
        ...
    @staticmethod
    def downcast(L: str | CuteLayout, n: int) -> CuteLayout:
        """L in elements n times as narrow"""
        ...
    @staticmethod
    def flat_divide(A: str | CuteLayout, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """(tile, …, tiles, …)"""
        ...
    @staticmethod
    def flat_product(A: str | CuteLayout, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """(block, …, blocks, …)"""
        ...
    @staticmethod
    def from_axe(L: Layout | str) -> CuteLayout:
        """the same map in CuTe's notation, modes reversed"""
        ...
    @overload
    @staticmethod
    def layout(shape: Tree) -> CuteLayout:
        """the compact layout, first mode fastest"""
        ...
    @overload
    @staticmethod
    def layout(L: str | CuteLayout) -> CuteLayout:
        """the pair shape:stride as a layout"""
        ...
    @staticmethod
    def left_inverse(L: str | CuteLayout) -> CuteLayout:
        """R with R(L(i)) = i"""
        ...
    @staticmethod
    def logical_divide(A: str | CuteLayout, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """(tile, tiles), mode by mode for a tuple"""
        ...
    @staticmethod
    def logical_product(A: str | CuteLayout, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """(block, blocks), mode by mode for a tuple"""
        ...
    @staticmethod
    def max_common_layout(A: str | CuteLayout, B: str | CuteLayout) -> CuteLayout:
        """the longest R with A(R(i)) - A(0) = B(R(i)) - B(0) = i"""
        ...
    @staticmethod
    def max_common_vector(A: str | CuteLayout, B: str | CuteLayout) -> int:
        """the number of elements that are contiguous in both"""
        ...
    @staticmethod
    def raked_product(A: str | CuteLayout, B: str | CuteLayout) -> CuteLayout:
        """((blocks, block), …)"""
        ...
    @staticmethod
    def recast(L: str | CuteLayout, old_bits: int, new_bits: int) -> CuteLayout:
        """L in elements of another width"""
        ...
    @staticmethod
    def right_inverse(L: str | CuteLayout) -> CuteLayout:
        """R with L(R(i)) = i, for the longest run of places from 0"""
        ...
    @staticmethod
    def size(L: str | CuteLayout) -> int:
        """the number of elements"""
        ...
    @overload
    @staticmethod
    def tile_to_shape(L: str | CuteLayout, shape: Tree) -> CuteLayout:
        """L repeated up to the shape, first mode fastest"""
        ...
    @overload
    @staticmethod
    def tile_to_shape(L: str | CuteLayout, shape: Tree, order: Tree) -> CuteLayout:
        """L repeated up to the shape, the mode of least order fastest"""
        ...
    @staticmethod
    def tiled_divide(A: str | CuteLayout, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """((tile, …), tiles, …)"""
        ...
    @staticmethod
    def tiled_product(A: str | CuteLayout, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """((block, …), blocks, …)"""
        ...
    @staticmethod
    def to_axe(L: str | CuteLayout) -> Layout:
        """the same map in axe's notation, modes reversed"""
        ...
    @staticmethod
    def upcast(L: str | CuteLayout, n: int) -> CuteLayout:
        """L in elements n times as wide"""
        ...
    @staticmethod
    def zipped_divide(A: str | CuteLayout, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """((tile, …), (tiles, …))"""
        ...
    @staticmethod
    def zipped_product(A: str | CuteLayout, tiler: Tree | Region | str | CuteLayout | Sequence[Any]) -> CuteLayout:
        """((block, …), (blocks, …))"""
        ...

cute: _cute

class _ldmatrix:
    @staticmethod
    def fragment(matrices: int) -> Layout:
        """the fragment of ldmatrix and stmatrix, shape (matrices,8,8)"""
        ...
    @staticmethod
    def transposed(matrices: int) -> Layout:
        """the fragment of ldmatrix.trans and stmatrix.trans, (matrices,8,8)"""
        ...

ldmatrix: _ldmatrix

class _linear:
    @overload
    def __call__(self, L: Layout | str, S: Tree) -> LinearMap:
        """L on S as a linear map over F2, from dim0, dim1, … and replica to the axes of L"""
        ...
    @overload
    def __call__(self, swizzle: Swizzle | str, n: int) -> LinearMap:
        """the swizzle as a linear map of 2^n addresses on m"""
        ...
    @staticmethod
    def apply(A: LinearMap | str, place: Place) -> dict[str, int]:
        """the image of a place of the in-axes"""
        ...
    @staticmethod
    def compose(A: LinearMap | str, B: LinearMap | str) -> LinearMap:
        """A after B; B's out-axes are A's in-axes"""
        ...
    @staticmethod
    def divide_left(T: LinearMap | str, A: LinearMap | str) -> LinearMap:
        """the X with linear.multiply(A, X) equal to T"""
        ...
    @staticmethod
    def divide_right(T: LinearMap | str, A: LinearMap | str) -> LinearMap:
        """the X with linear.multiply(X, A) equal to T"""
        ...
    @staticmethod
    def equivalent(A: LinearMap | str, B: LinearMap | str) -> bool:
        """true if A and B are the same map"""
        ...
    @staticmethod
    def invert(A: LinearMap | str) -> LinearMap:
        """the inverse"""
        ...
    @staticmethod
    def invert_and_compose(A: LinearMap | str, B: LinearMap | str) -> LinearMap:
        """the C with A(C(x)) = B(x); of several C(x) the nearest to x"""
        ...
    @staticmethod
    def kernel(A: LinearMap | str) -> LinearMap:
        """the inputs that, XORed to another input, keep its image; numbered by the axis replica"""
        ...
    @staticmethod
    def layout(A: LinearMap | str) -> Layout:
        """the layout with these places; in-axes are dimensions, replica is R"""
        ...
    @staticmethod
    def matrix(A: LinearMap | str) -> Value:
        """the rows of its matrix, lowest out-bit first"""
        ...
    @staticmethod
    def multiply(A: LinearMap | str, B: LinearMap | str) -> LinearMap:
        """the direct sum: A on the low bits of each axis, B on the bits above"""
        ...
    @staticmethod
    def owner(L: Layout | str, S: Tree) -> LinearMap:
        """from the axes of L to the element that each place holds, on dim0, dim1, …"""
        ...
    @staticmethod
    def part(A: LinearMap | str, axis: str | Sequence[str], axis3: str | Sequence[str]) -> LinearMap:
        """A from these in-axes, with the others at 0, to these out-axes; () is no axis"""
        ...
    @staticmethod
    def preimage(A: LinearMap | str) -> LinearMap:
        """from each image to all its preimages, numbered by the axis replica"""
        ...
    @staticmethod
    def pseudo_invert(A: LinearMap | str) -> LinearMap:
        """from each image to its least preimage"""
        ...
    @staticmethod
    def quotient(A: LinearMap | str, axis: str | Sequence[str]) -> LinearMap:
        """A without these axes, which it must map to themselves"""
        ...
    @staticmethod
    def rank(A: LinearMap | str) -> int:
        """the number of independent bits of the image"""
        ...

linear: _linear

class _mma:
    @staticmethod
    def a(m: int, n: int, k: int, bits: int) -> Layout:
        """A of mma.sync, shape (m,k): lane and register of each element"""
        ...
    @staticmethod
    def accumulator(m: int, n: int, k: int, bits: int) -> Layout:
        """C and D of mma.sync, shape (m,n): lane and register of each element"""
        ...
    @staticmethod
    def b(m: int, n: int, k: int, bits: int) -> Layout:
        """B of mma.sync, shape (k,n): lane and register of each element"""
        ...

mma: _mma

class _tcgen05:
    @staticmethod
    def layout_A(n: int) -> Layout:
        """the accumulator of tcgen05.mma, M = 256 on two CTAs: (128,n) on each"""
        ...
    @staticmethod
    def layout_B(n: int) -> Layout:
        """the accumulator of tcgen05.mma, M = 128 on two CTAs: (64,n) on each"""
        ...
    @staticmethod
    def layout_C(n: int) -> Layout:
        """the accumulator of sparse tcgen05.mma, M = 128 on two CTAs: (64,n) on each"""
        ...
    @staticmethod
    def layout_D(n: int) -> Layout:
        """the accumulator of tcgen05.mma, M = 128: (128,n)"""
        ...
    @staticmethod
    def layout_E(n: int) -> Layout:
        """the accumulator of tcgen05.mma.ws, M = 64: (64,n)"""
        ...
    @staticmethod
    def layout_F(n: int) -> Layout:
        """the accumulator of tcgen05.mma, M = 64: (64,n)"""
        ...
    @staticmethod
    def layout_G(n: int) -> Layout:
        """the accumulator of tcgen05.mma.ws, M = 32: (32,n)"""
        ...
    @staticmethod
    def ld_16x128b(repeat: int) -> Layout:
        """the fragment of tcgen05.ld and tcgen05.st, shape (16,4*repeat)"""
        ...
    @staticmethod
    def ld_16x256b(repeat: int) -> Layout:
        """the fragment of tcgen05.ld and tcgen05.st, shape (16,8*repeat)"""
        ...
    @staticmethod
    def ld_16x32bx2(repeat: int) -> Layout:
        """the fragment of tcgen05.ld and tcgen05.st, shape (16,2,repeat)"""
        ...
    @staticmethod
    def ld_16x64b(repeat: int) -> Layout:
        """the fragment of tcgen05.ld and tcgen05.st, shape (16,2*repeat)"""
        ...
    @staticmethod
    def ld_32x32b(repeat: int) -> Layout:
        """the fragment of tcgen05.ld and tcgen05.st, shape (32,repeat)"""
        ...
    @staticmethod
    def scale_factors(n: int) -> Layout:
        """scale factors (32,n) in tensor memory, replicated in each quarter of the lanes"""
        ...

tcgen05: _tcgen05

class _trainium:
    @staticmethod
    def matmul(k: int, m: int, n: int) -> bool:
        """true if one instruction multiplies (k,m), transposed, by (k,n)"""
        ...
    @staticmethod
    def psum(rows: int, columns: int) -> Layout:
        """a tile of 32-bit floats in PSUM, in banks of 512 floats"""
        ...
    @staticmethod
    def sbuf(rows: int, columns: int, bits: int = ...) -> Layout:
        """a tile in SBUF, rows on partitions"""
        ...
    @staticmethod
    def sbuf_transposed(rows: int, columns: int, bits: int = ...) -> Layout:
        """the same tile as (columns,rows)"""
        ...

trainium: _trainium

class _wgmma:
    @staticmethod
    def a(bits: int) -> Layout:
        """A of wgmma from registers, shape (64, 256/bits)"""
        ...
    @staticmethod
    def accumulator(n: int) -> Layout:
        """the accumulator of wgmma, shape (64,n)"""
        ...
    @staticmethod
    def k_major(bits: int, mode: int, S: Tree, LBO: int, SBO: int) -> Layout:
        """an operand (rows,K) in shared memory, adjacent along K, from LBO and SBO of its descriptor in bytes"""
        ...
    @staticmethod
    def mn_major(bits: int, mode: int, S: Tree, LBO: int, SBO: int) -> Layout:
        """an operand (rows,K) in shared memory, adjacent along M or N, from LBO and SBO of its descriptor in bytes"""
        ...

wgmma: _wgmma

def access(P: Layout | str, bits: int, values: int, lanes: int = ...) -> Access:
    """the access whose layout P maps (…, lane, value) to elements of the tile"""
    ...
def alignment(L: Layout | str) -> int:
    """the largest number that divides every address"""
    ...
def broadcast(L: Layout | str, S: Tree, position: int, e: int) -> Layout:
    """a new dimension of extent e that changes no place"""
    ...
def canonicalize(L: Layout | str) -> Layout:
    """the same map in canonical form"""
    ...
def column_blocks(bits: int) -> Access:
    """an access: square blocks with rows of 16 bytes, one for each lane, down the columns"""
    ...
def columns_of_128_bits(bits: int) -> Access:
    """an access: lanes down the columns, 16 bytes each"""
    ...
def columns_of_32_bits(bits: int) -> Access:
    """an access: lanes down the columns, 4 bytes each"""
    ...
def columns_of_64_bits(bits: int) -> Access:
    """an access: lanes down the columns, 8 bytes each"""
    ...
def columns_of_elements(bits: int) -> Access:
    """an access: lanes down the columns, one element each"""
    ...
@overload
def compose(A: Layout | str, B: Layout | str) -> Layout:
    """A after B: C(x) = A(B(x))"""
    ...
@overload
def compose(swizzle: Swizzle | str, L: Layout | str) -> Layout:
    """L with its addresses swizzled"""
    ...
def conflict_free_layout(L: Layout | str, S: Tree, access: Access | str, access4: Access | str = ..., argument5: Access | str = ..., argument6: Access | str = ...) -> Layout:
    """L with the swizzle of conflict_free_swizzle"""
    ...
def conflict_free_matrix(L: Layout | str, S: Tree, access: Access | str, access4: Access | str = ..., argument5: Access | str = ..., argument6: Access | str = ...) -> Value:
    """the matrix over F2 on address bits under which no access has a bank conflict"""
    ...
def conflict_free_pitch(S: Tree, access: Access | str, access3: Access | str = ..., argument4: Access | str = ..., argument5: Access | str = ...) -> Layout:
    """the tile with the least padding under which no access has a bank conflict"""
    ...
def conflict_free_swizzle(L: Layout | str, S: Tree, access: Access | str, access4: Access | str = ..., argument5: Access | str = ..., argument6: Access | str = ...) -> Swizzle:
    """the swizzle under which no access has a bank conflict"""
    ...
def conflicts(L: Layout | str, S: Tree, access: Access | str) -> int:
    """wavefronts of the worst phase of the access in shared memory; 1: no bank conflict"""
    ...
def contiguity(L: Layout | str) -> int:
    """the largest n such that elements n*k to n*k + n-1 are contiguous for every k"""
    ...
def convert(FROM: Layout | str, TO: Layout | str, bits: int) -> Value:
    """the plan that converts registers from layout FROM to TO"""
    ...
def cosize(L: Layout | str, axis: str = ...) -> int:
    """the size of a buffer that starts at 0 on the axis (default m)"""
    ...
def coverage(L: Layout | str, *box: Mapping[str, int], **extents: int) -> Value:
    """how the layout fills the box [0,n) of each axis: contested, holes, copies (replicas) or once"""
    ...
def devices(L: Layout | str) -> Layout:
    """L with only its device axes"""
    ...
def difference(A: Layout | str, B: Layout | str) -> Value:
    """the first element that A and B place differently, with both sets of places, or none"""
    ...
def direct_sum(A: Layout | str, S_A: Tree, B: Layout | str, S_B: Tree) -> Layout:
    """A(p) + B(q): a tile without scaling"""
    ...
def elements(L: Layout | str, S: Tree, place: Place = ...) -> tuple[Any, ...]:
    """the coordinates of the elements at a place; axes that it does not name are ignored"""
    ...
def equivalent(A: Layout | str, B: Layout | str) -> bool:
    """true if A and B are the same map"""
    ...
def fragment_access(F: Layout | str, T: Tree, S: Tree, bits: int, values: int) -> Access:
    """the access of a warp that holds fragment F of each tile T of S"""
    ...
def gap_ok(L: Layout | str) -> bool:
    """true if the gap condition (D5) holds, so that no other canonical R has the same set"""
    ...
def global_memory(L: Layout | str, S: Tree, access: Access | str) -> Value:
    """the sectors and lines of the access in global memory, and the fewest possible"""
    ...
def group(L: Layout | str, S: Tree) -> Layout:
    """L with one block of iters for each dimension of S"""
    ...
def group_many(L: Layout | str, S1S2: Sequence[Tree]) -> Layout:
    """L with the coarsest blocks that group by each of the shapes"""
    ...
def inverse(L: Layout | str, axis: str | Sequence[str]) -> Layout:
    """the layout from positions on the axes, counted from the smallest, to elements on m"""
    ...
def is_injective(L: Layout | str) -> bool:
    """true if no place holds two different elements"""
    ...
def ldmatrix_rows(bits: int) -> Access:
    """an access: ldmatrix and stmatrix, 8 rows of 16 bytes at a time"""
    ...
def max(L: Layout | str, axis: str) -> int:
    """the largest place on the axis"""
    ...
def min(L: Layout | str, axis: str) -> int:
    """the least place on the axis"""
    ...
def mma_shared_layout(bits: int, mode: int, S: Tree) -> Layout:
    """a tile in shared memory for TMA and matrix instructions, with a swizzle of 32, 64 or 128 bytes; 0: no swizzle"""
    ...
def not_owned_by(L: Layout | str, S: Tree, place: Place) -> tuple[Record, ...]:
    """the elements not at a place, as pieces with all axes"""
    ...
def on_axis(L: Layout | str, axis: str) -> Layout:
    """the same elements with only their position on the axis"""
    ...
def owned_by(L: Layout | str, S: Tree, place: Place) -> tuple[Record, ...]:
    """the elements at a place, as pieces: coordinates, and a layout on the other axes"""
    ...
def owner_has(L: Layout | str, S: Tree, place: Place, c: Tree) -> bool:
    """true if the element at coordinate c is at the place"""
    ...
def pack(L: Layout | str, n: int, axis: str) -> Layout:
    """joins each n elements, adjacent on the axis, into one"""
    ...
def permute(L: Layout | str, S: Tree, order: Tree) -> Layout:
    """dimension i of the result is dimension order[i] of S"""
    ...
def places(L: Layout | str, S: Tree, c: Tree) -> list[dict[str, int]]:
    """the places of the element at coordinate c of shape S"""
    ...
def redundancy(L: Layout | str) -> int:
    """the number of places of each element"""
    ...
def relabel(FROM: Layout | str, TO: Layout | str, S: Tree, d: int) -> Layout:
    """an order of dimension d of S in which the conversion moves no element between lanes"""
    ...
def reorder(TO: Layout | str, S: Tree, d: int, order: Layout | str) -> Layout:
    """TO with dimension d of S in the given order"""
    ...
def rewrite(L: Layout | str, axis_sum: str) -> Layout:
    """the same places with an axis split or joined; if the sum is declared, pass only the axis"""
    ...
def row_blocks(bits: int) -> Access:
    """an access: square blocks with rows of 16 bytes, one for each lane, along the rows"""
    ...
def rows_of_128_bits(bits: int) -> Access:
    """an access: lanes along the rows, 16 bytes each"""
    ...
def rows_of_32_bits(bits: int) -> Access:
    """an access: lanes along the rows, 4 bytes each"""
    ...
def rows_of_64_bits(bits: int) -> Access:
    """an access: lanes along the rows, 8 bytes each"""
    ...
def rows_of_elements(bits: int) -> Access:
    """an access: lanes along the rows, one element each"""
    ...
def shared_memory(L: Layout | str, S: Tree, access: Access | str) -> Value:
    """the wavefronts of the access in shared memory, and the worst phase"""
    ...
def size(L: Layout | str) -> int:
    """the number of elements"""
    ...
def slice(L: Layout | str, S: Tree, be: Region) -> Layout:
    """the same map on a region of S: begin included, end excluded"""
    ...
def span(L: Layout | str, axis: str) -> int:
    """the number of positions from the least to the largest place on the axis"""
    ...
def storage(L: Layout | str) -> Layout:
    """L with only its memory axes"""
    ...
def sum_inner(T: Layout | str, S_T: Tree, A: Layout | str, S_A: Tree) -> Layout:
    """the B with direct_sum(A, S_A, B, …) equal to T"""
    ...
def sum_outer(T: Layout | str, S_T: Tree, B: Layout | str, S_B: Tree) -> Layout:
    """the A with direct_sum(A, …, B, S_B) equal to T"""
    ...
def threads(L: Layout | str) -> Layout:
    """L with only its thread axes"""
    ...
def tile(A: Layout | str, S_A: Tree, B: Layout | str, S_B: Tree) -> Layout:
    """B once for each element of A: the strides of A are scaled by the span of B"""
    ...
def tile_inner(T: Layout | str, S_T: Tree, A: Layout | str, S_A: Tree) -> Layout:
    """the B with tile(A, S_A, B, …) equal to T"""
    ...
def tile_outer(T: Layout | str, S_T: Tree, B: Layout | str, S_B: Tree) -> Layout:
    """the A with tile(A, …, B, S_B) equal to T"""
    ...
def tile_to(B: Layout | str, S_B: Tree, S: Tree) -> Layout:
    """B repeated row-major on m up to the shape S"""
    ...
def to_lane_warp(L: Layout | str) -> Layout:
    """tid split: tid = 32*warp + lane"""
    ...
def to_tid(L: Layout | str) -> Layout:
    """tid from warp and lane, or from wg and its parts"""
    ...
def to_tid_in_wg(L: Layout | str) -> Layout:
    """tid_in_wg from wid_in_wg and lane"""
    ...
def to_warp(L: Layout | str) -> Layout:
    """warp from wg and wid_in_wg"""
    ...
def to_wg(L: Layout | str) -> Layout:
    """tid split: tid = 128*wg + tid_in_wg"""
    ...
def to_wg_wid_in_wg(L: Layout | str) -> Layout:
    """warp split: warp = 4*wg + wid_in_wg"""
    ...
def to_wid_in_wg(L: Layout | str) -> Layout:
    """tid_in_wg split: tid_in_wg = 32*wid_in_wg + lane"""
    ...
def unpack(L: Layout | str, n: int, axis: str) -> Layout:
    """splits each element into n narrower ones, adjacent on the axis"""
    ...
def widest_vector(L: Layout | str, bits: int) -> int:
    """the number of elements in the widest vector access, a power of two; at most 16 bytes"""
    ...
@overload
def window(L: Layout | str, S: Tree, W: Tree) -> Layout:
    """the layout of every slice of shape W, without its offset"""
    ...
@overload
def window(L: Layout | str, S: Tree, W: Tree, origin: Tree) -> Layout:
    """the layout of the slice of shape W at the origin"""
    ...
def window_steps(L: Layout | str, S: Tree, W: Tree) -> tuple[Any, ...]:
    """windows of shape W begin at multiples of these numbers"""
    ...

def axis(name: str, kind: str) -> str: ...
def evaluate(line: str) -> Any: ...
def program(*words: Any, **options: Any) -> str: ...
def from_triton(source: Any, shape: Tree | None = ...) -> Layout: ...
def to_triton(layout: Layout | str, shape: Tree) -> Any: ...
def to_triton_text(layout: Layout | str, shape: Tree) -> str: ...
def from_tirx(source: Any) -> Layout: ...
def from_dlpack(tensor: Any) -> Layout: ...
def view(array: Any, layout: Layout | str, shape: Tree | None = ...) -> numpy.ndarray: ...

class Placement(Record):
    source: str
    mesh: str

def placement(source: Any, mesh: Mapping[str, int] | str, shape: Tree, real: Tree | None = ..., summands: Tree | None = ...) -> Placement: ...
