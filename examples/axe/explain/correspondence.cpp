#include "explain/correspondence.hpp"

#include "explain/explain.hpp"

namespace explain {

correspondence selection(std::string name, axe::layout const& l, extents const& shape,
                         std::optional<axe::layout> const& result, extents const& of_result,
                         std::function<integer(integer)> const& element_of) {
  correspondence c;
  c.operands.push_back({name, l, shape, element_of});
  c.result = result;
  c.shape = of_result;
  c.by_definition = [=](integer x) {
    integer const from = element_of(x);
    return computed{name + (shape.size() == 1 ? "(" + std::to_string(from) + ")"
                                              : words(coordinate_of(from, shape))),
                    places_of(l, from)};
  };
  return c;
}

bool arguments::cute_is_valid() const {
  if (!name().starts_with("cute.")) return true;
  for (std::size_t k = 0; k < count(); ++k)
    if (is<axe::cute::layout>(k) && axe::cute::check(cute(k))) return false;
  bool const tiled =
      name().ends_with("divide") || name().ends_with("product") || name() == "cute.composition";
  return !tiled || !axe::cute::detail::check_tiler(get<axe::cute::tiler>(1));
}

std::vector<correspondence> correspondences_of(calculator::recorded_call const& call) {
  arguments const given{call};
  if (!given.cute_is_valid()) return {};
  for (auto const family : {of_maps, of_axes, of_dimensions, of_products, of_cute, of_cute_modes})
    if (std::optional<correspondence> const found = family(given)) return {*found};
  return of_pieces(given);
}

std::vector<statement> statements_of(calculator::recorded_call const& call) {
  if (call.why) return {};
  for (auto const family : {of_measures, of_cute_numbers, of_costs, of_linear, of_conversions})
    if (std::vector<statement> const found = family(call); !found.empty()) return found;
  return {};
}

}  // namespace explain
