// Tests the printed form of TIRx: text that its wheel (apache-tvm 0.27) printed is parsed, and the
// layout is written with the same characters.
#include <axe/axe.hpp>
#include <axe/bridge/tirx.hpp>

#include "support/catch.hpp"

#include <string>

namespace {

using namespace axe;

/// True if the wheel's text `theirs` reads as the layout `ours`, which is written as `theirs`.
constexpr bool same(char const* theirs, char const* ours) {
  outcome<layout> const read = try_parse_tirx(theirs);
  return read && *read == parse(ours) && to_tirx(*read) == theirs;
}
/// True if `theirs` reads as `ours`, which is written differently.
constexpr bool reads(char const* theirs, char const* ours) {
  outcome<layout> const read = try_parse_tirx(theirs);
  return read && *read == parse(ours) && !(to_tirx(*read) == theirs);
}
constexpr bool wrong(char const* theirs, rule which, integer position) {
  refusal const why = try_parse_tirx(theirs).why;
  return why.which == which && why.numbers[0] == position;
}

// Texts that the wheel printed.
static_assert(same(
    "T.TileLayout(T.S[(8, 2):(4 @ Axis.laneid, 1)] + T.R[2:4 @ Axis.warpid] + 5 @ Axis.warpid)",
    "S[(8,2):(4@lane,1)] + R[2:4@warp] + 5@warp"));
static_assert(same("T.TileLayout(T.S[(8, 2):(4 @ Axis.laneid, 1)])", "S[(8,2):(4@lane,1)]"));
static_assert(same("T.TileLayout(T.S[8:1])", "S[8:1]") &&
              same("T.TileLayout(T.S[8:-1 @ Axis.laneid])", "S[8:-1@lane]"));
static_assert(
    same("T.TileLayout(T.S[2:1] + T.R[(2, 3):(1, 2 @ Axis.laneid)] + (4 @ Axis.laneid + -3))",
         "S[2:1] + R[2:1] + R[3:2@lane] + 4@lane - 3"));
static_assert(same("T.TileLayout(T.S[2:1] + (2 @ Axis.laneid + 1 + 3 @ Axis.warpid))",
                   "S[2:1] + 1 + 2@lane + 3@warp"));
static_assert(
    same("T.TileLayout(T.S[2:1] + (4 @ Axis.F + 1 @ Axis.TLane + 5 @ Axis.bx + 2 @ Axis.cbx + 3 @ "
         "Axis.warpid))",
         "S[2:1] + 4@F + 1@TLane + 5@cta_x + 2@cluster_cta_x + 3@warp"));
static_assert(same("T.TileLayout.from_iters()", "S[]") &&
              same("T.TileLayout.from_iters(offset={\"m\": 3})", "S[] + 3"));
static_assert(same("T.TileLayout.from_iters(offset={\"F\": T.int64(1099511627776), \"bx\": -5})",
                   "S[] + 1099511627776@F - 5@cta_x"));
static_assert(same("T.TileLayout(T.R[(2, 3):(1, 1)] + 2)", "S[] + R[2:1] + R[3:1] + 2"));
static_assert(same("T.TileLayout(T.S[4:0 @ Axis.laneid])", "S[4:0@lane]") &&
              same("T.TileLayout(T.S[8:0])", "S[8:0@m]"));
static_assert(
    same("T.TileLayout(T.S[2:T.int64(-1099511627776) @ Axis.laneid] + T.R[2:T.int64(-8589934592) @ "
         "Axis.laneid] + "
         "(T.int64(-34359738368) @ Axis.laneid + T.int64(-17179869184)))",
         "S[2:-1099511627776@lane] + R[2:-8589934592@lane] - 34359738368@lane - 17179869184"));
static_assert(same("T.TileLayout(T.S[T.int64(4294967296):T.int64(2147483648)] + -3)",
                   "S[4294967296:2147483648] - 3"));
static_assert(same("T.TileLayout(T.S[2:T.int64(2147483648) @ Axis.laneid])",
                   "S[2:2147483648@lane]") &&
              same("T.TileLayout(T.S[2:2147483647 @ Axis.laneid])", "S[2:2147483647@lane]") &&
              same("T.TileLayout(T.S[2:-2147483648 @ Axis.laneid])", "S[2:-2147483648@lane]") &&
              same("T.TileLayout(T.S[2:T.int64(-2147483649) @ Axis.laneid])",
                   "S[2:-2147483649@lane]"));
static_assert(same(
    "T.TileLayout(T.S[(2, 2):(1 @ Axis.pid, 2 @ Axis.gpuid)] + T.R[2:3 @ Axis.reg] + 3 @ Axis.bx)",
    "S[(2,2):(1@pid,2@gpuid)] + R[2:3@reg] + 3@cta_x"));
static_assert(same("T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(64, 64):(64, 1)]))",
                   "swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)]"));
static_assert(same("T.ComposeLayout(4, 2, 3, T.TileLayout(T.S[(64, 64):(64, 1)] + 5))",
                   "swizzle(M=4,B=2,S=3) o S[(64,64):(64,1)] + 5"));
static_assert(
    same("T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(64, 64):(64, 1)]), swizzle_inner=False)",
         "swizzle(M=3,B=3,S=-3) o S[(64,64):(64,1)]"));
static_assert(same("T.ComposeLayout(3, 3, 3, T.TileLayout(T.R[2:1] + 3), swizzle_inner=False)",
                   "swizzle(M=3,B=3,S=-3) o S[] + R[2:1] + 3"));
static_assert(same("T.ComposeLayout(0, 1, 1, T.TileLayout.from_iters())",
                   "swizzle(M=0,B=1,S=1) o S[]"));

// The wheel also prints zeros and swizzles without effect. A layout value does not keep them.
static_assert(reads("T.TileLayout(T.S[2:1] + (0 @ Axis.laneid + 0))", "S[2:1]"));
static_assert(reads("T.ComposeLayout(4, 0, 2, T.TileLayout(T.S[64:1]))", "S[64:1]"));
static_assert(reads("T.TileLayout.from_iters(offset={\"m\": 3, \"laneid\": -2})",
                    "S[] + 3 - 2@lane"),
              "offsets are named in a dictionary");

// Spellings that the wheel does not print but the parser accepts.
static_assert(reads("TileLayout(S[(8,2):(4@Axis.laneid,1)]+R[2:4@warpid]+5@warpid)",
                    "S[(8,2):(4@lane,1)] + R[2:4@warp] + 5@warp"));
static_assert(reads("  T . TileLayout ( S[8:1] )  ", "S[8:1]"));
static_assert(reads("T.ComposeLayout(3,3,3,TileLayout(S[64:1]),swizzle_inner=True)",
                    "swizzle(M=3,B=3,S=3) o S[64:1]"));
static_assert(reads("T.TileLayout(T.S[2:1] + T.R[2:1] + 3 + T.R[2:4] + (1 + 1 @ Axis.laneid))",
                    "S[2:1] + R[2:1] + R[2:4] + 4 + 1@lane"));
static_assert(reads("T.TileLayout(T.S[2:1] + T.int32(7))", "S[2:1] + 7"));

// TIRx can write neither blocks nor the axis of a broadcast.
static_assert(to_tirx(parse("S[((2,4),(8),()):((1,2),(3@lane),())]")) ==
              "T.TileLayout(T.S[(2, 4, 8):(1, 2, 3 @ Axis.laneid)])");
static_assert(to_tirx(parse("S[4:0]")) == "T.TileLayout(T.S[4:0])" &&
              equivalent(parse_tirx("T.TileLayout(T.S[4:0])"), parse("S[4:0]")));

// Declared axes keep their names.
constexpr axis mesh_x = device_axis("mesh_x");
constexpr axis known[] = {mesh_x};
static_assert(parse_tirx("T.TileLayout(T.S[4:2 @ Axis.mesh_x])", {known, 1}).shards[0] ==
              iter{4, 2, mesh_x});
static_assert(to_tirx(S({4}, {2 * mesh_x})) == "T.TileLayout(T.S[4:2 @ Axis.mesh_x])");

//                   0         1         2         3         4         5         6
//                   0123456789012345678901234567890123456789012345678901234567890
static_assert(wrong("", rule::expected_a_layout, 0) && wrong("S[8:1]", rule::expected_a_layout, 0));
static_assert(wrong("T.Tile(T.S[8:1])", rule::expected_a_layout, 2));
static_assert(wrong("T.TileLayout[T.S[8:1]]", rule::expected_a_layout, 12));
static_assert(wrong("T.TileLayout(8:1)", rule::expected_a_layout, 13) &&
              wrong("T.TileLayout((1))", rule::expected_a_layout, 13));
static_assert(wrong("T.TileLayout(T.S[8])", rule::expected_a_colon, 18));
static_assert(wrong("T.TileLayout(T.S[:1])", rule::expected_an_extent, 17));
static_assert(wrong("T.TileLayout(T.S[n:1])", rule::expected_an_extent, 17),
              "a symbolic extent is not a number");
static_assert(wrong("T.TileLayout(T.S[8:n])", rule::expected_a_stride, 19));
static_assert(wrong("T.TileLayout(T.S[(8, 2):(1, )])", rule::expected_a_stride, 28));
static_assert(wrong("T.TileLayout(T.S[(8, 2):1])", rule::strides_do_not_match_extents, 24) &&
              try_parse_tirx("T.TileLayout(T.S[(8, 2):1])").why.numbers[1] == 2);
static_assert(wrong("T.TileLayout(T.S[((8), 2):(1, 2)])", rule::expected_an_extent, 18),
              "TIRx has no blocks");
static_assert(wrong("T.TileLayout(T.S[(8, 2:(1, 2)])", rule::expected_a_comma_or_parenthesis, 22));
static_assert(wrong("T.TileLayout(T.S[8:1)", rule::expected_a_closing_bracket, 20));
static_assert(wrong("T.TileLayout(T.S[8:1]", rule::expected_a_closing_parenthesis, 21));
static_assert(wrong("T.TileLayout(T.S[0:1])", rule::extent_too_small, 17) &&
              wrong("T.TileLayout(T.S[(2, -8):(1, 1)])", rule::extent_too_small, 21));
static_assert(wrong("T.TileLayout(T.S[T.int64(0):1])", rule::extent_too_small, 17));
static_assert(wrong("T.TileLayout(T.S[8:1 @ Axis.lnae])", rule::misspelt_axis, 28) &&
              wrong("T.TileLayout(T.S[8:1 @])", rule::expected_an_axis, 22));
static_assert(wrong("T.TileLayout(T.S[8:1 @ Axis.warp_index])", rule::axis_name_too_long, 28));
static_assert(wrong("T.TileLayout(T.S[T.int64 8:1])", rule::expected_a_number, 25));
static_assert(wrong("T.TileLayout(T.S[T.int64(8:1])", rule::expected_a_closing_parenthesis, 26));
static_assert(wrong("T.TileLayout(T.S[8:9223372036854775808])", rule::number_beyond_64_bits, 19));
static_assert(wrong("T.TileLayout(T.S[8:1] + )", rule::expected_a_replica_or_an_offset, 24));
static_assert(wrong("T.TileLayout(T.S[8:1] + T.S[2:1])", rule::expected_a_replica_or_an_offset, 26),
              "D occurs once, at the beginning");
static_assert(wrong("T.TileLayout(T.S[8:1] + (1 + 2)", rule::expected_a_closing_parenthesis, 31));
static_assert(wrong("T.TileLayout(T.S[8:1] - 1)", rule::expected_a_closing_parenthesis, 22));
static_assert(wrong("T.TileLayout(T.S[8:1]) + 1", rule::expected_the_end, 23));
static_assert(wrong("T.TileLayout.of()", rule::expected_a_layout, 13));
static_assert(wrong("T.TileLayout.from_iters(3)", rule::expected_a_closing_parenthesis, 24));
static_assert(wrong("T.TileLayout.from_iters(offset={m: 3})", rule::expected_an_axis, 32));
static_assert(wrong("T.TileLayout.from_iters(offset={\"m\": })", rule::expected_a_number, 37));
static_assert(wrong("T.ComposeLayout(3, 3, T.TileLayout(T.S[8:1]))",
                    rule::expected_a_swizzle_parameter, 24));
static_assert(wrong("T.ComposeLayout(3, 3, 3)", rule::expected_a_swizzle_parameter, 23));
static_assert(wrong("T.ComposeLayout(3, 3, 0, T.TileLayout(T.S[8:1]))",
                    rule::swizzle_is_not_a_permutation, 16));
static_assert(wrong("T.ComposeLayout(3, 3, -3, T.TileLayout(T.S[8:1]))",
                    rule::expected_a_swizzle_parameter, 16));
static_assert(wrong("T.ComposeLayout(50, 3, 3, T.TileLayout(T.S[8:1]))",
                    rule::swizzle_period_is_too_long, 16));
static_assert(wrong("T.ComposeLayout(-1, 0, 3, T.TileLayout(T.S[8:1]))",
                    rule::swizzle_is_not_a_permutation, 16));
static_assert(wrong("T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[8:1]), inner=False)",
                    rule::expected_a_swizzle_parameter, 49));
static_assert(wrong("T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[8:1]), swizzle_inner=0)",
                    rule::expected_a_swizzle_parameter, 63));
static_assert(try_parse_tirx("T.TileLayout(T.S[8:1] + (9223372036854775807 + 1))").why.which ==
              rule::offsets_overflow);

TEST_CASE("a layout that uses its whole capacity is written, and reads back") {
  layout l;
  for (int i = 0; i < capacity::shards; ++i)
    l.shards.push({9223372036854775807 - i, -9223372036854775807 + i, axis::tid_in_wg});
  for (int i = 0; i < capacity::replicas; ++i)
    l.replicas.push({9223372036854775807 - i, -9223372036854775807, axis::wid_in_wg});
  for (axis a : {axis::TLane, axis::cta_x, axis::cluster_cta_y, axis::lane, axis::m,
                 axis::tid_in_wg, axis::warp, axis::wid_in_wg})
    l.offsets.push({-9223372036854775807, a});
  l.swizzle = {20, 8, -20};
  axe::detail::order_offsets(l);
  std::string const text = to_tirx(l).c_str();
  CHECK(text.size() < 3071);
  CHECK(parse_tirx(text.c_str()) == l);
  std::string more = text;
  more.replace(more.find("T.S[("), 5, "T.S[(2, ");
  more.replace(more.find("):("), 3, "):(1, ");
  outcome<layout> const read = try_parse_tirx(more.c_str());
  CHECK(read.why.which == rule::too_many_shards);
  CHECK(read.why.numbers[0] == 25);
}

TEST_CASE("a mistake throws the sentence with its position") {
  std::string said;
  try {
    static_cast<void>(parse_tirx("T.TileLayout(T.S[8:1 @ Axis.lnae])"));
  } catch (std::exception const& e) { said = e.what(); }
  CHECK(said.find("position 28: there is no axis lnae") != std::string::npos);
}

}  // namespace
