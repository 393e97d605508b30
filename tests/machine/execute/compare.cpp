// Implements setp, set, selp, slct and testp (PTX ISA, "Comparison and Selection Instructions").
//
//     setp.lt.and.s32  p|q, a, b, c      p = (a < b) and c        q = !(a < b) and c
//     set.lt.u32.f32   d, a, b           d = a < b ? 0xffffffff : 0     (f32: 1.0f or 0.0f)
//
// With a NaN operand, comparisons of floats are false, setp.ne too. Comparisons whose name ends in
// u (ltu), and nan, are true.
#include <cmath>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/convert.hpp"
#include "numerics/narrow.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

using numerics::comparison;

/// The payload of a table_row: its two low bits are a combination of the comparison with a
/// predicate, the others say the form of the result. All rows of one comparison and type share a
/// handler, because one handler per row took over a minute to compile.
enum combination : std::uint32_t { alone, with_and, with_or, with_xor, combination_mask = 3 };
constexpr std::uint32_t gives_pair = 4, gives_float = 8;

template <class Test, class T>
std::uint32_t compared(warp const& w, std::uint32_t a_offset, std::uint32_t b_offset) {
  auto const* const a =
      reinterpret_cast<T const*>(__builtin_assume_aligned(w.registers + a_offset, 64));
  auto const* const b =
      reinterpret_cast<T const*>(__builtin_assume_aligned(w.registers + b_offset, 64));
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    bits |= static_cast<std::uint32_t>(Test{}(a[lane], b[lane])) << lane;
  return bits;
}

inline std::uint32_t combined(std::uint32_t bits, std::uint32_t how, std::uint32_t c) {
  switch (how & combination_mask) {
    case with_and: return bits & c;
    case with_or: return bits | c;
    case with_xor: return bits ^ c;
    default: return bits;
  }
}

/// Writes both results of setp: p is the test, q its negation.
template <class Test, class T>
void set_predicate(warp& w, instruction const& i, std::uint32_t mask) {
  std::uint32_t const how = i.target;
  std::uint32_t const a_at = (how & gives_pair) != 0 ? 2 : 1;
  std::uint32_t const bits = compared<Test, T>(w, i.at[a_at], i.at[a_at + 1]);
  std::uint32_t const c = (how & combination_mask) != alone ? predicate_of(w, i.at[a_at + 2]) : 0;
  auto& p = predicate_of(w, i.at[0]);
  if ((how & gives_pair) != 0) {
    auto& q = predicate_of(w, i.at[1]);
    q = (q & ~mask) | (combined(~bits, how, c) & mask);
  }
  p = (p & ~mask) | (combined(bits, how, c) & mask);
}

template <class Test, class T> void set_value(warp& w, instruction const& i, std::uint32_t mask) {
  std::uint32_t const how = i.target;
  std::uint32_t const c = (how & combination_mask) != alone ? predicate_of(w, i.at[3]) : 0;
  std::uint32_t const bits = combined(compared<Test, T>(w, i.at[1], i.at[2]), how, c);
  auto* const to = lanes_of<std::uint32_t>(w, i.at[0]);
  std::uint32_t const yes = (how & gives_float) != 0 ? 0x3f800000u : all_lanes;
  for_lanes(mask, [&](unsigned lane) { to[lane] = ((bits >> lane) & 1u) != 0 ? yes : 0; });
}

/// Without `with_all`, adds setp with one result only. compare_half.cpp adds the other instructions
/// of f16 and bf16.
template <class T, class Test>
void add_test(opcode_table& table, std::string const& operation, std::string const& type,
              char letter, bool with_all, Test) {
  auto const add = [&](std::string const& name, std::string const& signature, handler run,
                       std::uint32_t payload) {
    table_row row{name, signature, run};
    row.payload = payload;
    table.add(std::move(row));
  };
  for (std::uint32_t how = alone; how <= with_xor; ++how) {
    char const* const names[] = {"", ".and", ".or", ".xor"};
    std::string const with = operation + names[how];
    std::string const sources = std::string{letter, letter} + (how == alone ? "" : "p");
    add("setp." + with + "." + type, "p=" + sources, &set_predicate<Test, T>, how);
    if (!with_all) continue;
    add("setp." + with + "." + type + "|", "p|p=" + sources, &set_predicate<Test, T>,
        how | gives_pair);
    for (char const* result : {"u32", "s32"})
      add("set." + with + "." + result + "." + type, "w=" + sources, &set_value<Test, T>, how);
    add("set." + with + ".f32." + type, "f=" + sources, &set_value<Test, T>, how | gives_float);
  }
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

/// Adds all fourteen comparisons of a float type; `value` converts its lanes to double.
template <class T, class Value>
void add_float(opcode_table& table, std::string const& type, bool ftz, bool with_all, Value) {
  std::string const suffix = type;
  auto const add = [&]<comparison operation>(char const* name) {
    add_test<T>(table, ftz ? std::string(name) + ".ftz" : std::string(name), suffix, letter_of<T>(),
                with_all,
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
    table.lanes(say("slct.", type, ".s32"),
                [](T a, T b, std::int32_t c) -> T { return c >= 0 ? a : b; });
    table.lanes(say("slct.", type, ".f32"),
                [](T a, T b, float c) -> T { return c >= 0.0f ? a : b; });
    table.lanes(say("slct.ftz.", type, ".f32"),
                [](T a, T b, float c) -> T { return numerics::flush(c) >= 0.0f ? a : b; });
  }
}

template <class T> void add_testp(opcode_table& table, char const* type) {
  table.lanes(say("testp.finite.", type), [](T a) { return std::isfinite(a); });
  table.lanes(say("testp.infinite.", type), [](T a) { return std::isinf(a); });
  table.lanes(say("testp.number.", type), [](T a) { return !std::isnan(a); });
  table.lanes(say("testp.notanumber.", type), [](T a) { return std::isnan(a); });
  // Zero counts as a normal number.
  table.lanes(say("testp.normal.", type), [](T a) { return std::isnormal(a) || a == 0; });
  table.lanes(say("testp.subnormal.", type),
              [](T a) { return std::fpclassify(a) == FP_SUBNORMAL; });
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
  add_float<float>(table, "f32", true, true,
                   [](float a) { return static_cast<double>(numerics::flush(a)); });
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
