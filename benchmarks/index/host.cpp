// Runs the patterns as host code for some threads of each launch. count_host.py runs this program
// under callgrind and counts the instructions of each form.
#include "host_forms.hpp"

#include <cstdio>

namespace pattern {

template <class Pattern> bool check(char const*) {
  for (auto const& l : Pattern::launches())
    for_threads(l, [](auto const& arguments, thread_index const& i) {
      form_hand<Pattern>(arguments, i);
      form_axe<Pattern>(arguments, i);
    });
  return true;
}

}  // namespace pattern

#include "patterns/edges.cu"
#include "patterns/images.cu"
#include "patterns/lines.cu"
#include "patterns/loops.cu"
#include "patterns/matrix_epilogues.cu"
#include "patterns/matrix_steps.cu"
#include "patterns/matrix_tiles.cu"
#include "patterns/sizes.cu"
#include "patterns/tensors.cu"
#include "patterns/transposes.cu"
#include "patterns/vectors.cu"

/// Prints the name of the compiler, because count_host.py has known cases for each compiler.
int main() {
#if defined(__clang__)
  std::printf("clang %d\n", __clang_major__);
#else
  std::printf("g++ %d\n", __GNUC__);
#endif
}
