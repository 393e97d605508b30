// For an element of a result, finds the elements of the operands that it comes from, and computes
// its places by the definition of the operation.
//
//     tile(A, (2,2), B, (4,8)), element (6,6)       A(1,0), B(2,6); sigma*{2@m} + {22@m}
//
// `axe explain` computes three elements by it, and `axe draw --operation` colours all elements.
#pragma once

#include "explain/points.hpp"

#include "eval/record.hpp"

#include <functional>

namespace explain {

/// An operand. element_of(x) is its element from which element x of the result comes, or -1.
struct operand {
  std::string name;
  axe::layout of;
  extents shape;
  std::function<integer(integer)> element_of;
};

/// What the definition says about an element: its places, and how they are computed in words; or a
/// statement, and whether it is true.
struct computed {
  std::string how;
  some_points places;
  std::optional<bool> holds{};
};

struct correspondence {
  std::vector<operand> operands;
  std::string called = "the result";
  std::optional<axe::layout> result;  // empty after a refusal
  extents shape;                      // the shape of the result
  std::function<computed(integer)> by_definition;
  std::function<std::string(integer)> name;  // the name of an element; empty: its coordinate
  extents chosen;                            // the elements that are shown; empty: three of all
  bool more = false;                         // true: there are further pieces, which are left out

  integer size() const { return product_of(shape); }
  std::string name_of(integer x) const {
    if (name) return name(x);
    return shape.size() == 1 ? "element " + std::to_string(x) : words(coordinate_of(x, shape));
  }
};

/// The arguments of a recorded call.
struct arguments {
  calculator::recorded_call const& call;

  std::string_view name() const { return call.called->name; }
  std::size_t count() const { return call.given.size(); }
  template <class T> bool is(std::size_t k) const {
    return k < count() &&
           calculator::parameter<T>::accepts(calculator::kind_of(call.given[k].held));
  }
  template <class T> T get(std::size_t k) const {
    return calculator::parameter<T>::take(call.given[k].held);
  }
  axe::layout layout(std::size_t k) const { return get<axe::layout>(k); }
  axe::cute::layout cute(std::size_t k) const { return get<axe::cute::layout>(k); }
  /// False if an argument is an invalid layout of CuTe, which has no elements.
  bool cute_is_valid() const;
  extents shape(std::size_t k) const { return extents_of(get<axe::shape>(k)); }
  /// The result, if the call has one.
  std::optional<axe::layout> result() const {
    if (axe::layout const* l = std::get_if<axe::layout>(&call.result)) return *l;
    if (auto const* l = std::get_if<calculator::shared<axe::cute::layout>>(&call.result))
      return (*l)->map;
    return {};
  }
};

inline constexpr std::size_t most_pieces = 8;

/// Usually one correspondence. owned_by has one for each of its first pieces. An answer that is not
/// a layout has none.
std::vector<correspondence> correspondences_of(calculator::recorded_call const& call);

/// Each family of operations has a function. It returns nothing for operations of other families.
std::optional<correspondence> of_maps(arguments const& given);
std::optional<correspondence> of_axes(arguments const& given);
std::optional<correspondence> of_dimensions(arguments const& given);
std::optional<correspondence> of_products(arguments const& given);
std::optional<correspondence> of_cute(arguments const& given);
std::optional<correspondence> of_cute_modes(arguments const& given);
std::vector<correspondence> of_pieces(arguments const& given);

/// The correspondence for operations that select elements of one operand L: R(x) =
/// L(element_of(x)).
correspondence selection(std::string name, axe::layout const& l, extents const& shape,
                         std::optional<axe::layout> const& result, extents const& of_result,
                         std::function<integer(integer)> const& element_of);

}  // namespace explain
