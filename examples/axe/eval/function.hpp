// One function of the calculator, made from a try_ function of the library.
//
//     function("span", "L, axis",
//              [](axe::layout const& l, axe::axis a) { return axe::try_span(l, a); }, "help")
//
// The lambda's parameters decide the arguments: a std::optional may be left out, an axe::box takes
// all further arguments, and the session supplies an axe::step_limit. Among functions with the same
// name, the first one that accepts the arguments is called.
#pragma once

#include "eval/parameter.hpp"

#include <tuple>
#include <type_traits>

namespace calculator {

namespace detail {

template <class T> inline constexpr bool is_supplied = std::is_same_v<T, axe::step_limit>;
template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
template <class T> inline constexpr bool is_rest = std::is_same_v<T, axe::box>;

template <class Call> struct signature;
template <class Call, class Result, class... Parameters>
struct signature<axe::outcome<Result> (Call::*)(Parameters...) const> {
  using result = Result;
  using parameters = std::tuple<std::remove_cvref_t<Parameters>...>;
  static constexpr int count = static_cast<int>(sizeof...(Parameters));
  static constexpr int given = (0 + ... + (is_supplied<std::remove_cvref_t<Parameters>> ? 0 : 1));
  static constexpr int optional =
      (0 + ... + (is_optional<std::remove_cvref_t<Parameters>> ? 1 : 0));
  static constexpr bool rest = (false || ... || is_rest<std::remove_cvref_t<Parameters>>);
};

/// How a result is held in a `value`. A type that is not in the variant is shared by pointer.
template <class Result> struct result_of {
  static constexpr bool is_shared = !std::is_constructible_v<value, std::in_place_type_t<Result>>;
  using type = std::conditional_t<is_shared, shared<Result>, Result>;
  static value hold(Result const& r) {
    if constexpr (is_shared)
      return type(std::make_shared<Result const>(r));
    else
      return value(std::in_place_type<Result>, r);
  }
  static kind which() { return static_cast<kind>(value(std::in_place_type<type>).index()); }
};

}  // namespace detail

/// Computes, from the arguments of a call, the shape that an instruction prescribes for the result.
using shape_rule = axe::shape (*)(std::vector<argument> const& given);

struct function {
  char const* name;
  char const* parameters;  // as the help prints them: "L, S, place"
  char const* help;
  kind result;
  int least = 0;  // the least number of arguments
  int most = 0;   // the largest number of arguments; -1: any number
  bool (*accepts)(int position, kind given);
  char const* (*expected)(int position);
  axe::refusal (*call)(axe::integer steps, std::vector<argument> const& given, value& result);
  shape_rule shape_of_result;  // null if the result has no prescribed shape

  template <class Call>
  function(char const* called, char const* takes, Call, char const* what,
           shape_rule shaped = nullptr)
      : name(called), parameters(takes), help(what), shape_of_result(shaped) {
    using shape_of_call = detail::signature<decltype(&Call::operator())>;
    static_assert(std::is_empty_v<Call>, "a function of the calculator captures nothing");
    result = detail::result_of<typename shape_of_call::result>::which();
    least = shape_of_call::given - shape_of_call::optional;
    most = shape_of_call::rest ? -1 : shape_of_call::given;
    accepts = [](int position, kind given) {
      bool fits = false;
      at_parameter<Call>(position, [&](auto which) { fits = decltype(which)::accepts(given); });
      return fits;
    };
    expected = [](int position) {
      char const* words = "";
      at_parameter<Call>(position, [&](auto which) { words = decltype(which)::expected(); });
      return words;
    };
    call = [](axe::integer steps, std::vector<argument> const& given, value& to) {
      return invoke<Call>(steps, given, to,
                          std::make_integer_sequence<int, shape_of_call::count>{});
    };
  }

 private:
  template <class Call, int I>
  using parameter_at =
      std::tuple_element_t<I, typename detail::signature<decltype(&Call::operator())>::parameters>;

  /// The number of arguments that come before parameter I. Supplied parameters are not arguments.
  template <class Call, int I> static constexpr int arguments_before() {
    if constexpr (I == 0)
      return 0;
    else
      return arguments_before<Call, I - 1>() +
             (detail::is_supplied<parameter_at<Call, I - 1>> ? 0 : 1);
  }

  /// Calls `use` with the parameter<T> for the argument at `position`. A box takes all further
  /// arguments.
  template <class Call, class Use, int I = 0>
  static void at_parameter(int position, Use const& use) {
    if constexpr (I < detail::signature<decltype(&Call::operator())>::count) {
      using type = parameter_at<Call, I>;
      if constexpr (!detail::is_supplied<type>)
        if (arguments_before<Call, I>() == position ||
            (detail::is_rest<type> && position > arguments_before<Call, I>()))
          return use(parameter<type>{});
      at_parameter<Call, Use, I + 1>(position, use);
    }
  }

  template <class Type>
  static Type take(axe::integer steps, std::vector<argument> const& given, std::size_t position) {
    if constexpr (std::is_same_v<Type, axe::step_limit>) {
      return axe::step_limit(steps);
    } else if constexpr (detail::is_rest<Type>) {
      Type all;
      for (; position < given.size(); ++position)
        if (!all.axes.push(std::get<axe::box_axis>(given[position].held))) all.overflowed = true;
      return all;
    } else if constexpr (detail::is_optional<Type>) {
      if (position >= given.size()) return {};
      return parameter<typename Type::value_type>::take(given[position].held);
    } else {
      return parameter<Type>::take(given[position].held);
    }
  }

  template <class Call, int... I>
  static axe::refusal invoke(axe::integer steps, std::vector<argument> const& given, value& to,
                             std::integer_sequence<int, I...>) {
    auto const found = Call{}(
        take<parameter_at<Call, I>>(steps, given, std::size_t{arguments_before<Call, I>()})...);
    if (!found) return found.why;
    to = detail::result_of<typename detail::signature<decltype(&Call::operator())>::result>::hold(
        *found);
    return {};
  }
};

/// All functions, sorted by name.
std::vector<function> const& functions();

struct function_range {
  function const* first = nullptr;
  function const* last = nullptr;

  function const* begin() const { return first; }
  function const* end() const { return last; }
  bool empty() const { return first == last; }
};

function_range functions_called(std::string_view name);

/// Each family of functions has a file in eval/functions.
std::vector<function> map_functions();
std::vector<function> algebra_functions();
std::vector<function> axis_functions();
std::vector<function> dimension_functions();
std::vector<function> tile_functions();
std::vector<function> analysis_functions();
std::vector<function> synthesis_functions();
std::vector<function> linear_functions();
std::vector<function> cute_functions();
std::vector<function> conversion_functions();
std::vector<function> mma_functions();

}  // namespace calculator
