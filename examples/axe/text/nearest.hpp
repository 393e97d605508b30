// Finds a name that resembles a misspelt option, command or function: "; did you mean --shape?".
#pragma once

#include <axe/notation/misspelt.hpp>

#include <string>
#include <string_view>

namespace text {

class nearest {
 public:
  explicit nearest(std::string_view misspelt)
      : search{misspelt.data(), static_cast<int>(misspelt.size())} {}

  void offer(std::string_view known) { offer(known, known); }
  /// Compares the misspelt name with `part` of a name. If that is the nearest so far, suggests
  /// `whole`.
  void offer(std::string_view part, std::string_view whole) {
    if (search.offer(part.data(), static_cast<int>(part.size()))) name = whole;
  }
  /// The text "; did you mean --shape?", or "" if no name is near.
  std::string question() const { return name.empty() ? "" : "; did you mean " + name + "?"; }

 private:
  axe::detail::nearest_name search;
  std::string name;
};

}  // namespace text
