// A scope of execution: which threads do something together, as a layout over thread axes.
//
//     using consumers = axe::thread_scope<carrier<"S[(4,32):(1@warp,1@lane)] + 4@warp"_axe>>;     warps 4 to 7
//     if (consumers::holds(t)) …   consumers::number(t)            0 to 127 within it
//     axe::cta<256>, axe::warpgroup, axe::warp, axe::one_thread     scopes with a name
//
// The layout puts the scope's member k, counted from 0, at a thread; threads count up without gaps, so that membership is one comparison and the number one subtraction
// (none where the scope starts at thread 0). Refused at compile time: axes other than threads', copies, gaps, members that do not count upwards.
// Source: the Axe paper, section 4 (execution scopes).
#pragma once

#include <axe/index/partition.hpp>

namespace axe::inline AXE_NAMESPACE {

template <class Members> struct thread_scope {
  static constexpr detail::partition_data data =
      detail::partition_from(Members::value, shape(detail::product_of_extents(Members::value.shards)));
  AXE_FN static constexpr refusal why() { return data.why; }
  AXE_FN static constexpr refusal_text text() {
    constexpr layout l = Members::value;
    refusal_text out;
    out.put("scope: ");
    print(out, data.why, {&l});
    return out;
  }
  using stop = typename detail::verdict<thread_scope>::stop;

  using layout_type = Members;
  /// How many threads it has, and the first one's number on the thread axis.
  static constexpr integer size = detail::product_of_extents(Members::value.shards);
  static constexpr integer first = data.first_thread;
  static_assert(data.threads == size, "the members of a scope are consecutive threads, each once");
  static_assert(detail::counts_upwards(data), "member k of a scope is its k-th thread");
  static_assert(Members::value.replicas.empty(), "a thread is a member of a scope once");

  /// Is the thread a member?
  AXE_FN static constexpr bool holds(unsigned thread) {
    if constexpr (first == 0)
      return thread < static_cast<unsigned>(size);
    else
      return thread - static_cast<unsigned>(first) < static_cast<unsigned>(size);
  }
  /// Its number within the scope. Precondition: it is a member.
  AXE_FN static constexpr unsigned number(unsigned thread) { return thread - static_cast<unsigned>(first); }
};

namespace detail {
template <integer Threads> struct cta_members {
  AXE_FN static constexpr layout make() {
    layout l;
    l.shards.push({Threads, 1, axis::tid});
    return l;
  }
  static constexpr layout value = make();
};
}  // namespace detail

/// All threads of a CTA of that many.
template <integer Threads> using cta = thread_scope<detail::carrier_of<detail::cta_members<Threads>>>;
/// Four warps, one warp, one thread, counted from thread 0 of whatever numbers them.
using warpgroup = cta<128>;
using warp_scope = cta<32>;
using one_thread = cta<1>;

}  // namespace axe::inline AXE_NAMESPACE
