// The list of warnings: one entry for each kernel, kind and line.
#include "check/strict.hpp"

namespace machine {

bool warning_list::is_new(std::string const& kernel, trouble what, int ptx_line) {
  std::lock_guard const hold(lock_);
  auto const [found, fresh] = numbers_.try_emplace({kernel, what, ptx_line}, found_.size());
  if (fresh)
    found_.emplace_back();
  else
    ++found_[found->second].times;
  return fresh;
}

void warning_list::tell(report found) {
  std::lock_guard const hold(lock_);
  found_[numbers_.at({found.kernel, found.what, found.ptx_line})].first = std::move(found);
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
  if (list->is_new(found.kernel, what, 0)) list->tell(std::move(found));
}

}  // namespace machine
