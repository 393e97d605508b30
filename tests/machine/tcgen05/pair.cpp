#include "tcgen05/pair.hpp"

#include "state/access.hpp"
#include "tcgen05/tensor_memory.hpp"

namespace machine {

block& peer_of(warp& w, instruction const& i, unsigned lane) {
  auto& blocks = w.home->home->blocks;
  std::uint32_t const rank = w.home->rank ^ 1u;
  if (rank >= blocks.size())
    fault(w, i, lane, trouble::allocation, 0,
          say("names cta_group::2, but block ", w.home->rank, " of a cluster of ", blocks.size(),
              " has no peer"));
  return *blocks[rank];
}

tensor_blocks tensor_blocks_of(warp& w, instruction const& i, unsigned lane, unsigned group) {
  require_group(w, i, lane, group);
  if (group == 1) return {{w.home, nullptr}, 1};
  block& peer = peer_of(w, i, lane);
  if (peer.live_threads == 0)
    fault(w, i, lane, trouble::allocation, 0,
          say("names cta_group::2, but all threads of the peer, block ", peer.rank,
              " of the cluster, have exited"));
  if (w.home->rank < peer.rank) return {{w.home, &peer}, 2};
  return {{&peer, w.home}, 2};
}

}  // namespace machine
