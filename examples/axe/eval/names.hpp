// What a session knows by name: values, declared axes, compositions; and which words cannot be
// names.
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

  /// Built in or declared here, under any of its names.
  std::optional<axe::axis> find_axis(std::string_view name) const;
  axe::declared_axes axes() const { return {declared.data(), static_cast<int>(declared.size())}; }
  /// False when there are too many.
  bool declare(axe::axis a);

  /// The composition of an axis that was declared last, nullptr when there is none.
  axe::axis_composition const* composition_of(axe::axis whole) const;
  void compose(axe::axis_composition const& c);

  /// Why the name cannot be bound to a value or to a new axis, in words; empty when it can.
  static std::string reserved(std::string_view name);

  /// The name nearest to one that nobody knows, empty when none is near. Functions only, or
  /// everything.
  std::string nearest(std::string_view unknown, bool functions_only) const;

 private:
  struct hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::unordered_map<std::string, value, hash, std::equal_to<>> values;
  // The dimensions of linear maps and their copies need no declaration.
  std::vector<axe::axis> declared = linear_axes();
  static std::vector<axe::axis> linear_axes();
  std::vector<axe::axis_composition> composed;
};

/// A name as it is quoted in a sentence: long ones are cut.
std::string quoted(std::string_view name);

}  // namespace calculator
