// Counts the instructions of a launch, and their traffic. The interpreter counts how often a run of
// plain instructions is entered (running::runs). Handlers count the rest: the traffic of accesses
// and copies, the operations of products, and the executions of instructions that may wait. The
// launch runs a copy of the program in which these handlers count and then call the original ones.
// Handlers receive the instructions of the copy, so the copy lives as long as the launch.
#pragma once

#include <memory>

#include "count/counts.hpp"
#include "program/program.hpp"

namespace machine {

struct warp;
struct running;

struct instruction_counts {
  executed done;  // an instruction that waits counts once, when it succeeds
  traffic global, shared;
  bulk_bytes bulk;
  std::uint64_t tensor_operations = 0;
};

struct counting {
  using observer = void (*)(warp&, instruction const&, std::uint32_t mask, counting&,
                            std::size_t index);
  struct recipe {
    handler original = nullptr;
    observer observe = nullptr;  // called before the instruction runs
    bool counts_execution = false;
    std::uint8_t address_at = 0;  // index of the address operand
    std::uint8_t bytes = 0;       // for each lane
    std::uint8_t count = 0;       // matrices of ldmatrix, stmatrix; dimensions of a tensor copy
    bool narrow_address = false;  // true for 32-bit shared addresses
    use what = use::load;
    std::uint64_t operations = 0;  // of a matrix product, for each warp; of tcgen05.mma: 2 k
    bool has_scales = false;       // tcgen05.mma with block scales
  };

  explicit counting(program const& code);
  counting(counting const&) = delete;  // instructions are identified by their addresses in `copy`
  /// Returns a copy for another thread.
  [[nodiscard]] std::unique_ptr<counting> with_zero_counts() const;
  void add(counting const& more);
  counting& operator=(counting const&) = delete;

  program copy;                 // the program that runs
  std::vector<recipe> recipes;  // by index of the instruction
  std::vector<instruction_counts> of;

 private:
  counting(program const& counted, std::vector<recipe> const& counters)
      : copy(counted), recipes(counters), of(counted.code.size()) {}
};

/// Returns the counts of a finished launch.
kernel_counts summary(running const& run, counting const& counted);

}  // namespace machine
