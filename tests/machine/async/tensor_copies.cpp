// Implements copies through tensor maps (PTX ISA, "cp.async.bulk.tensor",
// "cp.reduce.async.bulk.tensor", "prefetch.tensormap"). The examples leave out the state spaces and
// complete_tx:
//
//     cp.async.bulk.tensor.2d.cta_group::2 [dst], [map, {c0, c1}], [mbar of this block or the peer]
//     cp.async.bulk.tensor.4d.im2col [dst], [map, {c, w, h, n}], [mbar], {dw, dh}
//
// tensor/tile_copy.hpp finds the elements of a copy. Each row is checked against the allocations.
#include <cstring>

#include "async/bulk.hpp"
#include "check/cluster_history.hpp"
#include "check/global_history.hpp"
#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "tensor/map_replace.hpp"
#include "tensor/tile_copy.hpp"

namespace machine {
namespace {

using tensor::coordinates;
using tensor::tensor_map;

template <class T> T value_of(warp& w, std::uint32_t offset, unsigned lane) {
  return lanes_of<T>(w, offset)[lane];
}

tensor_map map_at(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                  unsigned rank, tensor::map_mode mode) {
  auto const at = reach(w, i, lane, space::generic, address, tensor::map_bytes, access::read, 64);
  auto const map = tensor::read_map(at.bytes);
  if (!map)
    fault(w, i, lane, trouble::descriptor, address,
          say("the 128 bytes at ", hexadecimal(address),
              " are not a tensor map that cuTensorMapEncode has written"));
  if (map->rank != static_cast<int>(rank))
    fault(w, i, lane, trouble::descriptor, address,
          say("the map has rank ", map->rank, ", but the copy has ", rank, " coordinates"));
  if (map->mode != mode)
    fault(w, i, lane, trouble::descriptor, address,
          mode == tensor::map_mode::tiled ? "a tiled copy has an im2col map"
                                          : "an im2col copy has a tiled map");
  if (auto const problem =
          tensor::refuse_map(*map))  // a kernel may have replaced fields one by one
    fault(w, i, lane, trouble::descriptor, address,
          "the fields of the tensor map contradict each other: " + *problem);
  return *map;
}

coordinates coordinates_of(warp& w, unsigned lane, std::uint32_t const* from, unsigned rank) {
  coordinates at{};
  for (unsigned d = 0; d < rank; ++d) at[d] = value_of<std::int32_t>(w, from[d], lane);
  return at;
}

void require_legal(warp& w, instruction const& i, unsigned lane, tensor_map const& map,
                   block const& owner, std::uint32_t place, coordinates const& at, bool stores) {
  auto problem = tensor::refuse_copy(map, place & shared_offset_mask, owner.shared_end, stores);
  if (!problem) problem = tensor::refuse_begin(map, at, stores);
  if (problem) fault(w, i, lane, trouble::descriptor, place, *problem);
}

std::span<std::byte> shared_of(block& owner) { return {owner.shared.get(), owner.shared_end}; }

/// Returns the bytes that a copy occupies in shared memory. They are contiguous, because a swizzle
/// permutes bytes only inside this range.
std::uint32_t image_bytes(tensor_map const& map) {
  return static_cast<std::uint32_t>(tensor::bytes_of(map));
}

void read_row(warp& w, instruction const& i, unsigned lane, std::uint64_t global, std::byte* to,
              std::uint32_t count, clocks const& issued) {
  auto const from = reach(w, i, lane, space::generic, global, count, access::read, 1);
  require_written(w, i, lane, global, from, count);
  track_bulk_read(w, i, lane, global, count, issued);
  std::memcpy(to, from.bytes, count);
}

/// Returns the im2col offsets of a copy: the distance from the copy's pixel to the pixel that each
/// row reads. They are 0 for a tiled copy.
template <unsigned rank, bool im2col>
std::array<std::uint16_t, 3> offsets_of(warp& w, unsigned lane, std::uint32_t const* from) {
  std::array<std::uint16_t, 3> offsets{};
  if constexpr (im2col)
    for (unsigned d = 0; d + 2 < rank; ++d) offsets[d] = value_of<std::uint16_t>(w, from[d], lane);
  return offsets;
}

struct target {
  std::uint32_t place, barrier;
};

/// Returns the destination and the mbarrier in block `rank` of a multicast. With cta_group::2 the
/// mbarrier lies in one of the two blocks of the pair. An even rank in the mbarrier's address
/// selects the even block, an odd rank the odd one.
target multicast_target(instruction const& i, target to, std::uint32_t rank) {
  std::uint32_t signalled = rank;
  if (i.target == 2) signalled = (rank & ~1u) | (to.barrier >> shared_rank_shift & 1u);
  return {(to.place & shared_offset_mask) | rank << shared_rank_shift,
          (to.barrier & shared_offset_mask) | signalled << shared_rank_shift};
}

template <unsigned rank, bool multicast, bool im2col = false>
void load(warp& w, instruction const& i, std::uint32_t mask) {
  constexpr auto mode = im2col ? tensor::map_mode::im2col : tensor::map_mode::tiled;
  constexpr unsigned mask_at = 3 + rank + (im2col ? rank - 2 : 0);
  auto const* const list = i.operands().data();
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t const to =
        value_of<std::uint32_t>(w, list[0], lane) + static_cast<std::uint32_t>(i.offset);
    auto const map = map_at(w, i, lane, value_of<std::uint64_t>(w, list[1], lane), rank, mode);
    auto const at = coordinates_of(w, lane, list + 2, rank);
    std::uint32_t const barrier = value_of<std::uint32_t>(w, list[2 + rank], lane);
    auto const offsets = offsets_of<rank, im2col>(w, lane, list + 3 + rank);
    std::vector<target> targets;
    if constexpr (multicast) {
      for_lanes(value_of<std::uint16_t>(w, list[mask_at], lane), [&](unsigned block) {
        targets.push_back(multicast_target(i, {to, barrier}, block));
      });
    } else {
      require_near_mbarrier(w, i, lane, to, barrier, i.target);
      targets.push_back({to, barrier});
    }
    for (auto const& [place, bar] : targets) {
      require_mbarrier(w, i, lane, bar);
      block& owner = block_of(w, i, lane, place);
      require_legal(w, i, lane, map, owner, place, at, false);
      reach(w, i, lane, space::shared, place, image_bytes(map), access::write, 16);
      hide(owner, place & shared_offset_mask, image_bytes(map));
      track(w, i, lane, owner, place & shared_offset_mask, image_bytes(map), true, proxy::async);
    }
    auto const known = issued_clocks(w);
    issue_copy(w, [&w, &i, lane, map, at, offsets, targets, known] {
      for (auto const& [place, bar] : targets) {
        block& owner = block_of(w, i, lane, place);
        std::uint32_t const offset = place & shared_offset_mask;
        auto const bytes = static_cast<std::uint32_t>(
            tensor::load_tile(map, at, offsets, shared_of(owner), offset,
                              [&](std::uint64_t global, std::byte* out, std::uint32_t count) {
                                read_row(w, i, lane, global, out, count, known);
                              }));
        arrived(owner, bar, offset, image_bytes(map));
        remember_swizzle(owner, offset, image_bytes(map), static_cast<int>(map.swizzling));
        bool const is_home = &owner == w.home && bar >> shared_rank_shift == owner.rank;
        if (is_home)
          publish_clocks(owner, bar & shared_offset_mask, known);
        else
          publish_copy(w, block_of(w, i, lane, bar), bar & shared_offset_mask, known);
        complete_bytes(w, i, lane, bar, bytes);
      }
    });
  });
}

/// Issues a store or a reduction. Its first step (bulk_store::read) copies the bytes out of shared
/// memory. Its second step calls `write`, which writes these bytes to global memory.
template <class Write>
void issue_from_shared(warp& w, instruction const& i, unsigned lane, tensor_map const& map,
                       coordinates const& begin, std::uint32_t from, Write write) {
  require_legal(w, i, lane, map, *w.home, from, begin, true);
  std::uint32_t const offset = from & shared_offset_mask;
  std::uint32_t const bytes = image_bytes(map);
  reach(w, i, lane, space::shared, from, bytes, access::read, 16);
  // The copy keeps the bytes at their offset, because a swizzle depends on shared addresses.
  auto const held = std::make_shared<std::vector<std::byte>>();
  issue_store(w, lane,
              {[&w, &i, lane, from, offset, bytes, held, known = issued_clocks(w)] {
                 auto const at = reach(w, i, lane, space::shared, from, bytes, access::read, 16);
                 require_written(w, i, lane, offset, at, bytes);
                 track(w, i, lane, *w.home, offset, bytes, false, proxy::async);
                 require_unchanged(w, i, lane, offset, bytes, known);
                 held->assign(offset + bytes, std::byte{0});
                 std::memcpy(held->data() + offset, at.bytes, bytes);
               },
               [held, offset, write] { write(std::span<std::byte const>(*held), offset); }});
}

template <unsigned rank, tensor::map_mode mode>
void store(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const list = i.operands().data();
  for_lanes(mask, [&](unsigned lane) {
    auto const map =
        map_at(w, i, lane,
               value_of<std::uint64_t>(w, list[0], lane) + static_cast<std::uint64_t>(i.offset),
               rank, mode);
    auto const at = coordinates_of(w, lane, list + 1, rank);
    std::uint32_t const number = issue_bulk_store(w);
    issue_from_shared(
        w, i, lane, map, at, value_of<std::uint32_t>(w, list[1 + rank], lane),
        [&w, &i, lane, map, at, number](std::span<std::byte const> image, std::uint32_t offset) {
          tensor::store_tile(map, at, image, offset,
                             [&](std::uint64_t global, std::byte const* from, std::uint32_t count) {
                               auto const to = reach(w, i, lane, space::generic, global, count,
                                                     access::write, 1);
                               track_bulk_write(w, i, lane, global, count, number, false);
                               std::memcpy(to.bytes, from, count);
                               mark_written(to, count);
                             });
        });
  });
}

template <unsigned rank, numerics::reduction operation, tensor::map_mode mode>
void reduce(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const list = i.operands().data();
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t const address =
        value_of<std::uint64_t>(w, list[0], lane) + static_cast<std::uint64_t>(i.offset);
    auto const map = map_at(w, i, lane, address, rank, mode);
    if (!tensor::reduced_type_of(map.type, operation))
      fault(w, i, lane, trouble::descriptor, address,
            "the reduction does not exist for the element type of the map");
    auto const at = coordinates_of(w, lane, list + 1, rank);
    std::uint32_t const number = issue_bulk_store(w);
    issue_from_shared(
        w, i, lane, map, at, value_of<std::uint32_t>(w, list[1 + rank], lane),
        [&w, &i, lane, map, at, number](std::span<std::byte const> image, std::uint32_t offset) {
          tensor::reduce_tile(map, at, operation, image, offset,
                              [&](std::uint64_t global, std::uint32_t count, auto change) {
                                auto const to = reach(w, i, lane, space::generic, global, count,
                                                      access::update, 1);
                                require_written(w, i, lane, global, to, count);
                                track_bulk_write(w, i, lane, global, count, number, true);
                                change(to.bytes);
                              });
        });
  });
}

template <unsigned rank, tensor::map_mode mode>
void check_map(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const list = i.operands().data();
  for_lanes(mask, [&](unsigned lane) {
    map_at(w, i, lane,
           value_of<std::uint64_t>(w, list[0], lane) + static_cast<std::uint64_t>(i.offset), rank,
           mode);
  });
}

template <space where> void prefetch_map(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t const address =
        value_of<std::uint64_t>(w, i.at[0], lane) + static_cast<std::uint64_t>(i.offset);
    auto const at = reach(w, i, lane, where, address, tensor::map_bytes, access::read, 64);
    if (!tensor::read_map(at.bytes))
      fault(w, i, lane, trouble::descriptor, address,
            "prefetches a tensor map from bytes that are not a tensor map");
  });
}

/// Adds a load without .cta_group, with cta_group::1 and with cta_group::2.
void add_loads(opcode_table& table, std::string const& name, std::string const& signature,
               handler run) {
  for (std::uint32_t group = 0; group <= 2; ++group) {
    table_row row{group == 0 ? name : say(name, ".cta_group::", group), signature, run};
    row.payload = group;
    table.add(std::move(row));
  }
}

template <unsigned rank, tensor::map_mode mode>
void add_stores(opcode_table& table, std::string const& dimension,
                std::string const& place_letters) {
  using numerics::reduction;
  std::string const tail =
      mode == tensor::map_mode::im2col ? ".im2col_no_offs.bulk_group" : ".bulk_group";
  std::string const signature = "=" + place_letters + "S";
  table.add({"cp.async.bulk.tensor." + dimension + ".global.shared::cta" + tail, signature,
             &store<rank, mode>});
  auto const add = [&]<reduction operation>(char const* name) {
    table.add({"cp.reduce.async.bulk.tensor." + dimension + ".global.shared::cta." + name + tail,
               signature, &reduce<rank, operation, mode>});
  };
  add.template operator()<reduction::add>("add");
  add.template operator()<reduction::min>("min");
  add.template operator()<reduction::max>("max");
  add.template operator()<reduction::inc>("inc");
  add.template operator()<reduction::dec>("dec");
  add.template operator()<reduction::bit_and>("and");
  add.template operator()<reduction::bit_or>("or");
  add.template operator()<reduction::bit_xor>("xor");
}

/// Adds the im2col copies. Their three to five dimensions are image, channel and one to three
/// spatial dimensions, and each spatial dimension has an offset.
template <unsigned rank>
void add_im2col(opcode_table& table, std::string const& dimension,
                std::string const& place_letters) {
  std::string const offsets = "h" + std::to_string(rank - 2);
  for (char const* place : {"shared::cluster", "shared::cta"})
    add_loads(table,
              "cp.async.bulk.tensor." + dimension + "." + place +
                  ".global.im2col.mbarrier::complete_tx::bytes",
              "=S" + place_letters + "S" + offsets, &load<rank, false, true>);
  add_loads(table,
            "cp.async.bulk.tensor." + dimension +
                ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster",
            "=S" + place_letters + "S" + offsets + "h", &load<rank, true, true>);
  table.add({"cp.async.bulk.prefetch.tensor." + dimension + ".L2.global.im2col",
             "=" + place_letters + offsets, &check_map<rank, tensor::map_mode::im2col>});
  add_stores<rank, tensor::map_mode::im2col>(table, dimension, place_letters);
}

template <unsigned rank> void add_rank(opcode_table& table) {
  std::string const dimension = std::to_string(rank) + "d";
  std::string const coordinates_letter = "T" + std::to_string(rank);
  for (char const* place : {"shared::cluster", "shared::cta"})
    add_loads(
        table,
        "cp.async.bulk.tensor." + dimension + "." + place + ".global.mbarrier::complete_tx::bytes",
        "=S" + coordinates_letter + "S", &load<rank, false>);
  add_loads(table,
            "cp.async.bulk.tensor." + dimension +
                ".shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster",
            "=S" + coordinates_letter + "Sh", &load<rank, true>);
  table.add({"cp.async.bulk.prefetch.tensor." + dimension + ".L2.global", "=" + coordinates_letter,
             &check_map<rank, tensor::map_mode::tiled>});
  add_stores<rank, tensor::map_mode::tiled>(table, dimension, coordinates_letter);
  if constexpr (rank >= 3) add_im2col<rank>(table, dimension, coordinates_letter);
}

}  // namespace

void add_tensor_copies(opcode_table& table) {
  add_rank<1>(table);
  add_rank<2>(table);
  add_rank<3>(table);
  add_rank<4>(table);
  add_rank<5>(table);
  table.add({"prefetch.tensormap", "=A", &prefetch_map<space::generic>});
  table.add({"prefetch.param.tensormap", "=A", &prefetch_map<space::parameter>});
  table.add({"prefetch.const.tensormap", "=A", &prefetch_map<space::generic>});
}

}  // namespace machine
