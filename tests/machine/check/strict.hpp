// Reports errors that third-party programs may have: those of strict mode, races in shared memory,
// and reads of bytes that were never written. A report ends the launch or becomes a warning:
//
//     machine::warning_list warnings;
//     options.strict = true;
//     options.warnings = &warnings;  // one warning for each line
//
// Example: CuTe's wgmma_tma_sm90 ends while its last loads are in flight.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "state/access.hpp"

namespace machine {

/// The first report at a line, and the number of reports there.
struct warning {
  report first;
  std::uint64_t times = 1;
};

/// A list of warnings that several launches may share, because it is thread-safe.
class warning_list {
 public:
  /// Returns an index for `tell` if the line is new, and nothing if it was reported before. A race
  /// is identified by its two PTX lines, in either order.
  std::optional<std::size_t> index_if_new(std::string const& kernel, trouble what, int ptx_line,
                                          int other_line = 0);
  void tell(std::size_t number, report found);
  /// Returns the warnings in the order of their first reports.
  [[nodiscard]] std::vector<warning> all() const;

 private:
  mutable std::mutex lock_;
  std::map<std::tuple<std::string, trouble, int, int>, std::size_t> numbers_;
  std::vector<warning> found_;
};

/// Throws the error of one lane, or adds a warning if the launch collects them. `sentence` makes
/// the text; `other_line` is the PTX line of a race's other access.
template <class Sentence>
void fault_or_warn(warp const& w, instruction const& i, unsigned lane, trouble what,
                   std::uint64_t address, Sentence const& sentence, int other_line = 0) {
  auto* const list = w.run->options.warnings;
  if (list == nullptr) fault(w, i, lane, what, address, sentence());
  auto const& code = *w.run->code;
  if (auto const number =
          list->index_if_new(code.name, what, code.places[i.statement].ptx_line, other_line))
    list->tell(*number, report_of(w, i, lane, what, address, sentence()));
}

/// Throws an error that belongs to no lane, or adds a warning if the launch collects them.
void fault_or_warn(running const& run, trouble what, std::string sentence);

}  // namespace machine
