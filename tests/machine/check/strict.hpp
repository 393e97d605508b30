// Findings that end a launch of our own kernels, and are warnings in programs of others: what
// strict mode finds, races in shared memory, and reads of bytes that nothing has written.
//
//     machine::warning_list told;
//     options.strict = true;
//     options.warnings = &told;      what would have ended the launch is remembered there, once for each place of the text
//
// NVIDIA's own programs have such places: wgmma_tma_sm90 of CuTe's tutorials ends while its last
// loads are in flight.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "state/access.hpp"

namespace machine {

/// What was found first at one place of the text, and how often it was found there.
struct warning {
  report first;
  std::uint64_t times = 1;
};

/// Launches of any number of threads may share one.
class warning_list {
 public:
  /// The number of a place that has not been told of before; then `tell` follows with it. A race
  /// has two PTX lines, and is the same whichever of them came first.
  std::optional<std::size_t> is_new(std::string const& kernel, trouble what, int ptx_line,
                                    int other_line = 0);
  void tell(std::size_t number, report found);
  /// In the order of their first finding.
  [[nodiscard]] std::vector<warning> all() const;

 private:
  mutable std::mutex lock_;
  std::map<std::tuple<std::string, trouble, int, int>, std::size_t> numbers_;
  std::vector<warning> found_;
};

/// Throws the error of one lane; or, where the launch collects warnings, adds one. `sentence` makes
/// the words of a place's first finding; `other_line` is the PTX line of a race's other access.
template <class Sentence>
void fault_or_warn(warp const& w, instruction const& i, unsigned lane, trouble what,
                   std::uint64_t address, Sentence const& sentence, int other_line = 0) {
  auto* const list = w.run->options.warnings;
  if (list == nullptr) fault(w, i, lane, what, address, sentence());
  auto const& code = *w.run->code;
  if (auto const number =
          list->is_new(code.name, what, code.places[i.statement].ptx_line, other_line))
    list->tell(*number, report_of(w, i, lane, what, address, sentence()));
}

/// The same for a kernel as a whole.
void fault_or_warn(running const& run, trouble what, std::string sentence);

}  // namespace machine
