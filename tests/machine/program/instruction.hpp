// One decoded instruction and its kinds.
//
//     operands     byte offsets into the register file of the frame. A register is an array of 32
//                  lanes, 128 bytes for an f32. Immediates, symbols and special registers are
//                  registers that are filled before the kernel starts.
//     predicates   one 32-bit mask, bit l for lane l
//     length       the number of plain instructions from here on that execute without a check in
//                  between, because no branch target lies between them: a run
#pragma once

#include <cstdint>
#include <span>

namespace machine {

struct warp;
struct instruction;

inline constexpr std::uint32_t all_lanes = 0xffffffffu;

using handler = void (*)(warp&, instruction const&, std::uint32_t mask);

enum class control : std::uint8_t {
  plain,
  polling,  // like plain, but may let other warps run (try_wait, nanosleep)
  member,   // .sync: runs when all lanes of its member mask (.aligned: of the warp) have reached it
  blocking,  // like member, and may park the lanes until another thread acts
  single,    // like blocking, but lanes may arrive separately (barrier.sync without .aligned)
  jump,
  jump_table,
  call,
  call_pointer,
  ret,
  exit,
};

struct instruction {
  handler run = nullptr;
  handler unguarded = nullptr;          // called by `run` for the lanes whose guard holds
  std::uint32_t at[6] = {};             // operands, results first; 0 if there are fewer
  std::span<std::uint32_t const> many;  // all operands, if there are more than six
  std::int64_t offset = 0;              // displacement of an address, or a literal
  std::uint32_t guard = 0;              // offset of the predicate
  std::uint32_t members = 0;            // offset of the member mask; 0: the whole warp
  std::uint32_t target = 0;             // branch target, callee, or index of a table
  std::uint32_t statement = 0;          // index into program::places
  // Index of its cached bounds in running::windows; 0 for helper instructions.
  std::uint32_t slot = 0;
  std::uint16_t length = 0;
  control kind = control::plain;
  bool has_guard = false;
  bool guard_negated = false;
  bool is_aligned = false;
  // False for volatile, relaxed, acquire and release accesses, which synchronise threads.
  bool is_weak = true;
  // True for .shared and .shared::cta: the address must lie in the memory of the thread's block.
  bool in_own_block = false;

  [[nodiscard]] std::span<std::uint32_t const> operands() const {
    return many.empty() ? std::span<std::uint32_t const>(at) : many;
  }
};

}  // namespace machine
