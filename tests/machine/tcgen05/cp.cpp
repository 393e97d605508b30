// Implements tcgen05.cp (PTX ISA, "tcgen05.cp"): copies rows of shared memory to lanes of tensor
// memory.
//
//     tcgen05.cp....32x128b.warpx4 [taddr], s-desc     row r to lanes r, r + 32, r + 64, r + 96
//     tcgen05.cp....128x256b.b8x16.b4x16_p64 [taddr], s-desc     row r to lane r, eight columns
//
// Row r is row r of a K-major operand, 16 or 32 bytes. b4x16_p64 and b6x16_p32 are 16 elements of 4
// and 6 bits at the start of 16 bytes, and become 16 bytes (tcgen05_operand.cpp has their bits).
#include <array>
#include <bit>
#include <cstring>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tcgen05/pair.hpp"
#include "tcgen05/pipeline.hpp"
#include "tensor/tcgen05_product.hpp"

namespace machine {
namespace {

/// The lanes to which a shape copies its rows.
struct copy_shape {
  char const* name;
  int rows, columns;
  int repeats;  // how often a row is written
  int (*lane)(int row, int repeat);
};

constexpr copy_shape shapes[] = {
    {"128x256b", 128, 8, 1, [](int row, int) { return row; }},
    {"128x128b", 128, 4, 1, [](int row, int) { return row; }},
    {"4x256b", 4, 8, 1, [](int row, int) { return 32 * row; }},
    {"64x128b.warpx2::02_13", 64, 4, 2, [](int row, int repeat) { return row + 64 * repeat; }},
    {"64x128b.warpx2::01_23", 64, 4, 2,
     [](int row, int repeat) { return row % 32 + 64 * (row / 32) + 32 * repeat; }},
    {"32x128b.warpx4", 32, 4, 4, [](int row, int repeat) { return row + 32 * repeat; }}};

/// The bits of an element in shared memory. With 8 the bytes are copied as they are.
struct copy_format {
  char const* name;
  int bits;
};

constexpr copy_format formats[] = {{"", 8}, {".b8x16.b6x16_p32", 6}, {".b8x16.b4x16_p64", 4}};

struct copy {
  copy_shape const* shape = nullptr;
  int bits = 8;
  tensor::operand_descriptor from;
  std::uint32_t column = 0;
};

copy decode(warp& w, instruction const& i, unsigned lane, tensor_blocks const& blocks) {
  copy made{
      &shapes[i.target % std::size(shapes)], formats[i.target / std::size(shapes)].bits, {}, 0};
  std::uint32_t const to =
      lanes_of<std::uint32_t>(w, i.at[0])[lane] + static_cast<std::uint32_t>(i.offset);
  std::uint64_t const bits = lanes_of<std::uint64_t>(w, i.at[1])[lane];
  auto const problem =
      tensor::decode_operand(bits, tensor::major::k, tensor::mma_element::u8, made.shape->rows,
                             w.home->shared_end, made.from, made.shape->columns * 4);
  if (!problem.empty())
    fault(w, i, lane, trouble::descriptor, bits,
          say("descriptor ", hexadecimal(bits), ": ", problem));
  if (to >> 16 != 0)
    fault(w, i, lane, trouble::misaligned, to,
          say("copies to lane ", to >> 16, " of tensor memory; copies begin at lane 0"));
  made.column = to & 0xffffu;
  for (auto* each : blocks)
    require_columns(w, i, *each, made.column, static_cast<std::uint32_t>(made.shape->columns));
  return made;
}

template <class Visit> void for_each_target(copy const& it, Visit visit) {
  for (int row = 0; row < it.shape->rows; ++row)
    for (int repeat = 0; repeat < it.shape->repeats; ++repeat)
      visit(row, static_cast<std::uint32_t>(it.shape->lane(row, repeat)));
}

void check(warp& w, instruction const& i, block& owner, copy const& it,
           tensor_access const& access) {
  auto& memory = *owner.tensor;
  for (int row = 0; row < it.shape->rows; ++row)
    for (int k = 0; k < it.shape->columns * 4; k += 16)
      read_by_tensor_core(w, i, owner, tensor::chunk_address(it.from, tensor::major::k, 1, row, k),
                          static_cast<std::uint32_t>(2 * it.bits),
                          [&](std::uint32_t) { return say("row ", row); });
  for_each_target(it, [&](int, std::uint32_t lane) {
    for (std::uint32_t c = it.column; c < it.column + static_cast<std::uint32_t>(it.shape->columns);
         ++c) {
      memory.granule(lane, c).written |= static_cast<std::uint16_t>(1u << lane % granule_lanes);
      if (lane % granule_lanes == 0) track_tensor(w, i, owner, lane, c, true, access);
    }
  });
}

void land(block& home, copy const& it) {
  for_each_target(it, [&](int row, std::uint32_t lane) {
    for (int chunk = 0; chunk < it.shape->columns / 4; ++chunk) {
      std::array<std::uint32_t, 4> words;
      auto const from = tensor::chunk_address(it.from, tensor::major::k, 1, row, chunk * 16);
      tensor::decompress(it.bits, home.shared.get() + from, words);
      for (std::uint32_t c = 0; c < 4; ++c)
        home.tensor
            ->words[(it.column + static_cast<std::uint32_t>(chunk) * 4 + c) * tensor_lanes + lane] =
            words[c];
    }
  });
}

template <unsigned group> void issue(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const blocks = tensor_blocks_of(w, i, lane, group);
    auto const it = decode(w, i, lane, blocks);
    begin_tensor_issue(w);
    // The accumulator 1 marks cp.4x256b, the only cp that may follow a shift (tcgen05/order.cpp).
    auto const access = begin_tensor_access(w, i, tensor_agent::cp, it.shape->rows == 4 ? 1 : 0);
    for (auto* each : blocks) check(w, i, *each, it, access);
    issue_tensor(w, [blocks, it] {
      for (auto* each : blocks) land(*each, it);
    });
  });
}

template <unsigned group> void add_group(opcode_table& table) {
  for (std::uint32_t k = 0; k < std::size(shapes) * std::size(formats); ++k) {
    table_row row{say("tcgen05.cp.cta_group::", group, '.', shapes[k % std::size(shapes)].name,
                      formats[k / std::size(shapes)].name),
                  "=Sl", &issue<group>};
    row.payload = k;
    table.add(std::move(row));
  }
}

}  // namespace

void add_tensor_copies_of_rows(opcode_table& table) {
  add_group<1>(table);
  add_group<2>(table);
}

}  // namespace machine
