// Tensor memory of a block (PTX ISA, "Tensor Memory"): 128 lanes of 512 columns of 32 bits.
//
//     an address is lane << 16 | column: 0x00200004 is lane 32, column 4
//     warp w of a block reaches lanes 32 (w % 4) to 32 (w % 4) + 31
//
// A column that nothing has written since its allocation holds garbage, and reading it is an error.
// tcgen05/order.hpp records the accesses and what orders them.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "state/grid.hpp"
#include "tcgen05/order.hpp"

namespace machine {

inline constexpr std::uint32_t tensor_lanes = 128;
inline constexpr std::uint32_t tensor_columns = 512;
/// Accesses are recorded for a granule of 16 lanes of a column, even if they touch only some of
/// these lanes.
inline constexpr std::uint32_t granule_lanes = 16;
inline constexpr std::uint32_t granules_of_column = tensor_lanes / granule_lanes;

struct tensor_granule {
  tensor_access write;
  tensor_access reads[2];
  std::uint16_t written = 0;  // one bit for each of its lanes
};

struct tensor_allocation {
  std::uint32_t first = 0, columns = 0;
};

/// An allocation of cta_group::2 takes place once a warp of each block has reached it.
struct tensor_request {
  enum class state : std::uint8_t { none, waits, granted };
  state now = state::none;
  std::uint32_t warp = 0, columns = 0, first = 0;
};

struct tensor_memory {
  explicit tensor_memory(block const& home);

  std::vector<std::uint32_t> words;  // column * 128 + lane
  std::vector<tensor_granule> granules;
  std::vector<tensor_allocation> allocations;
  std::uint32_t smallest = tensor_columns;  // of the allocations so far; no later one may be larger
  bool relinquished = false;
  tensor_request request;
  unsigned group = 0;  // the cta_group of the block's instructions; 0: none yet
  tensor_order order;
  std::deque<std::function<void()>> queue;  // mma, cp, shift and commit, in the order of issue
  std::uint64_t touched = 0;  // accesses so far; track_next_product does not count its own
  // last_product is the key of the last product of this block that was checked column by column.
  // touched_then is the sum of `touched` over the blocks of that product after the check.
  std::array<std::uint32_t, 6> last_product{};
  std::uint64_t touched_then = 0;

  [[nodiscard]] bool is_allocated(std::uint32_t column) const;
  tensor_granule& granule(std::uint32_t lane, std::uint32_t column) {
    return granules[column * granules_of_column + lane / granule_lanes];
  }
};

/// Returns the tensor memory of a block. The first call creates it for all blocks of the cluster.
tensor_memory& tensor_memory_of(block& home);

/// An address in tensor memory with its displacement added. All lanes of a warp have the same
/// address.
struct tensor_place {
  std::uint32_t lane = 0, column = 0;
};
tensor_place place_of(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t at,
                      std::int64_t displacement = 0);

/// Throws if instructions of the cluster have named another cta_group.
void require_group(warp& w, instruction const& i, unsigned lane, unsigned group);

/// Throws if a column does not exist or is not allocated.
void require_columns(warp& w, instruction const& i, block& owner, std::uint32_t first,
                     std::uint32_t count);

/// Throws if one of these 16 lanes has not been written since the column was allocated. A launch
/// that collects warnings gets a warning.
void require_tensor_written(warp& w, instruction const& i, tensor_granule const& at,
                            std::uint32_t lane, std::uint32_t column);

/// Reports what the block has allocated and not freed, when it ends.
void require_tensor_memory_freed(running const& run, block const& home);

}  // namespace machine
