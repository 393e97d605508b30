// SPDX-License-Identifier: MIT
// For kernels: tensors, tiles, fragments, scopes, barriers, and the execution of plans.
//
//     axe::copy(axe::tile<64, 64>(in, i, j), staged, axe::cta<128>);
//
// Host compilers see only tensors, tiles, fragments, thread_scope and tensor maps. To save compile
// time, kernels include products (axe/cuda/mma/mma.hpp, wgmma.hpp, tcgen05.hpp, block_scaled.hpp),
// axe/cuda/permute.hpp, online_softmax.hpp and print.hpp. Guide: docs/guides/kernels.md.
#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error axe/cuda.hpp needs sm_80 or later. Without -arch, nvcc 13 compiles for sm_75
#endif

#include <axe/config.hpp>  // first, so that C++17 fails at once

#include <axe/cuda/fragment.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/cuda/scope.hpp>
#include <axe/cuda/tma/tensor_map.hpp>

#ifdef __CUDACC__
#include <axe/cuda/atomic_add.hpp>
#include <axe/cuda/cast.hpp>
#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/copy/copy_if.hpp>
#include <axe/cuda/copy/gather.hpp>
#include <axe/cuda/copy/prepared.hpp>
#include <axe/cuda/copy/prepared_tensor.hpp>
#include <axe/cuda/copy/tensor_copy.hpp>
#include <axe/cuda/elementwise.hpp>
#include <axe/cuda/fence.hpp>
#include <axe/cuda/launch.hpp>
#include <axe/cuda/launch_control.hpp>
#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/memory.hpp>
#include <axe/cuda/mma/omitted.hpp>
#include <axe/cuda/pipeline.hpp>
#include <axe/cuda/reduce.hpp>
#include <axe/cuda/shared_subtile.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/thread.hpp>
#include <axe/cuda/warpgroup.hpp>
#endif
