// AXE_MACHINE_FLIP=add.s32 makes one row of the opcode table wrong for all tests of this program
// (rows/flip.hpp).
#include <cstdlib>

#include "rows/flip.hpp"

namespace {
[[maybe_unused]] bool const flipped = [] {
  char const* const name = std::getenv("AXE_MACHINE_FLIP");
  if (name != nullptr && *name != 0) machine_rows::flip_row(name);
  return true;
}();
}  // namespace
