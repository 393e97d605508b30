// 06: How does an accumulator of 8-bit elements become the A operand of the next product? Four
// shuffles move it. No shuffle is needed if the rows of B are stored in another order.
#include <axe/axe.hpp>
#include <axe/convert.hpp>

#include <cstdio>

using namespace axe::literals;

// The 16 x 32 elements of a warp: first as the accumulators of four m16n8 products side by side,
// then as the A operand of m16n8k32.
constexpr auto accumulator = "S[(2,8,4,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe;
constexpr auto operand = "S[(2,8,2,4,4):(4@reg,4@lane,8@reg,1@lane,1@reg)]"_axe;

constexpr auto exchange = axe::plan_convert(accumulator, operand, 8);
static_assert(exchange.kind == axe::conversion_kind::lanes && exchange.shuffles() == 4 &&
              exchange.shuffles() == exchange.shuffle_bound);

// A product may sum over k in any order, if the rows of B are stored in the same order.
constexpr auto order = axe::relabel(accumulator, operand, {16, 32}, 1);
static_assert(order == "S[(2,2,4,2):(16,2,4,1)]"_axe);
constexpr auto relabelled =
    axe::plan_convert(accumulator, axe::reorder(operand, {16, 32}, 1, order), 8);
static_assert(relabelled.kind == axe::conversion_kind::registers && relabelled.shuffles() == 0);

namespace {

/// Runs a plan on a warp whose element x has the byte 7x + 3. Returns the number of wrong bytes in
/// the target.
int wrong_after(axe::conversion_plan const& plan, axe::layout const& target_layout) {
  unsigned source[32 * 4]{}, target[32 * 4]{};
  auto const value = [](axe::integer x) { return static_cast<unsigned>(7 * x + 3) & 0xff; };
  auto const bit = [](axe::place const& p) { return static_cast<int>(p[axe::axis::reg] % 4 * 8); };
  auto const word = [](axe::place const& p) {
    return p[axe::axis::lane] * 4 + p[axe::axis::reg] / 4;
  };
  for (axe::integer x = 0; x < axe::size(accumulator); ++x)
    for (axe::place const& p : axe::places(accumulator, x)) source[word(p)] |= value(x) << bit(p);
  axe::interpret(plan, source, target);
  int wrong = 0;
  for (axe::integer x = 0; x < axe::size(target_layout); ++x)
    for (axe::place const& p : axe::places(target_layout, x))
      wrong += (target[word(p)] >> bit(p) & 0xff) != value(x);
  return wrong;
}

}  // namespace

int main() {
  std::printf("with shuffles: %s\n\n", axe::to_text(exchange).c_str());
  std::printf("column c becomes k = %s\n", axe::to_text(order).c_str());
  std::printf("after relabelling: %s\n\n", axe::to_text(relabelled).c_str());
  int const wrong = wrong_after(exchange, operand) +
                    wrong_after(relabelled, axe::reorder(operand, {16, 32}, 1, order));
  std::printf("%d of 1024 elements are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
