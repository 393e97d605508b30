// Checks the registers that a tcgen05.ld fills (PTX ISA, "tcgen05.wait"). No instruction may read
// them before a wait::ld of the warp.
//
//     tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];
//     mov.b32 %f1, %r1;              no report: nvcc puts mov here. %f1 needs the wait too
//     add.f32 %f2, %f1, %f1;         error: no wait before this access
//
// A walk over the code finds such instructions before the launch. Limits: README.md, "Blackwell".
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "program/program.hpp"

namespace machine {

struct warp;

struct tensor_load_watch {
  /// Replaces the handlers of the instructions that read such registers in `copy`.
  explicit tensor_load_watch(program& copy);
  [[nodiscard]] bool watches() const { return !users.empty(); }

  /// An instruction that a path from these loads reaches without a wait.
  struct user {
    handler original = nullptr;
    std::vector<std::uint32_t> loads;  // indices of instructions
  };
  std::unordered_map<std::uint32_t, user> users;  // by index of the instruction
};

/// tcgen05.ld calls the first function, tcgen05.wait::ld the second.
void begin_tensor_load(warp& w, instruction const& i);
void finish_tensor_loads(warp& w);

}  // namespace machine
