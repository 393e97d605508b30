// 02: Are two layouts the same map? `tile` repeats the accumulator of an mma over 2 x 2 warps. The
// other layout is written by hand.
#include <axe/axe.hpp>

#include <cstdio>

using namespace axe::literals;

// The accumulator of mma.m16n8k16 (PTX ISA, "Matrix Fragments for mma.m16n8k16").
constexpr auto atom = "S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe;
constexpr auto warps = "S[(2,2):(2@warp,1@warp)]"_axe;
constexpr auto derived = axe::tile(warps, {2, 2}, atom, {16, 8});
constexpr auto written = "S[(2,2,8,2,4,2):(2@warp,2@reg,4@lane,1@warp,1@lane,1@reg)]"_axe;

static_assert(axe::equivalent(derived, written));
// If the layouts differ, the compiler prints the first element at which they do.
static_assert(axe::require_equivalent<derived, written>());

int main() {
  std::printf("%s\n", axe::to_text(derived).c_str());
  // The same tile with the warps in column-major order.
  auto const swapped = "S[(2,2,8,2,4,2):(1@warp,2@reg,4@lane,2@warp,1@lane,1@reg)]"_axe;
  axe::layout_difference const d = axe::difference(derived, swapped);
  std::printf("element %lld lies at %s, with the warps swapped at %s\n",
              static_cast<long long>(d.at), axe::to_text(d.a).c_str(), axe::to_text(d.b).c_str());
  return d && d.at == 8 && axe::canonicalize(written) == derived ? 0 : 1;
}
