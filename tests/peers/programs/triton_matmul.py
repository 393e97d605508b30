#!/usr/bin/env python3
"""Runs the f16 matrix product of Triton's tutorial, as Triton compiles it, on the PTX machine.

    triton_matmul.py STAND-IN PTX-FILE m n k block_m block_n block_k group warps stages divisible

STAND-IN is the machine's libcudart, which records the copies for judge.py. judge.py reads matrices
as column-major, where the row-major product C = A B is B times A. So B is copied before A. The
program runs in the Python that has Triton's wheel.
"""

import ctypes
import pathlib
import random
import struct
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(
    a,
    b,
    c,
    m,
    n,
    k,
    row_a,
    row_b,
    row_c,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    GROUP: tl.constexpr,
):
    program = tl.program_id(0)
    blocks_m, blocks_n = tl.cdiv(m, M), tl.cdiv(n, N)
    first = program // (GROUP * blocks_n) * GROUP
    rows = min(blocks_m - first, GROUP)
    block_m = first + program % (GROUP * blocks_n) % rows
    block_n = program % (GROUP * blocks_n) // rows
    # Rows and columns past the end wrap around to the first ones. Their results are not stored.
    i, j, p = (
        (block_m * M + tl.arange(0, M)) % m,
        (block_n * N + tl.arange(0, N)) % n,
        tl.arange(0, K),
    )
    from_a = a + i[:, None] * row_a + p[None, :]
    from_b = b + p[:, None] * row_b + j[None, :]
    sums = tl.zeros((M, N), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, K)):
        left = k - step * K
        part_a = tl.load(from_a, mask=p[None, :] < left, other=0.0)
        part_b = tl.load(from_b, mask=p[:, None] < left, other=0.0)
        sums = tl.dot(part_a, part_b, sums)
        from_a += K
        from_b += K * row_b
    i, j = block_m * M + tl.arange(0, M), block_n * N + tl.arange(0, N)
    tl.store(
        c + i[:, None] * row_c + j[None, :],
        sums.to(tl.float16),
        mask=(i[:, None] < m) & (j[None, :] < n),
    )


def compiled(blocks, group, warps, stages, divisible):
    names = matmul.arg_names
    constants = dict(zip("MNK", blocks)) | {"GROUP": group}
    signature = {
        name: "constexpr" if name in constants else "*fp16" if name in "abc" else "i32"
        for name in names
    }
    promise = [["tt.divisibility", 16]]
    attributes = {
        (at,): promise
        for at, name in enumerate(names)
        if name in "abc" or (divisible and name not in constants)
    }
    source = ASTSource(fn=matmul, signature=signature, constexprs=constants, attrs=attributes)
    return triton.compile(
        source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps, "num_stages": stages}
    )


class Extent(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]


def fat_binary(text):
    """Wraps the PTX into a fat binary as nvcc does (tests/machine/runtime/fatbinary.cpp)."""
    text = text.encode() + b"\0"
    text += bytes(-len(text) % 8)
    entry = (
        struct.pack("<HHIQ", 1, 0x0101, 64, len(text))
        + bytes(12)
        + struct.pack("<I", 90)
        + bytes(32)
    )
    data = struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entry) + len(text)) + entry + text
    kept = ctypes.create_string_buffer(data, len(data))
    wrapper = ctypes.create_string_buffer(
        struct.pack("<IIQQ", 0x466243B1, 1, ctypes.addressof(kept), 0), 24
    )
    return kept, wrapper


class Machine:
    def __init__(self, library):
        self.cuda = ctypes.CDLL(library)
        getattr(self.cuda, "__cudaRegisterFatBinary").restype = ctypes.c_void_p
        self.kept = []

    def call(self, name, *arguments):
        code = getattr(self.cuda, name)(*arguments)
        if code:
            raise SystemExit(f"{name} returns {code}")

    def register(self, ptx, entry):
        self.kept += fat_binary(ptx)
        handle = ctypes.c_void_p(getattr(self.cuda, "__cudaRegisterFatBinary")(self.kept[-1]))
        key = ctypes.create_string_buffer(1)
        self.kept.append(key)
        nothing = ctypes.c_void_p(None)
        getattr(self.cuda, "__cudaRegisterFunction")(
            handle, key, entry, entry, -1, nothing, nothing, nothing, nothing, nothing
        )
        return key

    def allocate(self, size):
        at = ctypes.c_void_p()
        self.call("cudaMalloc", ctypes.byref(at), ctypes.c_size_t(size))
        return at

    def copy_in(self, data):
        at = self.allocate(len(data))
        self.call("cudaMemcpy", at, data, ctypes.c_size_t(len(data)), 1)
        return at

    def copy_out(self, at, size):
        data = ctypes.create_string_buffer(size)
        self.call("cudaMemcpy", data, at, ctypes.c_size_t(size), 2)
        return data.raw

    def launch(self, key, grid, block, shared, arguments):
        pointers = (ctypes.c_void_p * len(arguments))(
            *(ctypes.addressof(value) for value in arguments)
        )
        self.call(
            "cudaLaunchKernel",
            key,
            Extent(grid, 1, 1),
            Extent(block, 1, 1),
            pointers,
            ctypes.c_size_t(shared),
            None,
        )


def main(library, ptx_file, *values):
    m, n, k, block_m, block_n, block_k, group, warps, stages, divisible = map(int, values)
    kernel = compiled((block_m, block_n, block_k), group, warps, stages, divisible)
    pathlib.Path(ptx_file).write_text(kernel.asm["ptx"], encoding="utf-8")
    machine = Machine(library)
    key = machine.register(kernel.asm["ptx"], kernel.metadata.name.encode())
    rng = random.Random(m * n + k)

    def matrix(rows, columns):
        return struct.pack(
            f"<{rows * columns}e", *(rng.uniform(-1, 1) for _ in range(rows * columns))
        )

    b, a = machine.copy_in(matrix(k, n)), machine.copy_in(matrix(m, k))
    c = machine.allocate(2 * m * n)
    sizes = [ctypes.c_int(value) for value in (m, n, k, k, n, n)]
    # Pointers to global scratch and profiling scratch, which the kernel does not use.
    scratch = [ctypes.c_uint64(0), ctypes.c_uint64(0)]
    grid = -(-m // block_m) * -(-n // block_n)
    machine.launch(key, grid, 32 * warps, kernel.metadata.shared, [a, b, c, *sizes, *scratch])
    machine.copy_out(c, 2 * m * n)


if __name__ == "__main__":
    main(*sys.argv[1:])
