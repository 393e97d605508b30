// Uses templates of the core. run.py compiles this file with each changed header: if it does not
// compile, the change is an error of mistakes.txt, not a mistake that a test noticed.
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
