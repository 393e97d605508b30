// Allocates tensor memory (PTX ISA, "Tensor Memory Allocation and Management Instructions"):
//
//     tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [dst], 128   address to [dst]
//     tcgen05.dealloc.cta_group::1.sync.aligned.b32 taddr, 128             frees the columns
//
// alloc takes a power of two of columns, 32 to 512, and never more than an earlier alloc of the
// block. It waits until the columns are free. No other block runs on the multiprocessor. With
// cta_group::2 it also waits for a warp of the peer, and both blocks get the same columns.
#include <algorithm>
#include <bit>
#include <cstring>

#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tcgen05/pair.hpp"
#include "tcgen05/tensor_memory.hpp"

namespace machine {
namespace {

std::uint32_t columns_of(warp& w, instruction const& i, unsigned lane, std::uint32_t at) {
  std::uint32_t const count = lanes_of<std::uint32_t>(w, at)[lane];
  if (!std::has_single_bit(count) || count < 32 || count > tensor_columns)
    fault(w, i, lane, trouble::allocation, count,
          say("names ", count, " columns of tensor memory; 32, 64, 128, 256 or 512 are possible"));
  return count;
}

/// Returns the first of `count` columns that are free in all these blocks. It is a multiple of
/// `count`, or 512 if there are none.
std::uint32_t free_columns(tensor_blocks const& blocks, std::uint32_t count) {
  for (std::uint32_t first = 0; first < tensor_columns; first += count) {
    bool free = true;
    for (auto const* each : blocks)
      for (std::uint32_t column = first; column < first + count; column += 32)
        free = free && !each->tensor->is_allocated(column);
    if (free) return first;
  }
  return tensor_columns;
}

void forget(tensor_memory& memory, std::uint32_t first, std::uint32_t count) {
  ++memory.touched;
  for (std::uint32_t k = 0; k < count * granules_of_column; ++k)
    memory.granules[first * granules_of_column + k].written = 0;
}

/// Returns the shared address to which alloc writes. The operand may be a generic address.
template <bool generic> std::uint32_t target_of(warp& w, instruction const& i, unsigned lane) {
  if constexpr (!generic)
    return lanes_of<std::uint32_t>(w, i.at[0])[lane] + static_cast<std::uint32_t>(i.offset);
  std::uint64_t const address =
      lanes_of<std::uint64_t>(w, i.at[0])[lane] + static_cast<std::uint64_t>(i.offset);
  if (!is_in_shared_window(address))
    fault(w, i, lane, trouble::out_of_bounds, address,
          say("writes the address of tensor memory to ", hexadecimal(address),
              ", an address outside of shared memory"));
  return static_cast<std::uint32_t>(address);
}

void reserve(tensor_memory& memory, std::uint32_t first, std::uint32_t count) {
  memory.smallest = count;
  memory.allocations.push_back({first, count});
  forget(memory, first, count);
}

/// Allocates in one block. Returns the first column, or 512 while the warp has to wait.
std::uint32_t columns_of_one(tensor_blocks const& blocks, std::uint32_t count) {
  std::uint32_t const first = free_columns(blocks, count);
  if (first != tensor_columns) reserve(*blocks.of[0]->tensor, first, count);
  return first;
}

/// Allocates in a pair. The block that arrives second allocates in both blocks. Returns the first
/// column, or 512 while the warp has to wait.
std::uint32_t columns_of_pair(warp& w, instruction const& i, unsigned lane,
                              tensor_blocks const& blocks, std::uint32_t count) {
  using state = tensor_request::state;
  auto& mine = w.home->tensor->request;
  auto& theirs = peer_of(w, i, lane).tensor->request;
  if (mine.now != state::none && mine.warp != w.number) return tensor_columns;
  if (mine.now == state::none) ++w.home->home->progress;
  mine = {state::waits, w.number, count, 0};
  if (theirs.now != state::waits) return tensor_columns;
  if (theirs.columns != count)
    fault(w, i, lane, trouble::allocation, count,
          say("allocates ", count, " columns of tensor memory; the peer allocates ", theirs.columns,
              ", and both blocks of a pair must allocate the same number"));
  std::uint32_t const first = free_columns(blocks, count);
  if (first == tensor_columns) return first;
  for (auto* each : blocks) reserve(*each->tensor, first, count);
  mine.now = state::none;
  theirs.now = state::granted;
  theirs.first = first;
  return first;
}

void require_permit(warp& w, instruction const& i, unsigned lane, std::uint32_t count) {
  auto const& memory = *w.home->tensor;
  if (memory.relinquished)
    fault(w, i, lane, trouble::allocation, count,
          "allocates tensor memory after tcgen05.relinquish_alloc_permit");
  if (count > memory.smallest)
    fault(w, i, lane, trouble::allocation, count,
          say("allocates ", count, " columns after ", memory.smallest,
              ": an allocation may not be larger than an earlier one of its block"));
}

template <unsigned group, bool generic>
void allocate(warp& w, instruction const& i, std::uint32_t mask) {
  auto const lane = static_cast<unsigned>(std::countr_zero(mask));
  require_group(w, i, lane, group);
  auto& request = w.home->tensor->request;
  std::uint32_t const count = columns_of(w, i, lane, i.at[1]);
  std::uint32_t first = request.first;
  if (request.now == tensor_request::state::granted && request.warp == w.number) {
    request.now = tensor_request::state::none;  // granted by the peer, which may have exited since
  } else {
    auto const blocks = tensor_blocks_of(w, i, lane, group);
    require_permit(w, i, lane, count);
    first = group == 1 ? columns_of_one(blocks, count) : columns_of_pair(w, i, lane, blocks, count);
  }
  if (first == tensor_columns) {
    w.retry = true;
    return;
  }
  std::uint32_t const address = target_of<generic>(w, i, lane);
  auto const target = reach(w, i, lane, space::shared, address, 4, access::write, 4);
  track(w, i, lane, block_of(w, i, lane, address), address & shared_offset_mask, 4, true,
        proxy::generic);
  std::memcpy(target.bytes, &first, 4);
  mark_written(target, 4);
  ++w.home->home->progress;
}

template <unsigned group> void deallocate(warp& w, instruction const& i, std::uint32_t mask) {
  auto const lane = static_cast<unsigned>(std::countr_zero(mask));
  require_group(w, i, lane, group);
  if (group == 2) peer_of(w, i, lane);
  auto& memory = tensor_memory_of(*w.home);
  auto const place = place_of(w, i, mask, i.at[0]);
  std::uint32_t const count = columns_of(w, i, lane, i.at[1]);
  auto const found =
      std::find_if(memory.allocations.begin(), memory.allocations.end(), [&](auto const& each) {
        return each.first == place.column && each.columns == count && place.lane == 0;
      });
  if (found == memory.allocations.end())
    fault(w, i, lane, trouble::allocation, place.lane << 16 | place.column,
          say("frees ", count, " columns of tensor memory at ",
              hexadecimal(place.lane << 16 | place.column),
              ", which tcgen05.alloc did not allocate with this size"));
  require_tensor_idle(w, i, *w.home, found->first, found->columns);
  memory.allocations.erase(found);
  ++w.home->home->progress;
}

template <unsigned group> void relinquish(warp& w, instruction const& i, std::uint32_t mask) {
  require_group(w, i, static_cast<unsigned>(std::countr_zero(mask)), group);
  tensor_memory_of(*w.home).relinquished = true;
}

template <unsigned group> void add_group(opcode_table& table) {
  std::string const tail = say(".cta_group::", group, ".sync.aligned");
  for (char const* place : {"", ".shared::cta"})
    table.add({"tcgen05.alloc" + tail + place + ".b32", *place == 0 ? "=Aw" : "=Sw",
               *place == 0 ? &allocate<group, true> : &allocate<group, false>, control::blocking,
               true});
  table.add({"tcgen05.dealloc" + tail + ".b32", "=ww", &deallocate<group>, control::member, true});
  table.add(
      {"tcgen05.relinquish_alloc_permit" + tail, "=", &relinquish<group>, control::member, true});
}

}  // namespace

void add_tensor_allocation(opcode_table& table) {
  add_group<1>(table);
  add_group<2>(table);
}

}  // namespace machine
