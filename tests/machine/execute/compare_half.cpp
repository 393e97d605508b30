// Implements set and setp of f16 and bf16 (PTX ISA, "Half Precision Comparison Instructions").
//
//     set.lt.f16.f16      d, a, b         d = a < b ? 1.0 : 0.0
//     set.lt.f16x2.f16x2  d, a, b         for each half, as __hlt2
//     setp.lt.f16x2       p|q, a, b       p of the low halves, q of the high halves
//
// True is 0xffff for 16-bit integers, 0xffffffff for u32 and s32, and 0xffff in each half of a
// packed pair. The payload of a row is an index into tests(). compare.cpp has scalar setp.
#include <vector>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/convert.hpp"
#include "numerics/narrow.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

using numerics::comparison;

enum combination : std::uint8_t { alone, with_and, with_or, with_xor };

struct half_test {
  comparison operation;
  combination how;
  bool ftz, brain;    // brain: the type is bf16
  std::uint32_t yes;  // the result of a true comparison
};

std::vector<half_test>& tests() {
  static std::vector<half_test> list;
  return list;
}

bool holds(half_test const& test, std::uint32_t a, std::uint32_t b, bool c) {
  auto const value = [&](std::uint32_t bits) {
    auto const half = static_cast<std::uint16_t>(bits);
    if (test.brain) return static_cast<double>(numerics::bf16_to_float(half));
    return static_cast<double>(
        numerics::f16_to_float(numerics::flush<numerics::f16>(half, test.ftz)));
  };
  bool const yes = numerics::compare(test.operation, value(a), value(b));
  switch (test.how) {
    case with_and: return yes && c;
    case with_or: return yes || c;
    case with_xor: return yes != c;
    default: return yes;
  }
}

bool condition(warp& w, instruction const& i, half_test const& test, unsigned at, unsigned lane) {
  return test.how != alone && ((predicate_of(w, i.at[at]) >> lane) & 1u) != 0;
}

template <class Result> void set_one(warp& w, instruction const& i, std::uint32_t mask) {
  half_test const test = tests()[i.target];
  for_lanes(mask, [&](unsigned lane) {
    auto const a = lanes_of<std::uint16_t>(w, i.at[1])[lane],
               b = lanes_of<std::uint16_t>(w, i.at[2])[lane];
    lanes_of<Result>(w, i.at[0])[lane] =
        static_cast<Result>(holds(test, a, b, condition(w, i, test, 3, lane)) ? test.yes : 0);
  });
}

void set_two(warp& w, instruction const& i, std::uint32_t mask) {
  half_test const test = tests()[i.target];
  for_lanes(mask, [&](unsigned lane) {
    auto const a = lanes_of<std::uint32_t>(w, i.at[1])[lane],
               b = lanes_of<std::uint32_t>(w, i.at[2])[lane];
    bool const c = condition(w, i, test, 3, lane);
    std::uint32_t const low = holds(test, a, b, c) ? test.yes : 0;
    std::uint32_t const high = holds(test, a >> 16, b >> 16, c) ? test.yes : 0;
    lanes_of<std::uint32_t>(w, i.at[0])[lane] = high << 16 | low;
  });
}

void set_predicates(warp& w, instruction const& i, std::uint32_t mask) {
  half_test const test = tests()[i.target];
  std::uint32_t low = 0, high = 0;
  for_lanes(mask, [&](unsigned lane) {
    auto const a = lanes_of<std::uint32_t>(w, i.at[2])[lane],
               b = lanes_of<std::uint32_t>(w, i.at[3])[lane];
    bool const c = condition(w, i, test, 4, lane);
    low |= static_cast<std::uint32_t>(holds(test, a, b, c)) << lane;
    high |= static_cast<std::uint32_t>(holds(test, a >> 16, b >> 16, c)) << lane;
  });
  auto& p = predicate_of(w, i.at[0]);
  auto& q = predicate_of(w, i.at[1]);
  p = (p & ~mask) | low;
  q = (q & ~mask) | high;
}

void add(opcode_table& table, std::string const& name, std::string const& signature, handler run,
         half_test const& test) {
  table_row row{name, signature, run};
  row.payload = static_cast<std::uint32_t>(tests().size());
  tests().push_back(test);
  table.add(std::move(row));
}

void add_type(opcode_table& table, std::string const& operation, half_test test) {
  std::string const type = test.brain ? "bf16" : "f16", pair = type + "x2";
  std::uint32_t const one = test.brain ? 0x3f80 : 0x3c00;
  std::string const condition_letter = test.how == alone ? "" : "p";
  std::string const halves = "hh" + condition_letter, words = "ww" + condition_letter;
  auto const yes = [&](std::uint32_t bits) {
    half_test made = test;
    made.yes = bits;
    return made;
  };
  std::string const set = "set." + operation + ".";
  add(table, set + type + "." + type, "h=" + halves, &set_one<std::uint16_t>, yes(one));
  add(table, set + pair + "." + pair, "w=" + words, &set_two, yes(one));
  for (char const* sign : {"u", "s"}) {
    add(table, set + sign + "16." + type, "h=" + halves, &set_one<std::uint16_t>, yes(0xffff));
    add(table, set + sign + "32." + type, "w=" + halves, &set_one<std::uint32_t>, yes(all_lanes));
    add(table, set + sign + "32." + pair, "w=" + words, &set_two, yes(0xffff));
  }
  add(table, "setp." + operation + "." + pair + "|", "p|p=" + words, &set_predicates, test);
}

}  // namespace

void add_compare_half(opcode_table& table) {
  struct {
    char const* name;
    comparison operation;
  } const operations[] = {
      {"eq", comparison::eq},   {"ne", comparison::ne},   {"lt", comparison::lt},
      {"le", comparison::le},   {"gt", comparison::gt},   {"ge", comparison::ge},
      {"equ", comparison::equ}, {"neu", comparison::neu}, {"ltu", comparison::ltu},
      {"leu", comparison::leu}, {"gtu", comparison::gtu}, {"geu", comparison::geu},
      {"num", comparison::num}, {"nan", comparison::nan}};
  char const* const combinations[] = {"", ".and", ".or", ".xor"};
  for (auto const& each : operations)
    for (auto const how : {alone, with_and, with_or, with_xor}) {
      std::string const name = each.name;
      add_type(table, name + combinations[how], {each.operation, how, false, true, 0});
      add_type(table, name + combinations[how], {each.operation, how, false, false, 0});
      add_type(table, name + ".ftz" + combinations[how], {each.operation, how, true, false, 0});
    }
}

}  // namespace machine
