"""The third-party programs, their arguments, the check of each result, and the expected warnings.

Sizes are small and, if the program allows it, not multiples of its tile. A warning of strict mode
is (kind, file:line, instruction). The line numbers are those of the pinned wheel nvidia-cutlass.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Run:
    arguments: str
    # Either ("says", words, times, ...) or ("product", m, n, k, letters, type, accumulator, exact).
    check: tuple
    warnings: frozenset = frozenset()


@dataclass(frozen=True)
class Program:
    name: str
    source: str  # the path in the wheel's folder examples/
    runs: tuple
    options: tuple = field(default=())
    architecture: str = "90a"


def product(m, n, k, letters="N T", element="f32", accumulator="f32", exact=False):
    return ("product", m, n, k, letters, element, accumulator, exact)


def tutorial(name, *runs):
    return Program(name, f"cute/tutorial/{name}.cu", runs)


def blackwell(name, *runs):
    return Program(name, f"cute/tutorial/blackwell/{name}.cu", runs, DRIVER, "100a")


def says(words, times, *harmless):
    """Checks that the output has `words` exactly `times` times, and that every "error" or "fail" in
    it is part of a text of `harmless`.
    """
    return ("says", words, times, *harmless)


WGMMA = "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16"
TENSOR_LOAD = (
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
)
# Each thread waits for its own cp.async only. There is no barrier and no proxy fence before wgmma.
UNFENCED = frozenset(
    {("proxy", "mma_sm90_gmma.hpp:451", WGMMA), ("race", "mma_sm90_gmma.hpp:451", WGMMA)}
)
# There is no proxy fence after mbarrier.init, and the kernel ends while loads of tiles past the
# last one are still running.
UNAWAITED = frozenset({("proxy", "copy_sm90_tma.hpp:129", TENSOR_LOAD), ("in flight", "", "")})
# Rows past the end of the tensor are not copied to shared memory, but they are multiplied. The
# results are not stored.
UNWRITTEN = frozenset(
    {("never written", "memory_sm75.h:132", "ldmatrix.sync.aligned.x4.m8n8.shared.b16")}
)
# The program executes fence.proxy.tensormap.acquire on a null pointer, for an operand that it does
# not have.
NO_MAP = frozenset(
    {("out of bounds", "copy_sm90_desc.hpp:466", "fence.proxy.tensormap::generic.acquire.gpu")}
)
# There is no proxy fence between cp.async and wgmma. The program compares rows of C that the kernel
# never wrote.
GATHERED = frozenset(
    {
        ("proxy", "mma_sm90_gmma.hpp:1697", "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"),
        ("never written", "tensor_compare.h:67", "ld.global.u16"),
    }
)
# The kernel loads scales of rows past the end of the tile. It does not use them.
SCALES = frozenset({("never written", "copy.hpp:59", "ld.shared.f32")})
DRIVER = ("-lcuda", "--expt-extended-lambda")
# There is no fence after mbarrier.init, no tcgen05.fence::after_thread_sync between a commit and
# tcgen05.ld, and no tcgen05.wait::ld before tcgen05.dealloc.
LOADED = frozenset(
    {
        (
            "proxy",
            "barrier.h:772",
            "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64",
        ),
        ("proxy", "copy_sm100.hpp:3392", "tcgen05.ld.sync.aligned.32x32b.x1.b32"),
        ("proxy", "tmem_allocator_sm100.hpp:97", "tcgen05.dealloc.cta_group::1.sync.aligned.b32"),
        ("race", "tmem_allocator_sm100.hpp:97", "tcgen05.dealloc.cta_group::1.sync.aligned.b32"),
    }
)
# The tutorials have no tcgen05.fence, and free tensor memory without waiting for their loads from
# it. Four of them have no fence after mbarrier.init.
FREED = {
    group: frozenset({(kind, f"tmem_allocator_sm100.hpp:{line}",
                       f"tcgen05.dealloc.cta_group::{group}.sync.aligned.b32")
                      for kind in ("proxy", "race")})
    for group, line in ((1, 97), (2, 166))
}
UNFENCED_LOAD = ("proxy", "copy_sm100.hpp:3392", "tcgen05.ld.sync.aligned.32x32b.x1.b32")
COMMIT_OF_PAIR = ("proxy", "barrier.h:823",
                  "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64")
LOAD_OF_PAIR = (
    "proxy",
    "copy_sm100_tma.hpp:273",
    "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint",
)
# Tutorial 01 fills shared memory by generic stores. It has a barrier, but no proxy fence.
STORED = LOADED | {("proxy", "mma_sm100_umma.hpp:115", "tcgen05.mma.cta_group::1.kind::f16")}
LOADED_BY_TMA = LOADED | {("proxy", "copy_sm90_tma.hpp:129", TENSOR_LOAD)}
# The CUTLASS kernels have no tcgen05.fence.
UNFENCED_GEMM = frozenset(
    {
        ("proxy", "copy_sm100.hpp:3599", "tcgen05.ld.sync.aligned.32x32b.x16.b32"),
        ("proxy", "tmem_allocator_sm100.hpp:166", "tcgen05.dealloc.cta_group::2.sync.aligned.b32"),
    }
)
# The kernel overwrites scale factors that earlier products read, without a commit between them, and
# has no tcgen05.wait::ld.
NVFP4 = FREED[2] | {
    ("proxy", "copy_sm100.hpp:3977", "tcgen05.ld.sync.aligned.32x32b.x128.b32"),
    ("race", "copy_sm100.hpp:512", "tcgen05.cp.cta_group::2.32x128b.warpx4"),
}
MIXED_MXFP8 = FREED[2] | {
    ("proxy", "copy_sm100.hpp:3977", "tcgen05.ld.sync.aligned.32x32b.x128.b32"),
    ("proxy", "copy_sm100.hpp:512", "tcgen05.cp.cta_group::2.32x128b.warpx4"),
}
GROUPED_NVFP4 = FREED[1] | FREED[2] | {
    ("proxy", "copy_sm100.hpp:3791", "tcgen05.ld.sync.aligned.32x32b.x64.b32"),
}
# The warps of one warpgroup have different roles and execute different setmaxnreg.
BLOCKWISE = frozenset(
    {
        ("members", "reg_reconfig.h:84", "setmaxnreg.dec.sync.aligned.u32"),
        ("proxy", "copy_sm100.hpp:3791", "tcgen05.ld.sync.aligned.32x32b.x64.b32"),
        ("proxy", "tmem_allocator_sm100.hpp:97", "tcgen05.dealloc.cta_group::1.sync.aligned.b32"),
    }
)
# The attention kernel stores row statistics and arrives without tcgen05.wait::st. The warps
# of one warpgroup have different roles and execute different setmaxnreg.
ATTENTION = FREED[1] | {
    ("members", "reg_reconfig.h:84", "setmaxnreg.dec.sync.aligned.u32"),
    ("proxy", "copy_sm100.hpp:3599", "tcgen05.ld.sync.aligned.32x32b.x16.b32"),
    ("proxy", "copy_sm100.hpp:3677", "tcgen05.ld.sync.aligned.32x32b.x32.b32"),
    ("proxy", "copy_sm100.hpp:6946", "tcgen05.st.sync.aligned.32x32b.x2.b32"),
    ("proxy", "copy_sm100.hpp:7105", "tcgen05.st.sync.aligned.32x32b.x16.b32"),
    ("proxy", "copy_sm100.hpp:7183", "tcgen05.st.sync.aligned.32x32b.x32.b32"),
    ("proxy", "mma_sm100_umma.hpp:115", "tcgen05.mma.cta_group::1.kind::f16"),
    ("proxy", "mma_sm100_umma.hpp:203", "tcgen05.mma.cta_group::1.kind::f16"),
    ("race", "copy_sm100.hpp:3440", "tcgen05.ld.sync.aligned.32x32b.x2.b32"),
    ("race", "copy_sm100.hpp:6946", "tcgen05.st.sync.aligned.32x32b.x2.b32"),
    ("race", "mma_sm100_umma.hpp:115", "tcgen05.mma.cta_group::1.kind::f16"),
}
MULTICAST = FREED[1] | {
    UNFENCED_LOAD,
    ("proxy", "barrier.h:805",
     "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64"),
    ("proxy", "copy_sm90_tma.hpp:676", TENSOR_LOAD.replace(".L2::", ".multicast::cluster.L2::")),
}
BUILDERS = frozenset(
    {
        ("proxy", "copy_sm100.hpp:743", "tcgen05.ld.sync.aligned.16x256b.x4.b32"),
        ("proxy", "copy_sm100.hpp:821", "tcgen05.ld.sync.aligned.16x256b.x8.b32"),
        ("proxy", "tmem_allocator_sm100.hpp:166", "tcgen05.dealloc.cta_group::2.sync.aligned.b32"),
        ("proxy", "tmem_allocator_sm100.hpp:97", "tcgen05.dealloc.cta_group::1.sync.aligned.b32"),
    }
)
PAIR = FREED[2] | {UNFENCED_LOAD, COMMIT_OF_PAIR, LOAD_OF_PAIR}

PROGRAMS = (
    tutorial("tiled_copy", Run("", says("Success.", 1))),
    tutorial("tiled_copy_if", Run("", says("Success.", 2))),
    tutorial(
        "sgemm_1",
        Run("256 256 64 N T", product(256, 256, 64)),
        Run("128 256 40 T N", product(128, 256, 40, "T N")),
    ),
    tutorial(
        "sgemm_2",
        Run("256 256 64 N T", product(256, 256, 64)),
        Run("128 256 40 T N", product(128, 256, 40, "T N")),
    ),
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
    Program(
        "01_mma_sm100",
        "cute/tutorial/blackwell/01_mma_sm100.cu",
        (Run("256 512 128", says("successful", 1, "relative error"), STORED),),
        DRIVER,
        "100a",
    ),
    blackwell("02_mma_tma_sm100",
              Run("256 512 128", says("successful", 1, "relative error"), LOADED_BY_TMA)),
    blackwell("03_mma_tma_multicast_sm100",
              Run("512 1024 64", says("successful", 1, "relative error"), MULTICAST)),
    blackwell("04_mma_tma_2sm_sm100",
              Run("512 1024 64", says("successful", 1, "relative error"), PAIR)),
    blackwell("05_mma_tma_epi_sm100",
              Run("512 1024 64", says("successful", 1, "relative error"),
                  PAIR | {("proxy", "copy_sm90_tma.hpp:129", TENSOR_LOAD)})),
    Program(
        "70",
        "70_blackwell_gemm/70_blackwell_fp16_gemm.cu",
        (Run("--m=512 --n=512 --k=256 --iterations=0", says("Passed", 1), UNFENCED_GEMM),),
        DRIVER,
        "100a",
    ),
    Program(
        "71",
        "71_blackwell_gemm_with_collective_builder/71_blackwell_gemm_with_collective_builder.cu",
        (Run("--m=256 --n=256 --k=128 --l=1", says("Passed", 10), BUILDERS),),
        DRIVER,
        "100a",
    ),
    Program(
        "72a",
        "72_blackwell_narrow_precision_gemm/72a_blackwell_nvfp4_bf16_gemm.cu",
        (Run("--m=256 --n=256 --k=512 --iterations=0", says("Passed", 1), NVFP4),),
        DRIVER,
        "100a",
    ),
    Program(
        "72c",
        "72_blackwell_narrow_precision_gemm/72c_blackwell_mixed_mxfp8_bf16_gemm.cu",
        (Run("--m=256 --n=256 --k=512 --iterations=0", says("Passed", 1), MIXED_MXFP8),),
        DRIVER,
        "100a",
    ),
    Program(
        "73",
        "73_blackwell_gemm_preferred_cluster/blackwell_gemm_preferred_cluster.cu",
        (Run("--m=512 --n=512 --k=256 --iterations=0", says("Passed", 1), UNFENCED_GEMM),),
        DRIVER,
        "100a",
    ),
    Program(
        "75",
        "75_blackwell_grouped_gemm/75_blackwell_grouped_gemm_block_scaled.cu",
        (Run("--m=256 --n=256 --k=256 --groups=2 --iterations=0", says("Passed", 2),
             GROUPED_NVFP4),),
        DRIVER,
        "100a",
    ),
    Program(
        "77",
        "77_blackwell_fmha/77_blackwell_fmha.cu",
        (Run("--b=1 --h=2 --h_k=1 --q=256 --k=256 --d=128 --iterations=1 --verify", says("[OK]", 1),
             ATTENTION),),
        DRIVER,
        "100a",
    ),
    Program(
        "81",
        "81_blackwell_gemm_blockwise/81_blackwell_gemm_blockwise.cu",
        (Run("--m=512 --n=256 --k=512 --iterations=0", says("Passed", 1), BLOCKWISE),),
        DRIVER,
        "100a",
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
        (
            Run("--m=200 --n=136 --k=68 --iterations=0", says("Passed", 1)),
            Run("--m=512 --n=512 --k=512 --iterations=0", says("Passed", 1)),
        ),
    ),
    Program(
        "49",
        "49_hopper_gemm_with_collective_builder/49_collective_builder.cu",
        (Run("--m=264 --n=136 --k=200 --l=2", says("Passed", 7)),),
    ),
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
    Program(
        "16",
        "16_ampere_tensorop_conv2dfprop/ampere_tensorop_conv2dfprop.cu",
        (Run("--n=1 --h=8 --w=8 --c=32 --k=32 --r=3 --s=3 --ref-check", says("Passed", 1)),),
        DRIVER,
    ),
    Program(
        "24",
        "24_gemm_grouped/gemm_grouped.cu",
        (Run("--groups=2 --m=128 --n=128 --k=64 --iterations=1", says("Passed", 1)),),
        DRIVER,
    ),
    Program(
        "51",
        "51_hopper_gett/51_hopper_gett.cu",
        (
            Run(
                "--modeC=m,n,l --modeA=m,k,l --modeB=k,n,l --extents=m:128,n:64,k:64,l:2",
                says("passed", 1),
            ),
        ),
        DRIVER,
    ),
    Program(
        "52",
        "52_hopper_gather_scatter_fusion/52_hopper_gather_scatter_fusion.cu",
        (
            Run(
                "--m=256 --n=256 --k=64 --mode=n --index_size=128 --iterations=1",
                says("Passed", 1),
                GATHERED,
            ),
        ),
        DRIVER,
    ),
    Program(
        "56",
        "56_hopper_ptr_array_batched_gemm/56_hopper_ptr_array_batched_gemm.cu",
        (Run("--m=128 --n=128 --k=64 --l=2 --iterations=0", says("Passed", 2), NO_MAP),),
        DRIVER,
    ),
    Program(
        "57",
        "57_hopper_grouped_gemm/57_hopper_grouped_gemm.cu",
        (Run("--m=128 --n=128 --k=64 --groups=2 --iterations=0", says("Passed", 4), NO_MAP),),
        DRIVER,
    ),
    Program(
        "61",
        "61_hopper_gemm_with_topk_and_softmax/61_hopper_gemm_with_topk_and_softmax.cu",
        (Run("--m=192 --n=8 --k=512 --iterations=0", says("Passed", 1, "relative error")),),
        DRIVER,
    ),
    Program(
        "67",
        "67_hopper_fp8_warp_specialized_gemm_with_blockwise_scaling/"
        "67_hopper_fp8_warp_specialized_gemm_with_blockwise_scaling.cu",
        (
            Run(
                "--m=256 --n=128 --k=256 --iterations=0",
                says("Passed", 1, "greatest error"),
                SCALES,
            ),
        ),
        DRIVER,
    ),
)


def triton(arguments):
    """Makes a run of triton_matmul.py. Its C = A B is row-major. Read as column-major matrices, C
    is the product of B and A.
    """
    m, n, k = map(int, arguments.split()[:3])
    return Run(arguments, product(n, m, k, "N N", "f16", "f32"))


# The numbers are m n k, the block sizes in m, n and k, the group, the warps, the stages, and 1 if
# every size is a multiple of 16. Triton copies asynchronously only then.
TRITON = (
    triton("256 256 128 128 128 64 8 4 3 1"),
    triton("208 272 144 128 256 64 2 8 3 1"),
    triton("77 53 45 64 64 32 4 2 2 0"),
)
