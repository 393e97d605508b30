// Declares functions that bulk copies with and without a tensor map share.
#pragma once

#include "async/copies.hpp"
#include "state/access.hpp"

namespace machine {

/// Subtracts arrived bytes from the pending bytes of an mbarrier. Throws if the word is not an
/// mbarrier, or if the count leaves the range of the ISA. The count may be negative until an
/// expect_tx adds the bytes.
void complete_bytes(warp& w, instruction const& i, unsigned lane, std::uint32_t barrier,
                    std::uint32_t bytes);

void require_mbarrier(warp& w, instruction const& i, unsigned lane, std::uint32_t barrier);
/// Throws unless the mbarrier of a copy without multicast lies in the block of the destination, or
/// with cta_group::2 in that block or its peer.
void require_near_mbarrier(warp& w, instruction const& i, unsigned lane, std::uint32_t to,
                           std::uint32_t barrier, unsigned group = 1);

/// Marks the destination as not written when a bulk copy is issued.
void hide(block& owner, std::uint32_t begin, std::uint32_t bytes);
/// Records that a bulk copy has written the destination. Threads may read it after a wait on
/// `barrier`, a shared address of the cluster: the mbarrier may lie in another block than the
/// destination.
void arrived(block& owner, std::uint32_t barrier, std::uint32_t begin, std::uint32_t bytes);

void issue_store(warp& w, unsigned lane, bulk_store store);

}  // namespace machine
