// Implements tcgen05.commit (PTX ISA, "tcgen05.commit"). It arrives at mbarriers once all mma, cp
// and shift that the block issued earlier have completed. With cta_group::2 the peer must not have
// exited.
//
//     tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [mbar]
//     tcgen05.commit....shared::cluster.multicast::cluster.b64 [mbar], mask   in each block of mask
#include <bit>

#include "async/bulk.hpp"
#include "async/mbarrier.hpp"
#include "check/cluster_history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "tcgen05/pair.hpp"
#include "tcgen05/pipeline.hpp"

namespace machine {
namespace {

template <bool generic> std::uint32_t barrier_of(warp& w, instruction const& i, unsigned lane) {
  if constexpr (!generic)
    return lanes_of<std::uint32_t>(w, i.at[0])[lane] + static_cast<std::uint32_t>(i.offset);
  std::uint64_t const address =
      lanes_of<std::uint64_t>(w, i.at[0])[lane] + static_cast<std::uint64_t>(i.offset);
  if (!is_in_shared_window(address))
    fault(w, i, lane, trouble::mbarrier, address,
          say("the mbarrier at ", hexadecimal(address), " is not in shared memory"));
  return static_cast<std::uint32_t>(address);
}

void arrive(warp& w, instruction const& i, unsigned lane, std::uint32_t barrier,
            tensor_knowledge const& known, clocks const& read) {
  block& owner = block_of(w, i, lane, barrier);
  std::uint32_t const offset = barrier & shared_offset_mask;
  publish_tensor(owner, offset, known);
  if (&owner == w.home) publish_clocks(owner, offset, read);
  publish_tensor_core(w, owner, offset, read);
  if (auto const problem = arrive_once(owner, offset); !problem.empty())
    fault(w, i, lane, trouble::mbarrier, offset, problem);
}

template <unsigned group, bool generic, bool multicast>
void commit(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    tensor_blocks_of(w, i, lane, group);
    std::uint32_t const barrier = barrier_of<generic>(w, i, lane);
    std::vector<std::uint32_t> barriers;
    if constexpr (multicast)
      for_lanes(lanes_of<std::uint16_t>(w, i.at[1])[lane], [&](unsigned rank) {
        barriers.push_back((barrier & shared_offset_mask) | rank << shared_rank_shift);
      });
    else
      barriers.push_back(barrier);
    for (auto const each : barriers) require_mbarrier(w, i, lane, each);
    begin_tensor_issue(w);
    auto const known = tensor_committed(w);
    auto const read = tensor_core_finishes(w);
    issue_tensor(w, [&w, &i, lane, barriers, known, read] {
      for (auto const each : barriers) arrive(w, i, lane, each, known, read);
    });
  });
}

template <unsigned group> void add_group(opcode_table& table) {
  std::string const name = say("tcgen05.commit.cta_group::", group, ".mbarrier::arrive::one");
  table.add({name + ".b64", "=A", &commit<group, true, false>});
  table.add({name + ".shared::cluster.b64", "=S", &commit<group, false, false>});
  table.add({name + ".multicast::cluster.b64", "=Ah", &commit<group, true, true>});
  table.add({name + ".shared::cluster.multicast::cluster.b64", "=Sh", &commit<group, false, true>});
}

}  // namespace

void add_tensor_commits(opcode_table& table) {
  add_group<1>(table);
  add_group<2>(table);
}

}  // namespace machine
