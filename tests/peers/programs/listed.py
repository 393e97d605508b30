"""The programs, the arguments they are run with, how each result is checked, and the warnings of strict mode that each one earns.

Sizes are small, and where a program allows it no multiples of its tile. A warning is (kind, file:line, instruction); the lines are those of the pinned wheel.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Run:
    arguments: str
    check: tuple  # ("says", words, how often) or ("product", m, n, k, letters of A and B, type, what is exact)
    warnings: frozenset = frozenset()


@dataclass(frozen=True)
class Program:
    name: str
    source: str  # below examples/ of the wheel
    runs: tuple
    options: tuple = field(default=())


def product(m, n, k, letters="N T", element="f32", accumulator="f32", exact=False):
    return ("product", m, n, k, letters, element, accumulator, exact)


def tutorial(name, *runs):
    return Program(name, f"cute/tutorial/{name}.cu", runs)


def says(words, times):
    return ("says", words, times)


WGMMA = "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16"
TENSOR_LOAD = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
# Fills by cp.async; each thread waits for its own copies, and wgmma follows with neither a barrier nor a proxy fence in between.
UNFENCED = frozenset({("proxy", "mma_sm90_gmma.hpp:451", WGMMA), ("race", "mma_sm90_gmma.hpp:451", WGMMA)})
# Initialises mbarriers with no fence towards the asynchronous proxy, and ends while the loads of tiles past the last are in flight.
UNAWAITED = frozenset({("proxy", "copy_sm90_tma.hpp:129", TENSOR_LOAD), ("in flight", "", "")})
# Copies of rows past the end are left out, and the rows are multiplied all the same; what comes of it is never stored.
UNWRITTEN = frozenset({("never written", "memory_sm75.h:132", "ldmatrix.sync.aligned.x4.m8n8.shared.b16")})


PROGRAMS = (
    tutorial("tiled_copy", Run("", says("Success.", 1))),
    tutorial("tiled_copy_if", Run("", says("Success.", 2))),
    tutorial("sgemm_1", Run("256 256 64 N T", product(256, 256, 64)), Run("128 256 40 T N", product(128, 256, 40, "T N"))),
    tutorial("sgemm_2", Run("256 256 64 N T", product(256, 256, 64)), Run("128 256 40 T N", product(128, 256, 40, "T N"))),
    tutorial("sgemm_sm80", Run("256 128 192 T N", product(256, 128, 192, "T N", "f16", "f16"))),
    tutorial(
        "hopper/wgmma_sm90",
        Run("256 128 192 N T", product(256, 128, 192, "N T", "f16", "f16", True), UNFENCED),
        Run("256 128 192 T N", product(256, 128, 192, "T N", "f16", "f16", True), UNFENCED),
    ),
    tutorial(
        "hopper/wgmma_tma_sm90",
        Run("256 256 256 N T", product(256, 256, 256, "N T", "f16", "f16", True), UNAWAITED),
        Run("256 128 192 T N", product(256, 128, 192, "T N", "f16", "f16", True), UNAWAITED),
    ),
    Program("00", "00_basic_gemm/basic_gemm.cu", (Run("130 99 67", says("Passed", 1)),)),
    Program(
        "14",
        "14_ampere_tf32_tensorop_gemm/ampere_tf32_tensorop_gemm.cu",
        (Run("--m=132 --n=140 --k=68 --iterations=1", says("Passed", 1), UNWRITTEN),),
    ),
    Program(
        "48",
        "48_hopper_warp_specialized_gemm/48_hopper_warp_specialized_gemm.cu",
        (Run("--m=200 --n=136 --k=68 --iterations=0", says("Passed", 1)), Run("--m=512 --n=512 --k=512 --iterations=0", says("Passed", 1))),
    ),
    Program("49", "49_hopper_gemm_with_collective_builder/49_collective_builder.cu", (Run("--m=264 --n=136 --k=200 --l=2", says("Passed", 7)),)),
    Program(
        "50",
        "50_hopper_gemm_with_epilogue_swizzle/50_hopper_gemm_with_epilogue_swizzle.cu",
        (Run("--m=256 --n=256 --k=128", says("Passed", 1)),),
    ),
    Program(
        "54",
        "54_hopper_fp8_warp_specialized_gemm/54_hopper_fp8_warp_specialized_gemm.cu",
        (Run("--m=272 --n=144 --k=208 --iterations=0", says("Passed", 1)),),
        ("-lcuda",),
    ),
)

# m n k, block sizes, group, warps, stages, and whether every size is a multiple of 16 (which lets Triton copy asynchronously). C is the product of B and A, column after column.
TRITON = tuple(
    Run(arguments, product(int(arguments.split()[1]), int(arguments.split()[0]), int(arguments.split()[2]), "N N", "f16", "f32"))
    for arguments in ("256 256 128 128 128 64 8 4 3 1", "208 272 144 128 256 64 2 8 3 1", "77 53 45 64 64 32 4 2 2 0")
)
