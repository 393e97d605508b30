// Implements integer arithmetic (PTX ISA, "Integer Arithmetic Instructions"). Results wrap unless
// the instruction has .sat.
//
//     div by zero = all ones      rem by zero = the dividend      smallest number / -1 = itself
//     dp4a.u32.s32 d, a, b, c     c + four products of unsigned bytes of a and signed bytes of b
#include <algorithm>
#include <limits>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "execute/type_name.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

template <class T> using bits_of = std::make_unsigned_t<T>;

template <class T> void add_basic(opcode_table& table) {
  using bits = bits_of<T>;
  std::string const type = type_name<T>();
  table.lanes("add." + type, [](bits a, bits b) -> bits { return static_cast<bits>(a + b); });
  table.lanes("sub." + type, [](bits a, bits b) -> bits { return static_cast<bits>(a - b); });
  table.lanes("div." + type, [](T a, T b) -> T {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return static_cast<T>(bits{0} - static_cast<bits>(a));
    return static_cast<T>(a / b);
  });
  table.lanes("rem." + type, [](T a, T b) -> T {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  });
  table.lanes("min." + type, [](T a, T b) -> T { return b < a ? b : a; });
  table.lanes("max." + type, [](T a, T b) -> T { return a < b ? b : a; });
  if constexpr (std::is_signed_v<T>) {
    table.lanes("abs." + type, [](T a) -> T {
      return a < 0 ? static_cast<T>(bits{0} - static_cast<bits>(a)) : a;
    });
    table.lanes("neg." + type,
                [](T a) -> T { return static_cast<T>(bits{0} - static_cast<bits>(a)); });
  }
  table.lanes("sad." + type, [](T a, T b, T c) -> T {
    bits const apart = static_cast<bits>(a < b ? static_cast<bits>(b) - static_cast<bits>(a)
                                               : static_cast<bits>(a) - static_cast<bits>(b));
    return static_cast<T>(static_cast<bits>(static_cast<bits>(c) + apart));
  });
}

constexpr std::int32_t clamp32(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(
      value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

template <class Operation>
constexpr std::uint32_t halves(std::uint32_t a, std::uint32_t b, Operation operation) {
  auto const low = static_cast<std::uint16_t>(
      operation(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)));
  auto const high = static_cast<std::uint16_t>(
      operation(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16)));
  return static_cast<std::uint32_t>(high) << 16 | low;
}

constexpr std::int16_t as_signed(std::uint16_t a) { return static_cast<std::int16_t>(a); }

void add_packed(opcode_table& table) {
  using u = std::uint32_t;
  for (char const* type : {"u16x2", "s16x2"})
    table.lanes(say("add.", type),
                [](u a, u b) -> u { return halves(a, b, [](auto x, auto y) { return x + y; }); });
  table.lanes("min.u16x2", [](u a, u b) -> u {
    return halves(a, b, [](auto x, auto y) { return std::min(x, y); });
  });
  table.lanes("max.u16x2", [](u a, u b) -> u {
    return halves(a, b, [](auto x, auto y) { return std::max(x, y); });
  });
  table.lanes("min.s16x2", [](u a, u b) -> u {
    return halves(a, b, [](auto x, auto y) { return std::min(as_signed(x), as_signed(y)); });
  });
  table.lanes("max.s16x2", [](u a, u b) -> u {
    return halves(a, b, [](auto x, auto y) { return std::max(as_signed(x), as_signed(y)); });
  });
  table.lanes("min.relu.s16x2", [](u a, u b) -> u {
    return halves(a, b, [](auto x, auto y) {
      return std::max<int>(0, std::min(as_signed(x), as_signed(y)));
    });
  });
  table.lanes("max.relu.s16x2", [](u a, u b) -> u {
    return halves(a, b, [](auto x, auto y) {
      return std::max<int>(0, std::max(as_signed(x), as_signed(y)));
    });
  });
  table.lanes("min.relu.s32",
              [](std::int32_t a, std::int32_t b) { return std::max(0, std::min(a, b)); });
  table.lanes("max.relu.s32",
              [](std::int32_t a, std::int32_t b) { return std::max(0, std::max(a, b)); });
  table.lanes("add.sat.s32",
              [](std::int32_t a, std::int32_t b) { return clamp32(std::int64_t{a} + b); });
  table.lanes("sub.sat.s32",
              [](std::int32_t a, std::int32_t b) { return clamp32(std::int64_t{a} - b); });
}

/// Returns byte (or 16-bit half) k of a word, extended by its sign or by zero.
template <class Narrow> constexpr std::int64_t part(std::uint32_t word, unsigned k) {
  return static_cast<Narrow>(word >> (8 * sizeof(Narrow) * k));
}

template <class A, class B> void add_dot(opcode_table& table, char const* types) {
  using half_of_a = std::conditional_t<std::is_signed_v<A>, std::int16_t, std::uint16_t>;
  table.lanes(say("dp4a.", types),
              [](std::uint32_t a, std::uint32_t b, std::uint32_t c) -> std::uint32_t {
                std::int64_t sum = 0;
                for (unsigned k = 0; k < 4; ++k) sum += part<A>(a, k) * part<B>(b, k);
                return c + static_cast<std::uint32_t>(sum);
              });
  table.lanes(say("dp2a.lo.", types),
              [](std::uint32_t a, std::uint32_t b, std::uint32_t c) -> std::uint32_t {
                return c + static_cast<std::uint32_t>(part<half_of_a>(a, 0) * part<B>(b, 0) +
                                                      part<half_of_a>(a, 1) * part<B>(b, 1));
              });
  table.lanes(say("dp2a.hi.", types),
              [](std::uint32_t a, std::uint32_t b, std::uint32_t c) -> std::uint32_t {
                return c + static_cast<std::uint32_t>(part<half_of_a>(a, 0) * part<B>(b, 2) +
                                                      part<half_of_a>(a, 1) * part<B>(b, 3));
              });
}

}  // namespace

void add_integer(opcode_table& table) {
  add_basic<std::uint16_t>(table);
  add_basic<std::int16_t>(table);
  add_basic<std::uint32_t>(table);
  add_basic<std::int32_t>(table);
  add_basic<std::uint64_t>(table);
  add_basic<std::int64_t>(table);
  add_packed(table);
  add_dot<std::uint8_t, std::uint8_t>(table, "u32.u32");
  add_dot<std::uint8_t, std::int8_t>(table, "u32.s32");
  add_dot<std::int8_t, std::uint8_t>(table, "s32.u32");
  add_dot<std::int8_t, std::int8_t>(table, "s32.s32");
}

}  // namespace machine
