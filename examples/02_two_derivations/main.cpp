// 02: are two derivations one map? A block of warps over mma tiles, against the layout written out.
#include <axe/axe.hpp>

#include <cstdio>

using namespace axe::literals;

constexpr auto atom =
    "S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe;  // accumulator of mma.m16n8k*, PTX ISA "Matrix Fragments for mma.m16n8k16"
constexpr auto warps = "S[(2,2):(2@warp,1@warp)]"_axe;
constexpr auto derived = axe::tile(warps, {2, 2}, atom, {16, 8});
constexpr auto written = "S[(2,2,8,2,4,2):(2@warp,2@reg,4@lane,1@warp,1@lane,1@reg)]"_axe;

static_assert(axe::equivalent(derived, written));
static_assert(axe::require_equivalent<
              derived, written>());  // the same, and when it fails a sentence: where they differ

int main() {
  std::printf("%s\n", axe::to_text(derived).c_str());
  auto const swapped =
      "S[(2,2,8,2,4,2):(1@warp,2@reg,4@lane,2@warp,1@lane,1@reg)]"_axe;  // warps column-major
  axe::layout_difference const d = axe::difference(derived, swapped);
  std::printf("element %lld lies at %s, with the warps swapped at %s\n",
              static_cast<long long>(d.at), axe::to_text(d.a).c_str(), axe::to_text(d.b).c_str());
  return d && d.at == 8 && axe::canonicalize(written) == derived ? 0 : 1;
}
