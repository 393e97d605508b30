// Checks the registers that a wgmma in flight uses (PTX ISA, "wgmma.fence", "wgmma.wait_group").
//
//     wgmma.mma_async {%f1, ...}, ...      uses %f1 and the registers of A
//     mov.f32 %f9, %f1                     error: no wait before this access
//     wgmma.wait_group 0                   after it the registers may be accessed
//
// Strict mode also requires a wgmma.fence between another access of a register and the wgmma.
// Only instructions of the function that issues the wgmma are checked.
#pragma once

#include <cstdint>
#include <vector>

#include "check/tensor_loads.hpp"
#include "program/program.hpp"

namespace machine {

struct warp;

/// A copy of the program in which the checks of wgmma and of tcgen05.ld replace the handlers of the
/// instructions that they concern.
struct register_watch {
  explicit register_watch(program const& code);
  register_watch(register_watch const&) = delete;
  register_watch& operator=(register_watch const&) = delete;
  [[nodiscard]] bool watches() const { return count != 1 || tensor_loads.watches(); }

  program copy;
  tensor_load_watch tensor_loads{copy};
  std::vector<handler> originals;                   // by index of the instruction
  std::vector<std::vector<std::uint32_t>> touches;  // watched registers that an instruction names
  std::vector<std::vector<std::uint32_t>> owns;     // registers that a wgmma uses, by instruction
  std::uint32_t count = 1;                          // 1 + the number of watched registers
};

/// The registers of one warp.
struct watched_registers {
  struct state {
    std::uint64_t owner = 0;      // the last wgmma that used the register, counted from 1
    std::uint32_t statement = 0;  // the statement of that wgmma
    bool touched = false;         // accessed since the last wgmma.fence
  };
  std::vector<state> of;  // by register number
  bool fenced = false;    // true after the first wgmma.fence
  // The tcgen05.ld that the warp has executed since its last wait::ld, as indices of instructions.
  std::vector<std::uint32_t> tensor_loads;
};

watched_registers& registers_of(warp& w);

/// wgmma calls this: operation `number` of this warp (counted from 1) uses its registers.
void use_registers(warp& w, instruction const& i, std::uint64_t number);
void fence_registers(warp& w);

}  // namespace machine
