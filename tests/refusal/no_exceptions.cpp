// In a build without exceptions, a refusal calls the handler with the text of the exception. The
// handler of this test ends the program.
#include <axe/axe.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main() {
  axe::on_refusal = [](char const* message) {
    if (std::strcmp(message,
                    "places: element 8 is outside the layout S[8:1], which has elements 0 to 7") ==
        0)
      std::exit(0);
    std::fprintf(stderr, "the handler was told: %s\n", message);
    std::exit(1);
  };
  axe::layout const eight = axe::S({8});
  if (!axe::try_places(eight, 7) || axe::try_places(eight, 8)) return 2;
  static_cast<void>(axe::places(eight, 8));
  return 3;  // reached only if nothing stopped the call
}
