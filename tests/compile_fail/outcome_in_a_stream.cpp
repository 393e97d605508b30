// The answer of try_slice is streamed without a test for a refusal.
// expect: the outcome x is a value or a refusal
#include <axe/axe.hpp>

#include <iostream>

using namespace axe::literals;

int main() {
  auto const part = axe::try_slice("S[(4,5):(7,1)]"_axe, {20}, {{3, 12}});
#if defined(AXE_EXPECT_FAILURE)
  std::cout << part;
#else
  if (part)
    std::cout << *part;
  else
    std::cout << part.why;
#endif
}
