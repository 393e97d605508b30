// Cluster launch control (PTX ISA, "clusterlaunchcontrol"): a running cluster takes the work of one
// that has not started. The answer has 16 opaque bytes, here a magic word and the ctaid.
//
//     clusterlaunchcontrol.try_cancel.async....complete_tx::bytes.b128 [answer], [mbar]
//     clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, answer
//
// The hardware chooses how many tries succeed. Here, while clusters are left: all with
// landing::at_once, the first two of each cluster with landing::late, random with landing::random.
#include <array>
#include <cstring>

#include "async/bulk.hpp"
#include "async/shared_address.hpp"
#include "check/cluster_history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"

namespace machine {
namespace {

/// The answer to a try: the ctaid of the cluster's first block on success, else zeros.
struct response {
  std::uint32_t magic = 0, x = 0, y = 0, z = 0;
};
static_assert(sizeof(response) == 16);

constexpr std::uint32_t succeeded = 0x434c4331, failed = 0x434c4330;

bool may_succeed(running& run, cluster const& home) {
  switch (run.options.when) {
    case landing::at_once: return true;
    case landing::late: return home.cancelled < 2;
    case landing::random: return run.random(3) != 0;
  }
  return true;
}

response answer(running& run, cluster& home) {
  response made{failed, 0, 0, 0};
  if (!may_succeed(run, home)) return made;
  auto const taken = run.take_cluster();
  if (!taken) return made;
  ++home.cancelled;
  auto const& c = run.cluster_extent;
  std::uint64_t const columns = run.grid.x / c.x, rows = run.grid.y / c.y;
  return {succeeded, static_cast<std::uint32_t>(*taken % columns) * c.x,
          static_cast<std::uint32_t>(*taken / columns % rows) * c.y,
          static_cast<std::uint32_t>(*taken / columns / rows) * c.z};
}

struct target {
  std::uint32_t place, barrier;
};

template <bool generic, bool multicast>
void try_cancel(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto& home = *w.home->home;
    if (home.saw_no_more)
      fault(
          w, i, lane, trouble::trap, 0,
          "tries to cancel a launch after a query has seen an earlier try fail; that is undefined");
    std::uint32_t const place = shared_address<generic>(w, i, lane, 0, i.offset);
    std::uint32_t const barrier = shared_address<generic>(w, i, lane, 1, 0);
    std::vector<target> targets{{place, barrier}};
    if constexpr (multicast) {
      targets.clear();
      for (std::uint32_t rank = 0; rank < home.blocks.size(); ++rank)
        targets.push_back({(place & shared_offset_mask) | rank << shared_rank_shift,
                           (barrier & shared_offset_mask) | rank << shared_rank_shift});
    }
    for (auto const& each : targets) {
      require_mbarrier(w, i, lane, each.barrier);
      block& owner = block_of(w, i, lane, each.place);
      std::uint32_t const offset = each.place & shared_offset_mask;
      reach(w, i, lane, space::shared, each.place, 16, access::write, 16);
      hide(owner, offset, 16);
      require_fenced_reads(w, i, lane, owner, offset, 16);
      track(w, i, lane, owner, offset, 16, true, proxy::async);
    }
    auto const known = issued_clocks(w);
    issue_copy(w, [&w, &i, lane, targets, known] {
      auto const made = answer(*w.run, *w.home->home);
      for (auto const& each : targets) {
        block& owner = block_of(w, i, lane, each.place);
        std::uint32_t const offset = each.place & shared_offset_mask;
        std::memcpy(owner.shared.get() + offset, &made, 16);
        arrived(owner, each.barrier, offset, 16);
        if (&owner == w.home)
          publish_clocks(owner, each.barrier & shared_offset_mask, known);
        else
          publish_copy(w, owner, each.barrier & shared_offset_mask, known);
        complete_bytes(w, i, lane, each.barrier, 16);
      }
    });
  });
}

response response_of(warp& w, instruction const& i, unsigned lane, unsigned at) {
  response made;
  std::memcpy(&made, w.registers + i.at[at] + std::size_t{lane} * 16, 16);
  if (made.magic != succeeded && made.magic != failed)
    fault(w, i, lane, trouble::trap, 0,
          "queries 16 bytes that clusterlaunchcontrol.try_cancel has not written");
  return made;
}

void is_cancelled(warp& w, instruction const& i, std::uint32_t mask) {
  std::uint32_t yes = 0;
  for_lanes(mask, [&](unsigned lane) {
    bool const was = response_of(w, i, lane, 1).magic == succeeded;
    yes |= static_cast<std::uint32_t>(was) << lane;
    if (!was) w.home->home->saw_no_more = true;
  });
  auto& to = predicate_of(w, i.at[0]);
  to = (to & ~mask) | yes;
}

template <unsigned first, unsigned count>
void first_block(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const made = response_of(w, i, lane, count);
    if (made.magic == failed)
      fault(w, i, lane, trouble::trap, 0,
            "asks a failed try_cancel for the first block of the cluster; that is undefined");
    std::array<std::uint32_t, 4> const ids{made.x, made.y, made.z, 0};
    for (unsigned k = 0; k < count; ++k) lanes_of<std::uint32_t>(w, i.at[k])[lane] = ids[first + k];
  });
}

}  // namespace

void add_launch_control(opcode_table& table) {
  std::string const name = "clusterlaunchcontrol.";
  std::string const done = ".mbarrier::complete_tx::bytes";
  std::string const all = ".multicast::cluster::all";
  table.add({name + "try_cancel.async" + done + ".b128", "=AA", &try_cancel<true, false>});
  table.add({name + "try_cancel.async" + done + all + ".b128", "=AA", &try_cancel<true, true>});
  table.add(
      {name + "try_cancel.async.shared::cta" + done + ".b128", "=SS", &try_cancel<false, false>});
  table.add({name + "try_cancel.async.shared::cta" + done + all + ".b128", "=SS",
             &try_cancel<false, true>});
  std::string const query = name + "query_cancel.";
  table.add({query + "is_canceled.pred.b128", "p=q", &is_cancelled});
  table.add({query + "get_first_ctaid.v4.b32.b128", "w4=q", &first_block<0, 4>});
  table.add({query + "get_first_ctaid::x.b32.b128", "w=q", &first_block<0, 1>});
  table.add({query + "get_first_ctaid::y.b32.b128", "w=q", &first_block<1, 1>});
  table.add({query + "get_first_ctaid::z.b32.b128", "w=q", &first_block<2, 1>});
}

}  // namespace machine
