// Runs the pattern copy_by_plan on the PTX machine (tests/machine). Its hand-written form and axe's
// form must put the tile at the same swizzled addresses in shared memory.
#include "../../benchmarks/index/patterns/copies.hpp"

#include "machine.hpp"
#include "support/catch.hpp"
#include "support/ptx.hpp"
#include "support/targets.hpp"

namespace {

constexpr unsigned side = 64;

std::string text_of(std::string const& target) {
  return axe_test::ptx_of(AXE_CODEGEN_PTX, "copies", target);
}

/// The address of element (row, column) in the swizzled tile: the number of each chunk of 8
/// elements in a row of 128 bytes is XORed with the row modulo 8.
unsigned address_of(unsigned row, unsigned column) {
  return row * side + ((column / 8 ^ row % 8) * 8 | column % 8);
}

}  // namespace

TEST_CASE("both forms of copy_by_plan store each element at its swizzled address") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    machine::device device;
    machine::module program = machine::load(text_of(target), device);
    int forms = 0;
    for (std::string const& entry : program.entries()) {
      if (entry.find("_copy_by_plan") == std::string::npos) continue;
      ++forms;
      for (unsigned const pitch : {192u, 200u, 1024u}) {
        unsigned const rows = 128, columns = 192;
        std::vector<std::uint16_t> in(rows * pitch), out(side * side);
        for (std::size_t i = 0; i < in.size(); ++i)
          in[i] = static_cast<std::uint16_t>(i * 40503 >> 3);
        std::uint64_t const from = device.allocate(in.size() * 2),
                            to = device.allocate(out.size() * 2);
        device.copy_in(from, in.data(), in.size() * 2);
        // The grid has x + 1 by y + 1 blocks. All of them write their tiles to one buffer, one
        // after the other, so the tile of block (x, y) remains. `strict` would report this race.
        for (auto const& [x, y] : {std::pair{0u, 0u}, {2u, 0u}, {2u, 1u}}) {
          machine::launch_options options;
          options.strict = x == 0;
          options.threads = 1;
          pattern::copied_tile const given{{reinterpret_cast<std::uint16_t const*>(from),
                                            pattern::whole_tiles(rows, columns, pitch)}};
          program.launch(entry, {x + 1, y + 1, 1}, {128, 1, 1}, {}, side * side * 2,
                         {given, 7u, to}, options);
          device.copy_out(out.data(), to, out.size() * 2);
          int wrong = 0;
          for (unsigned r = 0; r < side; ++r)
            for (unsigned c = 0; c < side; ++c)
              wrong += out[address_of(r, c)] != in[(y * side + r) * pitch + x * side + c];
          CAPTURE(target, entry, pitch, x, y);
          CHECK(wrong == 0);
        }
      }
    }
    CHECK(forms >= 2);
  }
}
