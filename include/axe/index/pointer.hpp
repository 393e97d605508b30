// fix for tensors in global memory: a pointer formed from everything that the program computes, then constants in 64 bits.
//
//     matrix row-major with a pitch, thread t of 256, 4 elements 8 rows apart:
//     auto const at = fix_pointer(data, a, t.digit<32, 8>(), t.bits<0, 5>());
//     at.at<0, 0>(), at.at<8, 0>(), …                   one pointer, then one multiple of the pitch each, immediates where the stride is known
//
//     pointer = base + (what known strides add, in 32 bits, widened once) + sum over given strides of (digit) * stride
//
// A stride that was stated to keep stride * sizeof(T) below 2^32 is multiplied as 32 x 32 -> 64 bits; others in 64 bits. Nothing wraps: 32-bit sums are proved from the
// extents, an extent that is not known counts as 2^32. Units: elements in, pointers out.
// Definition: docs/index.md, "Pointers".
#pragma once

#include <axe/index/fix.hpp>
#include <axe/index/sized.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

/// The digits of a sized layout that count for one given stride (Slot < 0: those with known strides, in bytes), as a plan; other strides are 0.
template <int Slot, integer Bytes, class Sized, class... Sums> struct sized_plan;
template <int Slot, integer Bytes, class... Dimensions, class... Sums>
struct sized_plan<Slot, Bytes, sized<Dimensions...>, Sums...> {
  using table = part_table<Sums...>;

  template <class D> AXE_FN static constexpr void add_run(address_plan& plan, int d) {
    dimension_run run;
    run.first = d;
    for (int k = D::digits - 1; k >= 0; --k) {
      leaf const stride = D::strides[k];
      integer const weight = Slot < 0              ? (stride.known() ? stride.value * Bytes : 0)
                             : stride.slot == Slot ? 1
                                                   : 0;
      run.digits.fastest_first.push({D::extents[k].most(), weight, axis::m});
      run.digits.extent *= D::extents[k].most();
    }
    plan.runs.push(run);
    plan.weights.push(1);
  }
  AXE_FN static constexpr address_plan make() {
    static_assert(sizeof...(Sums) == sizeof...(Dimensions), "one coordinate for each dimension");
    part_data parts[table::parts + 1]{};
    integer constants[sizeof...(Sums) + 1]{};
    table::list_parts(parts, constants, 0);
    address_plan plan;
    int d = 0;
    (add_run<Dimensions>(plan, d++), ...);
    plan_registers(plan, parts, table::parts, constants);
    return plan;
  }
  static constexpr address_plan value = make();

  template <integer... Constants> AXE_FN static constexpr constant_part constants() {
    integer const more[sizeof...(Sums) + 1]{Constants...};
    part_data parts[table::parts + 1]{};
    integer own[sizeof...(Sums) + 1]{};
    table::list_parts(parts, own, 0);
    return place_constant(value, parts, table::parts, own, more);
  }
};

template <int Slot, class... Dimensions> AXE_FN constexpr bool is_stride(sized<Dimensions...> const*) {
  bool found = false;
  auto const look_at = [&]<class D>(D) {
    for (int k = 0; k < D::digits; ++k) found = found || D::strides[k].slot == Slot;
  };
  (look_at(Dimensions{}), ...);
  return found;
}

}  // namespace detail

/// A pointer to one element of a tensor, from which constants lead on.
template <class T, class Sized, class... Sums> struct fixed_pointer {
  template <int Slot> using plan = detail::sized_plan<Slot, integer{sizeof(T)}, Sized, Sums...>;
  using byte = detail::stl::conditional_t<detail::stl::is_const_v<T>, char const, char>;
  static constexpr int rank = sizeof...(Sums);

  byte* start;  // of the tensor
  byte* here;   // with everything dynamic added
  Sized sizes;
  [[no_unique_address]] detail::sums<Sums...> coordinates;

  /// The element `Constants` further on.
  template <integer... Constants> AXE_FN constexpr T* at() const {
    if constexpr (again<Constants...>(detail::indices_to<Sized::slots>{})) {
      return moved<Constants...>(detail::indices_to<rank>{});
    } else {
      byte* p = add_strides<Constants...>(here, detail::indices_to<Sized::slots>{});
      return reinterpret_cast<T*>(p + constants<-1, Constants...>().immediate);
    }
  }

  template <int Slot, integer... Constants> AXE_FN static constexpr detail::constant_part constants() {
    if constexpr (sizeof...(Constants) == 0)
      return none<Slot>(detail::indices_to<rank>{});
    else
      return plan<Slot>::template constants<Constants...>();
  }

  /// Number Slot, a stride, in bytes: 32 bits where the product is known to fit them.
  template <int Slot> AXE_FN constexpr auto stride_bytes() const {
    constexpr leaf facts = Sized::template facts<Slot>;
    if constexpr (facts.bound > 0 && (facts.bound - 1) * static_cast<integer>(sizeof(T)) < (integer{1} << 32))
      return static_cast<detail::stl::uint32_t>(sizes.template number<Slot>()) *
             static_cast<detail::stl::uint32_t>(sizeof(T));
    else
      return static_cast<detail::stl::uint64_t>(sizes.template number<Slot>()) * sizeof(T);
  }

 private:
  template <int Slot, int... D> AXE_FN static constexpr detail::constant_part none(detail::indices<D...>) {
    return plan<Slot>::template constants<(D * integer{0})...>();
  }
  template <integer... Constants, int... Slot> AXE_FN static constexpr bool again(detail::indices<Slot...>) {
    return constants<-1, Constants...>().again ||
           ((detail::is_stride<Slot>(static_cast<Sized const*>(nullptr)) &&
             constants<Slot, Constants...>().again) ||
            ...);
  }
  template <integer... Constants, int... D> AXE_FN constexpr T* moved(detail::indices<D...>) const;

  template <integer... Constants, int... Slot>
  AXE_FN constexpr byte* add_strides(byte* p, detail::indices<Slot...>) const {
    ((p = add_stride<Slot, Constants...>(p)), ...);
    return p;
  }
  template <int Slot, integer... Constants> AXE_FN constexpr byte* add_stride(byte* p) const {
    if constexpr (detail::is_stride<Slot>(static_cast<Sized const*>(nullptr))) {
      constexpr integer steps = constants<Slot, Constants...>().immediate;
      if constexpr (steps != 0)
        p += static_cast<detail::stl::uint64_t>(stride_bytes<Slot>()) *
             static_cast<detail::stl::uint64_t>(steps);
    }
    return p;
  }
};

namespace detail {

template <int Slot, class Fixed, class Byte, class... Sums>
AXE_FN constexpr Byte* add_dynamic(Byte* p, Fixed const& f, sums<Sums...> const& kept) {
  using plan = typename Fixed::template plan<Slot>;
  if constexpr (plan::value.registers.count != 0) {
    using index = stl::conditional_t<plan::value.narrow(), stl::uint32_t, stl::uint64_t>;
    index const sum = add_plane<plan, index, 0>(kept);
    if constexpr (Slot < 0)
      return p + (static_cast<stl::uint64_t>(sum) << plan::value.scales[0]);
    else
      return p + static_cast<stl::uint64_t>(sum) *
                     (static_cast<stl::uint64_t>(f.template stride_bytes<Slot>()) << plan::value.scales[0]);
  } else {
    return p;
  }
}
template <class Fixed, class Byte, class... Sums, int... Slot>
AXE_FN constexpr Byte* add_all_dynamic(Byte* p, Fixed const& f, sums<Sums...> const& kept, indices<Slot...>) {
  p = add_dynamic<-1>(p, f, kept);
  ((p = add_dynamic<Slot>(p, f, kept)), ...);
  return p;
}

template <class T, class Sized, class... Sums>
AXE_FN constexpr auto fix_pointer_sums(T* data, Sized const& sizes, Sums const&... s) {
  using fixed = fixed_pointer<T, Sized, Sums...>;
  using byte = typename fixed::byte;
  fixed f{reinterpret_cast<byte*>(data), reinterpret_cast<byte*>(data), sizes, keep(s...)};
  f.here = add_all_dynamic(f.start, f, f.coordinates, indices_to<Sized::slots>{});
  return f;
}

}  // namespace detail

/// Fixes the coordinates of an element of a tensor at `data`. Precondition: they lie inside the tensor, constants included.
template <class T, class... Dimensions, class... Coordinates>
AXE_FN constexpr auto fix_pointer(T* data, sized<Dimensions...> const& sizes,
                                  Coordinates const&... coordinates) {
  return detail::fix_pointer_sums(data, sizes, as_sum(coordinates)...);
}

template <class T, class Sized, class... Sums>
template <integer... Constants, int... D>
AXE_FN constexpr T* fixed_pointer<T, Sized, Sums...>::moved(detail::indices<D...>) const {
  return detail::fix_pointer_sums(reinterpret_cast<T*>(start), sizes,
                                  (detail::sum_number<D>(coordinates) + constant<Constants>{})...)
      .template at<>();
}

}  // namespace axe::inline AXE_NAMESPACE
