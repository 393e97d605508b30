// SPDX-License-Identifier: MIT
// convert(from, to, scope): moves a fragment to another layout (docs/algebra.md, D21).
// permuted<Order...>(from): reorders the dimensions.
//
//     convert(acc, a, warp);                                moves and shuffles
//     convert(x, y, scratch, cta<256>);                     through a convert_scratch<X, Y>
//     convert(permuted<1, 0>(x), y, warp);                  a transpose
//
// All threads of the scope call convert. Put a barrier between two uses of one scratch.
#pragma once

#include <axe/algebra/rewrite.hpp>
#include <axe/convert/device.hpp>
#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/shared_subtile.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// The layout on lane, warp and reg, without an offset on reg.
AXE_FN constexpr outcome<layout> on_lanes_and_warps(layout const& original) {
  layout l = original;
  l.offsets.clear();
  for (term const& t : original.offsets)
    if (t.on != axis::reg) l.offsets.push(t);
  bool has_other_axes = false;
  for (axis const a : axes_of(l))
    has_other_axes = has_other_axes || (a != axis::lane && a != axis::warp && a != axis::reg);
  if (!has_other_axes) return l;
  outcome<layout> const on_tid = try_to_tid(l);
  return on_tid ? try_to_lane_warp(*on_tid) : on_tid;
}

template <class P> struct in_warps {
  static constexpr outcome<layout> result = on_lanes_and_warps(P::value);
  static constexpr layout value = result ? result.value : P::value;
};

template <class From, class To> struct fragment_conversion {
  using element = From::value_type;
  using tile = From::shape_type;
  static_assert(tile::value == To::shape_type::value,
                "convert: both fragments must have tiles of the same shape");
  static_assert(stl::is_same_v<element, typename To::value_type>,
                "convert moves elements between threads: both fragments must have the same element "
                "type; axe::cast converts elements");

  static constexpr int width = 8 * sizeof(element);
  using from_layout = carrier_of<in_warps<typename From::layout_type>>;
  using to_layout = carrier_of<in_warps<typename To::layout_type>>;
  using planned = planned_conversion<from_layout, to_layout, width>;
  static constexpr bool has_plan = !planned::result.why;
  static_assert(planned::result.why.which != rule::conversion_leaves_the_cta,
                "convert moves no element to another CTA");
  static constexpr bool within_warps =
      has_plan && planned::result.value.kind != conversion_kind::warps;

  AXE_FN static constexpr layout make_scratch_layout() {
    // axe::copy rejects equal elements at one address.
    layout const place = planned::result.value.shared.place;
    if (has_plan && !check_injective(valid_layout::proved(place), rule::registers_contested))
      return place;
    layout rows;
    rows.shards.push({product_of_extents(From::layout_type::value.shards), 1, axis::m});
    return rows;
  }
  struct scratch_source {
    static constexpr layout value = make_scratch_layout();
  };
  using scratch_layout = carrier_of<scratch_source>;
};

}  // namespace detail

#ifdef __CUDACC__

namespace detail {
struct no_scratch {};
template <class Conversion>
using scratch_of =
    stl::conditional_t<Conversion::within_warps, no_scratch,
                       shared_tile<typename Conversion::element,
                                   typename Conversion::scratch_layout, typename Conversion::tile>>;

}  // namespace detail

/// Declare it __shared__. Empty if the plan needs no shared memory.
template <class From, class To>
using convert_scratch =
    detail::scratch_of<detail::fragment_conversion<detail::stl::remove_const_t<From>, To>>;

namespace detail {

/// True if several elements share a register. axe::copy does not write such a fragment.
template <class F>
inline constexpr bool has_shared_registers =
    bool(check_injective(valid_layout::proved(F::layout_type::value), rule::registers_contested));
template <int Bits, class From, class To, class Scope>
__device__ __forceinline__ void copy_in_accesses_of(From const& from, To& to, Scope scope) {
  constexpr copy_how wanted{vector_of_bytes(Bits / 8)};
  if constexpr (has_shared_registers<To>) {
    constexpr auto p = To::partition_type::value;
    static_assert(has_threads<Scope>(p), "convert: pass a scope with all threads of the layouts");
    unsigned const thread = number_on_axis<p.first_thread>(scope);
    if (thread - static_cast<unsigned>(p.first_thread) < static_cast<unsigned>(p.threads)) {
      auto const staged = local_partition<typename To::layout_type>(from, thread);
      for_each_register<To::size>([&](auto r) { to[r] = staged.load(r); });
    }
  } else if constexpr (!case_of<From, To, Scope, wanted>::refused)
    copy<wanted>(from, to, scope);
  else
    copy(from, to, scope);
}

template <class From, class To>
inline constexpr bool are_fragments = is_fragment<From> && is_fragment<To>;
template <class From, class To>
concept needs_scratch = are_fragments<From, To> && fragment_conversion<From, To>::has_plan &&
                        !fragment_conversion<From, To>::within_warps;
template <bool Fragments, bool HasScratch, bool WholeWarps> struct conversion_check {
  static_assert(Fragments, "convert takes fragments: axe::convert(x, y, axe::warp)");
  static_assert(HasScratch,
                "elements change warps, or no plan within a warp was found: convert needs an "
                "axe::convert_scratch in shared memory");
  static_assert(
      WholeWarps,
      "convert shuffles and needs a scope of whole warps: axe::warp, or an axe::cta whose "
      "partial warp has no elements");
};
template <class From, class To, class Scope, bool HasScratch = true, bool WholeWarps = true>
using conversion_result =
    result_if<is_scope<Scope>, scope_check<Scope>,
              result_if<are_fragments<From, To> && HasScratch && WholeWarps,
                        conversion_check<are_fragments<From, To>, HasScratch, WholeWarps>>>;
template <class Scope> inline constexpr integer threads_in_whole_warps = Scope::size / 32 * 32;
template <class Fragment, class Scope>
inline constexpr bool is_on_whole_warps =
    Fragment::partition_type::value.thread != axis::lane &&
    Fragment::partition_type::value.first_thread + Fragment::partition_type::value.threads <=
        threads_in_whole_warps<Scope>;
/// True if all lanes that may relay elements execute the call.
template <class From, class To, class Scope> inline constexpr bool has_lanes = true;
template <class From, class To, class Scope>
  requires(are_fragments<From, To> && is_scope<Scope>)
inline constexpr bool has_lanes<From, To, Scope> =
    (Scope::size % 32 == 0 && Scope::first % 32 == 0) ||
    fragment_conversion<From, To>::planned::result.value.kind < conversion_kind::lanes ||
    (is_cta<Scope> && is_on_whole_warps<From, Scope> && is_on_whole_warps<To, Scope>);
}  // namespace detail

/// Converts within warps, by moves or shuffles.
template <
    class From, class To, class Scope = detail::no_scope,
    class Result = detail::conversion_result<From, To, Scope, !detail::needs_scratch<From, To>,
                                             detail::has_lanes<From, To, Scope>>>
__device__ __forceinline__ Result convert(From const& from, To& to, Scope = {}) {
  if constexpr (detail::stl::is_same_v<Result, void>) {
    using of = detail::fragment_conversion<From, To>;
    detail::verdict<typename of::planned>::passes();
    if constexpr (of::within_warps) {
      using by = conversion<typename of::from_layout, typename of::to_layout, of::width>;
      detail::register_word source[by::source_words]{}, target[by::target_words]{};
      static_assert(sizeof(source) >= sizeof(from.registers) &&
                    sizeof(target) >= sizeof(to.registers));
      memcpy(source, from.registers, sizeof(from.registers));
      constexpr bool by_all_threads =
          by::plan.kind != conversion_kind::lanes || Scope::size % 32 == 0;
      if (by_all_threads || threadIdx.x < detail::threads_in_whole_warps<Scope>)
        convert<by>(source, target);
      memcpy(to.registers, target, sizeof(to.registers));
    }
  }
  return Result();
}
/// Also converts between warps, through shared memory with one barrier.
template <class From, class To, class Scratch, class Scope,
          class Result = detail::conversion_result<From, To, Scope>>
__device__ __forceinline__ Result convert(From const& from, To& to, Scratch& scratch, Scope scope) {
  using namespace detail;
  if constexpr (stl::is_same_v<Result, void>) {
    using of = fragment_conversion<From, To>;
    static_assert(stl::is_same_v<Scratch, convert_scratch<From, To>>,
                  "convert: the scratch must be a convert_scratch<From, To> of these fragments");
    if constexpr (of::within_warps) {
      convert(from, to, scope);
    } else {
      static_assert(Scope::size <= 32 || (From::partition_type::value.thread != axis::lane &&
                                          To::partition_type::value.thread != axis::lane),
                    "convert: a layout on lanes needs the scope axe::warp");
      auto const staged = operand(scratch);
      copy_in_accesses_of<of::planned::result.value.shared.store_bits>(from, staged, scope);
      sync(scope);
      copy_in_accesses_of<of::planned::result.value.shared.load_bits>(staged, to, scope);
    }
  }
  return Result();
}

namespace detail {
template <bool Passed> struct order_check {
  static constexpr bool passed = Passed;
  static_assert(Passed, "permuted<...> must name each dimension of the tile once");
};
}  // namespace detail
/// Dimension Order[k] becomes dimension k.
template <int... Order, class T, class P, class S,
          bool All = detail::order_check<detail::is_order<S::value.rank(), Order...>>::passed>
__device__ __forceinline__ auto permuted(fragment<T, P, S> const& f) {
  if constexpr (All) {
    using permuted_type = decltype(axe::permute(P{}, S{}, static_coordinate<Order...>{}));
    fragment<T, permuted_type, detail::extents_as_written<S::value.extent(Order)...>> result;
    for_each_register<result.size>([&](auto r) { result[r] = f[r]; });
    return result;
  } else {
    return f;
  }
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
