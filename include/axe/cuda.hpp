// What kernels are written with: views, fragments, threads and scopes, barriers, and the tile
// primitives that execute plans.
//
//     #include <axe/cuda.hpp>
//
//     axe::copy(in.tile<64, 64>(i, j), staged.tile(), axe::every<128>);
//
// What turns one fragment into another of the same elements (`convert`, `permute`) is
// axe/cuda/permute.hpp: it brings the search for the fewest shuffles along, which costs over half
// as much as all of the rest. Device code, by nvcc or NVRTC; a host compiler alone sees the types
// of views, fragments, scopes and tensor maps, to launch with: planners are axe/plan.hpp and
// axe/convert.hpp. Not part of axe/axe.hpp.
// Definition: docs/plans.md, docs/index_code.md.
#pragma once

#include <axe/cuda/fragment.hpp>
#include <axe/cuda/scope.hpp>
#include <axe/cuda/tma/tensor_map.hpp>
#include <axe/cuda/view.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/copy/tensor.hpp>
#include <axe/cuda/elementwise.hpp>
#include <axe/cuda/fence.hpp>
#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/memory.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/mma/tcgen05.hpp>
#include <axe/cuda/pipeline.hpp>
#include <axe/cuda/reduce.hpp>
#include <axe/cuda/reduce_cluster.hpp>
#include <axe/cuda/subtile.hpp>
#include <axe/cuda/thread.hpp>
#include <axe/cuda/tma/transfer.hpp>
#include <axe/cuda/warpgroup.hpp>
#endif
