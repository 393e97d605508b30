// Tests that printed values read back as the same value, and that other spellings print in the
// standard form.
#include <axe/axe.hpp>

namespace {

using namespace axe;

/// True if t reads and prints as t.
constexpr bool round(char const* t) {
  return to_text(parse(t)) == t && parse(to_text(parse(t)).c_str()) == parse(t);
}
/// True if t reads, and prints as `printed`.
constexpr bool reads(char const* t, char const* printed) {
  return to_text(parse(t)) == printed && parse(t) == parse(printed);
}

static_assert(round("S[]") && round("S[8:1]") && round("S[1:1]") && round("S[1:0]") &&
              round("S[(1,1):(0,0)]"));
static_assert(round("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"));
static_assert(round("S[(2,4):(4@lane,1)] + R[2:4@warp] - 3"));
static_assert(round("S[4:0]") && round("S[4:0@m]") && round("S[4:0@lane]") &&
              round("S[(2,3):(0,0@reg)]"));
static_assert(round("S[4:-1]") && round("S[4:-1@lane] + 3@lane") && round("S[(2,2):(-2,-1)] + 3"));
static_assert(round("S[] + R[2:1] + R[2:3] + R[4:-7@warp] + R[1:0]"));
static_assert(round("S[] + 128") && round("S[] - 128") &&
              round("S[] + 1@lane - 2@warp + 3@reg - 4@gpuid"));
static_assert(round("S[((2),(8)):((8),(1))]") && round("S[((8),()):((1),())]") &&
              round("S[((2,4),(8),()):((1,2),(0@m),())]"));
static_assert(round("S[((8)):((1))]") && round("S[((),()):((),())]") &&
              round("S[((2,3)):((3@lane,1))] + R[2:1] - 4"));
static_assert(round("swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)] + 128") &&
              round("swizzle(M=0,B=2,S=-2) o S[16:1]"));
static_assert(round("swizzle(M=4,B=1,S=3) o S[((8),(16)):((16),(1))] + R[2:128] - 16"));
static_assert(round("S[(128,7):(1@TLane,1@TCol)] + R[2:64@TLane] + 112@TCol"));
static_assert(round("S[9223372036854775807:1]") && round("S[1:9223372036854775807]") &&
              round("S[1:-9223372036854775808]"));
static_assert(round("S[] + 9223372036854775806") && round("S[] - 9223372036854775807@lane"));
static_assert(
    round("S[(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):"
          "(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24)]"));
static_assert(round("S[] + R[2:1] + R[2:2] + R[2:3] + R[2:4] + R[2:5] + R[2:6] + R[2:7] + R[2:8]"));
static_assert(round("S[] + 1@lane + 2@warp + 3@wg + 4@tid + 5@reg + 6 + 7@P + 8@F"));

// Without strides the layout is row-major on m. One iter needs no parentheses, and spaces may
// separate tokens.
static_assert(reads("S[(64,64)]", "S[(64,64):(64,1)]") && reads("S[8]", "S[8:1]") &&
              reads("S[(7,48,100)]", "S[(7,48,100):(4800,100,1)]"));
static_assert(reads("S[((2,4),(8))]", "S[((2,4),(8)):((32,8),(1))]") &&
              reads("S[(8):(1)]", "S[8:1]") && reads("S[8:(1)]", "S[8:1]"));
static_assert(reads("S[():()]", "S[]") && reads("S[()]", "S[]"));
static_assert(reads("  S [ ( 8 , 2 ) : ( 4 @ lane , - 1 ) ]\t+\nR[ 2 : 4@warp ]+5 @ warp  ",
                    "S[(8,2):(4@lane,-1)] + R[2:4@warp] + 5@warp"));
static_assert(reads("S[8:1@m]+3@m", "S[8:1] + 3") && reads("S[+8:+1]", "S[8:1]") &&
              reads("S[8:-0]", "S[8:0]"));

// Terms of the offset may be in any order. They are added up for each axis, a sum of 0 disappears,
// and the others print after R in the order in which their axes first appear.
static_assert(reads("S[8:1] + 3 + 4@lane - 1 - 4@lane", "S[8:1] + 2") &&
              reads("S[8:1] + 5 - 5", "S[8:1]") && reads("S[8:1] + 0@lane", "S[8:1]"));
static_assert(reads("S[8:1@lane] + 3@warp + R[2:4@warp] + 1@lane",
                    "S[8:1@lane] + R[2:4@warp] + 1@lane + 3@warp"));

// R may have several iters in one bracket, and the parameters of a swizzle may have no names.
static_assert(reads("S[8:1] + R[(2,3):(4@warp,1@lane)]", "S[8:1] + R[2:4@warp] + R[3:1@lane]") &&
              reads("S[8:1] + R[()  :()]", "S[8:1]"));
static_assert(reads("swizzle(3,2,1) o S[8]", "swizzle(M=3,B=2,S=1) o S[8:1]") &&
              reads("swizzle( M = 3 , B = 2 , S = -1 )o S[8]", "swizzle(M=3,B=2,S=-1) o S[8:1]"));
static_assert(reads("swizzle(3,0,3) o S[8:1]", "S[8:1]"), "a swizzle of 0 bits is dropped");

// Every axis can be read by both of its names.
constexpr bool named(char const* name, char const* also, axis a) {
  text<64> ours, other;
  for (text<64>* t : {&ours, &other}) {
    t->put("S[(2,3):(1@");
    t->put(t == &ours ? name : also);
    t->put(",5@P)]");
  }
  layout const l = parse(ours.c_str());
  return l.shards[0].on == a && parse(other.c_str()) == l &&
         (a == axis::m || to_text(l) == ours.c_str());
}
static_assert(named("lane", "laneid", axis::lane) && named("warp", "warpid", axis::warp) &&
              named("wid_in_wg", "wid_in_wg", axis::wid_in_wg));
static_assert(named("wg", "wgid", axis::wg) && named("tid_in_wg", "tid_in_wg", axis::tid_in_wg) &&
              named("tid", "tx", axis::tid));
static_assert(named("cta_x", "bx", axis::cta_x) && named("cta_y", "by", axis::cta_y) &&
              named("cta_z", "bz", axis::cta_z));
static_assert(named("cluster_cta_x", "cbx", axis::cluster_cta_x) &&
              named("cluster_cta_y", "cby", axis::cluster_cta_y));
static_assert(named("cluster_cta_z", "cbz", axis::cluster_cta_z) && named("m", "m", axis::m) &&
              named("reg", "reg", axis::reg));
static_assert(named("TLane", "Lane", axis::TLane) && named("TCol", "Col", axis::TCol) &&
              named("P", "P", axis::P));
static_assert(named("F", "F", axis::F) && named("Bank", "Bank", axis::Bank) &&
              named("gpuid", "gpuid", axis::gpuid) && named("pid", "pid", axis::pid));

// The caller can declare axes.
constexpr axis mesh_x = device_axis("mesh_x");
constexpr axis longest = memory_axis("A_b9_Zz_0");
constexpr notation mesh{mesh_x, longest};
static_assert(mesh("S[(2,4):(4@mesh_x,1@A_b9_Zz_0)] + 3@mesh_x") ==
              S({2, 4}, {4 * mesh_x, 1 * longest}) + 3 * mesh_x);
static_assert(to_text(mesh("S[(2,4):(4@mesh_x,1@A_b9_Zz_0)] + 3@mesh_x")) ==
              "S[(2,4):(4@mesh_x,1@A_b9_Zz_0)] + 3@mesh_x");
static_assert(mesh("S[2:1@lane]") == parse("S[2:1@laneid]"), "built-in names remain");

// A place prints a number for every axis that it names, even 0. It prints @m, which layouts leave
// out.
static_assert(to_text(place{8 * axes::lane, 0 * axes::reg, -3 * axes::m}) ==
                  "8@lane + 0@reg + -3@m" &&
              to_text(place{}) == "0");

// Text that does not fit ends in three dots.
static_assert(text<5>("12345") == "12345" && text<5>("123456") == "12..." &&
              text<5>("123456789") == "12...");
constexpr text<24> number(integer n) {
  text<24> t;
  t.put(n);
  return t;
}
static_assert(number(0) == "0" && number(-10) == "-10" &&
              number(9223372036854775807) == "9223372036854775807");
static_assert(number(-9223372036854775807 - 1) == "-9223372036854775808");

}  // namespace
