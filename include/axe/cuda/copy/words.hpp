// The values of one access between its load and its store: in the 32-bit registers of the
// instruction, also for narrower elements.
//
// Accesses that an end of the tensor cuts are put together element by element on one path and come
// whole on the other. Kept as elements the whole ones would be taken apart and packed again on
// every path (184 PRMT in a copy of 64 x 64 halves; with words, only the cut path has any).
#pragma once

#include <axe/index/vector_of.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Elements of at least 4 bytes, or accesses of fewer.
template <class Element, int Values,
          bool Narrow = (sizeof(Element) < 4 && sizeof(Element) * Values >= 4)>
struct copied_values {
  vector_of<Element, Values> all;

  __device__ __forceinline__ void clear() { all = {}; }
  __device__ __forceinline__ void set(vector_of<Element, Values> const& v) { all = v; }
  __device__ __forceinline__ vector_of<Element, Values> get() const { return all; }
  template <int V> __device__ __forceinline__ void put(Element const& e) { all.elements[V] = e; }
  template <int V> __device__ __forceinline__ Element one() const { return all.elements[V]; }
};

/// Narrower elements, packed into registers. `put` adds to a cleared register.
template <class Element, int Values> struct copied_values<Element, Values, true> {
  static constexpr int each = 4 / static_cast<int>(sizeof(Element));
  static constexpr int bits = 8 * static_cast<int>(sizeof(Element));
  using word = typename word_of_bytes<static_cast<int>(sizeof(Element))>::type;
  unsigned words[Values / each];

  __device__ __forceinline__ void clear() { clear_all(indices_to<Values / each>{}); }
  __device__ __forceinline__ void set(vector_of<Element, Values> const& v) {
    memcpy(words, &v, sizeof(words));
  }
  __device__ __forceinline__ vector_of<Element, Values> get() const {
    vector_of<Element, Values> v;
    memcpy(&v, words, sizeof(words));
    return v;
  }
  template <int V> __device__ __forceinline__ void put(Element const& e) {
    word b;
    memcpy(&b, &e, sizeof(b));
    words[V / each] |= static_cast<unsigned>(b) << (bits * (V % each));
  }
  template <int V> __device__ __forceinline__ Element one() const {
    word const b = static_cast<word>(words[V / each] >> (bits * (V % each)));
    Element e;
    memcpy(&e, &b, sizeof(b));
    return e;
  }

 private:
  template <int... W> __device__ __forceinline__ void clear_all(indices<W...>) {
    ((words[W] = 0), ...);
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
