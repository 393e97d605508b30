// Implements pairs of f32 in 64 bits (PTX ISA, "Floating Point Instructions", .f32x2 of sm_100).
//
//     fma.rn.f32x2 d, a, b, c     d.lo = a.lo * b.lo + c.lo, d.hi = a.hi * b.hi + c.hi
#include <bit>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/single.hpp"

namespace machine {
namespace {

using numerics::rounding;
using pair = std::uint64_t;

float low(pair from) { return std::bit_cast<float>(static_cast<std::uint32_t>(from)); }
float high(pair from) { return std::bit_cast<float>(static_cast<std::uint32_t>(from >> 32)); }
pair joined(float low_half, float high_half) {
  return std::bit_cast<std::uint32_t>(low_half) |
         std::uint64_t{std::bit_cast<std::uint32_t>(high_half)} << 32;
}

template <rounding mode, bool ftz> struct option {
  static constexpr numerics::single_options how{mode, ftz, false};
};

template <class How> void add_basic(opcode_table& table, std::string const& tail) {
  table.lanes("add" + tail, [](pair a, pair b) -> pair {
    return joined(numerics::add(low(a), low(b), How::how),
                  numerics::add(high(a), high(b), How::how));
  });
  table.lanes("sub" + tail, [](pair a, pair b) -> pair {
    return joined(numerics::sub(low(a), low(b), How::how),
                  numerics::sub(high(a), high(b), How::how));
  });
  table.lanes("mul" + tail, [](pair a, pair b) -> pair {
    return joined(numerics::mul(low(a), low(b), How::how),
                  numerics::mul(high(a), high(b), How::how));
  });
}

template <rounding mode, bool ftz> void add_mode(opcode_table& table, char const* name) {
  using How = option<mode, ftz>;
  std::string const type = ftz ? ".ftz.f32x2" : ".f32x2";
  add_basic<How>(table, std::string(".") + name + type);
  if constexpr (mode == rounding::rn) add_basic<How>(table, type);
  table.lanes(std::string("fma.") + name + type, [](pair a, pair b, pair c) -> pair {
    return joined(numerics::fma(low(a), low(b), low(c), How::how),
                  numerics::fma(high(a), high(b), high(c), How::how));
  });
}

template <rounding mode> void add_modes(opcode_table& table, char const* name) {
  add_mode<mode, false>(table, name);
  add_mode<mode, true>(table, name);
}

}  // namespace

void add_single_pairs(opcode_table& table) {
  add_modes<rounding::rn>(table, "rn");
  add_modes<rounding::rz>(table, "rz");
  add_modes<rounding::rm>(table, "rm");
  add_modes<rounding::rp>(table, "rp");
}

}  // namespace machine
