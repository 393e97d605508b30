// SPDX-License-Identifier: MIT
// tensor_of<L, S>: a static layout as the sizes of a tensor.
//
//     using weights = tensor_of<carrier<"S[(64,32,4):(128,4,1)]"_axe>, extents<64, 128>>;
//     tensor<float const, weights, aligned<16>> w{data, weights{}};
//
// Rejects replicas, axes other than m, swizzles, and layouts that do not group by S.
// Definition: docs/index_code.md, "Sizes at run time".
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/index/pointer.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr outcome<layout> try_tensor_layout(layout const& l, shape const& s) {
  if (refusal const bad = check_addresses(l)) return bad;
  if (!l.swizzle.none()) return refusal{rule::tensor_is_swizzled};
  return try_group(l, s);
}

template <class L, class S> struct tensor_layout {
  static constexpr outcome<layout> result = try_tensor_layout(L::value, S::value);
  static constexpr layout value = result ? *result : layout{};
  AXE_FN static constexpr refusal_text text() {
    return text_of_call("tensor_of", result.why, L::value, S::value);
  }
};

template <class Source, int D, int... Each>
AXE_FN constexpr auto static_dimension(indices<Each...>) {
  constexpr iter_list digits = iters_of_block(Source::value, D);
  if constexpr (sizeof...(Each) == 0)
    return axe::dimension<axe::digit<1, 0>>{};
  else
    return axe::dimension<axe::digit<digits.at[Each].extent, digits.at[Each].stride>...>{};
}
template <class Source, class Dimensions> struct static_tensor;
template <class Source, int... D> struct static_tensor<Source, indices<D...>> {
  using stop = verdict<Source>::stop;
  using type = dynamic_layout_from<Source::value.offset(axis::m),
                                   decltype(static_dimension<Source, D>(
                                       indices_to<Source::value.blocks[D]>{}))...>;
};

}  // namespace detail

template <class L, class S>
using tensor_of = detail::static_tensor<
    detail::tensor_layout<L, S>,
    detail::indices_to<detail::tensor_layout<L, S>::value.blocks.count>>::type;

}  // namespace AXE_NAMESPACE
}  // namespace axe
