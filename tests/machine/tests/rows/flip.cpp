// Implements flip.hpp: replaces the handler of a row of the opcode table by one that calls it and
// then flips a bit.
#include "rows/flip.hpp"

#include <bit>
#include <cctype>
#include <stdexcept>

#include "execute/lanes.hpp"
#include "rows/evaluate.hpp"
#include "state/access.hpp"
#include "tcgen05/tensor_memory.hpp"
#include "tensor/tile_rows.hpp"

namespace machine_rows {
namespace {

using machine::instruction;
using machine::warp;

machine::table_row* flipped = nullptr;
machine::handler original = nullptr;

/// Returns a lane in the middle of the mask, because many tests examine the first lane alone.
unsigned middle_lane(std::uint32_t mask) {
  for (int skip = std::popcount(mask) / 2; skip > 0; --skip) mask &= mask - 1;
  return static_cast<unsigned>(std::countr_zero(mask));
}

/// Chooses the bit to flip. The bit is high enough to exceed the error of approximate functions,
/// and changes each time, so that two flips do not cancel. For mbarrier states and addresses it is
/// a low bit, because tests do not notice a high one.
unsigned bit_of(unsigned width) {
  static unsigned times = 0;
  ++times;
  if (flipped->name.starts_with("mbarrier")) return times % 2;
  if (flipped->name.starts_with("cvta") || flipped->name.starts_with("mapa")) return 3 + times % 2;
  return width * 5 / 8 + times % 3;
}

/// The letter is that of the register in the row's signature (program/table.hpp).
void flip_register(warp& w, std::uint32_t offset, char letter, unsigned lane) {
  using machine::lanes_of;
  switch (std::tolower(letter)) {
    case 'p': machine::predicate_of(w, offset) ^= 1u << lane; break;
    case 'b':
      lanes_of<std::uint8_t>(w, offset)[lane] ^= static_cast<std::uint8_t>(1u << bit_of(8));
      break;
    case 'h':
      lanes_of<std::uint16_t>(w, offset)[lane] ^= static_cast<std::uint16_t>(1u << bit_of(16));
      break;
    case 'w':
    case 'f': lanes_of<std::uint32_t>(w, offset)[lane] ^= 1u << bit_of(32); break;
    case 'q': lanes_of<std::uint64_t>(w, offset)[2 * lane] ^= std::uint64_t{1} << bit_of(64); break;
    default: lanes_of<std::uint64_t>(w, offset)[lane] ^= std::uint64_t{1} << bit_of(64); break;
  }
}

bool contains(std::string const& row, char const* part) {
  return row.find(part) != std::string::npos;
}

void flip_memory(warp& w, instruction const& i, unsigned lane) {
  if (contains(flipped->name, "tcgen05.st")) {  // the word of the first column in one of 16 lanes
    auto& memory = machine::tensor_memory_of(*w.home);
    auto const place = machine::place_of(w, i, machine::all_lanes, i.operands()[0]);
    memory.words[place.column * machine::tensor_lanes + place.lane + lane % 16] ^= 1u << bit_of(16);
    return;
  }
  bool const narrow = flipped->signature[flipped->signature.find('=') + 1] == 'S';
  std::uint64_t const address = narrow ? machine::lanes_of<std::uint32_t>(w, i.at[0])[lane] +
                                             static_cast<std::uint32_t>(i.offset)
                                       : machine::lanes_of<std::uint64_t>(w, i.at[0])[lane] +
                                             static_cast<std::uint64_t>(i.offset);
  auto const where = narrow                              ? machine::space::shared
                     : contains(flipped->name, ".local") ? machine::space::local
                                                         : machine::space::generic;
  auto const at = machine::reach(w, i, lane, where, address, 1, machine::access::write, 1);
  static unsigned times = 0;
  at.bytes[0] ^= static_cast<std::byte>(16u << ++times % 3);
}

void flip_tensor(warp& w, instruction const& i, unsigned lane) {
  auto const list = i.operands();
  std::uint64_t const address =
      machine::lanes_of<std::uint64_t>(w, list[0])[lane] + static_cast<std::uint64_t>(i.offset);
  auto const bytes = machine::reach(w, i, lane, machine::space::generic, address,
                                    machine::tensor::map_bytes, machine::access::read, 64);
  auto const map = machine::tensor::read_map(bytes.bytes);
  if (!map) return;
  machine::tensor::coordinates at{};
  for (int d = 0; d < map->rank; ++d)
    at[static_cast<std::size_t>(d)] = machine::lanes_of<std::int32_t>(w, list[1 + d])[lane];
  bool done = false;
  machine::tensor::for_each_row(*map, at, {}, [&](machine::tensor::tile_row const& row) {
    if (row.inside == 0 || done) return;
    machine::reach(w, i, lane, machine::space::generic, row.global, 1, machine::access::write, 1)
        .bytes[0] ^= std::byte{0x20};
    done = true;
  });
}

void run_flipped(warp& w, instruction const& i, std::uint32_t mask) {
  original(w, i, mask);
  // Only the first eight lanes supply addresses to stmatrix.x1.
  bool const matrix_rows = flipped->name.starts_with("stmatrix");
  unsigned const lane = matrix_rows ? 3 : middle_lane(mask);
  switch (flippable_result(*flipped)) {
    case flippable::registers:
      flip_register(w, i.operands()[0],
                    flipped->signature.empty() ? (contains(flipped->name, "popc") ? 'w' : 'p')
                                               : flipped->signature[0],
                    lane);
      break;
    case flippable::memory: flip_memory(w, i, lane); break;
    case flippable::tensor: flip_tensor(w, i, lane); break;
    case flippable::nothing: break;
  }
}

}  // namespace

flippable flippable_result(machine::table_row const& row) {
  if (row.name.starts_with("barrier.collect")) return flippable::registers;
  if (contains(row.name, ".red.") && (row.name.starts_with("bar")))
    return flippable::nothing;  // barrier.collect has the result
  // Hints have no result; memory after inval and discard is undefined.
  if (row.name.starts_with("createpolicy") || row.name.starts_with("mbarrier.inval") ||
      row.run == nullptr || contains(row.name, "prefetch") ||
      row.name.starts_with("applypriority") || row.name.starts_with("discard") ||
      row.name.starts_with("fence") ||
      // A commit arrives at its mbarrier later. The tests of tcgen05.mma and cp cover it.
      row.name.starts_with("tcgen05.commit"))
    return flippable::nothing;
  auto const equals = row.signature.find('=');
  if (equals == std::string::npos) return flippable::nothing;
  if (equals != 0) return flippable::registers;
  char const first = equals + 1 < row.signature.size() ? row.signature[equals + 1] : ' ';
  if (first == 'T') return flippable::tensor;
  return first == 'A' || first == 'S' ? flippable::memory : flippable::nothing;
}

void flip_row(std::string const& name) {
  if (flipped != nullptr) flipped->run = original;
  auto const* const row = machine::opcode_table::instance().find(name);
  if (row == nullptr) throw std::invalid_argument("the table has no row " + name);
  // Rows are const only through the table's interface.
  flipped = const_cast<machine::table_row*>(row);
  original = flipped->run;
  flipped->run = run_flipped;
}

}  // namespace machine_rows
