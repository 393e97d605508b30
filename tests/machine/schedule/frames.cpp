// Builds frames, the registers of a function at one call depth. A frame is kept after the call. The
// next call of the function at this depth finds its literals there.
#include "schedule/frames.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "state/address_map.hpp"

namespace machine {
namespace {

constexpr std::uint32_t deepest_call = 4096;

template <class T> void fill(std::byte* at, T value) {
  std::fill_n(reinterpret_cast<T*>(at), 32, value);
}

void write_constant(constant_register const& each, std::byte* registers) {
  std::byte* const at = registers + each.offset;
  switch (each.width) {
    case 0: *reinterpret_cast<std::uint32_t*>(at) = static_cast<std::uint32_t>(each.bits); break;
    case 1: fill(at, static_cast<std::uint8_t>(each.bits)); break;
    case 2: fill(at, static_cast<std::uint16_t>(each.bits)); break;
    case 4: fill(at, static_cast<std::uint32_t>(each.bits)); break;
    case 8: fill(at, each.bits); break;
    default:
      for (unsigned lane = 0; lane < 32; ++lane) {
        reinterpret_cast<std::uint64_t*>(at)[2 * lane] = each.bits;
        reinterpret_cast<std::uint64_t*>(at)[2 * lane + 1] = 0;
      }
  }
}

bool is_thread_index(special which) {
  return which == special::tid_x || which == special::tid_y || which == special::tid_z;
}

bool differs_by_lane(special which) {
  return which == special::laneid ||
         (which >= special::lanemask_eq && which <= special::lanemask_ge);
}

/// Writes tid of all lanes: computes that of the first lane and counts from there.
void write_thread_index(warp const& w, special which, std::uint32_t* to) {
  auto const& extent = w.run->block_extent;
  auto at = thread_index(*w.run, w.number * 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    to[lane] = which == special::tid_x ? at.x : which == special::tid_y ? at.y : at.z;
    if (++at.x < extent.x) continue;
    at.x = 0;
    if (++at.y < extent.y) continue;
    at.y = 0;
    ++at.z;
  }
}

void write_specials(warp const& w, frame_layout const& layout, std::byte* registers) {
  for (auto const& each : layout.specials) {
    auto* const to = reinterpret_cast<std::uint32_t*>(registers + each.offset);
    if (is_thread_index(each.which)) {
      write_thread_index(w, each.which, to);
    } else if (differs_by_lane(each.which)) {
      for (unsigned lane = 0; lane < 32; ++lane) to[lane] = special_value(w, each.which, lane);
    } else {
      std::fill_n(to, 32, special_value(w, each.which, 0));
    }
  }
  for (auto each : layout.shared) {  // addresses of shared memory differ by block
    each.bits += std::uint64_t{w.home->rank} << shared_rank_shift;
    write_constant(each, registers);
  }
}

}  // namespace

register_storage make_registers(std::size_t bytes) {
  std::size_t const rounded = (bytes + 63) / 64 * 64;
  auto* const got =
      static_cast<std::byte*>(::operator new[](rounded == 0 ? 64 : rounded, std::align_val_t{64}));
  std::memset(got, 0, rounded);
  return register_storage(got);
}

std::uint32_t special_value(warp const& w, special which, unsigned lane) {
  running const& run = *w.run;
  block const& home = *w.home;
  auto const tid = thread_index(run, w.number * 32 + lane);
  auto const& cluster = run.cluster_extent;
  auto const within =
      extent3{home.index.x % cluster.x, home.index.y % cluster.y, home.index.z % cluster.z};
  switch (which) {
    case special::tid_x: return tid.x;
    case special::tid_y: return tid.y;
    case special::tid_z: return tid.z;
    case special::ntid_x: return run.block_extent.x;
    case special::ntid_y: return run.block_extent.y;
    case special::ntid_z: return run.block_extent.z;
    case special::ctaid_x: return home.index.x;
    case special::ctaid_y: return home.index.y;
    case special::ctaid_z: return home.index.z;
    case special::nctaid_x: return run.grid.x;
    case special::nctaid_y: return run.grid.y;
    case special::nctaid_z: return run.grid.z;
    case special::laneid: return lane;
    case special::warpid: return w.number;
    case special::nwarpid: return 64;
    case special::smid:
      return (home.index.x + run.grid.x * (home.index.y + run.grid.y * home.index.z)) % 132;
    case special::nsmid: return 132;
    case special::gridid: return static_cast<std::uint32_t>(run.grid_number);
    case special::cluster_ctaid_x: return within.x;
    case special::cluster_ctaid_y: return within.y;
    case special::cluster_ctaid_z: return within.z;
    case special::cluster_nctaid_x: return cluster.x;
    case special::cluster_nctaid_y: return cluster.y;
    case special::cluster_nctaid_z: return cluster.z;
    case special::clusterid_x: return home.index.x / cluster.x;
    case special::clusterid_y: return home.index.y / cluster.y;
    case special::clusterid_z: return home.index.z / cluster.z;
    case special::nclusterid_x: return run.grid.x / cluster.x;
    case special::nclusterid_y: return run.grid.y / cluster.y;
    case special::nclusterid_z: return run.grid.z / cluster.z;
    case special::cluster_ctarank: return home.rank;
    case special::cluster_nctarank: return cluster.x * cluster.y * cluster.z;
    case special::is_explicit_cluster: return cluster.x * cluster.y * cluster.z > 1;
    case special::lanemask_eq: return 1u << lane;
    case special::lanemask_lt: return (1u << lane) - 1;
    case special::lanemask_le: return (2u << lane) - 1;
    case special::lanemask_gt: return ~((2u << lane) - 1);
    case special::lanemask_ge: return ~((1u << lane) - 1);
    case special::dynamic_smem_size: return run.dynamic_shared;
    case special::total_smem_size: return home.shared_end - shared_begin;
    case special::zero: return 0;
  }
  return 0;
}

frame& enter_function(warp& w, std::uint32_t function, std::uint32_t depth, std::uint32_t mask) {
  auto const& layout = w.run->code->functions[function];
  if (w.frames.size() <= depth) w.frames.resize(depth + 1);
  if (w.calls.size() <= depth) w.calls.resize(depth + 1);
  auto& here = w.frames[depth];
  auto found = std::find_if(here.begin(), here.end(),
                            [&](frame const& each) { return each.function == function; });
  if (found == here.end()) {
    here.push_back({function, make_registers(layout.bytes)});
    found = std::prev(here.end());
    for (auto const& each : layout.constants) write_constant(each, found->registers.get());
    write_specials(w, layout, found->registers.get());
  }
  auto& record = w.calls[depth];
  instruction const& first = w.run->code->code[layout.first];
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t const base = depth == 0 ? 0 : w.calls[depth - 1].stack_top[lane];
    if (depth >= deepest_call || base > stack_bytes - layout.stack || layout.stack > stack_bytes)
      fault(w, first, lane, trouble::out_of_bounds, base,
            say("stack overflow: call depth ", depth, ", ", base, " bytes in use, ", layout.stack,
                " more for ", layout.name));
    record.stack_base[lane] = base;
    record.stack_top[lane] = base + layout.stack;
    for (auto const& each : layout.stack_addresses)
      reinterpret_cast<std::uint64_t*>(found->registers.get() + each.offset)[lane] =
          base + each.address;
    if (layout.stack != 0)
      std::memset(w.stack_written + std::size_t{lane} * stack_stride + base, 0, layout.stack);
    w.lanes[lane].depth = static_cast<std::uint16_t>(depth);
    w.lanes[lane].pc = layout.first;
  });
  return *found;
}

std::byte* registers_at(warp& w, std::uint32_t depth, std::uint32_t pc) {
  auto& here = w.frames[depth];
  if (here.size() == 1) return here.front().registers.get();
  auto const& functions = w.run->code->functions;
  // Functions are consecutive in the code: the last one that begins at or before pc contains it.
  std::uint32_t holder = here.front().function;
  std::uint32_t best = 0;
  for (auto const& each : here) {
    std::uint32_t const first = functions[each.function].first;
    if (first <= pc && first >= best) {
      best = first;
      holder = each.function;
    }
  }
  for (auto& each : here)
    if (each.function == holder) return each.registers.get();
  return here.front().registers.get();
}

void start_warp(warp& w, std::uint32_t existing) {
  w.existing = w.live = existing;
  w.give_way = w.retry = w.rotate = false;
  w.parked = waiting::none;
  w.last_leader = 0;
  w.lanes.fill({});
  w.cluster_arrived = 0;
  if (w.stack == nullptr) {
    std::size_t const bytes = std::size_t{32} * stack_stride;
    void* const got = mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
      fail(trouble::launch, 0, "cannot reserve addresses for the stacks of a warp");
    w.stack = static_cast<std::byte*>(got);
    w.stack_written = w.stack + bytes;
  }
  auto const& functions = w.run->code->functions;
  for (auto& depth : w.frames)
    for (auto& each : depth) write_specials(w, functions[each.function], each.registers.get());
  enter_function(w, 0, 0, existing);
}

}  // namespace machine
