#include "tcgen05/tensor_memory.hpp"

#include <algorithm>
#include <bit>

#include "check/strict.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

/// A NaN in f32 and in both halves of f16x2, so that a product that reads it is noticed.
constexpr std::uint32_t garbage = 0x7fadfc9du;

}  // namespace

tensor_memory::tensor_memory(block const& home)
    : words(std::size_t{tensor_lanes} * tensor_columns, garbage),
      granules(std::size_t{granules_of_column} * tensor_columns) {
  std::size_t const agents = home.home->blocks.size() * tensor_agents;
  tensor_knowledge const nothing{tensor_clocks(agents, 0), tensor_clocks(agents, 0)};
  order.warps.assign(home.warps.size(), {nothing, nothing.fenced, nothing.fenced});
  order.pipelines = nothing;
  order.barriers.fill(nothing);
  order.completed.fill(nothing);
}

bool tensor_memory::is_allocated(std::uint32_t column) const {
  return std::any_of(allocations.begin(), allocations.end(), [&](tensor_allocation const& each) {
    return column >= each.first && column - each.first < each.columns;
  });
}

tensor_memory& tensor_memory_of(block& home) {
  if (home.tensor == nullptr)
    for (auto& each : home.home->blocks) each->tensor = std::make_unique<tensor_memory>(*each);
  return *home.tensor;
}

tensor_place place_of(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t at,
                      std::int64_t displacement) {
  auto const* const addresses = lanes_of<std::uint32_t>(w, at);
  auto const first = static_cast<unsigned>(std::countr_zero(mask));
  for_lanes(mask, [&](unsigned lane) {
    if (addresses[lane] != addresses[first])
      fault(w, i, lane, trouble::members, addresses[lane],
            say("the lanes of a warp name different tensor memory: ", hexadecimal(addresses[lane]),
                " and ", hexadecimal(addresses[first])));
  });
  std::uint32_t const address = addresses[first] + static_cast<std::uint32_t>(displacement);
  return {address >> 16, address & 0xffffu};
}

void require_group(warp& w, instruction const& i, unsigned lane, unsigned group) {
  auto& before = tensor_memory_of(*w.home).group;
  if (before == 0)
    for (auto& each : w.home->home->blocks) each->tensor->group = group;
  if (before != group)
    fault(w, i, lane, trouble::allocation, 0,
          say("names cta_group::", group,
              "; the kernel's earlier tcgen05 instructions name cta_group::", before));
}

void require_columns(warp& w, instruction const& i, block& owner, std::uint32_t first,
                     std::uint32_t count) {
  auto const& memory = tensor_memory_of(owner);
  for (std::uint32_t column = first; column < first + count; ++column) {
    if (column >= tensor_columns)
      fault(w, i, 0, trouble::out_of_bounds, column,
            say("reaches column ", column, " of tensor memory; it has columns 0 to ",
                tensor_columns - 1));
    if (!memory.is_allocated(column))
      fault(w, i, 0, trouble::out_of_bounds, column,
            say("reaches column ", column,
                " of tensor memory, which no tcgen05.alloc has allocated"));
  }
}

void require_tensor_written(warp& w, instruction const& i, tensor_granule const& at,
                            std::uint32_t lane, std::uint32_t column) {
  if (at.written == 0xffff || !w.run->check_written) return;
  auto const first = lane + static_cast<std::uint32_t>(std::countr_one(at.written));
  fault_or_warn(w, i, 0, trouble::never_written, first << 16 | column, [&] {
    return say(
        "reads lane ", first, ", column ", column,
        " of tensor memory, which nothing has written since it was allocated or since a product "
        "with .ashift has shifted it");
  });
}

void require_tensor_memory_freed(running const& run, block const& home) {
  if (home.tensor == nullptr || home.tensor->allocations.empty()) return;
  auto const& left = home.tensor->allocations.front();
  fault_or_warn(run, trouble::allocation,
                say("block (", home.index.x, ',', home.index.y, ',', home.index.z, ") ends with ",
                    left.columns, " columns of tensor memory from column ", left.first,
                    " that no tcgen05.dealloc has freed"));
}

}  // namespace machine
