// Implements tcgen05.shift (PTX ISA, "tcgen05.shift"; "Data Movement Shape": .31x256b): the row of
// 32 bytes in each of a warp's first 31 lanes moves to the next lane.
//
//     tcgen05.shift.cta_group::1.down [taddr]  lane l + r gets the row of l + r - 1, r = 1 to 31
//
// Lane l, a multiple of 32, keeps its row, and tcgen05.cp.4x256b may write it without a wait.
#include <algorithm>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tcgen05/pair.hpp"
#include "tcgen05/pipeline.hpp"

namespace machine {
namespace {

constexpr std::uint32_t shifted_columns = 8, shifted_lanes = 32;

tensor_place decode(warp& w, instruction const& i, unsigned lane, tensor_blocks const& blocks) {
  std::uint32_t const address =
      lanes_of<std::uint32_t>(w, i.at[0])[lane] + static_cast<std::uint32_t>(i.offset);
  tensor_place const at{address >> 16, address & 0xffffu};
  if (at.lane % shifted_lanes != 0 || at.lane >= tensor_lanes)
    fault(w, i, lane, trouble::misaligned, address,
          say("shifts rows from lane ", at.lane,
              " of tensor memory on; it must be lane 0, 32, 64 or 96"));
  for (auto* each : blocks) require_columns(w, i, *each, at.column, shifted_columns);
  return at;
}

/// Checks a shift. A row that was never written counts as never written in its new lane too.
void check(warp& w, instruction const& i, block& owner, tensor_place at,
           tensor_access const& access) {
  auto& memory = *owner.tensor;
  for (std::uint32_t c = at.column; c < at.column + shifted_columns; ++c) {
    auto &upper = memory.granule(at.lane, c), &lower = memory.granule(at.lane + granule_lanes, c);
    std::uint32_t const before = upper.written | std::uint32_t{lower.written} << granule_lanes;
    std::uint32_t const after = before << 1 | (before & 1u);
    for (auto const lane : {at.lane, at.lane + granule_lanes})
      track_tensor(w, i, owner, lane, c, true, access);
    upper.written = static_cast<std::uint16_t>(after);
    lower.written = static_cast<std::uint16_t>(after >> granule_lanes);
  }
}

void land(block& home, tensor_place at) {
  for (std::uint32_t c = at.column; c < at.column + shifted_columns; ++c) {
    auto const first =
        home.tensor->words.begin() + static_cast<std::ptrdiff_t>(c * tensor_lanes + at.lane);
    std::copy_backward(first, first + shifted_lanes - 1, first + shifted_lanes);
  }
}

template <unsigned group> void shift(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const blocks = tensor_blocks_of(w, i, lane, group);
    auto const at = decode(w, i, lane, blocks);
    begin_tensor_issue(w);
    auto const access = begin_tensor_access(w, i, tensor_agent::shift);
    for (auto* each : blocks) check(w, i, *each, at, access);
    issue_tensor(w, [blocks, at] {
      for (auto* each : blocks) land(*each, at);
    });
  });
}

}  // namespace

void add_tensor_shifts(opcode_table& table) {
  table.add({"tcgen05.shift.cta_group::1.down", "=S", &shift<1>});
  table.add({"tcgen05.shift.cta_group::2.down", "=S", &shift<2>});
}

}  // namespace machine
