// setp, set, selp, slct, testp (ISA, "Comparison and Selection Instructions").
//
//     setp.lt.and.s32  p|q, a, b, c      p = (a < b) and c        q = !(a < b) and c
//     set.lt.u32.f32   d, a, b           d = a < b ? 0xffffffff : 0         (1.0f : 0.0f for .f32 results)
//
// Float comparisons are ordered (false for NaN), setp.ne included; those that end in u are true for NaN.
#include <cmath>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/convert.hpp"
#include "numerics/narrow.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

using numerics::comparison;

/// Both results of a comparison, and the predicate that is combined with them.
template <class Test, class T, char combine, bool pair>
void set_predicate(warp& w, instruction const& i, std::uint32_t mask) {
  constexpr unsigned a_at = pair ? 2 : 1;
  auto const* const a = lanes_of<T>(w, i.at[a_at]);
  auto const* const b = lanes_of<T>(w, i.at[a_at + 1]);
  Test const test{};
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    bits |= static_cast<std::uint32_t>(test(a[lane], b[lane])) << lane;
  std::uint32_t first = bits;
  std::uint32_t second = ~bits;
  if constexpr (combine != 0) {
    std::uint32_t const c = predicate_of(w, i.at[a_at + 2]);
    first = combine == '&' ? first & c : combine == '|' ? first | c : first ^ c;
    second = combine == '&' ? second & c : combine == '|' ? second | c : second ^ c;
  }
  auto& p = predicate_of(w, i.at[0]);
  if constexpr (pair) {
    auto& q = predicate_of(w, i.at[1]);
    q = (q & ~mask) | (second & mask);
  }
  p = (p & ~mask) | (first & mask);
}

template <class Test, class T, char combine>
void set_value(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t yes) {
  auto const* const a = lanes_of<T>(w, i.at[1]);
  auto const* const b = lanes_of<T>(w, i.at[2]);
  auto* const to = lanes_of<std::uint32_t>(w, i.at[0]);
  std::uint32_t const c = combine != 0 ? predicate_of(w, i.at[3]) : 0;
  for_lanes(mask, [&](unsigned lane) {
    bool result = Test{}(a[lane], b[lane]);
    bool const with = ((c >> lane) & 1u) != 0;
    if constexpr (combine == '&') result = result && with;
    if constexpr (combine == '|') result = result || with;
    if constexpr (combine == '^') result = result != with;
    to[lane] = result ? yes : 0;
  });
}

template <class Test, class T, char combine>
void set_integer(warp& w, instruction const& i, std::uint32_t mask) {
  set_value<Test, T, combine>(w, i, mask, all_lanes);
}
template <class Test, class T, char combine>
void set_float(warp& w, instruction const& i, std::uint32_t mask) {
  set_value<Test, T, combine>(w, i, mask, 0x3f800000u);
}

template <class T, class Test>
void add_test(opcode_table& table, std::string const& operation, std::string const& type, char letter,
              bool with_set, Test) {
  std::string const ab{letter, letter};
  auto const add = [&]<char combine>(std::string const& with, std::string const& tail) {
    table.add(
        {"setp." + operation + with + "." + type, "p=" + ab + tail, &set_predicate<Test, T, combine, false>});
    table.add({"setp." + operation + with + "." + type + "|", "p|p=" + ab + tail,
               &set_predicate<Test, T, combine, true>});
    if (!with_set) return;
    for (char const* result : {"u32", "s32"})
      table.add({"set." + operation + with + "." + result + "." + type, "w=" + ab + tail,
                 &set_integer<Test, T, combine>});
    table.add({"set." + operation + with + ".f32." + type, "f=" + ab + tail, &set_float<Test, T, combine>});
  };
  add.template operator()<char{0}>("", "");
  add.template operator()<'&'>(".and", "p");
  add.template operator()<'|'>(".or", "p");
  add.template operator()<'^'>(".xor", "p");
}

template <class T> void add_equality(opcode_table& table, std::string const& type) {
  char const letter = letter_of<T>();
  add_test<T>(table, "eq", type, letter, true, [](T a, T b) { return a == b; });
  add_test<T>(table, "ne", type, letter, true, [](T a, T b) { return a != b; });
}

template <class T> void add_order(opcode_table& table, std::string const& type) {
  char const letter = letter_of<T>();
  add_equality<T>(table, type);
  add_test<T>(table, "lt", type, letter, true, [](T a, T b) { return a < b; });
  add_test<T>(table, "le", type, letter, true, [](T a, T b) { return a <= b; });
  add_test<T>(table, "gt", type, letter, true, [](T a, T b) { return a > b; });
  add_test<T>(table, "ge", type, letter, true, [](T a, T b) { return a >= b; });
  if constexpr (std::is_unsigned_v<T>) {
    add_test<T>(table, "lo", type, letter, true, [](T a, T b) { return a < b; });
    add_test<T>(table, "ls", type, letter, true, [](T a, T b) { return a <= b; });
    add_test<T>(table, "hi", type, letter, true, [](T a, T b) { return a > b; });
    add_test<T>(table, "hs", type, letter, true, [](T a, T b) { return a >= b; });
  }
}

/// All fourteen comparisons of a float type; `value` turns its lanes into doubles.
template <class T, class Value>
void add_float(opcode_table& table, std::string const& type, bool ftz, bool with_set, Value) {
  std::string const suffix = type;
  auto const add = [&]<comparison operation>(char const* name) {
    add_test<T>(table, ftz ? std::string(name) + ".ftz" : std::string(name), suffix, letter_of<T>(), with_set,
                [](T a, T b) { return numerics::compare(operation, Value{}(a), Value{}(b)); });
  };
  add.template operator()<comparison::eq>("eq");
  add.template operator()<comparison::ne>("ne");
  add.template operator()<comparison::lt>("lt");
  add.template operator()<comparison::le>("le");
  add.template operator()<comparison::gt>("gt");
  add.template operator()<comparison::ge>("ge");
  add.template operator()<comparison::equ>("equ");
  add.template operator()<comparison::neu>("neu");
  add.template operator()<comparison::ltu>("ltu");
  add.template operator()<comparison::leu>("leu");
  add.template operator()<comparison::gtu>("gtu");
  add.template operator()<comparison::geu>("geu");
  add.template operator()<comparison::num>("num");
  add.template operator()<comparison::nan>("nan");
}

template <class T> void add_select(opcode_table& table, std::initializer_list<char const*> types) {
  for (char const* type : types) {
    table.lanes(say("selp.", type), [](T a, T b, bool c) -> T { return c ? a : b; });
    table.lanes(say("slct.", type, ".s32"), [](T a, T b, std::int32_t c) -> T { return c >= 0 ? a : b; });
    table.lanes(say("slct.", type, ".f32"), [](T a, T b, float c) -> T { return c >= 0.0f ? a : b; });
    table.lanes(say("slct.ftz.", type, ".f32"),
                [](T a, T b, float c) -> T { return numerics::flush(c) >= 0.0f ? a : b; });
  }
}

template <class T> void add_testp(opcode_table& table, char const* type) {
  table.lanes(say("testp.finite.", type), [](T a) { return std::isfinite(a); });
  table.lanes(say("testp.infinite.", type), [](T a) { return std::isinf(a); });
  table.lanes(say("testp.number.", type), [](T a) { return !std::isnan(a); });
  table.lanes(say("testp.notanumber.", type), [](T a) { return std::isnan(a); });
  table.lanes(say("testp.normal.", type), [](T a) { return std::isnormal(a); });
  table.lanes(say("testp.subnormal.", type), [](T a) { return std::fpclassify(a) == FP_SUBNORMAL; });
}

}  // namespace

void add_compare(opcode_table& table) {
  add_equality<std::uint16_t>(table, "b16");
  add_equality<std::uint32_t>(table, "b32");
  add_equality<std::uint64_t>(table, "b64");
  add_order<std::uint16_t>(table, "u16");
  add_order<std::int16_t>(table, "s16");
  add_order<std::uint32_t>(table, "u32");
  add_order<std::int32_t>(table, "s32");
  add_order<std::uint64_t>(table, "u64");
  add_order<std::int64_t>(table, "s64");
  add_float<float>(table, "f32", false, true, [](float a) { return static_cast<double>(a); });
  add_float<float>(table, "f32", true, true, [](float a) { return static_cast<double>(numerics::flush(a)); });
  add_float<double>(table, "f64", false, true, [](double a) { return a; });
  using half = std::uint16_t;
  add_float<half>(table, "f16", false, false,
                  [](half a) { return static_cast<double>(numerics::f16_to_float(a)); });
  add_float<half>(table, "f16", true, false, [](half a) {
    return static_cast<double>(numerics::f16_to_float(numerics::flush<numerics::f16>(a, true)));
  });
  add_float<half>(table, "bf16", false, false,
                  [](half a) { return static_cast<double>(numerics::bf16_to_float(a)); });
  add_select<std::uint16_t>(table, {"b16", "u16", "s16"});
  add_select<std::uint32_t>(table, {"b32", "u32", "s32"});
  add_select<std::uint64_t>(table, {"b64", "u64", "s64"});
  add_select<float>(table, {"f32"});
  add_select<double>(table, {"f64"});
  add_testp<float>(table, "f32");
  add_testp<double>(table, "f64");
}

}  // namespace machine
