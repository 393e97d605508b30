// Tests how answers are printed, in constant expressions.
#include <axe/axe.hpp>

namespace {

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

constexpr layout tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;

// A piece prints as a region. A dimension that is not a range prints as offset + layout. If the
// layout does not group by the shape, the piece prints as elements.
constexpr auto first_piece(layout const& l, shape const& s, place const& p) {
  return to_text(owned_by(l, s, p).front());
}
static_assert(first_piece(tile, {8, 16}, 8 * lane + 6 * warp) ==
              "(2:3, 8:10) holds S[((),(2)):((),(1@reg))]");
static_assert(first_piece("S[(4,2):(1,1@lane)]"_axe, 8, 1 * lane) ==
              "(1 + S[4:2]) holds S[((4)):((1))]");
static_assert(first_piece("S[(2,2,3):(6,1@lane,1)]"_axe, {12, 1}, 1 * lane) ==
              "(3 + S[(2,3):(6,1)], 0:1) holds S[((2,3),()):((6,1),())]");
static_assert(first_piece("S[(2,3):(1@lane,1)]"_axe, {3, 2}, 1 * lane) ==
              "elements 3:6 holds S[((3)):((1))]");
static_assert(first_piece("S[]"_axe, {}, 0 * lane) == "() holds S[]");

constexpr piece spread = owned_by("S[(2,2,3):(6,1@lane,1)]"_axe, {12, 1}, 1 * lane).front();
static_assert(spread.begin(0) == 3 && spread.extent(0) == 6 && !spread.contiguous(0) &&
              spread.along(0) == "S[(2,3):(6,1)]"_axe);
static_assert(spread.begin(1) == 0 && spread.extent(1) == 1 && spread.contiguous(1) &&
              spread.along(1) == "S[]"_axe);

static_assert(to_text(coverage("S[8:1]"_axe, {{m, 8}})) == "once");
static_assert(to_text(coverage("S[(4,7):(8,1)]"_axe, {{m, 32}})) == "holes: nothing at 7@m");
static_assert(to_text(coverage("S[2:1] + R[2:1]"_axe, {{m, 3}})) ==
              "contested: elements 0 and 1 at 1@m");
static_assert(to_text(coverage("S[2:2] + R[2:1]"_axe, {{m, 4}})) ==
              "copies: element 0 at 0@m and 1@m");

static_assert(to_text(difference("S[(2,4):(4,1)]"_axe, "S[8:1]"_axe)) == "none");
static_assert(to_text(difference("S[(2,4):(5,1)]"_axe, "S[8:1]"_axe)) ==
              "element 4: {5@m} and {4@m}");
static_assert(to_text(difference("S[4:1] + R[2:1]"_axe, "S[4:1]"_axe)) ==
              "element 0: {0@m, 1@m} and {0@m}");
static_assert(to_text(difference("S[4:1]"_axe, "S[8:1]"_axe)) == "element 4: nothing and {4@m}");

static_assert(to_text(region{{2, 5}, {0, 8}}) == "(2:5, 0:8)" && to_text(region{}) == "()");

// Every value that is printed can be streamed, into any class that takes text.
struct text_stream {
  text<400> written;
  constexpr text_stream& operator<<(char const* words) {
    written.put(words);
    return *this;
  }
};
constexpr auto streamed(auto const& x) {
  text_stream out;
  out << x << "; " << lane;
  return out.written;
}
static_assert(streamed(tile) ==
              "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp; lane");
static_assert(streamed(shape{8, {2, 4}}) == "(8,(2,4)); lane" &&
              streamed(places(tile, {8, 16}, {2, 9})) ==
                  "{8@lane + 6@warp + 1@reg, 8@lane + 10@warp + 1@reg}; lane");
static_assert(streamed(refusal{rule::extent_does_not_divide, {0, 5, 8}}) ==
              "dimension 0: the extent 8 is not a multiple of 5; lane");
// An outcome is streamed as its value or its sentence, also by the macros of test frameworks.
static_assert(streamed(try_parse("S[8:1]")) == "S[8:1]; lane" &&
              streamed(outcome<layout>{refusal{rule::extent_does_not_divide, {0, 5, 8}}}) ==
                  "dimension 0: the extent 8 is not a multiple of 5; lane");
template <class Stream, class X>
constexpr bool streams = requires(Stream& out, X const& x) { out << x; };
static_assert(streams<text_stream, layout> && streams<text_stream, axis> && !streams<int, layout> &&
              !streams<text_stream, tree_nodes>);

}  // namespace
