// SPDX-License-Identifier: MIT
// bound_pointer: a pointer into a tensor with the run-time part of the coordinates added once. Each
// access then adds constants.
//
//     auto const at = bind_pointer(data, a, t.digit<32, 8>(), t.bits<0, 5>());
//     at.at<0, 0>(), at.at<8, 0>()      one pointer, then a multiple of the pitch or an immediate
//
// pointer = base + (known strides, 32 bits, widened once) + sum of digit * dynamic stride. A sum is
// in 32 bits only if the declared bounds prove it. Definition: docs/index_code.md, "Pointers".
#pragma once

#include <axe/index/dynamic_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// A value for all strides, because templates of the constants would dominate compile time.
template <int Slots> struct pointer_step {
  bool again = false;
  integer immediate = 0;
  integer steps[Slots + 1]{};

  AXE_FN constexpr pointer_step after(pointer_step const& other) const {
    pointer_step d{again || other.again, immediate - other.immediate, {}};
    for (int slot = 0; slot < Slots; ++slot) d.steps[slot] = steps[slot] - other.steps[slot];
    return d;
  }
  AXE_FN constexpr bool same_strides(pointer_step const& other) const {
    for (int slot = 0; slot < Slots; ++slot)
      if (steps[slot] != other.steps[slot]) return false;
    return true;
  }
};
template <int Rank> struct constant_list {
  integer at[Rank + 1];
};

struct no_coordinate {
  integer dimension = -1;
  integer sum = 0;
};
template <integer Dimension, integer Sum> struct constants_of_no_coordinate {
  AXE_FN static constexpr refusal why() {
    return {rule::constants_leave_coordinates, {Dimension, Sum}};
  }
  AXE_FN static constexpr refusal_text text() { return sentence_of("bind_pointer", why(), {}); }
};
template <class... Sums> struct coordinates_of {
  AXE_FN static constexpr no_coordinate find(
      constant_list<static_cast<int>(sizeof...(Sums))> const& more) {
    auto const& own = listed_parts<Sums...>;
    for (int d = 0; d < static_cast<int>(sizeof...(Sums)); ++d)
      if (integer sum = 0; leave_dimension(sum, own.parts, own.count, d, coordinate_end,
                                           own.constants[d], more.at[d]))
        return {d, sum};
    return {};
  }
  template <integer... Constants> AXE_FN static constexpr bool hold() {
    static_assert(sizeof...(Constants) == 0 || sizeof...(Constants) == sizeof...(Sums),
                  "there must be one constant for each dimension");
    constexpr no_coordinate none = find({{Constants...}});
    if constexpr (none.dimension >= 0)
      using stop [[maybe_unused]] =
          typename verdict<constants_of_no_coordinate<none.dimension, none.sum>>::stop;
    return none.dimension < 0;
  }
};

/// True if `here` includes the coordinates' own constants. For sm_100 and later nvcc would need
/// more instructions for it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
inline constexpr bool adds_own_constants = false;
#else
inline constexpr bool adds_own_constants = !counts_as_host;
#endif
/// How many steps of one stride `here` includes for the coordinates' own constants. It is at least
/// 0, because sums are unsigned.
template <class Plan> AXE_FN constexpr integer find_own_steps() {
  integer const none[capacity::shards]{};
  constant_part const own = Plan::constants(none);
  bool const added = adds_own_constants && !own.again && !Plan::value.registers.empty();
  return added && own.immediate > 0 ? own.immediate : 0;
}
template <class Plan> inline constexpr integer own_steps = find_own_steps<Plan>();

/// A pointer to one element of a tensor. at<c...>() is the element c further along each dimension.
template <class T, class Sized, class... Sums> struct bound_pointer {
  template <int Slot> using plan = sized_plan<Slot, integer{sizeof(T)}, Sized, Sums...>;
  using byte = stl::conditional_t<stl::is_const_v<T>, char const, char>;
  static constexpr int rank = sizeof...(Sums);
  static constexpr stl::uint64_t unit = sizeof(T);
  using sizes = Sized;
  static constexpr int wide_strides = count_wide_strides<T, Sized>(stride_slots_t<Sized>{});
  /// Are the digits summed in elements? The products of two strides would each be shifted in 64
  /// bits. For coordinates of one part, as copies have them.
  static constexpr bool sums_elements = counts_as_host ? counts_elements<T>
                                                       : wide_strides > 1 &&
                                                             ((parts_of_sum<Sums> <= 1) && ...);
  /// The same for the stride of Slot. It is 0 for a sum of 32 bits, which the constant could
  /// overflow.
  template <int Slot>
  static constexpr integer own =
      is_narrow<Sized, Slot> || sums_elements ? 0 : own_steps<plan<Slot>>;

  byte* start;  // of the tensor's first element
  byte* here;   // `start` and all run-time parts
  dynamic_strides<T, Sized> strides;
  [[no_unique_address]] sums<Sums...> coordinates;

  template <integer... Constants> AXE_FORCE_INLINE constexpr T* at() const {
    if constexpr (!coordinates_of<Sums...>::template hold<Constants...>()) {
      return nullptr;
    } else {
      // A constexpr variable, because host compilers would compute it at run time.
      constexpr step s = step_of({{Constants...}});
      if constexpr (s.again)
        return moved<Constants...>(indices_to<rank>{});
      else
        return moved_by(s);
    }
  }
  using step = pointer_step<Sized::slots>;
  AXE_FN static constexpr step step_of(constant_list<rank> const& constants) {
    return step_from(constants.at, stride_slots_t<Sized>{});
  }
  /// Elements: strides are widened as counts of elements, so that each step is one multiply-add.
  template <bool Elements = false> AXE_FORCE_INLINE constexpr T* moved_by(step const& s) const {
    byte* const p = add_strides<Elements>(here, s, stride_slots_t<Sized>{});
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
    // As integers: g++ turns (p + a) + b into p + (a + b) and does not share p + a.
    return reinterpret_cast<T*>(reinterpret_cast<stl::uintptr_t>(p) +
                                static_cast<stl::uintptr_t>(s.immediate));
#else
    return reinterpret_cast<T*>(p + s.immediate);
#endif
  }

  template <int D> AXE_FORCE_INLINE constexpr unsigned coordinate() const {
    return sum_number<D>(coordinates)();
  }
  template <int D, integer Steps> AXE_FORCE_INLINE constexpr auto bytes_along() const {
    constexpr leaf stride = Sized::template stride<D>();
    if constexpr (stride.known())
      return stride.value * Steps * static_cast<integer>(sizeof(T));
    else
      // Widened as a count of elements: a loop then has one multiply-add instead of two.
      return strides.template elements<stride.slot>() *
             static_cast<stl::uint64_t>(Steps * stride.factor() * static_cast<integer>(sizeof(T)));
  }
  /// Advances by `Steps` along dimension D: one addition.
  template <int D, integer Steps = 1> AXE_FORCE_INLINE constexpr void advance() {
    constexpr bool there = D >= 0 && D < rank;
    static_assert(there, "there is no such dimension: they are counted from 0");
    if constexpr (there) {
      byte* const from = here;
      here += bytes_along<D, Steps>();
      start += here - from;  // parts that are computed again start from here too
    }
  }

  /// Advances by n * Steps along dimension D.
  template <int D, integer Steps = 1> AXE_FORCE_INLINE constexpr void advance_by(unsigned n) {
    static_assert(D >= 0 && D < rank, "there is no such dimension: they are counted from 0");
    auto const bytes = bytes_along<D, Steps>() * static_cast<decltype(bytes_along<D, Steps>())>(n);
    here += bytes;
    start += bytes;
  }

  template <int Slot, integer... Constants> AXE_FN static constexpr constant_part constants() {
    return plan<Slot>::constants(constant_list<rank>{{Constants...}}.at);
  }

  template <int Slot> AXE_FORCE_INLINE constexpr auto stride_bytes() const {
    return strides.template bytes<Slot>();
  }

 private:
  template <int... Slot> AXE_FN static constexpr integer find_own_bytes(indices<Slot...>) {
    if constexpr (slot_span<Sized>::any() || !(own<Slot> || ...)) {
      return 0;
    } else {
      address_plan const& known = plan<-1>::value;
      integer const own = own_steps<plan<-1>>, scaled = own >> known.scales[0];
      return known.registers.count > 0 && known.fewest >= 0 && scaled << known.scales[0] == own &&
                     known.most + scaled < (integer{1} << 32)
                 ? own
                 : 0;
    }
  }

 public:
  /// The bytes of known strides that `here` includes for the coordinates' own constants. If 0, each
  /// access has them in its immediate.
  static constexpr integer own_bytes = find_own_bytes(stride_slots_t<Sized>{});

 private:
  template <int... Slot>
  AXE_FN static constexpr step step_from(integer const* constants, indices<Slot...>) {
    constant_part const known = plan<-1>::constants(constants);
    step s{known.again, known.immediate - own_bytes, {}};
    (add_step<Slot>(s, constants), ...);
    return s;
  }
  template <int Slot> AXE_FN static constexpr void add_step(step& s, integer const* constants) {
    constant_part const given = plan<Slot>::constants(constants);
    s.again = s.again || given.again;
    s.steps[Slot] = given.immediate - own<Slot>;
  }
  template <integer... Constants, int... D>
  AXE_FORCE_INLINE constexpr T* moved(indices<D...>) const;

  template <bool Elements, int... Slot>
  AXE_FORCE_INLINE constexpr byte* add_strides(byte* p, step const& s, indices<Slot...>) const {
    ((p = add_stride<Slot, Elements>(p, s.steps[Slot])), ...);
    return p;
  }
  template <int Slot, bool Elements>
  AXE_FORCE_INLINE constexpr byte* add_stride(byte* p, integer steps) const {
    if (steps == 0) return p;
    if constexpr (is_narrow<Sized, Slot> || counts_elements<T> ||
                  (own_bytes != 0 && wide_strides > 0) ||
                  (Elements && sizeof(stride_bytes<Slot>()) == 4))
      p += strides.template elements<Slot>() *
           static_cast<stl::uint64_t>(steps * static_cast<integer>(sizeof(T)));
    else
      p += static_cast<stl::uint64_t>(stride_bytes<Slot>()) * static_cast<stl::uint64_t>(steps);
    return p;
  }
};

template <class Byte, int Scale> struct block_of {
  struct type {
    char bytes[integer{1} << Scale];
  };
};
template <class Byte, int Scale> struct block_of<Byte const, Scale> {
  using type = typename block_of<Byte, Scale>::type const;
};
/// A type of 2^Scale bytes. It is const if Byte is.
template <class Byte, int Scale> using block = typename block_of<Byte, Scale>::type;

/// Adds the registers to the pointer one by one, powers of two as sizes of what it points to. An
/// addition to a pointer is one instruction, an addition of 64-bit sums is two.
template <class Plan, int R, class Byte, class... Sums>
AXE_FORCE_INLINE constexpr Byte* add_apart(Byte* p, [[maybe_unused]] sums<Sums...> const& kept) {
  if constexpr (R == Plan::value.registers.count) {
    return p;
  } else if constexpr (constexpr int shift = whole_shift(Plan::value, R); shift > 0) {
    return reinterpret_cast<Byte*>(reinterpret_cast<block<Byte, shift + Plan::value.scales[0]>*>(
                                       add_apart<Plan, R + 1>(p, kept)) +
                                   stl::uint64_t{register_of<Plan, R>(kept)});
  } else {
    return add_apart<Plan, R + 1>(
        reinterpret_cast<Byte*>(reinterpret_cast<block<Byte, Plan::value.scales[0]>*>(p) +
                                add_register<Plan, stl::uint64_t, R>(kept)),
        kept);
  }
}
/// The dimension of one digit that alone has this stride (Slot < 0: a known one), or -1.
template <class Sized, int Slot, int... D> AXE_FN constexpr int sole_dimension(indices<D...>) {
  int const digits[]{Sized::template dimension_type<D>::digits...};
  leaf const strides[]{Sized::template dimension_type<D>::strides[0]...};
  int sole = -1;
  for (int d = 0; d < static_cast<int>(sizeof...(D)); ++d) {
    leaf const& l = strides[d];
    if (digits[d] == 1 && (Slot < 0 ? !l.known() || l.value == 0 : l.slot != Slot)) continue;
    if (sole >= 0 || digits[d] > 1 || l.factor() != 1) return -1;
    sole = d;
  }
  return sole;
}
/// The dimension whose number the pointer multiplies as it is, so that the kernel's tests share it.
template <class Bound, int Slot> AXE_FN constexpr int whole_dimension() {
  if constexpr ((Slot < 0 ? Bound::own_bytes : Bound::template own<(Slot < 0 ? 0 : Slot)>) > 0)
    return sole_dimension<typename Bound::sizes, Slot>(indices_to<Bound::rank>{});
  else
    return -1;
}
template <class Bound, class Byte, class... Sums>
AXE_FORCE_INLINE constexpr Byte* add_known(Byte* p, [[maybe_unused]] sums<Sums...> const& kept) {
  using plan = typename Bound::template plan<-1>;
  using index = stl::conditional_t<plan::value.narrow(), stl::uint32_t, stl::uint64_t>;
  constexpr int whole = whole_dimension<Bound, -1>();
  if constexpr (plan::value.registers.count == 0) {
    return p;
  } else if constexpr (whole >= 0) {
    return p + static_cast<stl::uint64_t>(sum_number<whole>(kept)()) * Bound::unit;
  } else {
    constexpr int scale = plan::value.scales[0];
    constexpr index own = static_cast<index>(Bound::own_bytes >> scale);
    // Pointers to blocks of 2^scale bytes, because optimisers would join the additions and add the
    // pointer last.
    if constexpr (!counts_as_host && !plan::value.narrow() && plan::value.registers.count > 2 &&
                  own == 0)
      return add_apart<plan, 0>(p, kept);
    else
      return reinterpret_cast<Byte*>(
          reinterpret_cast<block<Byte, scale>*>(p) +
          static_cast<stl::uint64_t>(add_plane<plan, index, 0>(kept) + own));
  }
}
template <class Bound, int Slot, class Strides, class... Sums>
AXE_FORCE_INLINE constexpr stl::uint64_t dynamic_bytes([[maybe_unused]] Strides const& strides,
                                                       [[maybe_unused]] sums<Sums...> const& kept) {
  using plan = typename Bound::template plan<Slot>;
  constexpr integer own = Bound::template own<Slot>;
  constexpr int whole = whole_dimension<Bound, Slot>();
  if constexpr (plan::value.registers.count == 0) {
    return 0;
  } else if constexpr (whole >= 0) {
    return static_cast<stl::uint64_t>(strides.template bytes<Slot>()) * sum_number<whole>(kept)();
  } else {
    constexpr int scale = plan::value.scales[0];
    // Shifted in 32 bits, if all steps fit: a shift in 64 bits takes two instructions.
    constexpr bool fits = !counts_as_host && plan::value.fewest >= 0 &&
                          plan::value.most <= (0xffff'ffff - own) >> scale;
    using index = stl::conditional_t<plan::value.narrow(), stl::uint32_t, stl::uint64_t>;
    using shifted = stl::conditional_t<fits, stl::uint32_t, stl::uint64_t>;
    shifted const steps = add_plane<plan, index, 0>(kept);
    stl::uint64_t const stride = strides.template bytes<Slot>();
    return stride * ((steps << scale) + static_cast<shifted>(own));
  }
}
/// On x86-64 a mask overwrites its register. So the sums that only shift come before those that
/// mask.
template <class Bound, int... Slot> AXE_FN constexpr bool dynamic_before_known() {
  if constexpr (counts_as_host)
    return masks_registers(Bound::template plan<-1>::value) &&
           !(masks_registers(Bound::template plan<Slot>::value) || ...);
  else
    return false;
}
/// Adds the digits of one stride (Slot < 0: of all known strides), in 32 bits if that is proved.
template <class T, class Sized, int Slot, class Sum, class Strides, class... Sums>
AXE_FORCE_INLINE constexpr Sum add_elements(Sum sum, [[maybe_unused]] Strides const& strides,
                                            [[maybe_unused]] sums<Sums...> const& kept) {
  // The unit of a known stride.
  constexpr integer bytes = Slot < 0 ? 1 : sizeof(T);
  using plan = sized_plan<Slot, bytes, Sized, Sums...>;
  constexpr bool in_32_bits = sizeof(Sum) == 4;
  if constexpr (plan::value.registers.count == 0 ||
                (in_32_bits && Slot >= 0 && !is_narrow<Sized, Slot>)) {
    return sum;
  } else {
    using index =
        stl::conditional_t<in_32_bits || plan::value.narrow(), stl::uint32_t, stl::uint64_t>;
    Sum const steps = add_plane<plan, index, 0>(kept);
    constexpr int scale = plan::value.scales[0];
    if constexpr (in_32_bits && scale >= 32)
      return sum;  // the steps are multiples of 2^32 elements, and no tensor is that large
    else if constexpr (Slot < 0)
      return sum + (steps << scale);
    else
      return (steps << scale) * static_cast<Sum>(strides.template elements<Slot>()) + sum;
  }
}
template <class Bound, class T, class Sized, class Byte, class Strides, class... Sums, int... Slot>
AXE_FORCE_INLINE constexpr Byte* add_all_dynamic(Byte* p, Strides const& strides,
                                                 sums<Sums...> const& kept, indices<Slot...>) {
  constexpr bool narrow = slot_span<Sized>::any();
  if constexpr (narrow || Bound::sums_elements) {
    stl::conditional_t<narrow, stl::uint32_t, stl::uint64_t> sum = 0;
    sum = add_elements<T, Sized, -1>(sum, strides, kept);
    ((sum = add_elements<T, Sized, Slot>(sum, strides, kept)), ...);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1000
    // Opaque: nvcc would split vectors that are stored at a sum of 64 bits.
    if constexpr (!narrow)
      if (!__builtin_is_constant_evaluated()) asm("" : "+l"(sum));
#endif
    // With declared multiples, vectors are accessed. nvcc splits them unless the sum is in bytes.
    if constexpr (narrow && !counts_as_host && ((Sized::template facts<Slot>.multiple > 1) && ...))
      p += static_cast<stl::uint64_t>(sum) * sizeof(T);
    else
      p = reinterpret_cast<Byte*>(reinterpret_cast<T*>(p) + static_cast<stl::uint64_t>(sum));
    if constexpr (narrow)
      ((p += is_narrow<Sized, Slot> ? 0 : dynamic_bytes<Bound, Slot>(strides, kept)), ...);
  } else if constexpr (dynamic_before_known<Bound, Slot...>()) {
    stl::uint64_t const given =
        (stl::uint64_t{0} + ... + dynamic_bytes<Bound, Slot>(strides, kept));
    p = add_known<Bound>(p, kept) + given;
  } else {
    p = add_known<Bound>(p, kept);
    ((p += dynamic_bytes<Bound, Slot>(strides, kept)), ...);
  }
  return p;
}

template <class Byte, class Sized>
AXE_FORCE_INLINE constexpr Byte* add_offset(Byte* p, [[maybe_unused]] Sized const& sizes,
                                            integer bytes) {
  if constexpr (Sized::offset == leaf{})
    return p;
  else
    return p + sizes.template leaf_number<Sized::offset>() * bytes;
}

template <class T, class Sized, class Strides, class... Sums>
AXE_FORCE_INLINE constexpr bound_pointer<T, Sized, Sums...> bind_pointer_from(
    typename bound_pointer<T, Sized, Sums...>::byte* start, Strides const& strides,
    Sums const&... s) {
  using bound = bound_pointer<T, Sized, Sums...>;
  // Constructed in the return statement, because g++ keeps copies in memory.
  bound f{start, start, strides, keep(s...)};
  f.here =
      add_all_dynamic<bound, T, Sized>(start, f.strides, f.coordinates, stride_slots_t<Sized>{});
  return f;
}
template <class T, class Sized, class... Sums>
AXE_FORCE_INLINE constexpr auto bind_pointer_sums(T* data, Sized const& sizes, Sums const&... s) {
  using bound = bound_pointer<T, Sized, Sums...>;
  using stop [[maybe_unused]] =
      typename verdict<typename refused_plan<integer{sizeof(T)}, Sized, Sums...>::type>::stop;
  return bind_pointer_from<T, Sized>(add_offset(reinterpret_cast<typename bound::byte*>(data),
                                                sizes, static_cast<integer>(sizeof(T))),
                                     dynamic_strides<T, Sized>(sizes), s...);
}

template <class T, class Sized, class... Sums>
template <integer... Constants, int... D>
AXE_FORCE_INLINE constexpr T* bound_pointer<T, Sized, Sums...>::moved(indices<D...>) const {
  return bind_pointer_from<T, Sized>(start, strides,
                                     add_constant<Constants>(sum_number<D>(coordinates))...)
      .template at<>();
}
}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
