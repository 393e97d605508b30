// What launches of a kernel did, in numbers; a table for people and JSON for programs.
//
//     launch_options how;  how.count = true;
//     result const told = program.launch("transpose", ...,  how);
//     std::puts(to_table(*told.counts).c_str());
//
// Units. Warp instructions: executed by at least one lane. Thread instructions: lanes that took
// part, whether or not their guard held. Sectors and wavefronts: count/model.hpp. Bytes of bulk
// copies: of the whole box, out of bounds or not, once for every block of a multicast; they are not
// in the sectors. Operations of the tensor cores: 2 m n k of an instruction, dense.
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

/// Memory that instructions asked for: requests are warp instructions, bytes those of all lanes.
struct traffic {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  cost pieces;  // sectors of global memory, wavefronts of shared memory
};

struct bulk_bytes {
  std::uint64_t loaded = 0;   // into shared memory
  std::uint64_t stored = 0;   // out of it
  std::uint64_t reduced = 0;  // out of it, combined with what was there
};

/// One instruction of the text that touched memory.
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
  std::map<std::string, executed> kinds;  // count/kinds.hpp
  traffic global[uses], shared[uses];     // by use; cp.async reads global memory and writes shared
  bulk_bytes bulk;
  std::uint64_t tensor_operations = 0;
  std::vector<line_counts> lines;

  /// Another launch of the same kernel.
  void add(kernel_counts const& other);
};

std::string to_table(kernel_counts const& counts);
std::string to_json(kernel_counts const& counts);
/// A string as JSON writes it, quotes included.
std::string json_text(std::string const& text);

}  // namespace machine
