// One decoded instruction: everything the interpreter needs, nothing it has to look up.
//
//     operands     byte offsets into the register file of the frame; a register is 32 lanes side by side,
//                  so `at[0]` of an f32 names 128 bytes and lane l is float number l. Immediates, symbols
//                  and special registers are registers too, filled before the kernel starts.
//     predicates   one 32-bit mask, bit l for lane l
//     run          plain instructions that follow each other with no branch target between them are
//                  executed without looking left or right: `length` of them from here on
#pragma once

#include <cstdint>

namespace machine {

struct warp;
struct instruction;

inline constexpr std::uint32_t all_lanes = 0xffffffffu;

using handler = void (*)(warp&, instruction const&, std::uint32_t mask);

enum class control : std::uint8_t {
  plain,
  polling,  // plain, but may ask for the scheduler to look at other warps (try_wait, nanosleep)
  member,  // .sync: runs once every lane of its member mask (or, .aligned, of the warp) stands here
  blocking,  // as member, and may park the lanes until somebody else acts
  single,    // as blocking, but lanes need not come together (barrier.sync without .aligned)
  jump,
  jump_table,
  call,
  call_pointer,
  ret,
  exit,
};

struct instruction {
  handler run = nullptr;
  handler unguarded = nullptr;          // what `run` calls for the lanes whose guard holds
  std::uint32_t at[6] = {};             // operands, results first
  std::uint32_t const* many = nullptr;  // all operands, when there are more than six
  std::int64_t offset = 0;              // displacement of an address, or a literal
  std::uint32_t guard = 0;              // predicate's offset
  std::uint32_t members = 0;            // member mask's offset; 0: the whole warp
  std::uint32_t target = 0;             // branch target, callee, or index of a table
  std::uint32_t statement = 0;          // index into program::places
  std::uint32_t slot = 0;  // number of the row's instruction, for its cache; 0: a helper of one
  std::uint16_t length = 0;
  control kind = control::plain;
  bool has_guard = false;
  bool guard_negated = false;
  bool is_aligned = false;
  // Not volatile, relaxed, acquire or release: does not synchronise threads.
  bool is_weak = true;
};

}  // namespace machine
