// Implements the list of warnings: one entry for each kernel, kind and line or pair of lines.
#include "check/strict.hpp"

#include <algorithm>

namespace machine {

std::optional<std::size_t> warning_list::index_if_new(std::string const& kernel, trouble what,
                                                      int ptx_line, int other_line) {
  std::lock_guard const hold(lock_);
  auto const [low, high] = std::minmax(ptx_line, other_line);
  auto const [found, fresh] = numbers_.try_emplace({kernel, what, low, high}, found_.size());
  if (!fresh) {
    ++found_[found->second].times;
    return std::nullopt;
  }
  found_.emplace_back();
  return found->second;
}

void warning_list::tell(std::size_t number, report found) {
  std::lock_guard const hold(lock_);
  found_[number].first = std::move(found);
}

std::vector<warning> warning_list::all() const {
  std::lock_guard const hold(lock_);
  return found_;
}

void fault_or_warn(running const& run, trouble what, std::string sentence) {
  report found{what, std::move(sentence)};
  found.kernel = run.code->name;
  auto* const list = run.options.warnings;
  if (list == nullptr) throw error(std::move(found));
  if (auto const number = list->index_if_new(found.kernel, what, 0))
    list->tell(*number, std::move(found));
}

}  // namespace machine
