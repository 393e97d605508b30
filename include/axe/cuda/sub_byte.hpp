// SPDX-License-Identifier: MIT
// Elements of 1, 2 or 4 bits. A pack is a word of them, the first in its lowest bits.
//
//     sub_byte_tensor<4, unsigned const, matrix> w{data, matrix(m, k, k)};
//     auto const own = local_partition<P>(tile<64, 8>(w.packs(), i, j), threadIdx.x);
//     packed<4, unsigned>{own.load(r)}.get<3>()            element 3: (word >> 12) & 15
//
// A store writes a whole pack. Definition: docs/index_code.md, "Elements of less than a byte".
#pragma once

#include <axe/algebra/pack.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/cuda/shared_tile.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <int Bits, class Word> struct packed {
  static_assert(Bits == 1 || Bits == 2 || Bits == 4, "elements must have 1, 2 or 4 bits");
  using word = detail::stl::remove_const_t<Word>;
  static constexpr int size = int{sizeof(Word)} * 8 / Bits;
  static constexpr word mask = (1u << Bits) - 1;
  word bits{};

  template <int Number> AXE_FN constexpr unsigned get() const {
    static_assert(Number >= 0 && Number < size, "the pack has no such element");
    return get(static_cast<unsigned>(Number));
  }
  template <int Number> AXE_FN constexpr void set(unsigned value) {
    static_assert(Number >= 0 && Number < size, "the pack has no such element");
    constexpr word field = static_cast<word>(mask << (Number * Bits));
    bits =
        static_cast<word>((bits & ~field) | (static_cast<word>(value) << (Number * Bits) & field));
  }
  AXE_FN constexpr unsigned get(unsigned k) const {
    return static_cast<unsigned>(bits >> (k * static_cast<unsigned>(Bits))) & mask;
  }
};

namespace detail {

/// `elements` counted in packs. A dynamic leaf gets slot `slot`.
template <class Sized> AXE_FN constexpr leaf divided_leaf(leaf elements, int slot, integer pack) {
  if (elements.known()) return elements.value / pack;
  leaf const facts = Sized::facts_of(elements.slot);
  integer const multiple = facts.multiple * elements.factor();
  leaf packs = dynamic(slot);
  packs.multiple = multiple % pack == 0 ? multiple / pack : 1;
  if (facts.bound > 0)
    packs.bound = product_or_largest(facts.bound - 1, elements.factor()) / pack + 1;
  return packs;
}
AXE_FN constexpr bool is_unit(leaf stride) { return stride.known() && stride.value == 1; }

/// With packs of 8, strides (k, 1) and extents (m, k) become (k / 8, 1) and (m, k / 8).
template <class Sized, integer Pack> struct packs_of {
  using from = Sized::plain;
  static constexpr size_table table = from::table;

  AXE_FN static constexpr refusal why() {
    int units = 0;
    for (auto const& [dimension, extent, stride] : table) {
      if (is_unit(stride)) ++units;
      leaf const counted = is_unit(stride) ? extent : stride;
      integer const multiple = from::divisor_of(counted);
      if (multiple % Pack == 0) continue;
      if (counted.known()) return {rule::pack_does_not_divide, {Pack, multiple}};
      return {rule::pack_needs_a_multiple, {Pack, counted.slot, Pack, multiple}};
    }
    integer const offset = from::divisor_of(from::offset);
    if (offset % Pack != 0) return {rule::pack_does_not_divide, {Pack, offset}};
    if (units != 1) return {rule::pack_needs_one_unit, {Pack, units}};
    return {};
  }
  AXE_FN static constexpr refusal_text text() { return sentence_of("packs", why(), {}); }

 private:
  /// Digit n has slots 2n (extent) and 2n + 1 (stride); the offset has the last.
  AXE_FN static constexpr leaf in_elements(int slot) {
    if (slot == 2 * table.count) return from::offset;
    auto const& [dimension, extent, stride] = table.digits[slot / 2];
    return slot % 2 == 0 ? extent : stride;
  }
  /// Pack for the extents of digits with stride 1, the strides of others, and the offset.
  AXE_FN static constexpr integer divisor(int slot) {
    bool const of_unit = slot < 2 * table.count && is_unit(table.digits[slot / 2].stride);
    return slot == 2 * table.count || of_unit == (slot % 2 == 0) ? Pack : 1;
  }
  AXE_FN static constexpr leaf in_packs(int slot) {
    return divided_leaf<from>(in_elements(slot), slot, divisor(slot));
  }
  AXE_FN static constexpr int slowest_digit(int dimension) {
    int n = 0;
    while (table.digits[n].dimension != dimension || !table.is_slowest(n)) ++n;
    return n;
  }
  template <int Slowest, int... Number>
  AXE_FN static constexpr auto dimension_in_packs(indices<Number...>) {
    return axe::dimension<
        axe::digit<in_packs(2 * (Slowest - Number)), in_packs(2 * (Slowest - Number) + 1)>...>{};
  }
  template <int... D> AXE_FN static constexpr auto make(indices<D...>) {
    if constexpr (why())
      return from{};  // packs() reports the error
    else
      return dynamic_layout_from<in_packs(2 * table.count),
                                 decltype(dimension_in_packs<slowest_digit(D)>(
                                     indices_to<from::template dimension_type<D>::digits>{}))...>{};
  }
  template <int Slot> AXE_FN static constexpr integer number(from const& s) {
    return s.template leaf_number<in_elements(Slot)>() / divisor(Slot);
  }

 public:
  using type = decltype(make(indices_to<from::rank>{}));
  template <int... Slot> AXE_FN static constexpr type convert(from const& s, indices<Slot...>) {
    return type(unchecked{}, number<Slot>(s)...);
  }
};

/// The position in the pack along the dimension of stride 1: in packs of 8, 3 for the coordinate
/// 8 * i + 3. It is 0 along other dimensions, and -1 if it is not a constant.
template <class Sized, integer Pack, int D, class Sum> AXE_FN constexpr int position_in_pack() {
  using along = Sized::template dimension_type<D>;
  for (int k = 0; k < along::digits; ++k) {
    if (!is_unit(along::strides[k])) continue;
    if (k + 1 != along::digits) return -1;  // a slower digit has stride 1
    for (part_data const& p : listed_parts<Sum>::value.parts)
      if (p.step % Pack != 0) return -1;
    return static_cast<int>(Sum::known % Pack);
  }
  return 0;
}

}  // namespace detail

template <int Bits, class Word, class Sized, class Declaration = aligned<0>>
struct sub_byte_tensor
    : sub_byte_tensor<Bits, Word, typename tensor<Word, Sized>::sizes_type, Declaration> {
  static_assert(detail::never<Sized>,
                "the sizes of a sub_byte_tensor must be a dynamic_layout, such as the sizes_type "
                "of a tensor, not axe::row_major<2>");
  template <class... Arguments> AXE_FN constexpr sub_byte_tensor(Arguments const&...) {}
};

/// A tensor of elements of Bits bits. Sizes count elements. Declaration is the pointer's alignment.
template <int Bits, class Word, class Sized, class Declaration>
  requires requires { Sized::slots; }
struct sub_byte_tensor<Bits, Word, Sized, Declaration> {
  using pack = packed<Bits, Word>;
  using pointer = Word*;
  static_assert(pack::size > 0);  // instantiates packed, which checks Bits
  Word* data;
  Sized sizes;

  /// The same memory in words. Rejects sizes that are not multiples of a pack.
  AXE_FN constexpr auto packs() const {
    using recast = detail::packs_of<Sized, pack::size>;
    detail::verdict<recast>::passes();
    using type = recast::type;
    return tensor<Word, type, Declaration>{
        data, recast::convert(sizes, detail::indices_to<type::slots>{})};
  }
  /// The element at these coordinates, for any strides.
  template <class... Coordinates> AXE_FN constexpr unsigned load(Coordinates... coordinates) const {
    using check = detail::rank_check<sizeof...(Coordinates), Sized::rank>;
    if constexpr (detail::verdict<check>::passes())
      return load_at(detail::indices_to<Sized::rank>{}, as_sum(coordinates)...);
    else
      return 0;
  }

 private:
  template <int... D, class... Sums>
  AXE_FN constexpr unsigned load_at(detail::indices<D...>, Sums const&... sums) const {
    using namespace detail;
    // If packs_of accepts the sizes, at most one position differs from 0.
    constexpr int position = (0 | ... | position_in_pack<Sized, pack::size, D, Sums>());
    constexpr bool is_static = position >= 0 && !packs_of<Sized, pack::size>::why();
    // As if elements had one byte: the distance from `from` is then the element's number.
    char const* const from = reinterpret_cast<char const*>(data);
    stl::uint64_t const n =
        static_cast<stl::uint64_t>(bind_pointer(from, sizes, sums...).template at<>() - from);
    pack const p{data[n / static_cast<unsigned>(pack::size)]};
    if constexpr (is_static)
      return p.template get<position>();
    else
      return p.get(static_cast<unsigned>(n) % static_cast<unsigned>(pack::size));
  }
};

namespace detail {
template <class L, integer Pack> struct packed_layout {
  static constexpr outcome<layout> result = try_pack(L::value, Pack, axis::m);
  static constexpr layout value = result ? *result : layout{};
  AXE_FN static constexpr refusal_text text() {
    return text_of_call("packs", result.why, L::value);
  }
};
template <integer Pack, class S, class D = indices_to<S::value.rank()>> struct packed_extents;
template <integer Pack, class S, int... D> struct packed_extents<Pack, S, indices<D...>> {
  static constexpr int last = sizeof...(D) - 1;
  static_assert(S::value.extent(last) % Pack == 0,
                "packed_tile: the last extent must be a multiple of the pack");
  using type = extents_as_written<(S::value.extent(D) / (D == last ? Pack : 1))...>;
};
}  // namespace detail

#ifdef __CUDACC__
/// L and Extents count elements.
template <int Bits, class Word, class L, integer... Extents>
using packed_tile = shared_tile<
    Word, detail::carrier_of<detail::packed_layout<L, packed<Bits, Word>::size>>,
    typename detail::packed_extents<packed<Bits, Word>::size, extents<Extents...>>::type>;
#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
