// Finds the function that a call names and computes its result.
#include "eval/expression.hpp"

#include "text/shortened.hpp"

#include <axe/cute/convert.hpp>

#include <algorithm>

namespace calculator {

namespace {

std::string signature_of(function const& f) {
  return std::string(f.name) + "(" + f.parameters + ")";
}

bool takes(function const& f, std::size_t count) {
  int const n = static_cast<int>(count);
  return n >= f.least && (f.most < 0 || n <= f.most);
}

/// The index of the first argument that f does not accept, or the number of arguments if it accepts
/// all.
std::size_t first_misfit(function const& f, std::vector<argument> const& given) {
  std::size_t i = 0;
  while (i < given.size() && f.accepts(static_cast<int>(i), kind_of(given[i].held))) ++i;
  return i;
}

std::string how_many(function const& f) {
  auto const arguments = [](int n) {
    return std::to_string(n) + (n == 1 ? " argument" : " arguments");
  };
  if (f.most < 0) return "at least " + arguments(f.least);
  return f.least == f.most ? arguments(f.least)
                           : std::to_string(f.least) + " to " + arguments(f.most);
}

/// The layouts and shapes among the arguments, which the sentence of a refusal may print.
struct named_operands {
  std::vector<axe::tree> trees;
  axe::operands about;

  named_operands(function const& f, std::vector<argument> const& given, axe::refusal const& why) {
    trees.reserve(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      argument const& a = given[i];
      if (axe::layout const* l = std::get_if<axe::layout>(&a.held))
        (about.a == nullptr ? about.a : about.b) = l;
      if (auto const* list = std::get_if<std::vector<axe::shape>>(&a.held))
        note_shape_of(*list, why.numbers[0]);
      // An integer is a shape only if the parameter is a shape.
      if (!parameter<axe::tree>::accepts(kind_of(a.held)) ||
          !f.accepts(static_cast<int>(i), kind::tree))
        continue;
      trees.push_back(axe::shape(parameter<axe::tree>::take(a.held)));
      (about.s == nullptr ? about.s : about.t) = &trees.back();
    }
  }

 private:
  /// Notes the shape that the refusal is about: the first that is invalid or has this number of
  /// elements.
  void note_shape_of(std::vector<axe::shape> const& shapes, axe::integer elements) {
    for (axe::shape const& s : shapes) {
      axe::detail::extent_list leaves;
      axe::integer size = 0;
      if (axe::detail::leaves_of(s, leaves, size).which == axe::rule::none && size != elements)
        continue;
      about.s = &s;
      return;
    }
  }
};

}  // namespace

bool expression::call(std::string_view called, int position, value& out) {
  if (functions_called(called).empty())
    return fail(position, "no function is called " + text::shortened(called) +
                              scope.suggestion(called, true));
  in.take('(');
  std::vector<argument> given;
  given.reserve(4);
  if (!arguments(')', given)) return false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    compose_axis(called, i, given[i].held);
    adapt_tuple(called, i, given[i].held);
    adapt_cute(called, i, given[i].held);
  }
  return apply(called, position, given, out);
}

/// Replaces an axis by its declared composition if no function of this name takes an axis there, as
/// in `rewrite(L, gpuid)`.
void expression::compose_axis(std::string_view called, std::size_t position, value& given) const {
  axe::axis const* const whole = std::get_if<axe::axis>(&given);
  axe::axis_composition const* const known =
      whole == nullptr ? nullptr : scope.composition_of(*whole);
  if (known == nullptr) return;
  for (function const& f : functions_called(called))
    if (f.accepts(static_cast<int>(position), kind::axis)) return;
  given = *known;
}

/// Converts the pair `3:5` to a region if the parameter is a region. `()` is the shape of rank 0,
/// the region of rank 0 or the empty list of axes, as the parameter requires.
void expression::adapt_tuple(std::string_view called, std::size_t position, value& given) const {
  kind const k = kind_of(given);
  if (k != kind::pair && k != kind::tree) return;
  bool region = false, axes = false;
  for (function const& f : functions_called(called)) {
    if (f.accepts(static_cast<int>(position), k)) return;
    region = region || f.accepts(static_cast<int>(position), kind::region);
    axes = axes || f.accepts(static_cast<int>(position), kind::axes);
  }
  pair const* const range = std::get_if<pair>(&given);
  axe::tree const* const tree = std::get_if<axe::tree>(&given);
  bool const empty = tree != nullptr && tree->rank() == 0;
  if (region && range != nullptr && range->left.is_integer() && range->right.is_integer())
    given = axe::region{axe::range{range->left.nodes.value(0), range->right.nodes.value(0)}};
  else if (region && empty)
    given = axe::region{};
  else if (axes && empty)
    given = axe::axis_list{};
  else if (region && std::holds_alternative<absent>(given) && k == kind::pair)
    given = absent{kind::region};
}

/// Converts a layout in CuTe's notation to one of axe, unless a function of that name takes CuTe's.
void expression::adapt_cute(std::string_view called, std::size_t position, value& given) {
  kind const k = kind_of(given);
  if (!parameter<axe::cute::layout>::accepts(k)) return;
  bool wanted = false;
  for (function const& f : functions_called(called)) {
    if (f.accepts(static_cast<int>(position), k)) return;
    wanted = wanted || f.accepts(static_cast<int>(position), kind::layout);
  }
  if (!wanted) return;
  if (std::holds_alternative<absent>(given)) {
    given = absent{kind::layout};
    return;
  }
  axe::outcome<axe::layout> const l =
      axe::cute::try_to_axe(parameter<axe::cute::layout>::take(given));
  if (l) {
    note("CuTe", *l);
    given = *l;
  } else {
    refuse("", l.why, {});
    given = absent{kind::layout};
  }
}

bool expression::apply(std::string_view called, int position, std::vector<argument> const& given,
                       value& out) {
  function_range const candidates = functions_called(called);
  function const* nearest = nullptr;  // the best candidate with this number of arguments
  std::size_t fitting = 0;
  for (function const& f : candidates) {
    std::size_t const fits = first_misfit(f, given);
    if (fits == given.size() && takes(f, given.size())) {
      out = absent{f.result};
      shape_of_last.reset();
      if (refused()) return true;
      axe::refusal const why = f.call(most_steps, given, out);
      if (why.which != axe::rule::none) {
        refuse(called, why, named_operands(f, given, why).about);
        out = absent{f.result};
      } else if (f.shape_of_result != nullptr) {
        shape_of_last = f.shape_of_result(given);
      }
      if (record != nullptr)
        record->push_back({&f, given, out, why, refused() ? refusals.front().sentence : ""});
      return true;
    }
    if (takes(f, given.size()) && (nearest == nullptr || fits > fitting)) {
      nearest = &f;
      fitting = fits;
    }
  }
  if (nearest == nullptr)
    return fail(position, signature_of(*candidates.first) + " takes " +
                              how_many(*candidates.first) + ", not " +
                              std::to_string(given.size()));
  std::size_t const wrong = first_misfit(*nearest, given);
  kind const of_wrong = kind_of(given[wrong].held);
  return fail(given[wrong].position, "argument " + std::to_string(wrong + 1) + " of " +
                                         signature_of(*nearest) + " must be " +
                                         nearest->expected(static_cast<int>(wrong)) + ", not " +
                                         describe(of_wrong));
}

}  // namespace calculator
