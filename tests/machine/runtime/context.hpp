// The state of the stand-in for libcudart: modules by fat binary, kernels and variables by host
// address, and the last error. A program linked with `nvcc -cudart shared` that contains PTX runs
// on the machine instead of a GPU.
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

/// The PTX texts in a fat binary.
struct ptx_texts {
  std::vector<std::string> found;
  std::string problem;   // why a text could not be read; empty if all were
  int architecture = 0;  // the newest of the texts' architectures
};

struct loaded_module {
  ptx_texts texts;
  std::unique_ptr<module> code;  // loaded on first use
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

/// Environment variables:
///
///     AXE_MACHINE_LANDING=late|random   when asynchronous copies complete
///     AXE_MACHINE_SEED=n                random schedules
///     AXE_MACHINE_STRICT=1|warn         strict mode, with errors or warnings
///     AXE_MACHINE_CHECKS=races          does not report reads of unwritten bytes (code of nvcc -G
///                                       reads those of empty classes)
///     AXE_MACHINE_CHECKS=bounds         reports neither such reads nor races
///     AXE_MACHINE_THREADS=n             threads of the host; by default one for each core
///     AXE_MACHINE_VECTORS=plain         handlers without AVX2
///     AXE_MACHINE_COUNTERS=table        prints counters to standard error at the end
///     AXE_MACHINE_COUNTERS=json         prints JSON to stdout; the program's output goes to stderr
///     AXE_MACHINE_SITES=file            lists the mutation sites of launched kernels
///     AXE_MACHINE_WITHOUT=k             removes site k of that list, counted from 1
///     AXE_MACHINE_FAULTS=file           appends every report to this file
///     AXE_MACHINE_PROCESSORS=n          multiprocessors (default 132, from sm_100 on 148)
///     AXE_MACHINE_RECORD=folder         records copies, launches and warnings (record.hpp)
///     AXE_MACHINE_REPEATS=n             skips launches after n equal ones (record.hpp)
struct context {
  std::mutex lock;
  std::vector<std::unique_ptr<loaded_module>> modules;
  std::map<void const*, known_kernel> kernels;
  std::map<void const*, known_variable> variables;
  std::vector<launch_configuration> configurations;
  cudaError_t last = cudaSuccess;
  // After a fault, launches, copies, allocations and synchronisations return this error.
  cudaError_t sticky = cudaSuccess;
  launch_options options;
  int architecture = 90;     // the newest of the registered PTX, at least 90
  int asked_processors = 0;  // AXE_MACHINE_PROCESSORS
  /// Returns the number of multiprocessors that programs see: by default that of an H100 or B200.
  [[nodiscard]] int processors() const {
    return asked_processors != 0 ? asked_processors : architecture >= 100 ? 148 : 132;
  }
  device memory;
  std::vector<kernel_counts> counts;  // by kernel, in the order of first launches
  context();
  static context& instance();
};

/// Stores an error as the last one and returns it.
cudaError_t remember(cudaError_t code);

/// Prints a report to standard error, and to AXE_MACHINE_FAULTS for `./run machine`.
void print_fault(char const* text);

/// Returns the sticky error if there is one. Otherwise runs `act`. If it throws a machine::error,
/// prints the error and returns `code`.
template <class Act> cudaError_t guarded(cudaError_t code, Act act) {
  auto& all = context::instance();
  std::lock_guard const hold(all.lock);
  if (all.sticky != cudaSuccess) return all.sticky;
  try {
    return remember(act(all));
  } catch (error const& wrong) {
    print_fault(wrong.what());
    return remember(code);
  }
}

module& code_of(context& all, loaded_module& home);

/// Reads the fat binary that `wrapper`, the argument of __cudaRegisterFatBinary, points to.
ptx_texts texts_in(void const* wrapper);

cudaError_t launch(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   dim3 cluster);

}  // namespace machine::runtime
