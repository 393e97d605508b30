// Tests reading and printing CuTe's notation, and the conversions from and to axe::layout.
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/cute.hpp>
#include <axe/map/measures.hpp>

#include <type_traits>

using namespace axe::cute;
using namespace axe::cute::literals;
using namespace axe::literals;
using axe::integer;
using axe::refusal;
using axe::rule;

namespace {

constexpr bool round_trip(char const* words) {
  return to_text(parse(words)) == words && parse(to_text(parse(words)).c_str()) == parse(words);
}
static_assert(round_trip("6:3") && round_trip("(4,2):(1,4)") &&
              round_trip("((2,4),8):((1,16),2)") && round_trip("(6):(3)") &&
              round_trip("Sw<3,4,3> o 0 o (8,128):(128,1)") && round_trip("Sw<0,0,1> o 5 o 4:-1") &&
              round_trip("(((2,3)),4):(((1,2)),6)"));
static_assert(round_trip("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1):("
                         "9000000000000000000,9000000000000000000,9000000000000000000,"
                         "9000000000000000000,9000000000000000000,9000000000000000000,"
                         "9000000000000000000,9000000000000000000,9000000000000000000,"
                         "9000000000000000000,9000000000000000000,9000000000000000000,"
                         "9000000000000000000,9000000000000000000,9000000000000000000,"
                         "9000000000000000000,9000000000000000000,9000000000000000000,"
                         "9000000000000000000,9000000000000000000,9000000000000000000,"
                         "9000000000000000000,9000000000000000000,9000000000000000000)"),
              "24 wide strides");
static_assert("6:3"_cute != "(6):(3)"_cute, "an integer is not a group of one");
static_assert("(4,(2,3))"_cute == "(4,(2,3)):(1,(4,8))"_cute,
              "without strides a layout is compact, and its first mode is the fastest");
static_assert("Sw<3,4,3> o (8,128):(128,1)"_cute == "Sw<3,4,3> o 0 o (8,128):(128,1)"_cute);
static_assert("(_4,_2):(_1,_4)"_cute == "(4,2):(1,4)"_cute &&
              " ( 4 , 2 ) : ( 1 , 4 ) "_cute == "(4,2):(1,4)"_cute);

constexpr refusal mistake(char const* words) { return try_parse(words).why; }
static_assert(mistake("(4,2):(1") == refusal{rule::expected_a_comma_or_parenthesis, {8}});
static_assert(mistake("(4,2):(1,4))") == refusal{rule::expected_the_end_of_a_cute_layout, {11}});
static_assert(axe::cute::try_parse("4:1\0x", 5).why ==
              refusal{rule::expected_the_end_of_a_cute_layout, {3}});
static_assert(mistake("(4,2):4") == refusal{rule::cute_not_congruent} &&
              mistake("(4,0):(1,4)") == refusal{rule::cute_extent_below_one, {1, 0}});
static_assert(mistake("Sw<50,0,3> o 0 o 4:1") ==
                  refusal{rule::swizzle_reaches_too_far, {0, 50, 3}} &&
              mistake("Sw<1001,0,3> o 0 o 4:1").which == rule::expected_a_cute_swizzle);
static_assert(mistake("Sw<3,4> o 4:1") == refusal{rule::expected_a_cute_swizzle, {6}} &&
              mistake("x") == refusal{rule::expected_a_cute_layout, {0}});
static_assert(mistake("Sw<3,4,0> o 4:1").which == rule::swizzle_parameters);

static_assert(make_layout({4, {2, 3}}, {1, {4, 8}}) == "(4,(2,3)):(1,(4,8))"_cute &&
              make_layout(6) == "6:1"_cute && make_layout(6, 3) == "6:3"_cute);
template <int N> using Int = std::integral_constant<int, N>;
static_assert(make_layout({Int<4>{}, Int<8>{}}) == "(4,8):(1,4)"_cute &&
                  make_layout(Int<6>{}, Int<3>{}) == "6:3"_cute &&
                  make_layout({4, {Int<2>{}, 3}}) == "(4,(2,3)):(1,(4,8))"_cute &&
                  at("(4,8):(1,4)"_cute, {Int<2>{}, 3}) == 14 &&
                  logical_divide("8:3"_cute, Int<2>{}) == "(2,4):(3,6)"_cute &&
                  logical_divide("(4,8):(1,4)"_cute, {Int<2>{}, Int<4>{}}) ==
                      "((2,2),(4,2)):((1,2),(4,16))"_cute,
              "an integral constant is an integer");
static_assert(make_layout("4:1"_cute, "(2,3):(4,8)"_cute) == "(4,(2,3)):(1,(4,8))"_cute);
static_assert(shape_of("(4,(2,3)):(1,(4,8))"_cute) == int_tuple{4, {2, 3}} &&
              stride_of("6:3"_cute) == int_tuple(3));

static_assert(axe::to_text(to_axe("(4,2):(1,4)"_cute)) == "S[(2,4):(4,1)]");
static_assert(axe::to_text(to_axe("((2,4),8):((1,16),2)"_cute)) == "S[((8),(4,2)):((2),(16,1))]");
static_assert(axe::to_text(to_axe("Sw<3,4,3> o 8 o (8,2):(128,0)"_cute)) ==
              "swizzle(M=4,B=3,S=3) o S[(2,8):(0,128)] + 8");
static_assert(from_axe("S[(2,4):(4,1)]"_axe) == "(4,2):(1,4)"_cute &&
              from_axe("S[8:4@lane] + 3@lane"_axe) == "Sw<0,0,1> o 3 o 8:4"_cute);
static_assert(from_axe("S[((8),(4,2)):((2),(16,1))]"_axe) == "((2,4),8):((1,16),2)"_cute &&
              from_axe("S[]"_axe) == "1:0"_cute);
static_assert(axe::to_text(to_axe(from_axe("S[4:2] - 3"_axe))) == "S[4:2] - 3");
static_assert(from_axe("S[(4,1,8):(0@lane,4@warp,1)] + R[1:1] + R[2:0@lane]"_axe) ==
                  "(8,1,4):(1,4,0)"_cute,
              "an axis without steps does not count");
static_assert(try_from_axe("S[4:1] + R[2:4]"_axe).why.which == rule::cute_has_no_replicas &&
              try_from_axe("S[(2,4):(1@lane,1)]"_axe).why ==
                  refusal{rule::cute_counts_one_axis, {}, {axe::axis::lane, axe::axis::m}});

/// True if every index has the same place in CuTe's notation and in axe's.
constexpr bool same_elements(layout const& l) {
  axe::layout const there = to_axe(l);
  for (integer i = 0; i < size(l); ++i) {
    integer sum = there.offset(axe::axis::m);
    integer rest = i;
    for (int k = there.shards.size() - 1; k >= 0; --k) {
      sum += rest % there.shards[k].extent * there.shards[k].stride;
      rest /= there.shards[k].extent;
    }
    if (there.swizzle(sum) != *try_at(l, i)) return false;
  }
  return true;
}
static_assert(same_elements("(4,2):(1,4)"_cute) && same_elements("((2,3),5):((7,0),-3)"_cute) &&
              same_elements("Sw<1,1,2> o 3 o (4,8):(8,1)"_cute));

}  // namespace

// axe::operator<< streams the notation of CuTe.
struct text_stream {
  axe::text<40> written;
  constexpr text_stream& operator<<(char const* words) {
    written.put(words);
    return *this;
  }
};
constexpr auto streamed(layout const& l) {
  text_stream out;
  out << l;
  return out.written;
}
static_assert(streamed("((2,4),8):((1,16),2)"_cute) == "((2,4),8):((1,16),2)");

TEST_CASE("layouts beyond the capacity and malformed layouts are rejected at run time") {
  std::string words = "(2";
  for (int k = 0; k < 30; ++k) words += ",1";
  CHECK(try_parse((words + ")").c_str()).why.which == rule::cute_too_large);
  CHECK(try_parse((words + "):1").c_str()).why.which != rule::none);
  CHECK_THROWS_WITH(parse("(4,2):(1"), "parse: position 8: expected ',' or ')'");
}
