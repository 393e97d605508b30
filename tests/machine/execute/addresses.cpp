// Converts addresses between state spaces (PTX ISA, "cvta", "isspacep", "mapa", "getctarank").
//
//     cvta.shared.u64 d, a          a + shared_window
//     cvta.to.shared.u64 d, a       the reverse
//     mapa.u64 d, a, rank           generic addresses
//     mapa.shared::cluster.u32      shared addresses
//
// cvta.param is for kernel parameters; parameters of device functions lie in the stack.
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

template <class T, std::uint64_t base>
void from_generic(warp& w, instruction const& i, std::uint32_t mask) {
  auto* const to = lanes_of<T>(w, i.at[0]);
  auto const* const from = lanes_of<T>(w, i.at[1]);
  for_lanes(mask, [&](unsigned lane) {
    // An invalid address is an error only when it is used, because null pointers are converted too.
    to[lane] = static_cast<T>(from[lane] - static_cast<T>(base));
  });
}

void add_window(opcode_table& table, char const* space_name, auto window_tag) {
  constexpr std::uint64_t window = decltype(window_tag)::value;
  table.lanes(say("cvta.", space_name, ".u64"),
              [](std::uint64_t a) -> std::uint64_t { return a + window; });
  table.add({say("cvta.to.", space_name, ".u64"), "l=l", &from_generic<std::uint64_t, window>});
}

/// Stores whether each address is in a space: `inside(w, address)`.
template <auto inside> void is_space(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const from = lanes_of<std::uint64_t>(w, i.at[1]);
  std::uint32_t bits = 0;
  for_lanes(mask, [&](unsigned lane) {
    bits |= static_cast<std::uint32_t>(inside(w, from[lane])) << lane;
  });
  auto& to = predicate_of(w, i.at[0]);
  to = (to & ~mask) | bits;
}

template <std::uint64_t base> bool in_window(warp const&, std::uint64_t address) {
  return (address & window_mask) == base;
}

/// Global and constant memory share a window. Constant memory consists of the .const variables.
template <bool constant> bool in_global(warp const& w, std::uint64_t address) {
  auto const& memory = *w.run->memory;
  auto const found = memory.find(address);
  return memory.contains(address) && (found && found->read_only) == constant;
}

/// shared::cta is this block's shared memory; shared::cluster is that of any block of the cluster.
bool in_own_shared(warp const& w, std::uint64_t address) {
  return in_window<shared_window>(w, address) &&
         static_cast<std::uint32_t>(address) >> shared_rank_shift == w.home->rank;
}

template <class T> void map_address(warp& w, instruction const& i, std::uint32_t mask) {
  auto* const to = lanes_of<T>(w, i.at[0]);
  auto const* const from = lanes_of<T>(w, i.at[1]);
  auto const* const rank = lanes_of<std::uint32_t>(w, i.at[2]);
  for_lanes(mask, [&](unsigned lane) {
    if (rank[lane] >= w.home->home->blocks.size())
      fault(w, i, lane, trouble::out_of_bounds, from[lane],
            say("maps to block ", rank[lane], " of a cluster of ", w.home->home->blocks.size()));
    to[lane] = static_cast<T>((from[lane] & ~static_cast<T>(T{0xff} << shared_rank_shift)) |
                              (static_cast<T>(rank[lane]) << shared_rank_shift));
  });
}

template <class T> void rank_of_address(warp& w, instruction const& i, std::uint32_t mask) {
  auto* const to = lanes_of<std::uint32_t>(w, i.at[0]);
  auto const* const from = lanes_of<T>(w, i.at[1]);
  for_lanes(mask, [&](unsigned lane) {
    to[lane] = (static_cast<std::uint32_t>(from[lane]) >> shared_rank_shift) & 0xffu;
  });
}

}  // namespace

void add_addresses(opcode_table& table) {
  using std::integral_constant;
  add_window(table, "global", integral_constant<std::uint64_t, 0>{});
  add_window(table, "const", integral_constant<std::uint64_t, 0>{});
  add_window(table, "shared", integral_constant<std::uint64_t, shared_window>{});
  add_window(table, "shared::cta", integral_constant<std::uint64_t, shared_window>{});
  add_window(table, "shared::cluster", integral_constant<std::uint64_t, shared_window>{});
  add_window(table, "local", integral_constant<std::uint64_t, local_window>{});
  add_window(table, "param", integral_constant<std::uint64_t, parameter_window>{});
  table.add({"isspacep.global", "p=l", &is_space<in_global<false>>});
  table.add({"isspacep.const", "p=l", &is_space<in_global<true>>});
  table.add({"isspacep.shared", "p=l", &is_space<in_own_shared>});
  table.add({"isspacep.shared::cta", "p=l", &is_space<in_own_shared>});
  table.add({"isspacep.shared::cluster", "p=l", &is_space<in_window<shared_window>>});
  table.add({"isspacep.local", "p=l", &is_space<in_window<local_window>>});
  table.add({"isspacep.param", "p=l", &is_space<in_window<parameter_window>>});
  table.add({"mapa.u64", "l=lw", &map_address<std::uint64_t>});
  table.add({"mapa.shared::cluster.u32", "w=ww", &map_address<std::uint32_t>});
  table.add({"mapa.shared::cluster.u64", "l=lw", &map_address<std::uint64_t>});
  table.add({"getctarank.u64", "w=l", &rank_of_address<std::uint64_t>});
  table.add({"getctarank.shared::cluster.u32", "w=w", &rank_of_address<std::uint32_t>});
  table.add({"getctarank.shared::cluster.u64", "w=l", &rank_of_address<std::uint64_t>});
}

}  // namespace machine
