// Tests instructions with a member mask, for whole warps and half warps: each lane is compared with
// the definition.
#include <bit>
#include <cmath>
#include <iterator>

#include "rows/harness.hpp"
#include "rows/ptx.hpp"

namespace machine_rows {
namespace {

using machine::say;

struct lane_view {
  std::uint64_t const* in;  // for each lane 8 words, of which the first three are a, b, c
  std::uint32_t members;
  [[nodiscard]] std::uint64_t a(unsigned lane) const { return in[lane * slots]; }
};

words shuffled(name_parts const& name, lane_view const& v, unsigned lane) {
  auto const b = static_cast<int>(v.in[lane * slots + 1] & 31);
  auto const c = static_cast<unsigned>(v.in[lane * slots + 2]);
  // Bits 8 to 12 divide the warp into segments; the clamp bounds the source lane in its segment.
  unsigned const segment = (c >> 8) & 31, clamp = c & 31;
  auto const here = static_cast<int>(lane);
  auto const bound = static_cast<int>((lane & segment) | (clamp & ~segment));
  int from = here;
  bool inside = true;
  if (name.has("up")) inside = (from = here - b) >= bound;
  if (name.has("down")) inside = (from = here + b) <= bound;
  if (name.has("bfly")) inside = (from = here ^ b) <= bound;
  if (name.has("idx"))
    inside = (from = static_cast<int>((lane & segment) | (static_cast<unsigned>(b) & ~segment))) <=
             bound;
  return {v.a(inside ? static_cast<unsigned>(from) : lane), inside ? 1u : 0u};
}

/// Returns the minimum or maximum of f32 over the members, in double; zeros are ordered by sign.
std::uint32_t extreme_float(name_parts const& name, lane_view const& v) {
  bool const least = name.has("min");
  bool found = false, nan = false;
  float best = 0;
  for (unsigned k = 0; k < 32; ++k) {
    if (((v.members >> k) & 1) == 0) continue;
    float x = std::bit_cast<float>(static_cast<std::uint32_t>(v.a(k)));
    if (std::isnan(x)) {
      nan = true;
      continue;
    }
    if (name.has("abs")) x = std::fabs(x);
    double const a = x, b = best;
    bool const below = a < b || (a == b && std::signbit(x) && !std::signbit(best));
    bool const above = a > b || (a == b && !std::signbit(x) && std::signbit(best));
    if (!found || (least ? below : above)) best = x;
    found = true;
  }
  if (!found || (nan && name.has("NaN"))) return 0x7fffffffu;
  return std::bit_cast<std::uint32_t>(best);
}

words wanted(name_parts const& name, lane_view const& v, unsigned lane) {
  if (name.opcode == "redux" && name.last() == "f32") return {extreme_float(name, v)};
  std::string const& op = name.opcode;
  std::uint32_t yes = 0, same = 0;
  bool all_equal = true;
  unsigned const first = static_cast<unsigned>(std::countr_zero(v.members));
  s128 sum =
      name.has("min") || name.has("max") || name.has("and") ? integer(v.a(first), name.last()) : 0;
  for (unsigned k = 0; k < 32; ++k) {
    if (((v.members >> k) & 1) == 0) continue;
    yes |= static_cast<std::uint32_t>(v.a(k) & 1) << k;
    same |= static_cast<std::uint32_t>(v.a(k) == v.a(lane)) << k;
    all_equal = all_equal && v.a(k) == v.a(first);
    s128 const value = integer(v.a(k), name.last());
    if (name.has("add")) sum += value;
    if (name.has("min") && value < sum) sum = value;
    if (name.has("max") && value > sum) sum = value;
    if (name.has("and")) sum &= value;
    if (name.has("or")) sum |= value;
    if (name.has("xor")) sum ^= value;
  }
  if (op == "shfl") return shuffled(name, v, lane);
  if (name.has("ballot")) return {yes};
  if (name.has("all") && op == "vote") return {yes == v.members};
  if (name.has("any") && op == "vote") return {yes != 0};
  if (name.has("uni")) return {yes == 0 || yes == v.members};
  if (op == "match" && name.has("any")) return {same};
  if (op == "match") return {all_equal ? v.members : 0, all_equal};
  if (op == "redux") return {cut(sum, 32)};
  if (op == "elect") return {first, lane == first};
  return {};
}

std::string sources_of(machine::table_row const& row) {
  return row.signature.substr(row.signature.find('=') + 1);
}
bool has_two_results(machine::table_row const& row) {
  return row.signature.find('|') != std::string::npos;
}

/// Returns ", %m, %a0, %b0": a register for each letter of the signature.
std::string arguments_of(std::string const& sources) {
  std::string text;
  char const* words_of_32[] = {", %a0", ", %b0", ", %c0"};
  auto next = std::begin(words_of_32);
  for (char const letter : sources) {
    if (letter == 'm') text += ", %m";
    if (letter == 'p') text += ", %p1";
    if (letter == 'l') text += ", %l0";
    if (letter == 'w' || letter == 'f') text += *next++;
  }
  return text;
}

/// The kernel executes the instruction in the lanes of the member mask.
std::string kernel_of(machine::table_row const& row) {
  std::string const sources = sources_of(row);
  bool const pair = has_two_results(row);
  bool const predicate = row.signature[0] == 'p' && !pair;
  bool const wide = sources[0] == 'l';
  std::string const clear_a = wide ? "mov.u32 %a0, 0;" : "";
  return kernel(
      R"(
  .reg .b32 %a0, %b0, %c0, %d0, %m, %x;
  .reg .b64 %l0;
  .reg .pred %p<3>;
)",
      filled(R"(
  $CLEAR_A
  ld.global.u32 %m, [%in+32];
  shr.u32 %x, %m, %lane;
  and.b32 %x, %x, 1;
  setp.eq.u32 %p0, %x, 0;
  @%p0 bra DONE;
  $LOAD_A
  ld.global.b32 %b0, [%in+8];
  ld.global.b32 %c0, [%in+16];
  and.b32 %x, %a0, 1;
  setp.ne.u32 %p1, %x, 0;
  setp.eq.u32 %p2, %lane, 77;
  $CLEAR_A
  $NAME $RESULTS$ARGUMENTS;
  $SELECT
  st.global.u32 [%out], %d0;
  selp.u32 %d0, 1, 0, %p2;
  st.global.u32 [%out+8], %d0;
DONE:
)",
             {{"$CLEAR_A", clear_a},
              {"$LOAD_A", wide ? "ld.global.b64 %l0, [%in];" : "ld.global.b32 %a0, [%in];"},
              {"$NAME", row_name(row)},
              {"$RESULTS", predicate ? "%p2"
                           : pair    ? "%d0|%p2"
                                     : "%d0"},
              {"$ARGUMENTS", arguments_of(sources)},
              {"$SELECT", predicate ? "selp.u32 %d0, 1, 0, %p2;" : ""}}));
}

/// Random operands a, b and c of each lane, and the member mask of each warp.
std::vector<std::uint64_t> operands_of(machine::table_row const& row, name_parts const& name) {
  std::string const sources = sources_of(row);
  bool const wide = sources[0] == 'l';
  generator random;
  std::vector<std::uint64_t> in(sets * slots, 0);
  bool const shuffle = name.opcode == "shfl";
  for (unsigned set = 0; set < sets; ++set) {
    std::uint64_t const mask = wide ? ~std::uint64_t{0} : 0xffffffffu;
    unsigned const warp = set / 32;
    std::uint64_t value = interesting(random, wide ? 'l' : 'w', row.name) & mask;
    if (sources[0] == 'f') {
      // Some warps have numbers, some NaNs, some both; zeros have both signs.
      value = interesting(random, 'f', row.name) & mask;
      bool const nan = (value & 0x7fffffffu) > 0x7f800000u;
      if (warp % 4 == 0 && nan) value &= 0xbfffffffu;
      if (warp % 4 == 1) value = 0x7fc00000u | (value & 0x803fffffu);
      if (warp % 4 == 2) value = random() % 3 == 0 ? 0x80000000u : 0;
    }
    if (name.opcode == "match")
      value = warp % 3 == 0 ? 42 : random() % 5 | (wide ? std::uint64_t{random() % 2} << 40 : 0);
    if (name.opcode == "vote") value = warp % 4 == 0 ? 1 : warp % 4 == 1 ? 0 : random();
    in[set * slots] = value & mask;
    in[set * slots + 1] = random() & 31;
    unsigned const widths[] = {32, 16, 8, 4};
    unsigned const segment = 32 - widths[warp % 4];
    in[set * slots + 2] = segment << 8 | (name.has("up") ? 0 : 31 - (warp / 4 % 2 == 1 ? 3 : 0));
    in[set * slots + 4] = shuffle || warp % 2 == 0 ? 0xffffffffu : 0x5a5a5a5au;
  }
  return in;
}

}  // namespace

verdict test_collective(machine::table_row const& row) {
  auto const name = split(row.name);
  auto const in = operands_of(row, name);
  auto const out = launch(kernel_of(row), in);
  for (unsigned set = 0; set < sets; ++set) {
    unsigned const lane = set % 32;
    lane_view const v{&in[set / 32 * 32 * slots], static_cast<std::uint32_t>(in[set * slots + 4])};
    if (((v.members >> lane) & 1) == 0) continue;
    auto const want = wanted(name, v, lane);
    if (want.empty()) return say(row.name, " has no formula");
    if (out[set * slots] != want[0] ||
        (want.size() > 1 && has_two_results(row) && out[set * slots + 1] != want[1]))
      return say(row.name, " gives lane ", lane, " of warp ", set / 32, ' ',
                 in_hexadecimal({out[set * slots], out[set * slots + 1]}),
                 "; the definition gives ", in_hexadecimal(want));
  }
  return {};
}

}  // namespace machine_rows
