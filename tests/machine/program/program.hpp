// A decoded kernel: the entry and every function that it can reach, in one array of instructions.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "program/instruction.hpp"
#include "text/syntax.hpp"

namespace machine {

/// Special registers that are constant while a block runs. A frame gets their values when it is
/// created, and again when its warp starts another block.
enum class special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  dynamic_smem_size,
  total_smem_size,
  zero
};

// The registers that a frame is filled with. `offset` counts bytes in the frame's register file.

struct special_register {
  special which;
  std::uint32_t offset;
};

struct constant_register {
  std::uint64_t bits;
  std::uint32_t width;  // in bytes; 0: a predicate
  std::uint32_t offset;
};

/// The address of a local variable, relative to the lane's stack base.
struct stack_register {
  std::uint32_t address;
  std::uint32_t offset;
};

struct frame_layout {
  std::string name;
  std::uint32_t bytes = 0;  // size of the register file of a frame
  std::uint32_t stack = 0;  // bytes of local memory for each thread
  std::uint32_t first = 0;  // index of the first instruction
  std::vector<constant_register> constants;
  // The addresses of shared variables, in block 0 of the cluster.
  std::vector<constant_register> shared;
  std::vector<special_register> specials;
  std::vector<stack_register> stack_addresses;
  // The stack offsets of .func parameters, and their sizes.
  std::vector<std::uint32_t> parameter_offsets;
  std::vector<std::uint32_t> parameter_bytes;
  std::vector<std::uint32_t> result_offsets;
  std::vector<std::uint32_t> result_bytes;
};

/// The static part of a call.
struct call_site {
  std::uint32_t callee = 0;              // frame_layout index, for direct calls
  std::vector<std::uint32_t> arguments;  // stack offsets in the caller's frame
  std::vector<std::uint32_t> argument_bytes;
  std::vector<std::uint32_t> results;
  std::vector<std::uint32_t> result_bytes;
};

struct place {
  std::string_view opcode;
  int ptx_line = 0;
  int source_file = 0;
  int source_line = 0;
};

/// The operands of an instruction: the first `results` are written, the others read.
struct operand_use {
  std::uint16_t results = 0, operands = 0;
  bool is_known = false;  // the instruction accesses these registers only while it executes
};

struct kernel_parameter {
  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

struct program {
  std::string name;
  std::shared_ptr<source_text const> source;
  std::vector<instruction> code;
  std::vector<place> places;
  std::vector<frame_layout> functions;  // [0] is the entry
  std::vector<call_site> calls;
  std::vector<std::vector<std::uint32_t>> tables;  // targets of brx.idx
  std::deque<std::vector<std::uint32_t>> operand_lists;
  // The addresses of functions that are called by pointer.
  std::unordered_map<std::uint64_t, std::uint32_t> function_addresses;
  std::vector<kernel_parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_end = 0;  // absolute shared address after the static variables
  std::uint32_t dynamic_shared_base = 0;
  std::uint32_t slots = 0;  // the largest instruction::slot
  std::uint32_t required_threads[3] = {0, 0, 0};
  std::uint32_t maximum_threads[3] = {0, 0, 0};
  std::uint32_t required_cluster[3] = {0, 0, 0};
  std::uint32_t most_registers = 0;        // .maxnreg; 0: none
  std::uint32_t blocks_per_processor = 0;  // .minnctapersm; 0: none
  std::uint32_t entry_registers = 0;       // E of execute/register_pool.hpp
  std::vector<operand_use> uses;           // by instruction
};

}  // namespace machine
