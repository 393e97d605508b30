// The answer of try_slice is printed without a test for a refusal.
// expect: the outcome x is a value or a refusal
#include <axe/axe.hpp>

#include <cstdio>

using namespace axe::literals;

int main() {
  auto const part = axe::try_slice("S[(4,5):(7,1)]"_axe, {20}, {{3, 12}});
#if defined(AXE_EXPECT_FAILURE)
  std::puts(axe::to_text(part).c_str());
#else
  std::puts(part ? axe::to_text(*part).c_str() : axe::sentence(part.why).c_str());
#endif
}
