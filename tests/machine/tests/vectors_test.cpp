// Tests each row of the opcode table: its handlers for AVX2 and any processor give the same bits.
#include "execute/vectors.hpp"

#include <cctype>

#include "execute/lanes.hpp"
#include "state/grid.hpp"
#include "support_machine.hpp"

using machine::opcode_table;
using machine::vector_set;
using machine_test::noise;

namespace {

constexpr std::uint32_t of_each_width = 4, registers = 6 * of_each_width, register_bytes = 256;

/// Chooses a register. Operands of one width may be the same register; operands of different widths
/// do not overlap.
std::uint32_t some_register(char letter, noise& random) {
  auto const width =
      std::string_view("pbhwlq").find(letter == 'f'   ? 'w'
                                      : letter == 'g' ? 'l'
                                                      : static_cast<char>(std::tolower(letter)));
  REQUIRE(width != std::string_view::npos);
  return static_cast<std::uint32_t>(width * of_each_width + random() % of_each_width) *
         register_bytes;
}

/// Returns the contents of all registers: small numbers, special floats and random bits.
std::vector<std::uint64_t> some_registers(noise& random) {
  std::vector<std::uint64_t> words(registers * register_bytes / 8);
  for (auto& word : words) {
    auto const narrow = [&]() -> std::uint64_t {
      switch (random() % 6) {
        case 0: return random() % 70;
        case 1: return 0x3f800000u + (random() & 0x80ffffffu);
        case 2:
          return std::array{0x7f800000u, 0xff800000u, 0x7fc00001u, 0x80000000u,
                            0x00000001u}[random() % 5];
        case 3: return 0x3c003c00u + (random() & 0x83ff83ffu);
        default: return random() & 0xffffffffu;
      }
    };
    word = narrow() | narrow() << 32;
  }
  return words;
}

std::vector<std::uint64_t> after(machine::handler run, machine::instruction const& what,
                                 std::uint32_t mask, std::vector<std::uint64_t> const& before) {
  std::unique_ptr<std::byte[], machine::aligned_delete> const file(
      static_cast<std::byte*>(::operator new[](before.size() * 8, std::align_val_t{64})));
  std::memcpy(file.get(), before.data(), before.size() * 8);
  machine::warp w;
  w.registers = file.get();
  run(w, what, mask);
  std::vector<std::uint64_t> out(before.size());
  std::memcpy(out.data(), file.get(), out.size() * 8);
  return out;
}

/// Compares every row whose handler differs from the plain one, except memory accesses. Returns the
/// number of compared rows.
int compare_with_plain() {
  opcode_table const plain(vector_set::plain), wide(vector_set::avx2);
  noise random(5);
  int compared = 0;
  for (auto const* row : wide.rows()) {
    auto const* const other = plain.find(row->name);
    REQUIRE(other != nullptr);
    if (row->run == other->run || row->signature.find_first_of("AS") != std::string::npos) continue;
    ++compared;
    for (int round = 0; round < 24; ++round) {
      machine::instruction what;
      std::size_t operand = 0;
      for (char const letter : row->signature)
        if (letter != '=') what.at[operand++] = some_register(letter, random);
      auto const mask =
          round % 3 == 0 ? machine::all_lanes : static_cast<std::uint32_t>(random() | 1);
      auto const before = some_registers(random);
      if (after(row->run, what, mask, before) != after(other->run, what, mask, before)) {
        INFO(row->name << ", mask " << mask);
        REQUIRE(false);
      }
    }
  }
  return compared;
}

}  // namespace

TEST_CASE("vector code gives the bits of plain code in every row", "[vectors]") {
  if (machine::best_vectors() == vector_set::plain) {
    WARN("nothing to compare: the processor has no AVX2, or AXE_MACHINE_VECTORS is plain");
    return;
  }
  CHECK(compare_with_plain() > 800);
}
