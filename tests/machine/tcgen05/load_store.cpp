// Implements tcgen05.ld, st, wait and fence (PTX ISA, "Tensor Memory Load and Store"):
//
//     tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [taddr]    32 lanes, columns c and c + 1
//     tcgen05.st.sync.aligned.16x32bx2.x1.b32 [taddr], 16, {%r1}    16 lanes, columns c and c + 16
//
// tensor/tensor_tile.hpp says where register j of lane l lies. A load reads when it is issued.
// wait::ld lets the warp use the registers and tells other agents that the load has read
// (check/tensor_loads.hpp).
#include <bit>

#include "check/tensor_loads.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tcgen05/tensor_memory.hpp"
#include "tensor/tensor_tile.hpp"

namespace machine {
namespace {

using tensor::tensor_tile;

std::vector<tensor_tile>& tiles() {
  static std::vector<tensor_tile> list;
  return list;
}

/// One instruction of one warp: its tile, its registers, and the place where the tile begins.
struct tensor_move {
  tensor_tile tile;
  std::uint32_t const* registers;
  tensor_place from;
};

/// A load has the operands registers, address, distance; a store has address, distance, registers.
tensor_move decode(warp& w, instruction const& i, std::uint32_t mask, bool is_load) {
  tensor_move made{tiles()[i.target], i.operands().data(), {}};
  auto const count = static_cast<std::size_t>(made.tile.registers);
  std::size_t const address_at = is_load ? count : 0;
  auto const* const list = i.operands().data();
  bool const is_split = made.tile.shape == tensor::tile_shape::b16x32x2;
  if (is_split) made.tile.distance = lanes_of<std::int32_t>(w, list[address_at + 1])[0];
  if (!is_load) made.registers += is_split ? 2 : 1;
  made.from = place_of(w, i, mask, list[address_at], i.offset);
  return made;
}

void require_lanes(warp& w, instruction const& i, tensor_move const& move) {
  std::uint32_t const first = w.number % 4 * 32;
  std::uint32_t const rows = tensor::rows_of(move.tile.shape);
  std::uint32_t const lane = move.from.lane;
  if (lane % rows != 0)
    fault(w, i, 0, trouble::misaligned, lane << 16,
          say("begins at lane ", lane, " of tensor memory; this shape must begin at a multiple of ",
              rows));
  if (lane < first || lane + rows > first + 32)
    fault(w, i, 0, trouble::out_of_bounds, lane << 16,
          say("begins at lane ", lane, " of tensor memory; warp ", w.number,
              " of the block reaches lanes ", first, " to ", first + 31));
}

/// Visits each group of 16 lanes of each column of the tile once.
template <class Visit> void for_each_granule(tensor_move const& move, Visit visit) {
  auto const rows = tensor::rows_of(move.tile.shape);
  tensor::for_each_column(move.tile, [&](int column) {
    for (std::uint32_t row = 0; row < rows; row += granule_lanes)
      visit(move.from.lane + row, move.from.column + static_cast<std::uint32_t>(column));
  });
}

void check(warp& w, instruction const& i, tensor_move const& move, bool writes) {
  require_lanes(w, i, move);
  auto& memory = tensor_memory_of(*w.home);
  tensor::for_each_column(move.tile, [&](int column) {
    require_columns(w, i, *w.home, move.from.column + static_cast<std::uint32_t>(column), 1);
  });
  auto const access =
      begin_tensor_access(w, i, writes ? tensor_agent::stores : tensor_agent::loads);
  for_each_granule(move, [&](std::uint32_t lane, std::uint32_t column) {
    track_tensor(w, i, *w.home, lane, column, writes, access);
    auto& at = memory.granule(lane, column);
    if (writes)
      at.written = 0xffff;
    else
      require_tensor_written(w, i, at, lane, column);
  });
}

void require_warp(warp& w, instruction const& i, std::uint32_t mask) {
  if (mask != all_lanes)
    fault(w, i, static_cast<unsigned>(std::countr_zero(~mask)), trouble::members, 0,
          "tcgen05.ld and st need all 32 lanes of a warp");
}

void load(warp& w, instruction const& i, std::uint32_t mask) {
  require_warp(w, i, mask);
  auto const move = decode(w, i, mask, true);
  check(w, i, move, false);
  begin_tensor_load(w, i);
  auto const& words = tensor_memory_of(*w.home).words;
  for (int j = 0; j < move.tile.registers; ++j) {
    auto* const to = lanes_of<std::uint32_t>(w, move.registers[j]);
    for (int lane = 0; lane < 32; ++lane) {
      auto const at = tensor::cell_of(move.tile, j, lane);
      std::size_t const row = move.from.lane + static_cast<std::uint32_t>(at.row);
      std::size_t const column = move.from.column + static_cast<std::uint32_t>(at.column);
      std::uint32_t value = words[column * tensor_lanes + row];
      if (move.tile.packs)
        value = (value & 0xffffu) | words[(column + 1) * tensor_lanes + row] << 16;
      to[lane] = value;
    }
  }
}

void store(warp& w, instruction const& i, std::uint32_t mask) {
  require_warp(w, i, mask);
  auto const move = decode(w, i, mask, false);
  check(w, i, move, true);
  auto& words = tensor_memory_of(*w.home).words;
  for (int j = 0; j < move.tile.registers; ++j) {
    auto const* const from = lanes_of<std::uint32_t>(w, move.registers[j]);
    for (int lane = 0; lane < 32; ++lane) {
      auto const at = tensor::cell_of(move.tile, j, lane);
      std::size_t const row = move.from.lane + static_cast<std::uint32_t>(at.row);
      std::size_t const column = move.from.column + static_cast<std::uint32_t>(at.column);
      words[column * tensor_lanes + row] = move.tile.packs ? from[lane] & 0xffffu : from[lane];
      if (move.tile.packs) words[(column + 1) * tensor_lanes + row] = from[lane] >> 16;
    }
  }
}

template <tensor_agent kind> void wait(warp& w, instruction const&, std::uint32_t) {
  tensor_memory_of(*w.home);
  tensor_wait(w, kind);
  if (kind == tensor_agent::loads) finish_tensor_loads(w);
}

void fence_before(warp& w, instruction const&, std::uint32_t) {
  tensor_memory_of(*w.home);
  tensor_fence_before(w);
}

void fence_after(warp& w, instruction const&, std::uint32_t) {
  tensor_memory_of(*w.home);
  tensor_fence_after(w);
}

void add_tile(opcode_table& table, tensor_tile const& tile) {
  bool const is_split = tile.shape == tensor::tile_shape::b16x32x2;
  std::string const shape = say(".sync.aligned.", tensor::name_of(tile.shape), ".x", tile.repeats);
  std::string const list = say('w', tile.registers);
  auto const payload = static_cast<std::uint32_t>(tiles().size());
  tiles().push_back(tile);
  table_row ld{"tcgen05.ld" + shape + (tile.packs ? ".pack::16b.b32" : ".b32"),
               list + (is_split ? "=Sw" : "=S"), &load, control::member, true};
  table_row st{"tcgen05.st" + shape + (tile.packs ? ".unpack::16b.b32" : ".b32"),
               (is_split ? "=Sw" : "=S") + list, &store, control::member, true};
  ld.payload = st.payload = payload;
  table.add(ld);
  table.add(st);
}

}  // namespace

void add_tensor_moves(opcode_table& table) {
  for (auto const shape : tensor::all_tile_shapes)
    for (int repeats = 1; repeats <= 128; repeats *= 2)
      for (bool const packs : {false, true}) {
        auto const tile = tensor::tile_of(shape, repeats, packs);
        if (tile.registers <= 128) add_tile(table, tile);
      }
  table.add(
      {"tcgen05.wait::ld.sync.aligned", "=", &wait<tensor_agent::loads>, control::member, true});
  table.add(
      {"tcgen05.wait::st.sync.aligned", "=", &wait<tensor_agent::stores>, control::member, true});
  table.add({"tcgen05.fence::before_thread_sync", "=", &fence_before});
  table.add({"tcgen05.fence::after_thread_sync", "=", &fence_after});
}

}  // namespace machine
