// What bulk copies with and without a tensor map share.
#pragma once

#include "async/copies.hpp"
#include "state/access.hpp"

namespace machine {

/// Counts arrived bytes at an mbarrier; an error when that is illegal.
void complete_bytes(warp& w, instruction const& i, unsigned lane, std::uint32_t barrier,
                    std::uint32_t bytes);

void require_mbarrier(warp& w, instruction const& i, unsigned lane, std::uint32_t barrier);

/// From issue on the destination holds nothing that may be read ...
void hide(block& owner, std::uint32_t begin, std::uint32_t bytes);
/// ... and after it has landed, not before a wait on the mbarrier succeeds.
void arrived(block& owner, std::uint32_t barrier, std::uint32_t begin, std::uint32_t bytes);

void issue_store(warp& w, unsigned lane, bulk_store store);

}  // namespace machine
