// Counting while a kernel runs: a copy of the program whose instructions pass by a counter on their
// way to their handler.
//
//     a launch that does not count has nothing to do with any of this
//
// Handlers see the copy's instruction, so that what they keep (asynchronous operations) stays valid
// for the launch.
#pragma once

#include <memory>

#include "count/counts.hpp"
#include "program/program.hpp"

namespace machine {

struct warp;
struct running;

struct instruction_counts {
  executed done;  // of instructions that wait: when they were executed, not when they tried
  traffic global, shared;
  bulk_bytes bulk;
  std::uint64_t tensor_operations = 0;
};

struct counting {
  using observer = void (*)(warp&, instruction const&, std::uint32_t mask, counting&,
                            std::size_t index);
  struct recipe {
    handler original = nullptr;
    observer look = nullptr;  // before the instruction runs
    bool counts_execution = false;
    std::uint8_t address_at = 0;  // operand that holds the address
    std::uint8_t bytes = 0;       // of each lane
    std::uint8_t count = 0;       // matrices of ldmatrix and stmatrix, dimensions of a tensor copy
    bool narrow_address = false;  // shared addresses have 32 bits
    use how = use::load;
    std::uint64_t operations = 0;  // of a product, for each warp
  };

  explicit counting(program const& code);
  counting(counting const&) = delete;  // `copy` is what runs
  /// The same for another thread, from zero on; and its figures added to these.
  [[nodiscard]] std::unique_ptr<counting> another() const;
  void add(counting const& more);
  counting& operator=(counting const&) = delete;

  program copy;                 // what runs
  std::vector<recipe> recipes;  // by index of the instruction
  std::vector<instruction_counts> of;

 private:
  counting(program const& counted, std::vector<recipe> const& how)
      : copy(counted), recipes(how), of(counted.code.size()) {}
};

/// After the launch.
kernel_counts summary(running const& run, counting const& counted);

}  // namespace machine
