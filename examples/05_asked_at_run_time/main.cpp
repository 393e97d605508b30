// 05: How do I use a layout that is known only at run time, and how are errors reported? The
// program parses a text, asks questions about the layout, and prints refusals.
#include <axe/axe.hpp>

#include <cstdio>
#include <string>

using namespace axe::axes;

namespace {

int wrong = 0;

/// Prints the sentence of a refusal and compares it with the expected one.
void refuses(axe::refusal const& why, axe::operands const& about, std::string const& expected) {
  std::string const said = axe::sentence(why, about).c_str();
  std::printf("refused: %s\n", said.c_str());
  wrong += said != expected;
}

}  // namespace

int main(int count, char** words) {
  std::string const text =
      count > 1 ? words[1] : "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp";
  axe::outcome<axe::layout> const read = axe::try_parse(text);
  if (!read) return std::printf("%s: %s\n", text.c_str(), axe::sentence(read.why).c_str()), 2;
  axe::layout const tile = *read;
  std::printf("%s\n%lld elements, %lld positions on lane\n", axe::to_text(tile).c_str(),
              static_cast<long long>(axe::size(tile)),
              static_cast<long long>(axe::span(tile, lane)));
  if (count > 1) return 0;

  // The same functions work at run time and in constant expressions.
  wrong += !axe::owner_has(tile, {8, 16}, 8 * lane + 6 * warp, {2, 9});
  for (axe::piece const& part : axe::owned_by(tile, {8, 16}, 8 * lane + 6 * warp))
    std::printf("lane 8 of warp 6: %s\n", axe::to_text(part).c_str());
  std::printf("32 lanes, 2 registers: %s\n",
              axe::to_text(axe::coverage(tile, {{lane, 32}, {reg, 2}})).c_str());
  axe::layout const bare = axe::parse("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)]");
  std::printf("without replicas and offset: %s\n",
              axe::to_text(axe::difference(tile, bare)).c_str());

  // Three refusals: a misspelled axis, a slice that is not a layout, and a direct sum that the
  // swizzle does not allow.
  refuses(axe::try_parse("S[(8,4):(4@lane,1@lne)]").why, {},
          "position 18: there is no axis lne; did you mean lane?");
  axe::layout const rows = axe::parse("S[(4,5):(7,1)]");
  refuses(axe::try_slice(rows, 20, {{3, 12}}).why, {&rows},
          "the result is not a layout: elements 3 (at 3@m) and 4 (at 4@m) of S[(4,5):(7,1)] differ "
          "by 1@m, but 4 (at 4@m) and 5 (at 7@m) differ by 3@m, and these steps do not repeat");
  axe::layout const steps = axe::parse("S[2:96]");
  axe::layout const atom = axe::parse("swizzle(3,3,3) o S[(8,64):(64,1)]");
  refuses(axe::try_direct_sum(steps, 2, atom, 512).why, {&steps, &atom},
          "element 1 of S[2:96] with element 0 of swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)] should "
          "be at 96@m, but the swizzle moves it to 104@m: the outer step 96@m changes bits that "
          "the swizzle reads");
  return wrong;
}
