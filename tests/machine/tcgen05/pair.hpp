// The blocks that a tcgen05 instruction acts on (PTX ISA, "CTA Pair").
//
//     cta_group::1    the block of the issuing thread
//     cta_group::2    that block and its peer, whose rank in the cluster differs in the last bit;
//                     the block with the even rank comes first
#pragma once

#include <array>

#include "state/grid.hpp"

namespace machine {

struct tensor_blocks {
  std::array<block*, 2> of{};
  unsigned count = 1;
  block** begin() { return of.data(); }
  block** end() { return of.data() + count; }
  block* const* begin() const { return of.data(); }
  block* const* end() const { return of.data() + count; }
};

/// Returns the other block of the pair. Throws if the cluster has none.
block& peer_of(warp& w, instruction const& i, unsigned lane);

/// Returns the blocks that an instruction with cta_group `group` acts on. Throws if the peer is
/// missing or has exited, or if the blocks have used another cta_group.
tensor_blocks tensor_blocks_of(warp& w, instruction const& i, unsigned lane, unsigned group);

}  // namespace machine
