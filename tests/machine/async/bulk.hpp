// Helpers of bulk copies with and without a tensor map.
#pragma once

#include "async/copies.hpp"
#include "state/access.hpp"

namespace machine {

/// Counts arrived bytes at an mbarrier. Throws if the mbarrier does not expect them.
void complete_bytes(warp& w, instruction const& i, unsigned lane, std::uint32_t barrier,
                    std::uint32_t bytes);

void require_mbarrier(warp& w, instruction const& i, unsigned lane, std::uint32_t barrier);

/// Marks the destination as not written when a bulk copy is issued.
void hide(block& owner, std::uint32_t begin, std::uint32_t bytes);
/// Marks it as written; readers must still wait on the mbarrier. The mbarrier is a shared address,
/// because it may lie in another block than the destination.
void arrived(block& owner, std::uint32_t barrier, std::uint32_t begin, std::uint32_t bytes);

void issue_store(warp& w, unsigned lane, bulk_store store);

}  // namespace machine
