// Checks every pattern on the host: for all threads and blocks of its launches, each form must give
// the addresses that the pattern expects.
//
//     index_check                   prints a line for each pattern; exit code 1 if a form is wrong
#include "pattern.hpp"

#include <cstdio>

namespace pattern {

namespace {
bool all_right = true;
}

template <class Pattern> bool check(char const* name) {
  long threads = 0;
  long addresses = 0;
  bool right = true;
  for (auto const& l : Pattern::launches())
    for (word z = 0; z < l.blocks_z; ++z)
      for (word y = 0; y < l.blocks_y; ++y)
        for (word x = 0; x < l.blocks_x; ++x)
          for (word t = l.first_thread; t < l.threads; ++t, ++threads)
            for (word shared : {word{0}, word{1} << 16}) {
              thread_index const i{t, x, y, z, shared};
              std::vector<integer> expected;
              Pattern::expected(l.arguments, i, expected);
              host_sink by_hand;
              host_sink by_axe;
              Pattern::by_hand(l.arguments, i, by_hand);
              Pattern::by_axe(l.arguments, i, by_axe);
              addresses += static_cast<long>(expected.size());
#ifdef AXE_WITH_CUTE
              if constexpr (requires(host_sink& sink) { Pattern::by_cute(l.arguments, i, sink); }) {
                host_sink by_cute;
                Pattern::by_cute(l.arguments, i, by_cute);
                if (right && by_cute.addresses != expected) {
                  right = false;
                  std::printf("%-22s WRONG: cute, thread %u of block (%u,%u,%u)\n", name, t, x, y,
                              z);
                }
              }
#endif
              for (auto const* form : {&by_hand, &by_axe}) {
                if (form->addresses == expected || !right) continue;
                right = false;
                std::printf(
                    "%-22s WRONG: %s, thread %u of block (%u,%u,%u): %zu addresses, expected %zu\n",
                    name, form == &by_hand ? "hand" : "axe", t, x, y, z, form->addresses.size(),
                    expected.size());
                for (std::size_t k = 0; k < expected.size() && k < form->addresses.size(); ++k)
                  if (form->addresses[k] != expected[k]) {
                    std::printf("    access %zu: %lld, not %lld\n", k,
                                static_cast<long long>(form->addresses[k]),
                                static_cast<long long>(expected[k]));
                    break;
                  }
              }
            }
  if (right)
    std::printf("%-22s %9ld addresses of %7ld threads right, by hand and by axe\n", name, addresses,
                threads);
  all_right = all_right && right && addresses > 0;
  return right;
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

int main() { return pattern::all_right ? 0 : 1; }
