// Implements logic, shifts, bit fields, permutations and counts (PTX ISA, "Logic and Shift
// Instructions").
//
//     shl, shr     amounts beyond the width give 0 (or the sign)
//     shf.l.wrap   amount mod 32; .clamp: at most 32
//     lop3         bit n of the result is bit (a<<2 | b<<1 | c) of the table; 0xe8 is the majority
//     prmt         each selector nibble picks a byte of {b, a}; top bit: replicates its sign
//     bfe.s32      bits beyond the top of a are filled with the field's sign; length 0 gives 0
#include <algorithm>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

template <class T> void add_bitwise(opcode_table& table) {
  constexpr int width = 8 * static_cast<int>(sizeof(T));
  std::string const type = say("b", width);
  table.lanes("and." + type, [](T a, T b) -> T { return static_cast<T>(a & b); });
  table.lanes("or." + type, [](T a, T b) -> T { return static_cast<T>(a | b); });
  table.lanes("xor." + type, [](T a, T b) -> T { return static_cast<T>(a ^ b); });
  table.lanes("not." + type, [](T a) -> T { return static_cast<T>(~a); });
  table.lanes("cnot." + type, [](T a) -> T { return a == 0 ? T{1} : T{0}; });
  table.lanes("shl." + type, [](T a, u32 n) -> T {
    return n >= static_cast<u32>(width) ? T{0} : static_cast<T>(a << n);
  });
  for (char const sign : {'b', 'u'})
    table.lanes(say("shr.", sign, width), [](T a, u32 n) -> T {
      return n >= static_cast<u32>(width) ? T{0} : static_cast<T>(a >> n);
    });
  using S = std::make_signed_t<T>;
  table.lanes(say("shr.s", width), [](S a, u32 n) -> S {
    return static_cast<S>(a >> std::min(n, static_cast<u32>(width - 1)));
  });
}

constexpr u32 lookup(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  if ((table & 0x01) != 0) result |= ~a & ~b & ~c;
  if ((table & 0x02) != 0) result |= ~a & ~b & c;
  if ((table & 0x04) != 0) result |= ~a & b & ~c;
  if ((table & 0x08) != 0) result |= ~a & b & c;
  if ((table & 0x10) != 0) result |= a & ~b & ~c;
  if ((table & 0x20) != 0) result |= a & ~b & c;
  if ((table & 0x40) != 0) result |= a & b & ~c;
  if ((table & 0x80) != 0) result |= a & b & c;
  return result;
}

constexpr u32 permute(u64 bytes, u32 selector) {
  u32 result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    u32 const nibble = (selector >> (4 * k)) & 0xfu;
    auto byte = static_cast<u32>((bytes >> (8 * (nibble & 7u))) & 0xffu);
    if ((nibble & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0u;
    result |= byte << (8 * k);
  }
  return result;
}

constexpr u64 both(u32 a, u32 b) { return u64{b} << 32 | a; }

/// Implements the modes of prmt. The low two bits of c choose a selector (PTX ISA, "prmt", table of
/// modes).
constexpr u32 permute_mode(u32 a, u32 b, u32 c, u32 const (&selectors)[4]) {
  return permute(both(a, b), selectors[c & 3u]);
}

template <class T> constexpr T extract(T a, u32 position, u32 length) {
  constexpr u32 width = 8 * sizeof(T);
  using bits = std::make_unsigned_t<T>;
  position &= 0xffu;
  length &= 0xffu;
  bits sign = 0;
  if constexpr (std::is_signed_v<T>)
    if (length != 0)
      sign = static_cast<bits>(static_cast<bits>(a) >> std::min(position + length - 1, width - 1)) &
             1u;
  bits result = 0;
  for (u32 k = 0; k < width; ++k) {
    bits const bit = k < length && position + k < width
                         ? static_cast<bits>(static_cast<bits>(a) >> (position + k)) & 1u
                         : sign;
    result |= bit << k;
  }
  return static_cast<T>(result);
}

template <class T> constexpr T insert(T a, T b, u32 position, u32 length) {
  constexpr u32 width = 8 * sizeof(T);
  position &= 0xffu;
  length &= 0xffu;
  if (position >= width || length == 0) return b;
  T const ones = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
  T const field = static_cast<T>(ones << position);
  return static_cast<T>((b & ~field) | ((a << position) & field));
}

template <class T> constexpr u32 highest(T a) {
  using bits = std::make_unsigned_t<T>;
  auto value = static_cast<bits>(a);
  if constexpr (std::is_signed_v<T>)
    if (a < 0) value = static_cast<bits>(~value);
  return value == 0
             ? all_lanes
             : static_cast<u32>(8 * sizeof(T) - 1) - static_cast<u32>(std::countl_zero(value));
}

template <class T> void add_highest(opcode_table& table, char const* type) {
  table.lanes(say("bfind.", type), [](T a) -> u32 { return highest<T>(a); });
  table.lanes(say("bfind.shiftamt.", type), [](T a) -> u32 {
    u32 const found = highest<T>(a);
    return found == all_lanes ? all_lanes : static_cast<u32>(8 * sizeof(T) - 1) - found;
  });
}

/// Implements fns: the position of the offset-th set bit at or above base (at or below, if offset
/// is negative); ~0 if there is none.
constexpr u32 find_nth(u32 mask, u32 base, s32 offset) {
  if (offset == 0) return ((mask >> (base & 31u)) & 1u) != 0 ? base : all_lanes;
  s32 const step = offset > 0 ? 1 : -1;
  u32 left = offset > 0 ? static_cast<u32>(offset) : 0u - static_cast<u32>(offset);
  for (auto at = static_cast<s32>(base); at >= 0 && at < 32; at += step)
    if (((mask >> at) & 1u) != 0 && --left == 0) return static_cast<u32>(at);
  return all_lanes;
}

constexpr u64 reversed(u64 a, unsigned width) {
  u64 result = 0;
  for (unsigned k = 0; k < width; ++k) result |= ((a >> k) & 1u) << (width - 1 - k);
  return result;
}

constexpr u32 field_mask(u32 position, u32 length, bool wraps) {
  if (wraps) {
    position &= 31u;
    length &= 31u;
  }
  u32 const start = std::min(position, 32u);
  u32 const count = std::min(length, 32u - start);
  return count == 0 ? 0 : count == 32 ? all_lanes : ((1u << count) - 1) << start;
}

template <class T> void add_extension(opcode_table& table, char const* type) {
  // szext extends the low n bits; .wrap takes n mod 32, .clamp at most 32.
  table.lanes(say("szext.wrap.", type), [](u32 a, u32 n) -> u32 {
    u32 const length = n & 31u;
    return length == 0 ? 0 : static_cast<u32>(extract<T>(static_cast<T>(a), 0, length));
  });
  table.lanes(say("szext.clamp.", type), [](u32 a, u32 n) -> u32 {
    u32 const length = std::min(n, 32u);
    return length == 0 ? 0 : static_cast<u32>(extract<T>(static_cast<T>(a), 0, length));
  });
}

}  // namespace

void add_logic(opcode_table& table) {
  add_bitwise<std::uint16_t>(table);
  add_bitwise<u32>(table);
  add_bitwise<u64>(table);
  table.lanes("and.pred", [](bool a, bool b) -> bool { return a && b; });
  table.lanes("or.pred", [](bool a, bool b) -> bool { return a || b; });
  table.lanes("xor.pred", [](bool a, bool b) -> bool { return a != b; });
  table.lanes("lop3.b32", [](u32 a, u32 b, u32 c, u32 t) -> u32 { return lookup(a, b, c, t); });
  table.lanes("shf.l.wrap.b32", [](u32 a, u32 b, u32 n) -> u32 {
    return static_cast<u32>((both(a, b) << (n & 31u)) >> 32);
  });
  table.lanes("shf.r.wrap.b32",
              [](u32 a, u32 b, u32 n) -> u32 { return static_cast<u32>(both(a, b) >> (n & 31u)); });
  table.lanes("shf.l.clamp.b32", [](u32 a, u32 b, u32 n) -> u32 {
    return static_cast<u32>((both(a, b) << std::min(n, 32u)) >> 32);
  });
  table.lanes("shf.r.clamp.b32", [](u32 a, u32 b, u32 n) -> u32 {
    return static_cast<u32>(both(a, b) >> std::min(n, 32u));
  });
  table.lanes("prmt.b32", [](u32 a, u32 b, u32 s) -> u32 { return permute(both(a, b), s); });
  table.lanes("prmt.b32.f4e", [](u32 a, u32 b, u32 c) -> u32 {
    return permute_mode(a, b, c, {0x3210, 0x4321, 0x5432, 0x6543});
  });
  table.lanes("prmt.b32.b4e", [](u32 a, u32 b, u32 c) -> u32 {
    return permute_mode(a, b, c, {0x5670, 0x6701, 0x7012, 0x0123});
  });
  table.lanes("prmt.b32.rc8", [](u32 a, u32 b, u32 c) -> u32 {
    return permute_mode(a, b, c, {0x0000, 0x1111, 0x2222, 0x3333});
  });
  table.lanes("prmt.b32.ecl", [](u32 a, u32 b, u32 c) -> u32 {
    return permute_mode(a, b, c, {0x3210, 0x3211, 0x3222, 0x3333});
  });
  table.lanes("prmt.b32.ecr", [](u32 a, u32 b, u32 c) -> u32 {
    return permute_mode(a, b, c, {0x0000, 0x1110, 0x2210, 0x3210});
  });
  table.lanes("prmt.b32.rc16", [](u32 a, u32 b, u32 c) -> u32 {
    return permute_mode(a, b, c, {0x1010, 0x3232, 0x1010, 0x3232});
  });
  table.lanes("bfe.u32", [](u32 a, u32 p, u32 n) -> u32 { return extract<u32>(a, p, n); });
  table.lanes("bfe.s32", [](s32 a, u32 p, u32 n) -> s32 { return extract<s32>(a, p, n); });
  table.lanes("bfe.u64", [](u64 a, u32 p, u32 n) -> u64 { return extract<u64>(a, p, n); });
  table.lanes("bfe.s64", [](s64 a, u32 p, u32 n) -> s64 { return extract<s64>(a, p, n); });
  table.lanes("bfi.b32", [](u32 a, u32 b, u32 p, u32 n) -> u32 { return insert<u32>(a, b, p, n); });
  table.lanes("bfi.b64", [](u64 a, u64 b, u32 p, u32 n) -> u64 { return insert<u64>(a, b, p, n); });
  table.lanes("popc.b32", [](u32 a) -> u32 { return static_cast<u32>(std::popcount(a)); });
  table.lanes("popc.b64", [](u64 a) -> u32 { return static_cast<u32>(std::popcount(a)); });
  table.lanes("clz.b32", [](u32 a) -> u32 { return static_cast<u32>(std::countl_zero(a)); });
  table.lanes("clz.b64", [](u64 a) -> u32 { return static_cast<u32>(std::countl_zero(a)); });
  table.lanes("brev.b32", [](u32 a) -> u32 { return static_cast<u32>(reversed(a, 32)); });
  table.lanes("brev.b64", [](u64 a) -> u64 { return reversed(a, 64); });
  add_highest<u32>(table, "u32");
  add_highest<s32>(table, "s32");
  add_highest<u64>(table, "u64");
  add_highest<s64>(table, "s64");
  table.lanes("fns.b32",
              [](u32 mask, u32 base, s32 offset) -> u32 { return find_nth(mask, base, offset); });
  table.lanes("bmsk.clamp.b32", [](u32 p, u32 n) -> u32 { return field_mask(p, n, false); });
  table.lanes("bmsk.wrap.b32", [](u32 p, u32 n) -> u32 { return field_mask(p, n, true); });
  add_extension<u32>(table, "u32");
  add_extension<s32>(table, "s32");
}

}  // namespace machine
