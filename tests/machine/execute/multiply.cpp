// Implements mul, mad, mul24 and mad24 (PTX ISA, "Integer Arithmetic Instructions").
//
//     lo    low half of the product          hi   high half          wide   the whole product
//     mul24.hi  bits 47..16 of the product of the low 24 bits of each operand
#include <algorithm>
#include <limits>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;

template <class T> struct twice;
template <> struct twice<std::uint16_t> {
  using type = std::uint32_t;
};
template <> struct twice<std::int16_t> {
  using type = std::int32_t;
};
template <> struct twice<std::uint32_t> {
  using type = std::uint64_t;
};
template <> struct twice<std::int32_t> {
  using type = std::int64_t;
};
template <> struct twice<std::uint64_t> {
  using type = u128;
};
template <> struct twice<std::int64_t> {
  using type = s128;
};

template <class T> constexpr typename twice<T>::type product(T a, T b) {
  using double_width = typename twice<T>::type;
  if constexpr (sizeof(T) == 2)
    return static_cast<double_width>(static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b));
  else
    return static_cast<double_width>(a) * static_cast<double_width>(b);
}

template <class T> void add_width(opcode_table& table, char const* type) {
  using bits = std::make_unsigned_t<T>;
  using double_width = typename twice<T>::type;
  constexpr int width = 8 * static_cast<int>(sizeof(T));
  table.lanes(say("mul.lo.", type), [](T a, T b) -> T { return static_cast<T>(product<T>(a, b)); });
  table.lanes(say("mul.hi.", type),
              [](T a, T b) -> T { return static_cast<T>(product<T>(a, b) >> width); });
  table.lanes(say("mad.lo.", type), [](T a, T b, T c) -> T {
    return static_cast<T>(
        static_cast<bits>(static_cast<bits>(product<T>(a, b)) + static_cast<bits>(c)));
  });
  table.lanes(say("mad.hi.", type), [](T a, T b, T c) -> T {
    return static_cast<T>(
        static_cast<bits>(static_cast<bits>(product<T>(a, b) >> width) + static_cast<bits>(c)));
  });
  if constexpr (sizeof(T) < 8) {
    using wide_bits = std::make_unsigned_t<double_width>;
    table.lanes(say("mul.wide.", type), [](T a, T b) -> double_width { return product<T>(a, b); });
    table.lanes(say("mad.wide.", type), [](T a, T b, double_width c) -> double_width {
      return static_cast<double_width>(static_cast<wide_bits>(product<T>(a, b)) +
                                       static_cast<wide_bits>(c));
    });
  }
}

constexpr std::int64_t low24(std::uint32_t a, bool is_signed) {
  return is_signed ? static_cast<std::int64_t>(static_cast<std::int32_t>(a << 8) >> 8)
                   : static_cast<std::int64_t>(a & 0xffffffu);
}

template <bool is_signed> void add_24(opcode_table& table, char const* type) {
  using u = std::uint32_t;
  table.lanes(say("mul24.lo.", type), [](u a, u b) -> u {
    return static_cast<u>(low24(a, is_signed) * low24(b, is_signed));
  });
  table.lanes(say("mul24.hi.", type), [](u a, u b) -> u {
    return static_cast<u>((low24(a, is_signed) * low24(b, is_signed)) >> 16);
  });
  table.lanes(say("mad24.lo.", type), [](u a, u b, u c) -> u {
    return static_cast<u>(low24(a, is_signed) * low24(b, is_signed)) + c;
  });
  table.lanes(say("mad24.hi.", type), [](u a, u b, u c) -> u {
    return static_cast<u>((low24(a, is_signed) * low24(b, is_signed)) >> 16) + c;
  });
}

constexpr std::int32_t saturated(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(
      value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

void add_multiply(opcode_table& table) {
  add_width<std::uint16_t>(table, "u16");
  add_width<std::int16_t>(table, "s16");
  add_width<std::uint32_t>(table, "u32");
  add_width<std::int32_t>(table, "s32");
  add_width<std::uint64_t>(table, "u64");
  add_width<std::int64_t>(table, "s64");
  add_24<false>(table, "u32");
  add_24<true>(table, "s32");
  table.lanes("mad.hi.sat.s32", [](std::int32_t a, std::int32_t b, std::int32_t c) -> std::int32_t {
    return saturated((std::int64_t{a} * b >> 32) + c);
  });
  table.lanes("mad24.hi.sat.s32",
              [](std::uint32_t a, std::uint32_t b, std::int32_t c) -> std::int32_t {
                return saturated((low24(a, true) * low24(b, true) >> 16) + c);
              });
}

}  // namespace machine
