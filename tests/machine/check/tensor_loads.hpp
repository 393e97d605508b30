// Registers that a tcgen05.ld fills (PTX ISA, "tcgen05.wait"). Before a wait::ld of the warp no
// instruction may read them.
//
//     tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];
//     mov.b32 %f1, %r1;              no report: nvcc puts mov here. %f1 needs the wait too
//     add.f32 %f2, %f1, %f1;         error: no wait before this access
//
// A walk over the code finds them before the launch. Limits: README.md, "Blackwell".
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "program/program.hpp"

namespace machine {

struct warp;

struct tensor_load_watch {
  /// Replaces handlers in `copy`.
  explicit tensor_load_watch(program& copy);
  [[nodiscard]] bool watches() const { return !users.empty(); }

  /// An instruction that a path without a wait reaches from these loads.
  struct user {
    handler original = nullptr;
    std::vector<std::uint32_t> loads;  // indices of instructions
  };
  std::unordered_map<std::uint32_t, user> users;  // by index of the instruction
};

/// Called by tcgen05.ld and by tcgen05.wait::ld.
void begin_tensor_load(warp& w, instruction const& i);
void finish_tensor_loads(warp& w);

}  // namespace machine
