// SPDX-License-Identifier: MIT
// bound_pointer: a pointer plus the run-time part of coordinates. Accesses add constants.
//
//     auto const at = bind_pointer(data, sizes, t.digit<32, 8>(), t.bits<0, 5>());
//     at.at<8, 0>()                            8 rows down: one multiply-add with the pitch
#pragma once

#include <axe/index/pointer_sums.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// a * b. Without the asm, nvcc may widen a factor before a branch, and multiply 64 bits after it.
AXE_FN constexpr stl::uint64_t wide_product(auto a, unsigned b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(a) == 4)
    if (!__builtin_is_constant_evaluated()) {
      stl::uint64_t product;
      asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
      return product;
    }
#endif
  return stl::uint64_t{a} * b;
}
/// The distance that the constants of an access add: bytes and multiples of dynamic strides.
template <int Slots> struct pointer_step {
  bool again = false;  // the constants carry into other digits: compute the address again
  integer immediate = 0;
  integer steps[Slots + 1]{};

  AXE_FN constexpr pointer_step distance_from(pointer_step const& other) const {
    pointer_step d{again || other.again, immediate - other.immediate, {}};
    for (int slot = 0; slot < Slots; ++slot) d.steps[slot] = steps[slot] - other.steps[slot];
    return d;
  }
  AXE_FN constexpr bool same_strides(pointer_step const& other) const {
    return equal_entries(steps, other.steps);
  }
};
struct coordinates_of_32_bits {
  static constexpr char const* call = "bind_pointer";
  AXE_FN static constexpr integer end(int) { return coordinate_end; }
  AXE_FN static constexpr refusal why(int d, integer sum) {
    return {rule::constants_leave_coordinates, {d, sum}};
  }
};
template <class... Sums> using coordinate_range = constants_within<coordinates_of_32_bits, Sums...>;

/// The strides that the bound pointer includes for constants in coordinates: 4 for `row +
/// constant<4>{}`. 0 if accesses add the constants, for example negative ones, because sums are
/// unsigned.
template <class Plan> AXE_FN consteval integer find_own_steps() {
  integer const none[capacity::shards]{};
  constant_part const own = Plan::constants(none);
  bool const added = !own.again && Plan::value.registers.count != 0;
  return added && own.immediate > 0 ? own.immediate : 0;
}
template <class Plan> inline constexpr integer own_steps = find_own_steps<Plan>();

template <class T, class Sizes, class... Sums> struct bound_pointer {
  template <int Slot> using plan = stride_plan<Slot, integer{sizeof(T)}, Sizes, Sums...>;
  using byte = stl::conditional_t<stl::is_const_v<T>, char const, char>;
  static constexpr int rank = sizeof...(Sums);
  static constexpr stl::uint64_t unit = sizeof(T);
  using sizes = Sizes;
  static constexpr int wide_strides = dynamic_strides<T, Sizes>::wide_strides;
  static constexpr bool narrow_strides =
      wide_strides == 0 && !stl::is_same_v<stride_slots_t<Sizes>, indices<>>;
  static constexpr bool wide_bytes = dynamic_strides<T, Sizes>::wide_bytes;
  static constexpr bool sums_elements = wide_strides > 1 && ((Sums::parts <= 1) && ...);
  /// The own_steps of dynamic(Slot). 0 if add_elements computes the term: in 32 bits, a constant
  /// could overflow its sum.
  template <int Slot>
  static constexpr integer own =
      is_narrow<Sizes, Slot> || sums_elements ? 0 : own_steps<plan<Slot>>;

  byte* start;  // the tensor's first element
  byte* here;   // `start` plus all run-time parts
  dynamic_strides<T, Sizes> strides;
  [[no_unique_address]] sums<Sums...> coordinates;

  template <integer... Constants> AXE_FORCE_INLINE constexpr T* at() const {
    if constexpr (!coordinate_range<Sums...>::template admits<Constants...>()) {
      return nullptr;
    } else {
      constexpr step s = step_of({{Constants...}});
      if constexpr (s.again)
        return bound_again<Constants...>(indices_to<rank>{});
      else
        return moved_by(s);
    }
  }
  using step = pointer_step<Sizes::slots>;
  AXE_FN static consteval step step_of(constant_list<rank> const& constants) {
    return step_from(constants.at, stride_slots_t<Sizes>{});
  }
  /// Elements: a stride of less than 2^32 bytes is multiplied in elements, by one multiply-add.
  /// Tested: the access has its own bounds test.
  template <bool Elements = false, bool Tested = false>
  AXE_FORCE_INLINE constexpr T* moved_by(step const& s) const {
    return reinterpret_cast<T*>(add_strides<Elements, Tested>(s, stride_slots_t<Sizes>{}) +
                                s.immediate);
  }

  template <int D> AXE_FORCE_INLINE constexpr unsigned coordinate() const {
    return coordinate_in<D>(coordinates);
  }
  template <int D, integer Steps> AXE_FORCE_INLINE constexpr auto bytes_along() const {
    constexpr leaf stride = Sizes::template stride<D>();
    if constexpr (stride.known())
      return stride.value * Steps * integer{sizeof(T)};
    else if constexpr (multiplies_bytes<T, Sizes, stride.slot>)
      return strides.template bytes<stride.slot>() *
             static_cast<stl::uint64_t>(Steps * stride.factor());
    else
      return strides.template elements<stride.slot>() *
             static_cast<stl::uint64_t>(Steps * stride.factor() * integer{sizeof(T)});
  }
  template <int D, integer Steps = 1> AXE_FORCE_INLINE constexpr void advance(unsigned n = 1) {
    constexpr bool exists = D >= 0 && D < rank;
    static_assert(exists, "there is no such dimension: dimensions are counted from 0");
    if constexpr (exists) {
      byte* const from = here;
      here += bytes_along<D, Steps>() * n;
      start += here - from;  // addresses that are computed again begin at `start`
    }
  }

 private:
  template <int... Slot> AXE_FN static constexpr integer find_own_bytes(indices<Slot...>) {
    if constexpr ((is_narrow<Sizes, Slot> || ...) || !(own<Slot> || ...)) {
      return 0;
    } else {
      address_plan const& static_plan = plan<-1>::value;
      integer const bytes = own_steps<plan<-1>>;
      integer const scaled = bytes >> static_plan.scales[0];
      bool const exact = static_plan.smallest_sum >= 0 && scaled << static_plan.scales[0] == bytes;
      bool const fits = static_plan.largest_sum + scaled < (integer{1} << 32);
      return static_plan.registers.count > 0 && exact && fits ? bytes : 0;
    }
  }

 public:
  /// `here` includes these bytes for constants along static strides.
  static constexpr integer own_bytes = find_own_bytes(stride_slots_t<Sizes>{});

 private:
  template <int... Slot>
  AXE_FN static consteval step step_from(integer const* constants, indices<Slot...>) {
    constant_part const static_term = plan<-1>::constants(constants);
    step s{static_term.again, static_term.immediate - own_bytes, {}};
    (add_step<Slot>(s, constants), ...);
    return s;
  }
  template <int Slot> AXE_FN static consteval void add_step(step& s, integer const* constants) {
    constant_part const term = plan<Slot>::constants(constants);
    s.again = s.again || term.again;
    s.steps[Slot] = term.immediate - own<Slot>;
  }
  template <integer... Constants, int... D>
  AXE_FORCE_INLINE constexpr T* bound_again(indices<D...>) const {
    return bind_pointer_from<T, Sizes>(
               start, strides, make_sums(add_constant<Constants>(sum_number<D>(coordinates))...))
        .template at<>();
  }

  template <bool Elements, bool Tested, int... Slot>
  AXE_FORCE_INLINE constexpr byte* add_strides(step const& s, indices<Slot...>) const {
    return (here + ... + stride_bytes<Slot, Elements, Tested>(s.steps[Slot]));
  }
  template <int Slot, bool Elements, bool Tested>
  AXE_FORCE_INLINE constexpr stl::uint64_t stride_bytes(integer steps) const {
    if (steps == 0) return 0;
    if (Tested && steps == static_cast<unsigned>(steps))
      return wide_product(strides.template bytes<Slot>(), static_cast<unsigned>(steps));
    constexpr bool in_elements = is_narrow<Sizes, Slot> || (own_bytes != 0 && wide_strides > 0) ||
                                 (Elements && sizeof(byte_stride_type<T, Sizes, Slot>) == 4);
    if constexpr (in_elements)
      return strides.template elements<Slot>() *
             static_cast<stl::uint64_t>(steps * integer{sizeof(T)});
    else
      return static_cast<stl::uint64_t>(strides.template bytes<Slot>()) *
             static_cast<stl::uint64_t>(steps);
  }
};

template <class T, class Sizes, class... Sums>
AXE_FORCE_INLINE constexpr bound_pointer<T, Sizes, Sums...> bind_pointer_from(
    typename bound_pointer<T, Sizes, Sums...>::byte* start, auto const& strides,
    sums<Sums...> const& coordinates) {
  using bound = bound_pointer<T, Sizes, Sums...>;
  // If add_terms read the arguments, transpose_scales would have 118 SASS instructions, not 53.
  bound result{start, start, strides, coordinates};
  result.here = add_terms<bound, T, Sizes>(start, result.strides, result.coordinates,
                                           stride_slots_t<Sizes>{});
  return result;
}
template <class T, class Sizes, class... Sums>
AXE_FORCE_INLINE constexpr auto bind_pointer_sums(T* data, Sizes const& sizes,
                                                  sums<Sums...> const& coordinates) {
  using plain = Sizes::plain;
  using bound = bound_pointer<T, plain, Sums...>;
  using stop [[maybe_unused]] =
      verdict<typename rejected_plan<integer{sizeof(T)}, plain, Sums...>::type>::stop;
  return bind_pointer_from<T, plain>(
      add_offset(reinterpret_cast<bound::byte*>(data), sizes, integer{sizeof(T)}),
      dynamic_strides<T, plain>(sizes), coordinates);
}
}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
