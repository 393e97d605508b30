// Finds data races on global memory from what each warp knows of the others (block_order.hpp).
//
//     block 0:  st.global [x]; fence.acq_rel.gpu; st.relaxed.gpu [f]
//     block 1:  ld.relaxed.gpu [f]; fence.acq_rel.gpu; ld.global [x]    without a fence: a race
//
// For each word of 4 bytes at most two writes and two reads are recorded, including the last one of
// each. Lanes of one warp are not compared.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "check/block_order.hpp"

namespace machine {

struct global_touch {
  std::uint32_t clock = 0;  // 0: no access
  std::uint32_t block = 0;
  std::uint32_t statement = 0;
  std::uint32_t actor : 6 = 0;  // the number of a warp, or first_bulk + that of a warp
  std::uint32_t lane : 5 = 0;
  std::uint32_t bytes : 4 = 0;   // one bit for each byte of the word
  std::uint32_t strong : 2 = 0;  // scope of a strong access: 1 block, 2 cluster, 3 device or system
};

struct global_word {
  global_touch writes[2];
  global_touch reads[2];  // since these writes
};

class global_history {
 public:
  global_word& at(std::uint64_t address);

  /// Frees the records that only warps of the ended cluster needed. The cluster's accesses remain.
  void forget(cluster const& ended);

  block_order order;

 private:
  static constexpr std::uint64_t page_words = 1024;
  using page = std::array<global_word, page_words>;
  std::unordered_map<std::uint64_t, std::unique_ptr<page>> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  page* last_ = nullptr;
};

/// True if the launch reports races in global memory: in strict mode, unless it collects warnings.
bool tracks_global_memory(launch_options const& options);

/// Returns the index in the grid of block `number` (see number_of).
extent3 index_of_block(running const& run, std::uint32_t number);

/// How an access to global memory takes part in the memory model.
struct global_access {
  bool reads = false, writes = false;
  bool observes = false;         // true if it returns what it read; red does not
  bool is_asynchronous = false;  // true if it uses the asynchronous proxy
  std::uint32_t strong = 0;      // as in global_touch
  bool acquires = false, releases = false;
};

/// Returns how ld, st, atom or red accesses memory, from the modifiers of its opcode.
global_access global_access_of(instruction const& i, running const& run, bool reads, bool writes);

/// Checks an access of one lane and records it. Throws trouble::race or trouble::proxy. A strong
/// access to a flag also synchronises.
void track_global(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                  std::uint32_t bytes, global_access const& how);
void track_global_lanes(warp& w, instruction const& i, std::uint32_t mask,
                        std::uint64_t const* addresses, std::uint32_t bytes, bool writes);

/// Checks and records what a bulk copy reads. `issued` are the clocks of its warp at the issue.
void track_bulk_read(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                     std::uint32_t bytes, clocks const& issued);
/// Counts a bulk store and returns its number. Other threads may read what it writes after the
/// issuing thread has waited for it.
std::uint32_t issue_bulk_store(warp& w);
std::uint32_t last_bulk_store(warp& w);
void track_bulk_write(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                      std::uint32_t bytes, std::uint32_t number, bool reduces);
void bulk_store_waited_for(warp& w, std::uint32_t number);

}  // namespace machine
