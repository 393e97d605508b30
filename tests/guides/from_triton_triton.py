#!/usr/bin/env python3
"""Compiles the idioms of docs/guides/from_triton.md, written in Triton, for sm_90 without a GPU.

Idiom 10, the launch, is not executed. from_triton_axe.cu has axe's side. The comments are the
numbers of the idioms. The exit code is 77 if Triton is not installed.
"""

import sys

try:
    import triton
    import triton.language as tl
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
except ImportError:
    print("Triton is not installed: ./run peers triton installs it")
    sys.exit(77)


@triton.jit
def add_one(x, y, n, BLOCK: tl.constexpr):
    # 1
    program = tl.program_id(0)

    # 2
    at = program * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0.0)

    # 3
    value = tl.exp(value) + 1

    # 4
    tl.store(y + at, value, mask=at < n)


@triton.jit
def softmax(x, y, rows, columns, pitch, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    inside = (row < rows) & (column < columns)
    v = tl.load(x + row * pitch + column, mask=inside, other=0.0)
    # 5
    largest = tl.max(v, axis=1)

    # 6
    v = tl.exp(v - largest[:, None])
    v = v / tl.sum(v, axis=1)[:, None]

    # 7
    rounded = v.to(tl.float16)

    tl.store(y + row * pitch + column, rounded, mask=inside)


@triton.jit
def product(A, B, C, m, n, k, lda, ldb, ldc, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    c = tl.zeros((M, N), tl.float32)
    # 8
    for start in range(0, tl.cdiv(k, K)):
        at = start * K + tl.arange(0, K)
        a = tl.load(A + row[:, None] * lda + at[None, :],
                    mask=(row[:, None] < m) & (at[None, :] < k), other=0.0)
        b = tl.load(B + column[:, None] * ldb + at[None, :],
                    mask=(column[:, None] < n) & (at[None, :] < k), other=0.0)

        # 9
        c = tl.dot(a, tl.trans(b), c)

    inside = (row[:, None] < m) & (column[None, :] < n)
    tl.store(C + row[:, None] * ldc + column[None, :], c, mask=inside)


# 10
def run(x, y, rows, columns):
    softmax[(triton.cdiv(rows, 4),)](x, y, rows, columns, columns, ROWS=4, COLUMNS=512, num_warps=4)


def compiled(kernel, types, constants):
    signature = dict(zip(kernel.arg_names, types.split()))
    signature |= {name: "constexpr" for name in constants}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm["ptx"]


for one in (compiled(add_one, "*fp32 *fp32 i32", {"BLOCK": 1024}),
            compiled(softmax, "*fp32 *fp16 i32 i32 i32", {"ROWS": 4, "COLUMNS": 512}),
            compiled(product, "*fp16 *fp16 *fp32 i32 i32 i32 i32 i32 i32",
                     {"M": 16, "N": 16, "K": 16})):
    assert ".entry" in one
print("3 kernels compiled by Triton", triton.__version__)
