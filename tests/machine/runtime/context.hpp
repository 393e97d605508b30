// What the stand-in for libcudart keeps: modules by fat binary, kernels and variables by host
// address, the last error.
//
// A program linked with `nvcc -cudart shared` and carrying its PTX (code=compute_90a) finds these
// functions where it would find NVIDIA's library, and runs on the machine instead. Settings come
// from the environment:
//
//     AXE_MACHINE_LANDING=late|random    AXE_MACHINE_SEED=n    AXE_MACHINE_STRICT=1|warn
//     AXE_MACHINE_CHECKS=bounds|races    neither races nor bytes never written are looked for, or the latter alone (debug code copies empty classes)
//     AXE_MACHINE_THREADS=n              of the host, over independent clusters (one for each core unless said otherwise)
//     AXE_MACHINE_VECTORS=plain|avx2     narrower vector code than the processor has (execute/vectors.hpp)
//     AXE_MACHINE_COUNTERS=table         what each kernel did, to standard error when the program ends
//     AXE_MACHINE_COUNTERS=json          the same as JSON to standard output; what the program prints goes to standard error
//     AXE_MACHINE_SITES=file             what can be taken away of the launched kernels is written there (mutate/mutate.hpp), one a line, by number
//     AXE_MACHINE_WITHOUT=k              line k of it, counted from 1, is taken away
//     AXE_MACHINE_FAULTS=file            every report is appended to this file as well
//     AXE_MACHINE_PROCESSORS=n           multiprocessors that programs are told of (132, or 148 of sm_100): what fills them all has fewer threads
//     AXE_MACHINE_RECORD=folder          copies, launches and warnings are written there (record.hpp)
//     AXE_MACHINE_REPEATS=n              of launches that repeat the one before them n are run, the others skipped (record.hpp)
#pragma once

#include <cuda_runtime_api.h>

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "machine.hpp"

namespace machine::runtime {

/// The PTX in a fat binary.
struct ptx_texts {
  std::vector<std::string> found;
  std::string problem;   // why one could not be read; empty otherwise
  int architecture = 0;  // the largest that one is for
};

struct loaded_module {
  ptx_texts texts;
  std::unique_ptr<module> code;  // loaded when first needed
};

struct known_kernel {
  loaded_module* home = nullptr;
  std::string name;
};

struct known_variable {
  loaded_module* home = nullptr;
  std::string name;
  std::size_t bytes = 0;
};

struct launch_configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

struct context {
  std::mutex lock;
  std::vector<std::unique_ptr<loaded_module>> modules;
  std::map<void const*, known_kernel> kernels;
  std::map<void const*, known_variable> variables;
  std::vector<launch_configuration> configurations;
  cudaError_t last = cudaSuccess;
  cudaError_t sticky = cudaSuccess;  // after a fault every call fails, as on a device
  launch_options options;
  int architecture = 90;     // 100 once a program has brought PTX for it
  int asked_processors = 0;  // AXE_MACHINE_PROCESSORS
  /// Multiprocessors, as far as programs can ask: of an H100 or a B200.
  [[nodiscard]] int processors() const {
    return asked_processors != 0 ? asked_processors : architecture >= 100 ? 148 : 132;
  }
  device memory;
  std::vector<kernel_counts> counts;  // by kernel, in the order of their first launches
  context();
  static context& instance();
};

/// Remembers an error and returns it.
cudaError_t told(cudaError_t code);

/// Prints a report where people and `./run machine` look for it.
void print_fault(char const* text);

/// Runs `act`; a machine::error is printed and becomes `code`.
template <class Act> cudaError_t guarded(cudaError_t code, Act act) {
  auto& all = context::instance();
  std::lock_guard const hold(all.lock);
  if (all.sticky != cudaSuccess) return all.sticky;
  try {
    return told(act(all));
  } catch (error const& wrong) {
    print_fault(wrong.what());
    return told(code);
  }
}

module& code_of(context& all, loaded_module& home);

/// Reads the fat binary behind `wrapper` (what __cudaRegisterFatBinary is given).
ptx_texts texts_in(void const* wrapper);

cudaError_t launch(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   dim3 cluster);

}  // namespace machine::runtime
