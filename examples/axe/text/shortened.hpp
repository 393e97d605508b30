// A word of the user in a message: a word of more than 40 characters ends with "...".
#pragma once

#include <string>
#include <string_view>

namespace text {

inline std::string shortened(std::string_view word) {
  constexpr std::size_t most_characters = 40;
  if (word.size() <= most_characters) return std::string(word);
  return std::string(word.substr(0, most_characters)) + "...";
}

}  // namespace text
