// The names of a session: values, declared axes and compositions of axes.
//
//     T = S[4:1]        axis mesh_x : device        gpuid = 4*mesh_y + mesh_x
#pragma once

#include "eval/function.hpp"

#include <string_view>
#include <unordered_map>

namespace calculator {

class names {
 public:
  value const* find(std::string_view name) const;
  void bind(std::string_view name, value const& v) { values[std::string(name)] = v; }

  /// Finds a built-in or declared axis by any of its names.
  std::optional<axe::axis> find_axis(std::string_view name) const;
  axe::declared_axes axes() const { return {declared.data(), static_cast<int>(declared.size())}; }
  /// Declares an axis. False if the session has too many.
  bool declare(axe::axis a);

  /// The composition that was last declared for an axis, or nullptr.
  axe::axis_composition const* composition_of(axe::axis whole) const;
  void compose(axe::axis_composition const& c);

  /// The reason why no value can have this name, or an empty string.
  static std::string reserved(std::string_view name);

  /// The text "; did you mean span?" for an unknown name, or "" if no name is near.
  std::string suggestion(std::string_view unknown, bool functions_only) const;

 private:
  struct hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::unordered_map<std::string, value, hash, std::equal_to<>> values;
  // The axes dim0, dim1, … and replica are declared from the start.
  std::vector<axe::axis> declared = linear_axes();
  static std::vector<axe::axis> linear_axes();
  std::vector<axe::axis_composition> composed;
};

}  // namespace calculator
