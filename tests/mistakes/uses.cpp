// Uses every template of the core once. A test that fails counts as having noticed a changed header
// only if this file compiles with that header.
#include <axe/axe.hpp>

namespace {

using namespace axe::literals;

constexpr auto printed = axe::to_text("S[((2),(4)):((4@lane),(1))] + R[2:4@warp] - 3"_axe);
constexpr auto place = axe::to_text(axe::place{3 * axe::axis::lane});
constexpr auto shape = axe::to_text(axe::shape{8, 16});
constexpr auto words = axe::sentence(axe::refusal{axe::rule::undecided, {7}});

template <axe::layout L> constexpr int digits = axe::carrier<L>::value.shards.size();

}  // namespace

int main() {
  return digits<"S[8:1]"_axe> + printed.size() + place.size() + shape.size() + words.size();
}
