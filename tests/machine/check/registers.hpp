// Registers that belong to wgmma (ISA, "Asynchronous Warpgroup Level Matrix Operations":
// wgmma.fence, wgmma.wait_group).
//
//     wgmma.mma_async {%f1, ...}, ...      from here on %f1 and the registers of A are the engine's,
//     mov.f32 %f9, %f1                     so this is an error
//     wgmma.wait_group 0                   until the warp has waited for them
//
// And the other way round, in strict mode: a register that other instructions have touched needs a
// wgmma.fence before wgmma takes it. Only instructions that name such a register pass by here: a
// copy of the program is run in which their handlers are replaced.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"

namespace machine {

struct warp;

/// The program whose instructions are watched. Nothing is watched in programs without wgmma.
struct register_watch {
  explicit register_watch(program const& code);
  register_watch(register_watch const&) = delete;
  register_watch& operator=(register_watch const&) = delete;
  [[nodiscard]] bool watches() const { return count != 1; }

  program copy;
  std::vector<handler> originals;                   // by index of the instruction
  std::vector<std::vector<std::uint32_t>> touches;  // watched registers that an instruction names
  std::vector<std::vector<std::uint32_t>> owns;     // those that a wgmma takes
  std::uint32_t count = 1;                          // registers are numbered from 1
};

/// Of one warp.
struct watched_registers {
  struct state {
    std::uint64_t owner = 0;      // number of the wgmma that took it last, counted from 1
    std::uint32_t statement = 0;  // of that wgmma
    bool touched = false;         // since the last wgmma.fence
  };
  std::vector<state> of;  // by number
  bool fenced = false;    // ever
};

/// What wgmma tells: it takes its registers as operation `number` of this warp (counted from 1); a
/// fence.
void take_registers(warp& w, instruction const& i, std::uint64_t number);
void fence_registers(warp& w);

}  // namespace machine
