// Tests that a mistake in the notation is reported with its position, counted from 0, and that a
// correctly written but invalid layout is rejected.
#include <axe/axe.hpp>

namespace {

using namespace axe;

constexpr bool wrong(char const* t, rule which, integer position) {
  refusal const why = try_parse(t).why;
  return why.which == which && why.numbers[0] == position;
}

//                   0123456789012345678901234567890123456789
static_assert(wrong("", rule::expected_a_layout, 0));
static_assert(wrong("   ", rule::expected_a_layout, 3));
static_assert(wrong("T[8:1]", rule::expected_a_layout, 0));
static_assert(wrong("S(8:1)", rule::expected_a_layout, 1));
static_assert(wrong("S[", rule::expected_an_extent, 2));
static_assert(wrong("S[x:1]", rule::expected_an_extent, 2));
static_assert(wrong("S[(8,):(1)]", rule::expected_an_extent, 5));
static_assert(wrong("S[(8,,2)]", rule::expected_an_extent, 5));
static_assert(wrong("S[8:]", rule::expected_a_stride, 4));
static_assert(wrong("S[(8,2):(1,]", rule::expected_a_stride, 11));
static_assert(wrong("S[8:@lane]", rule::expected_a_stride, 4));
static_assert(wrong("S[8:4@]", rule::expected_an_axis, 6));
static_assert(wrong("S[8:4@4]", rule::expected_an_axis, 6));
static_assert(wrong("S[8", rule::expected_a_colon, 3));
static_assert(wrong("S[8;1]", rule::expected_a_colon, 3));
static_assert(wrong("S[8:1", rule::expected_a_closing_bracket, 5));
static_assert(wrong("S[8:1)", rule::expected_a_closing_bracket, 5));
static_assert(wrong("S[(8:1)]", rule::expected_a_comma_or_parenthesis, 4));
static_assert(wrong("S[(8,2:(1,2)]", rule::expected_a_comma_or_parenthesis, 6));
static_assert(wrong("S[8:1] + R[2]", rule::expected_a_colon, 12));
static_assert(wrong("S[8:1] +", rule::expected_a_replica_or_an_offset, 8));
static_assert(wrong("S[8:1] + lane", rule::expected_a_replica_or_an_offset, 9));
static_assert(wrong("S[8:1] - R[2:1]", rule::expected_a_replica_or_an_offset, 7));
static_assert(wrong("S[8:1] 5", rule::expected_the_end, 7));
static_assert(wrong("S[8:1]]", rule::expected_the_end, 6));
static_assert(wrong("S[8:1] + 5@warp x", rule::expected_the_end, 16));
static_assert(wrong("swizzle(3,3,3) S[8]", rule::expected_the_composition_sign, 15));
static_assert(wrong("swizzle(3,3) o S[8]", rule::expected_a_swizzle_parameter, 11));
static_assert(wrong("swizzle(M=3,S=3,B=3) o S[8]", rule::expected_a_swizzle_parameter, 12));
static_assert(wrong("swizzle 3", rule::expected_a_swizzle_parameter, 8));
static_assert(wrong("swizzle(3,3,3 o S[8]", rule::expected_a_closing_parenthesis, 14));
static_assert(wrong("swizzle(3,3,3) o T[8]", rule::expected_a_layout, 17));

static_assert(wrong("S[(0,2):(1,1)]", rule::extent_too_small, 3));
static_assert(wrong("S[(2,  0):(1,1)]", rule::extent_too_small, 7));
static_assert(wrong("S[8:1] + R[0:1]", rule::extent_too_small, 11));
static_assert(wrong("S[-8:1]", rule::extent_too_small, 2) &&
              try_parse("S[-8:1]").why.numbers[1] == -8);

static_assert(wrong("S[8:4@lnae]", rule::misspelt_axis, 6));
static_assert(wrong("S[8:4@war]", rule::misspelt_axis, 6), "a prefix of a name is not a name");
static_assert(wrong("S[8:4@laneid_]", rule::misspelt_axis, 6));
static_assert(wrong("S[8:4@mesh_x]", rule::unknown_axis, 6),
              "try_parse knows the built-in axes only");
static_assert(wrong("S[8:1] + 5@Warp", rule::misspelt_axis, 11), "names are case-sensitive");
static_assert(wrong("S[8:4@null]", rule::unknown_axis, 6),
              "the null axis has no name: its stride is written 0");
static_assert(wrong("S[8:4@warp_index]", rule::axis_name_too_long, 6) &&
              try_parse("S[8:4@warp_index]").why.numbers[1] == 10);

static_assert(wrong("S[9223372036854775808:1]", rule::number_beyond_64_bits, 2));
static_assert(wrong("S[8:-9223372036854775809]", rule::number_beyond_64_bits, 4));
static_assert(wrong("S[8:1] - 9223372036854775809", rule::number_beyond_64_bits, 7));
static_assert(wrong("S[8:1] + 9223372036854775807@lane + 1@lane", rule::offsets_overflow, 36));
static_assert(wrong("S[] - 9223372036854775807 - 2 + 0@lane", rule::offsets_overflow, 26));
static_assert(*try_parse("S[] + 9223372036854775806 + 5 - 10") ==
                  *try_parse("S[] + 9223372036854775801"),
              "only the sum must fit 64 bits");
static_assert(
    *try_parse(
        "S[] - 9223372036854775807 - 9223372036854775807 + 9223372036854775807 + 1@lane + 7") ==
    *try_parse("S[] - 9223372036854775800 + 1@lane"));
static_assert(try_parse("S[8:1] + 9223372036854775807@lane + 1@lane").why.axes[0] == axis::lane);

static_assert(wrong("S[(8,2):(1,1,1)]", rule::strides_do_not_match_extents, 8));
static_assert(try_parse("S[(8,2):(1,1,1)]").why.numbers[1] == 2 &&
              try_parse("S[(8,2):(1,1,1)]").why.numbers[2] == 3);
static_assert(wrong("S[8:()]", rule::strides_do_not_match_extents, 4));
static_assert(wrong("S[((8),(2)):((1,1),())]", rule::stride_blocks_do_not_match_extent_blocks, 12));
static_assert(wrong("S[((8),(2)):(1,1)]", rule::stride_blocks_do_not_match_extent_blocks, 12));
static_assert(wrong("S[(8,2):((1),(1))]", rule::stride_blocks_do_not_match_extent_blocks, 8));
static_assert(wrong("S[8:((1))]", rule::stride_blocks_do_not_match_extent_blocks, 4) &&
                  wrong("S[((8),()):((1))]", rule::stride_blocks_do_not_match_extent_blocks, 11) &&
                  wrong("S[((8)):((1),())]", rule::stride_blocks_do_not_match_extent_blocks, 8),
              "one side of the colon has more blocks");

static_assert(wrong("swizzle(3,3,0) o S[8]", rule::swizzle_is_not_a_permutation, 7));
static_assert(wrong("swizzle(-1,3,3) o S[8]", rule::swizzle_is_not_a_permutation, 7));
static_assert(wrong("swizzle(3,-3,3) o S[8]", rule::swizzle_is_not_a_permutation, 7));
static_assert(wrong("swizzle(20,20,9) o S[8]", rule::swizzle_period_is_too_long, 7));
static_assert(wrong("swizzle(3,3,99999999999) o S[8]", rule::swizzle_period_is_too_long, 7) &&
                  try_parse("swizzle(3,3,99999999999) o S[8]").why.numbers[3] == 99999999999,
              "the refusal has the value that was written");

// The numbers of extents in S[…], of extents in R[…], of offsets and of axes are limited. One more
// is rejected.
constexpr bool holds_at_most(char const* first, char const* more, int most, rule which) {
  text<3000> t;
  t.put(first);
  for (int i = 0; i < most - 1; ++i) t.put(more);
  bool const fits = static_cast<bool>(try_parse(t.c_str()));
  t.put(more);
  refusal const why = try_parse(t.c_str()).why;
  return fits && why.which == which;
}
static_assert(holds_at_most("S[] + R[2:1]", " + R[2:1]", capacity::replicas,
                            rule::too_many_replicas));

constexpr refusal with_digits(int n) {
  text<3000> t;
  t.put("S[(2");
  for (int i = 1; i < n; ++i) t.put(",2");
  t.put(")]");
  return try_parse(t.c_str()).why;
}
static_assert(with_digits(24) == refusal{} &&
              with_digits(25) == refusal{rule::too_many_shards, {25}});
static_assert(with_digits(62).which == rule::too_many_shards,
              "the reader stores 32 entries, and more are rejected too");
static_assert(try_parse("S[] + R[(2,2,2,2,2,2,2,2,2):(1,1,1,1,1,1,1,1,1)]").why ==
              refusal{rule::too_many_replicas});
static_assert(try_parse("S[] + 1@lane + 2@warp + 3@wg + 4@tid + 5@reg + 6 + 7@P + 8@F + 9@Bank")
                  .why == refusal{rule::too_many_offsets});
static_assert(
    try_parse("S[] + 1@lane + 2@warp + 3@wg + 4@tid + 5@reg + 6 + 7@P + 8@F + 9@Bank - 1@lane"),
    "the offset on lane cancels, so 8 remain");
static_assert(
    try_parse("S[(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):(1@m,1@reg,1@TLane,1@TCol,1@P,1@F,1@Bank,1@lane,"
              "1@warp,1@wid_in_wg,"
              "1@wg,1@tid_in_wg,1@tid,1@cta_x,1@cta_y,1@cta_z)]"));
static_assert(
    try_parse("S[(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):(1@m,1@reg,1@TLane,1@TCol,1@P,1@F,1@Bank,1@"
              "lane,1@warp,1@wid_in_wg,"
              "1@wg,1@tid_in_wg,1@tid,1@cta_x,1@cta_y,1@cta_z,1@pid)]")
        .why.which == rule::too_many_axes);
static_assert(try_parse("S[(2,4294967296,2147483648)]").why.which == rule::size_overflows,
              "the row-major strides exceed 64 bits");

// The notation is correct, but the value is an invalid layout.
constexpr bool invalid(char const* t, refusal why) {
  reader in{t, detail::length_of(t)};
  layout l;
  return try_parse(t).why == why && !read(in, l) && check(l) == why;
}
constexpr refusal too_far(axis a) { return {rule::places_overflow, {}, {a}}; }
static_assert(invalid("S[(4294967296,4294967296)]", too_far(axis::m)));
static_assert(invalid("S[(4294967296,4294967296,2):(0,0,0)]", {rule::size_overflows}));
static_assert(invalid("S[9223372036854775807:2]", too_far(axis::m)));
static_assert(invalid("S[2:-9223372036854775808]", too_far(axis::m)));
static_assert(invalid("S[2:1] + R[9223372036854775807:2@lane]", too_far(axis::lane)));
static_assert(invalid("S[] + 9223372036854775807@warp", too_far(axis::warp)));
static_assert(invalid("S[] - 9223372036854775807 - 1", too_far(axis::m)));
static_assert(invalid("S[2:9223372036854775806] + R[2:-9223372036854775806]", too_far(axis::m)),
              "the least and the largest place fit 64 bits, the span does not");
static_assert(invalid("swizzle(3,3,3) o S[8:1] + 9223372036854775800", too_far(axis::m)),
              "the largest place plus the period of the swizzle must fit 64 bits");
static_assert(invalid("swizzle(3,3,3) o S[8:1@lane]",
                      {rule::swizzle_acts_on_memory_only, {}, {axis::lane}}));
static_assert(invalid("swizzle(3,3,3) o S[8:1] + R[2:1@warp]",
                      {rule::swizzle_acts_on_memory_only, {}, {axis::warp}}));
static_assert(invalid("swizzle(3,3,3) o S[8:1] + 1@reg",
                      {rule::swizzle_acts_on_memory_only, {}, {axis::reg}}));
// These layouts are valid. In a swizzled layout, an extent of 1 or a stride of 0 may be on any
// axis. A swizzle of 0 bits may be on any layout. The largest numbers still fit.
static_assert(try_parse("swizzle(3,3,3) o S[(8,1,4):(1,5@lane,0@warp)]") &&
              try_parse("swizzle(3,0,3) o S[8:1@lane]") &&
              try_parse("swizzle(3,3,3) o S[8:1] + 9223372036854775200"));
static_assert(try_parse("S[9223372036854775807:1]") && try_parse("S[1:-9223372036854775808]") &&
              try_parse("S[(9223372036854775807,1):(0,7)] - 9223372036854775807@lane"));

/// The refusal of reading a shape or a place, or none.
template <class T> constexpr refusal reading(char const* t) {
  reader in{t, detail::length_of(t)};
  T value;
  return read(in, value) && in.next() == '\0' ? refusal{} : in.refusal;
}
template <class T> constexpr bool reads_as(char const* t, char const* printed) {
  reader in{t, detail::length_of(t)};
  T value;
  return read(in, value) && to_text(value) == printed;
}
static_assert(reads_as<tree>("(8,16)", "(8,16)") &&
              reads_as<tree>(" ( ( 2 , 4 ),16) ", "((2,4),16)") && reads_as<tree>("7", "7"));
static_assert(reads_as<tree>("()", "()") && reads_as<tree>("(-1,2)", "(-1,2)") &&
              reads_as<tree>("((),(1,(2,(3))))", "((),(1,(2,(3))))"));
static_assert(reading<tree>("(8,x)").which == rule::expected_a_shape &&
              reading<tree>("(8,x)").numbers[0] == 3);
static_assert(reading<tree>("(8 16)").which == rule::expected_a_comma_or_parenthesis &&
              reading<tree>("(8 16)").numbers[0] == 3);
static_assert(reading<tree>("(8,16").which == rule::expected_a_comma_or_parenthesis &&
              reading<tree>("(8,16").numbers[0] == 5);
static_assert(reads_as<place>("8@lane + 6@warp - 1@reg", "8@lane + 6@warp + -1@reg") &&
              reads_as<place>("0", "0@m") && reads_as<place>("-3", "-3@m"));
static_assert(reads_as<place>("8@lane+1@lane", "9@lane") && reads_as<place>("0@lane", "0@lane"));
static_assert(reading<place>("8@lane + ").which == rule::expected_a_place &&
              reading<place>("8@lnae").which == rule::misspelt_axis);
static_assert(reading<place>("9223372036854775807 + 1").which == rule::number_beyond_64_bits);

}  // namespace
