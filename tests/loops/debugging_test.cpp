// A violation says where it is and stops the kernel; accesses in bounds do not.
#include "on_machine.hpp"
#include "tensors.hpp"

using namespace loops;

namespace {

/// The error of a launch, empty if it ends well.
std::string error_of(char const* entry, std::vector<machine::argument> arguments) {
  loaded m("debugging", "sm_90a");
  auto* const to = m.put(std::vector<unsigned short>(16 * 64));
  arguments.insert(arguments.begin(), machine::argument(output(to, 13, 61, 64)));
  try {
    m.launch(entry, {1, 1, 1}, 32, arguments);
  } catch (std::exception const& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("AXE_DEBUG stops at elements out of bounds") {
  CHECK(error_of("element", {12, 60}).empty());
  CHECK(error_of("piece_register", {0u}).empty());
  for (auto const& [row, column] : {std::array{13, 0}, {0, 61}, {-1, 0}, {0, -1}}) {
    CAPTURE(row, column);
    CHECK(error_of("element", {row, column}).find("trap") != std::string::npos);
  }
  CHECK(error_of("piece_register", {1u}).find("trap") != std::string::npos);

  loaded m("debugging", "sm_90a");
  axe::tensor<unsigned short, whole_tiles, axe::aligned<16>> const out(
      m.put(std::vector<unsigned short>(128 * 64)), 128, 64, 64);
  m.launch("whole", {1, 1, 1}, 32, {out, 1u});
  CHECK_THROWS(m.launch("whole", {1, 1, 1}, 32, {out, 2u}));
}

TEST_CASE("fragments are printed as tiles, once per warp") {
  loaded m("debugging", "sm_90a");
  CHECK(m.launch("printing", {1, 1, 1}, 32, {}) ==
        "fragment of 2 x 8, warp 0 of block (0, 0, 0)\n"
        "        0      0.5        1      1.5        2      2.5        3      3.5\n"
        "        4      4.5        5      5.5        6      6.5        7      7.5\n"
        "fragment of 1 x 4, warp 0 of block (0, 0, 0)\n"
        "       -1        0        1        2\n");
}
