// demo_on_machine KERNEL.ptx: runs a kernel's PTX on this CPU, with and without its barrier.
//
//     transpose_swizzled   swizzle(M=3,B=3,S=3) o S[(64,64):(64@m,1@m)]
//       512 of 512 pieces right; reading columns: 64 wavefronts, 64 at least; the library says 64
//
// A piece is 16 bytes. Exit code 1: a piece is wrong, the library predicts other wavefronts than
// the machine counts, or the missing barrier is not reported. 2: the file cannot be read.
#include "layouts.hpp"
#include "machine.hpp"

#include <axe/analysis.hpp>

#include <cstring>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>

namespace {

using values = std::vector<std::uint16_t>;

struct memory {
  machine::device on;
  values const before;
  std::uint64_t in, out;

  memory() : before(make()), in(on.allocate(8192)), out(on.allocate(8192)) {
    on.copy_in(in, before.data(), 8192);
  }
  static values make() {
    values made(4096);
    std::iota(made.begin(), made.end(), std::uint16_t{0});
    return made;
  }
  [[nodiscard]] values after() const {
    values made(4096);
    on.copy_out(made.data(), out, 8192);
    return made;
  }
};

/// Counts the pieces that the kernel has transposed: piece p of a row must be piece `row` of p.
int right_pieces(values const& before, values const& after) {
  int right = 0;
  for (std::size_t row = 0; row < 64; ++row)
    for (std::size_t p = 0; p < 8; ++p)
      right += std::memcmp(&before[64 * row + 8 * p], &after[8 * (64 * p + row)], 16) == 0;
  return right;
}

bool show(std::string const& ptx, char const* entry, axe::layout const& tile) {
  memory data;
  machine::launch_options how;
  how.count = true;
  auto const launched =
      machine::load(ptx, data.on).launch(entry, {1}, {256}, {}, 0, {data.out, data.in}, how);
  int const right = right_pieces(data.before, data.after());
  auto const& read = launched.counts->shared[static_cast<std::size_t>(machine::use::load)].pieces;
  axe::shared_traffic const predicted = axe::shared_memory(tile, {64, 64}, axe::columns_of_128_bits<16>);
  auto const text = axe::to_text(tile);
  std::cout << entry << "   " << std::string(text.begin(), text.end()) << "\n  " << right
            << " of 512 pieces right; reading columns: " << read.taken << " wavefronts, "
            << read.least << " at least; the library says " << predicted.wavefronts << "\n";
  return right == 512 && static_cast<axe::integer>(read.taken) == predicted.wavefronts &&
         static_cast<axe::integer>(read.least) == predicted.phases;
}

/// Removes the barrier from the kernel. True if the machine reports the data race.
bool show_missing_barrier(std::string ptx) {
  auto const at = ptx.find("bar.sync");
  if (at == std::string::npos) return false;
  ptx.erase(at, ptx.find(';', at) + 1 - at);
  memory data;
  try {
    machine::load(ptx, data.on).launch("transpose_plain", {1}, {256}, {}, 0, {data.out, data.in});
  } catch (machine::error const& report) {
    std::cout << "transpose_plain without its barrier\n  " << report.what() << "\n";
    return true;
  }
  std::cout << "transpose_plain without its barrier: NOT REPORTED\n";
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) {
    std::cerr << "usage: demo_on_machine KERNEL.ptx\n";
    return 2;
  }
  std::ostringstream text;
  text << file.rdbuf();
  try {
    bool right = show(text.str(), "transpose_plain", demo::plain);
    right = show(text.str(), "transpose_swizzled", demo::swizzled) && right;
    return show_missing_barrier(text.str()) && right ? 0 : 1;
  } catch (machine::error const& wrong) {
    std::cerr << "demo_on_machine: " << wrong.what() << "\n";
    return 1;
  }
}
