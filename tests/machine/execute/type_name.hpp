// type_name<T>(): the name of a number type in PTX, such as "u32", "s8" or "f64".
#pragma once

#include <string>
#include <type_traits>

namespace machine {

template <class T> std::string type_name() {
  char const* const kind = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "s" : "u";
  return kind + std::to_string(8 * sizeof(T));
}

}  // namespace machine
