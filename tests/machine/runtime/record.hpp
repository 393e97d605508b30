// Records what a program did, for scripts that check its results (AXE_MACHINE_RECORD=folder):
//
//     record.jsonl    one line for each copy and launch, then one for each warning:
//       {"copy": "out", "bytes": 262144, "address": 2199023321088, "file": "copy-4.bin"}
//       {"kernel": "gemm_device", "grid": [2,2,1], "block": [256,1,1], "seconds": 0.011, ...}
//       {"warning": "proxy", "kernel": "...", "line": 451, "times": 4096, "text": "..."}
//     copy-N.bin      the bytes of a copy from the host ("in") or to it ("out")
#pragma once

#include "runtime/context.hpp"

namespace machine::runtime {

/// Reads AXE_MACHINE_RECORD and AXE_MACHINE_REPEATS. It is called once, before main.
void open_record(context& all);

/// Records a copy from the host if `to_device`, else to the host. `host` points to the bytes.
void record_copy(bool to_device, std::uint64_t address, void const* host, std::size_t bytes);

/// True if this launch is skipped. With AXE_MACHINE_REPEATS=n only the first n of equal launches
/// run, if device memory was only read in between. The results are wrong for kernels that add to
/// their own result.
bool is_repeated(std::string identity);
/// Called when device memory changes: the next launch counts as a new one.
void memory_changes();

struct recorded_launch {
  std::string kernel;
  dim3 grid, block;
  std::uint64_t instructions = 0;
  double seconds = 0;
  bool skipped = false;
};
void record_launch(recorded_launch const& what);

}  // namespace machine::runtime
