// The patterns as host code: each form a function of its own that writes its addresses to memory, run for 64 threads. count_host.py runs this under callgrind and counts
// what each form executes.
#include "pattern.hpp"

namespace pattern {

/// Writes addresses one behind the other.
struct writing_sink {
  integer* out;

  template <integer Immediate> void shared(word address) { *out++ = address + static_cast<word>(Immediate); }
  template <integer Immediate> void load_shared(word address) { shared<Immediate>(address); }
  template <integer Immediate> void ldmatrix(word address) { shared<Immediate>(address); }
  template <integer Immediate> void stmatrix(word address) { shared<Immediate>(address); }
  template <class T> void global(T* p) { *out++ = static_cast<integer>(reinterpret_cast<std::uintptr_t>(p)); }
};

integer addresses_written[4096];

template <class Pattern>
[[gnu::noinline]] void form_hand(typename Pattern::arguments const& a, thread_index const& i) {
  writing_sink sink{addresses_written};
  Pattern::by_hand(a, i, sink);
}
template <class Pattern>
[[gnu::noinline]] void form_axe(typename Pattern::arguments const& a, thread_index const& i) {
  writing_sink sink{addresses_written};
  Pattern::by_axe(a, i, sink);
}

template <class Pattern> bool check(char const*) {
  auto const launches = Pattern::launches();
  auto const& l = launches.front();
  for (word t = l.first_thread; t < l.threads && t < l.first_thread + 64; ++t) {
    thread_index const i{t, l.blocks_x - 1, l.blocks_y - 1, l.blocks_z - 1, 1 << 16};
    form_hand<Pattern>(l.arguments, i);
    form_axe<Pattern>(l.arguments, i);
  }
  return true;
}

}  // namespace pattern

#include "patterns/edges.cu"
#include "patterns/images.cu"
#include "patterns/loops.cu"
#include "patterns/matrix_epilogues.cu"
#include "patterns/matrix_tiles.cu"
#include "patterns/tensors.cu"
#include "patterns/transposes.cu"

int main() { return 0; }
