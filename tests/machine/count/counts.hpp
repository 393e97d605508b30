// The counters of a kernel's launches, which are printed as a table or as JSON.
//
//     launch_options how;  how.count = true;
//     result const done = program.launch("transpose", ...,  how);
//     std::puts(to_table(*done.counts).c_str());
//
// A warp instruction counts as a thread instruction of each active lane, even if its guard is false
// (barriers and .sync: only if true). Bulk copies count the box's bytes for each multicast block.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "count/model.hpp"

namespace machine {

struct executed {
  std::uint64_t warp = 0;
  std::uint64_t thread = 0;
};

/// Traffic of one kind: `requests` are warp instructions, `bytes` are summed over lanes.
struct traffic {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  cost pieces;  // sectors of global memory, wavefronts of shared memory
};

struct bulk_bytes {
  std::uint64_t loaded = 0;   // into shared memory
  std::uint64_t stored = 0;   // from shared memory
  std::uint64_t reduced = 0;  // from shared memory, combined with the destination
};

/// One instruction of the PTX text that accessed memory.
struct line_counts {
  std::string file;  // empty without -lineinfo
  int line = 0;
  int ptx_line = 0;
  std::string opcode;
  traffic global, shared;
  bulk_bytes bulk;
};

enum class use : std::uint8_t { load, store, atomic, matrix };  // matrix: ldmatrix and stmatrix
inline constexpr int uses = 4;
char const* name_of(use what);

struct kernel_counts {
  std::string kernel;
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;
  executed all;
  std::map<std::string, executed> kinds;  // by count/kinds.hpp
  traffic global[uses], shared[uses];     // cp.async is a load of global and a store to shared
  bulk_bytes bulk;
  std::uint64_t tensor_operations = 0;
  std::vector<line_counts> lines;

  /// Adds another launch of the same kernel.
  void add(kernel_counts const& other);
};

std::string to_table(kernel_counts const& counts);
std::string to_json(kernel_counts const& counts);

}  // namespace machine
