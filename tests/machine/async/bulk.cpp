// Implements bulk copies without a tensor map, and bulk groups (PTX ISA, "cp.async.bulk",
// "cp.reduce.async.bulk", "cp.async.bulk.prefetch").
//
//     cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [dst], [src], size, [mbar]
//     cp.async.bulk.global.shared::cta.bulk_group [dst], [src], size
//
// Addresses and sizes must be multiples of 16 bytes. The mbarrier that counts the copied bytes must
// lie in the same block of the cluster as the destination.
#include <cstring>

#include "async/bulk.hpp"
#include "async/mbarrier.hpp"
#include "check/cluster_history.hpp"
#include "check/global_history.hpp"
#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/reduce.hpp"

namespace machine {

void complete_bytes(warp& w, instruction const& i, unsigned lane, std::uint32_t barrier,
                    std::uint32_t bytes) {
  block& owner = block_of(w, i, lane, barrier);
  auto const problem = add_bytes(owner, barrier & shared_offset_mask, bytes);
  if (!problem.empty()) fault(w, i, lane, trouble::mbarrier, barrier, problem);
}

void require_mbarrier(warp& w, instruction const& i, unsigned lane, std::uint32_t barrier) {
  auto const at = reach(w, i, lane, space::shared, barrier, 8, access::update, 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, at.bytes, 8);
  if (!unpack_mbarrier(bits).valid)
    fault(w, i, lane, trouble::mbarrier, barrier,
          say("the 8 bytes at ", hexadecimal(barrier & shared_offset_mask),
              " are not an initialised mbarrier"));
  require_visible_mbarrier(w, i, lane, block_of(w, i, lane, barrier), barrier & shared_offset_mask);
}

void require_near_mbarrier(warp& w, instruction const& i, unsigned lane, std::uint32_t to,
                           std::uint32_t barrier, unsigned group) {
  std::uint32_t const apart = (to ^ barrier) >> shared_rank_shift;
  if (apart >= (group == 2 ? 2u : 1u))
    fault(w, i, lane, trouble::mbarrier, barrier,
          say("the mbarrier lies in block ", barrier >> shared_rank_shift,
              " of the cluster, the destination in block ", to >> shared_rank_shift,
              group == 2 ? "; with cta_group::2 both must lie in one pair of blocks"
                         : "; without cta_group::2 both must lie in one block"));
}

void hide(block& owner, std::uint32_t begin, std::uint32_t bytes) {
  std::memset(owner.shared_written.get() + begin, static_cast<int>(is_in_flight), bytes);
}

void arrived(block& owner, std::uint32_t barrier, std::uint32_t begin, std::uint32_t bytes) {
  auto& signalled = *owner.home->blocks[barrier >> shared_rank_shift];
  signalled.landed.push_back(
      {barrier & shared_offset_mask, begin | owner.rank << shared_rank_shift, bytes});
}

namespace {

void require_sixteen(warp& w, instruction const& i, unsigned lane, std::uint64_t a, std::uint64_t b,
                     std::uint32_t size) {
  if (a % 16 != 0 || b % 16 != 0 || size % 16 != 0)
    fault(w, i, lane, trouble::misaligned, a,
          say("a bulk copy of ", size, " bytes between ", hexadecimal(a), " and ", hexadecimal(b),
              "; the size and both addresses must be multiples of 16"));
}

/// Throws if a source in .shared::cta lies in another block.
void require_own_source(warp& w, instruction const& i, unsigned lane, std::uint32_t from) {
  if (from >> shared_rank_shift != w.home->rank)
    fault(w, i, lane, trouble::out_of_bounds, from,
          say("the source lies in block ", from >> shared_rank_shift,
              " of the cluster, the thread in block ", w.home->rank));
}

/// Returns the shared address in block `rank` that has the same offset as `address`. A multicast
/// writes there.
std::uint32_t in_block(std::uint32_t address, std::uint32_t rank) {
  return (address & shared_offset_mask) | rank << shared_rank_shift;
}

/// Copies to shared memory of the cluster, from global memory or from this block's shared memory.
template <bool from_shared, bool multicast>
void copy_to_shared(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t const to =
        lanes_of<std::uint32_t>(w, i.at[0])[lane] + static_cast<std::uint32_t>(i.offset);
    std::uint64_t const from = from_shared ? lanes_of<std::uint32_t>(w, i.at[1])[lane]
                                           : lanes_of<std::uint64_t>(w, i.at[1])[lane];
    std::uint32_t const size = lanes_of<std::uint32_t>(w, i.at[2])[lane];
    std::uint32_t const barrier = lanes_of<std::uint32_t>(w, i.at[3])[lane];
    require_sixteen(w, i, lane, to, from, size);
    std::uint32_t blocks = 1;
    if constexpr (multicast) blocks = lanes_of<std::uint16_t>(w, i.at[4])[lane];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> targets;  // (destination, mbarrier)
    if constexpr (multicast)
      for_lanes(blocks, [&](unsigned rank) {
        targets.emplace_back(in_block(to, rank), in_block(barrier, rank));
      });
    else
      targets.emplace_back(to, barrier);
    if (size == 0) return;
    if constexpr (!multicast) require_near_mbarrier(w, i, lane, to, barrier);
    if constexpr (from_shared) require_own_source(w, i, lane, static_cast<std::uint32_t>(from));
    for (auto const& [place, bar] : targets) {
      require_mbarrier(w, i, lane, bar);
      reach(w, i, lane, space::shared, place, size, access::write, 16);
      hide(block_of(w, i, lane, place), place & shared_offset_mask, size);
      track(w, i, lane, block_of(w, i, lane, place), place & shared_offset_mask, size, true,
            proxy::async);
    }
    auto const known = issued_clocks(w);
    constexpr space source = from_shared ? space::shared : space::generic;
    reach(w, i, lane, source, from, size, access::read, 16);
    issue_copy(w, [&w, &i, lane, from, size, targets, known] {
      auto const bytes = reach(w, i, lane, source, from, size, access::read, 16);
      require_written(w, i, lane, from, bytes, size);
      if constexpr (!from_shared) track_bulk_read(w, i, lane, from, size, known);
      for (auto const& [place, bar] : targets) {
        auto const out = reach(w, i, lane, space::shared, place, size, access::write, 16);
        std::memcpy(out.bytes, bytes.bytes, size);
        arrived(block_of(w, i, lane, place), bar, place & shared_offset_mask, size);
        block& owner = block_of(w, i, lane, place);
        if (&owner == w.home)
          publish_clocks(*w.home, bar & shared_offset_mask, known);
        else
          publish_copy(w, owner, bar & shared_offset_mask, known);
        complete_bytes(w, i, lane, bar, size);
      }
    });
  });
}

/// Issues a store or a reduction from shared to global memory. Its first step (bulk_store::read)
/// copies the source out of shared memory. Its second step calls `land`, which writes these bytes
/// to global memory. `how` is the kind of the access to global memory.
template <class Land>
void store_to_global(warp& w, instruction const& i, std::uint32_t mask, access how,
                     Land const& land) {
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t const to =
        lanes_of<std::uint64_t>(w, i.at[0])[lane] + static_cast<std::uint64_t>(i.offset);
    std::uint32_t const from = lanes_of<std::uint32_t>(w, i.at[1])[lane];
    std::uint32_t const size = lanes_of<std::uint32_t>(w, i.at[2])[lane];
    require_sixteen(w, i, lane, to, from, size);
    if (size == 0) return;
    reach(w, i, lane, space::generic, to, size, how, 16);
    reach(w, i, lane, space::shared, from, size, access::read, 16);
    auto const held = std::make_shared<std::vector<std::byte>>(size);
    std::uint32_t const number = issue_bulk_store(w);
    issue_store(
        w, lane,
        {[&w, &i, lane, from, size, held, known = issued_clocks(w)] {
           auto const bytes = reach(w, i, lane, space::shared, from, size, access::read, 16);
           require_written(w, i, lane, from, bytes, size);
           track(w, i, lane, *w.home, from & shared_offset_mask, size, false, proxy::async);
           require_unchanged(w, i, lane, from & shared_offset_mask, size, known);
           std::memcpy(held->data(), bytes.bytes, size);
         },
         [&w, &i, lane, to, size, held, number, how, land] {
           track_bulk_write(w, i, lane, to, size, number, how == access::update);
           land(w, i, lane, to, reach(w, i, lane, space::generic, to, size, how, 16), *held);
         }});
  });
}

void copy_to_global(warp& w, instruction const& i, std::uint32_t mask) {
  store_to_global(w, i, mask, access::write,
                  [](warp&, instruction const&, unsigned, std::uint64_t, auto const& out,
                     std::vector<std::byte> const& held) {
                    std::memcpy(out.bytes, held.data(), held.size());
                    mark_written(out, static_cast<std::uint32_t>(held.size()));
                  });
}

struct reduction_row {
  numerics::reduction operation;
  numerics::reduced_type type;
};
std::vector<reduction_row>& reduction_rows() {
  static std::vector<reduction_row> rows;
  return rows;
}

void combine(reduction_row const& how, std::byte* into, std::byte const* with,
             std::uint32_t bytes) {
  auto const size = static_cast<std::uint32_t>(numerics::size_of(how.type));
  for (std::uint32_t at = 0; at < bytes; at += size) {
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, into + at, size);
    std::memcpy(&b, with + at, size);
    a = numerics::reduce(how.operation, how.type, a, b);
    std::memcpy(into + at, &a, size);
  }
}

void reduce_to_global(warp& w, instruction const& i, std::uint32_t mask) {
  store_to_global(w, i, mask, access::update,
                  [how = reduction_rows()[i.target]](warp& of, instruction const& by, unsigned lane,
                                                     std::uint64_t to, auto const& out,
                                                     std::vector<std::byte> const& held) {
                    auto const size = static_cast<std::uint32_t>(held.size());
                    require_written(of, by, lane, to, out, size);
                    combine(how, out.bytes, held.data(), size);
                  });
}

void reduce_to_shared(warp& w, instruction const& i, std::uint32_t mask) {
  auto const how = reduction_rows()[i.target];
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t const to =
        lanes_of<std::uint32_t>(w, i.at[0])[lane] + static_cast<std::uint32_t>(i.offset);
    std::uint32_t const from = lanes_of<std::uint32_t>(w, i.at[1])[lane];
    std::uint32_t const size = lanes_of<std::uint32_t>(w, i.at[2])[lane];
    std::uint32_t const barrier = lanes_of<std::uint32_t>(w, i.at[3])[lane];
    require_sixteen(w, i, lane, to, from, size);
    if (size == 0) return;
    require_near_mbarrier(w, i, lane, to, barrier);
    require_own_source(w, i, lane, from);
    require_mbarrier(w, i, lane, barrier);
    reach(w, i, lane, space::shared, to, size, access::update, 16);
    track(w, i, lane, block_of(w, i, lane, to), to & shared_offset_mask, size, true, proxy::atomic);
    issue_copy(w, [&w, &i, lane, to, from, size, barrier, how, known = issued_clocks(w)] {
      auto const bytes = reach(w, i, lane, space::shared, from, size, access::read, 16);
      require_written(w, i, lane, from, bytes, size);
      auto const out = reach(w, i, lane, space::shared, to, size, access::update, 16);
      require_written(w, i, lane, to, out, size);
      combine(how, out.bytes, bytes.bytes, size);
      block& owner = block_of(w, i, lane, to);
      if (&owner == w.home)
        publish_clocks(owner, barrier & shared_offset_mask, known);
      else
        publish_copy(w, owner, barrier & shared_offset_mask, known);
      complete_bytes(w, i, lane, barrier, size);
    });
  });
}

void commit(warp& w, instruction const&, std::uint32_t mask) {
  auto& copies = copies_of(w);
  for_lanes(mask, [&](unsigned lane) {
    copies.bulk[lane].groups.push_back(std::exchange(copies.bulk[lane].open, {}));
    copies.bulk[lane].last.push_back(last_bulk_store(w));
  });
}

template <bool only_read> void wait_group(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto& mine = copies_of(w).bulk[lane];
    auto const leave = static_cast<std::size_t>(i.offset);
    std::size_t const done = mine.groups.size() > leave ? mine.groups.size() - leave : 0;
    for (std::size_t g = 0; g < done; ++g)
      for (auto& each : mine.groups[g]) {
        if (each.read) std::exchange(each.read, nullptr)();
        if (!only_read && each.write) std::exchange(each.write, nullptr)();
      }
    if (only_read || done == 0) return;
    bulk_store_waited_for(w, mine.last[done - 1]);
    mine.groups.erase(mine.groups.begin(), mine.groups.begin() + static_cast<std::ptrdiff_t>(done));
    mine.last.erase(mine.last.begin(), mine.last.begin() + static_cast<std::ptrdiff_t>(done));
  });
}

void nothing(warp&, instruction const&, std::uint32_t) {}

void add_reductions(opcode_table& table) {
  using numerics::reduced_type;
  using numerics::reduction;
  struct named_operation {
    char const* name;
    reduction operation;
  };
  struct named_type {
    char const* name;
    reduced_type type;
  };
  named_operation const operations[] = {{"add", reduction::add},   {"min", reduction::min},
                                        {"max", reduction::max},   {"inc", reduction::inc},
                                        {"dec", reduction::dec},   {"and", reduction::bit_and},
                                        {"or", reduction::bit_or}, {"xor", reduction::bit_xor}};
  named_type const types[] = {
      {"u32", reduced_type::u32},    {"s32", reduced_type::s32},
      {"u64", reduced_type::u64},    {"s64", reduced_type::s64},
      {"b32", reduced_type::b32},    {"b64", reduced_type::b64},
      {"f16", reduced_type::half},   {"bf16", reduced_type::bfloat16},
      {"f32", reduced_type::single}, {"f64", reduced_type::double_precision}};
  auto const add = [&](std::string const& name, std::string const& signature, handler run,
                       reduction_row how) {
    table_row row{name, signature, run};
    row.payload = static_cast<std::uint32_t>(reduction_rows().size());
    reduction_rows().push_back(how);
    table.add(std::move(row));
  };
  for (auto const& operation : operations)
    for (auto const& type : types) {
      if (numerics::refuse_reduction(operation.operation, type.type) != nullptr) continue;
      bool const narrow = type.type == reduced_type::half || type.type == reduced_type::bfloat16;
      std::string const tail = std::string(".") + operation.name +
                               (narrow && operation.operation == reduction::add ? ".noftz." : ".") +
                               type.name;
      add("cp.reduce.async.bulk.global.shared::cta.bulk_group" + tail, "=ASw", &reduce_to_global,
          {operation.operation, type.type});
      bool const floating = narrow || type.type == reduced_type::single ||
                            type.type == reduced_type::double_precision;
      if (!floating)
        add("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes" + tail,
            "=SSwS", &reduce_to_shared, {operation.operation, type.type});
    }
}

}  // namespace

void issue_store(warp& w, unsigned lane, bulk_store store) {
  if (lands_now(*w.run)) {
    store.read();
    store.write();
  } else {
    copies_of(w).bulk[lane].open.push_back(std::move(store));
  }
}

void add_bulk(opcode_table& table) {
  std::string const completes = ".mbarrier::complete_tx::bytes";
  for (char const* place : {"shared::cluster", "shared::cta"})
    table.add({std::string("cp.async.bulk.") + place + ".global" + completes, "=SAwS",
               &copy_to_shared<false, false>});
  table.add({"cp.async.bulk.shared::cluster.global" + completes + ".multicast::cluster", "=SAwSh",
             &copy_to_shared<false, true>});
  table.add({"cp.async.bulk.shared::cluster.shared::cta" + completes, "=SSwS",
             &copy_to_shared<true, false>});
  table.add({"cp.async.bulk.global.shared::cta.bulk_group", "=ASw", &copy_to_global});
  table.add({"cp.async.bulk.prefetch.L2.global", "=Aw", &nothing});
  table.add({"cp.async.bulk.commit_group", "=", &commit});
  table.add({"cp.async.bulk.wait_group", "=i", &wait_group<false>});
  table.add({"cp.async.bulk.wait_group.read", "=i", &wait_group<true>});
  add_reductions(table);
}

}  // namespace machine
