// What a program did, written down for those who check it: AXE_MACHINE_RECORD names a folder.
//
//     record.jsonl    one line for each copy, launch and warning, in their order (warnings at the end):
//       {"copy": "out", "bytes": 262144, "address": 2199023321088, "file": "copy-4.bin"}
//       {"kernel": "gemm_device", "grid": [2,2,1], "block": [256,1,1], "instructions": 1398016, "seconds": 0.011, "skipped": false}
//       {"warning": "proxy", "kernel": "...", "line": 451, "times": 4096, "text": "..."}
//     copy-N.bin      the bytes of a copy from the host ("in") or to it ("out")
//
// And AXE_MACHINE_REPEATS=n: of launches that equal the one before them, while nothing but reading
// happened in between, the first n run and the others are skipped. Loops that measure time end so;
// a kernel that adds to its own result must not be run that way.
#pragma once

#include "runtime/context.hpp"

namespace machine::runtime {

/// Reads the two variables; called once, before main.
void open_record(context& all);

/// `to_device`: from the host, else to the host; the bytes are the host's.
void record_copy(bool to_device, std::uint64_t address, void const* host, std::size_t bytes);

/// True when this launch is to be skipped.
bool is_repeated(std::string identity);
/// Device memory changes: the next launch is a new one, whatever it looks like.
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
