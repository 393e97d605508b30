// The patterns as host code. Each form is a function that writes its addresses to memory. host.cpp
// runs the functions under callgrind, host_times.cpp measures their time.
//
//     form_hand<ldmatrix_128B>(arguments, thread);    and form_axe, with all calls inlined
#pragma once

#include "pattern.hpp"

// All calls are inlined in every form, so that differences do not come from inlining.
#if defined(__clang__)
#define AXE_FORM [[gnu::noinline, gnu::flatten]]
#else
#define AXE_FORM [[gnu::noipa, gnu::flatten]]  // noipa: g++ moves no loads into the caller
#endif

namespace pattern {

/// Writes each address to the next element of an array.
struct writing_sink {
  integer* out;

  template <integer Immediate> void shared(word address) {
    *out++ = address + static_cast<word>(Immediate);
  }
  template <integer Immediate> void load_shared(word address) { shared<Immediate>(address); }
  template <integer Immediate> void ldmatrix(word address) { shared<Immediate>(address); }
  template <integer Immediate> void stmatrix(word address) { shared<Immediate>(address); }
  template <class T> void global(T* p) {
    *out++ = static_cast<integer>(reinterpret_cast<std::uintptr_t>(p));
  }
};

inline integer addresses_written[4096];

template <class Pattern>
AXE_FORM void form_hand(typename Pattern::arguments const& a, thread_index const& i) {
  writing_sink sink{addresses_written};
  Pattern::by_hand(a, i, sink);
}
template <class Pattern>
AXE_FORM void form_axe(typename Pattern::arguments const& a, thread_index const& i) {
  writing_sink sink{addresses_written};
  Pattern::by_axe(a, i, sink);
}

/// Calls visit(arguments, thread) for the first 64 threads of a launch's first block, which is in
/// bounds, and of its last block, which is partial.
template <class Launch, class Visit> void for_threads(Launch const& l, Visit const& visit) {
  for (word last = 0; last < 2; ++last)
    for (word t = l.first_thread; t < l.threads && t < l.first_thread + 64; ++t)
      visit(l.arguments, thread_index{t, last * (l.blocks_x - 1), last * (l.blocks_y - 1),
                                      last * (l.blocks_z - 1), 1 << 16});
}

}  // namespace pattern
