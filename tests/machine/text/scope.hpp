// Finds the names of a `{ }` block and of the blocks around it. Inline assembly declares the same
// register and label names in many blocks, so the innermost block is searched first.
//
//     .reg .b32 %r<9>     declares %r0 .. %r8
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "text/syntax.hpp"

namespace machine {

class scope {
 public:
  struct entry {
    std::uint32_t id = 0;        // of a vector: the id of its first element
    std::uint32_t count = 0;     // 0: one register; else the count of name<count>
    std::uint32_t elements = 1;  // `.reg .v2`: 2 consecutive registers
    variable const* symbol = nullptr;
  };

  explicit scope(scope* outer) : outer_(outer) {}

  bool declare(std::string_view name, entry what) {
    return (what.count != 0 ? ranges_ : names_).emplace(name, what).second;
  }
  bool declare_label(std::string_view name, std::uint32_t statement) {
    return labels_.emplace(name, statement).second;
  }

  /// Finds a register or a variable. For one register of a range, `found` has the id of this
  /// register. Returns false if there is none.
  [[nodiscard]] bool find(std::string_view name, entry& found) const {
    for (scope const* at = this; at != nullptr; at = at->outer_) {
      if (auto const exact = at->names_.find(name); exact != at->names_.end()) {
        found = exact->second;
        return true;
      }
      if (at->find_in_range(name, found)) return true;
    }
    return false;
  }

  [[nodiscard]] bool find_label(std::string_view name, std::uint32_t& statement) const {
    for (scope const* at = this; at != nullptr; at = at->outer_)
      if (auto const here = at->labels_.find(name); here != at->labels_.end()) {
        statement = here->second;
        return true;
      }
    return false;
  }

  [[nodiscard]] scope* outer() const { return outer_; }

 private:
  [[nodiscard]] bool find_in_range(std::string_view name, entry& found) const {
    if (ranges_.empty()) return false;
    std::size_t digits = 0;
    while (digits < name.size() && name[name.size() - 1 - digits] >= '0' &&
           name[name.size() - 1 - digits] <= '9')
      ++digits;
    // The prefix of a range may itself end in digits ("%r1<4>"): try every split.
    for (; digits > 0; --digits) {
      auto const range = ranges_.find(name.substr(0, name.size() - digits));
      if (range == ranges_.end() || digits > 9) continue;
      std::string_view const tail = name.substr(name.size() - digits);
      if (tail.size() > 1 && tail.front() == '0') continue;
      std::uint32_t index = 0;
      for (char const c : tail) index = index * 10 + static_cast<std::uint32_t>(c - '0');
      if (index >= range->second.count) continue;
      std::uint32_t const elements = range->second.elements;
      found = entry{range->second.id + index * elements, 0, elements, nullptr};
      return true;
    }
    return false;
  }

  scope* outer_;
  std::unordered_map<std::string_view, entry> names_;
  std::unordered_map<std::string_view, entry> ranges_;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
};

}  // namespace machine
