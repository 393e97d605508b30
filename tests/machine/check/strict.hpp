// Findings that end a launch, or that are collected as warnings for third-party programs: those of
// strict mode, races in shared memory, and reads of bytes that were never written.
//
//     machine::warning_list told;
//     options.strict = true;
//     options.warnings = &told;      findings are collected there instead, once for each line
//
// NVIDIA's own programs have such findings: wgmma_tma_sm90 of CuTe's tutorials ends while its last
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

/// The first finding at one line, and the number of findings there.
struct warning {
  report first;
  std::uint64_t times = 1;
};

/// Thread-safe: launches on several threads may share one list.
class warning_list {
 public:
  /// The index of a new line, to be passed to `tell`; nothing if the line was reported before. A
  /// race has two PTX lines, in either order.
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

/// Throws the error of one lane; or adds a warning if the launch collects them. `sentence` makes
/// the text of the first finding at a line; `other_line` is the PTX line of a race's other access.
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
