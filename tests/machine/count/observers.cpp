// Computes sectors, wavefronts and bytes from operands.
#include "count/observers.hpp"

#include <bit>

#include "async/copies.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tensor/tile_rows.hpp"

namespace machine {
namespace {

void add(traffic& to, cost const& pieces, std::uint64_t bytes) {
  ++to.requests;
  to.bytes += bytes;
  to.pieces.taken += pieces.taken;
  to.pieces.least += pieces.least;
}

void add_shared(instruction_counts& to, std::uint32_t const (&addresses)[32], std::uint32_t mask,
                unsigned bytes) {
  if (mask == 0) return;
  add(to.shared, wavefronts_of(addresses, mask, bytes),
      std::uint64_t{bytes} * static_cast<unsigned>(std::popcount(mask)));
}

/// Counts the addresses of the lanes in `mask`, which must be global addresses.
void add_global(instruction_counts& to, std::uint64_t const (&addresses)[32], std::uint32_t mask,
                unsigned bytes) {
  std::uint64_t list[32];
  std::size_t count = 0;
  for_lanes(mask, [&](unsigned lane) { list[count++] = addresses[lane]; });
  if (count != 0) add(to.global, sectors_of({list, count}, bytes), bytes * count);
}

void add_bulk(bulk_bytes& to, bulk_kind kind, std::uint64_t bytes) {
  (kind == bulk_kind::stored    ? to.stored
   : kind == bulk_kind::reduced ? to.reduced
                                : to.loaded) += bytes;
}

}  // namespace

void observe_access(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                    std::size_t index) {
  auto const& recipe = all.recipes[index];
  std::uint64_t wide[32] = {};
  std::uint32_t narrow[32] = {};
  std::uint32_t in_shared = 0, in_global = 0;
  for_lanes(mask, [&](unsigned lane) {
    if (recipe.narrow_address) {
      narrow[lane] = lanes_of<std::uint32_t>(w, i.at[recipe.address_at])[lane] +
                     static_cast<std::uint32_t>(i.offset);
      in_shared |= 1u << lane;
      return;
    }
    wide[lane] = lanes_of<std::uint64_t>(w, i.at[recipe.address_at])[lane] +
                 static_cast<std::uint64_t>(i.offset);
    narrow[lane] = static_cast<std::uint32_t>(wide[lane]);
    if ((wide[lane] & window_mask) == shared_window) in_shared |= 1u << lane;
    if ((wide[lane] & window_mask) == 0) in_global |= 1u << lane;
  });
  add_shared(all.of[index], narrow, in_shared, recipe.bytes);
  add_global(all.of[index], wide, in_global, recipe.bytes);
}

void observe_matrix_rows(warp& w, instruction const& i, std::uint32_t, counting& all,
                         std::size_t index) {
  auto const& recipe = all.recipes[index];
  std::uint32_t addresses[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    addresses[lane] = lanes_of<std::uint32_t>(w, i.at[recipe.address_at])[lane] +
                      static_cast<std::uint32_t>(i.offset);
  // A matrix is eight rows of 16 bytes, like one phase of 16-byte accesses.
  add_shared(all.of[index], addresses, recipe.count == 4 ? all_lanes : (1u << 8 * recipe.count) - 1,
             16);
}

void observe_small_copy(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                        std::size_t index) {
  std::uint32_t to[32] = {};
  std::uint64_t from[32] = {};
  // Lanes whose source is ignored, or has 0 bytes, read nothing.
  std::uint32_t reading = mask;
  auto const form = static_cast<source_form>(i.target);
  if (form == source_form::size)
    for_lanes(mask, [&](unsigned lane) {
      if (lanes_of<std::uint32_t>(w, i.at[3])[lane] == 0) reading &= ~(1u << lane);
    });
  if (form == source_form::ignore) reading &= ~predicate_of(w, i.at[3]);
  // The size is an operand. In legal programs it is the same in every lane.
  for (unsigned const bytes : {4u, 8u, 16u}) {
    std::uint32_t these = 0;
    for_lanes(mask, [&](unsigned lane) {
      if (lanes_of<std::uint32_t>(w, i.at[2])[lane] != bytes) return;
      to[lane] = lanes_of<std::uint32_t>(w, i.at[0])[lane] + static_cast<std::uint32_t>(i.offset);
      from[lane] = lanes_of<std::uint64_t>(w, i.at[1])[lane];
      these |= 1u << lane;
    });
    add_shared(all.of[index], to, these, bytes);
    add_global(all.of[index], from, these & reading, bytes);
  }
}

void observe_product(warp&, instruction const&, std::uint32_t, counting& all, std::size_t index) {
  all.of[index].tensor_operations += all.recipes[index].operations;
}

// The instruction descriptor, an operand of each thread that issues a product, has M and N.
void observe_tcgen05_product(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                             std::size_t index) {
  auto const& recipe = all.recipes[index];
  auto const list = i.operands();
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t const bits = lanes_of<std::uint32_t>(w, list[3])[lane];
    std::uint64_t const n = (bits >> 17 & 63u) * 8;
    std::uint64_t const m = recipe.has_scales ? (bits >> 27 & 3u) * 128 : (bits >> 24 & 31u) * 16;
    all.of[index].tensor_operations += recipe.operations * m * n;
  });
}

template <bulk_kind kind>
void observe_bulk(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                  std::size_t index) {
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t bytes = lanes_of<std::uint32_t>(w, i.at[2])[lane];
    if constexpr (kind == bulk_kind::multicast)
      bytes *= static_cast<unsigned>(std::popcount(lanes_of<std::uint16_t>(w, i.at[4])[lane]));
    add_bulk(all.of[index].bulk, kind, bytes);
  });
}

template <bulk_kind kind>
void observe_tensor(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                    std::size_t index) {
  constexpr bool loads = kind == bulk_kind::loaded || kind == bulk_kind::multicast;
  auto const list = i.operands();
  unsigned const rank = all.recipes[index].count;
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t const map_address = lanes_of<std::uint64_t>(w, list[loads ? 1 : 0])[lane] +
                                      (loads ? 0 : static_cast<std::uint64_t>(i.offset));
    auto const at =
        reach(w, i, lane, space::generic, map_address, tensor::map_bytes, access::read, 64);
    auto const map = tensor::read_map(at.bytes);
    if (!map) return;
    std::uint64_t bytes = tensor::bytes_of(*map);
    if constexpr (kind == bulk_kind::multicast)
      bytes *=
          static_cast<unsigned>(std::popcount(lanes_of<std::uint16_t>(w, list[3 + rank])[lane]));
    add_bulk(all.of[index].bulk, kind, bytes);
  });
}

template void observe_bulk<bulk_kind::loaded>(warp&, instruction const&, std::uint32_t, counting&,
                                              std::size_t);
template void observe_bulk<bulk_kind::multicast>(warp&, instruction const&, std::uint32_t,
                                                 counting&, std::size_t);
template void observe_bulk<bulk_kind::stored>(warp&, instruction const&, std::uint32_t, counting&,
                                              std::size_t);
template void observe_bulk<bulk_kind::reduced>(warp&, instruction const&, std::uint32_t, counting&,
                                               std::size_t);
template void observe_tensor<bulk_kind::loaded>(warp&, instruction const&, std::uint32_t, counting&,
                                                std::size_t);
template void observe_tensor<bulk_kind::multicast>(warp&, instruction const&, std::uint32_t,
                                                   counting&, std::size_t);
template void observe_tensor<bulk_kind::stored>(warp&, instruction const&, std::uint32_t, counting&,
                                                std::size_t);
template void observe_tensor<bulk_kind::reduced>(warp&, instruction const&, std::uint32_t,
                                                 counting&, std::size_t);

}  // namespace machine
