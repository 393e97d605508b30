// Integer arithmetic with carries (PTX ISA, "Extended-Precision Integer Arithmetic Instructions").
//
//     add.cc     a + b
//     sub.cc     a + ~b + 1
//     subc.cc    a + ~b + carry
//
// carry = 1 if the sum overflows. So after sub.cc it is 1 if there is no borrow. The ISA says
// "borrow", but nvcc's 128-bit division adds the flag with addc and is correct only with the carry.
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

__extension__ using u128 = unsigned __int128;

constexpr std::uint32_t carry_offset = 0;  // the carry is the first register of every frame

/// Adds `first`, the second operand (inverted if `subtracts`), and the carry. Without `carry_in`
/// the carry is 1 if `subtracts`, else 0.
template <class T, bool carry_in, bool carry_out, bool subtracts, class First>
void extended(warp& w, instruction const& i, std::uint32_t mask, First first,
              std::uint32_t second_offset) {
  auto* const to = lanes_of<T>(w, i.at[0]);
  auto const* const second = lanes_of<T>(w, second_offset);
  std::uint32_t& carry = predicate_of(w, carry_offset);
  std::uint32_t carried = 0;
  for_lanes(mask, [&](unsigned lane) {
    T const b = subtracts ? static_cast<T>(~second[lane]) : second[lane];
    T const plus =
        carry_in ? static_cast<T>((carry >> lane) & 1u) : static_cast<T>(subtracts ? 1 : 0);
    u128 const sum = static_cast<u128>(first(lane)) + b + plus;
    to[lane] = static_cast<T>(sum);
    carried |= static_cast<std::uint32_t>((sum >> (8 * sizeof(T))) & 1u) << lane;
  });
  if (carry_out) carry = (carry & ~mask) | carried;
}

template <class T, bool carry_in, bool carry_out, bool subtracts>
void sum(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const a = lanes_of<T>(w, i.at[1]);
  extended<T, carry_in, carry_out, subtracts>(
      w, i, mask, [a](unsigned lane) { return a[lane]; }, i.at[2]);
}

template <class T, bool high, bool carry_in, bool carry_out>
void multiply_add(warp& w, instruction const& i, std::uint32_t mask) {
  using bits = std::make_unsigned_t<T>;
  __extension__ using s128 = __int128;
  auto const* const a = lanes_of<T>(w, i.at[1]);
  auto const* const b = lanes_of<T>(w, i.at[2]);
  extended<bits, carry_in, carry_out, false>(
      w, i, mask,
      [a, b](unsigned lane) -> bits {
        if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>) {
          u128 const product = static_cast<u128>(a[lane]) * b[lane];
          return static_cast<bits>(high ? product >> 64 : product);
        } else {
          s128 const product = static_cast<s128>(a[lane]) * b[lane];
          return static_cast<bits>(high ? product >> (8 * sizeof(T)) : product);
        }
      },
      i.at[3]);
}

template <class T> void add_type(opcode_table& table, char const* type) {
  using bits = std::make_unsigned_t<T>;
  std::string const two = sizeof(T) == 4 ? "w=ww" : "l=ll";
  std::string const three = sizeof(T) == 4 ? "w=www" : "l=lll";
  table.add({say("add.cc.", type), two, &sum<bits, false, true, false>});
  table.add({say("addc.", type), two, &sum<bits, true, false, false>});
  table.add({say("addc.cc.", type), two, &sum<bits, true, true, false>});
  table.add({say("sub.cc.", type), two, &sum<bits, false, true, true>});
  table.add({say("subc.", type), two, &sum<bits, true, false, true>});
  table.add({say("subc.cc.", type), two, &sum<bits, true, true, true>});
  table.add({say("mad.lo.cc.", type), three, &multiply_add<T, false, false, true>});
  table.add({say("mad.hi.cc.", type), three, &multiply_add<T, true, false, true>});
  table.add({say("madc.lo.", type), three, &multiply_add<T, false, true, false>});
  table.add({say("madc.hi.", type), three, &multiply_add<T, true, true, false>});
  table.add({say("madc.lo.cc.", type), three, &multiply_add<T, false, true, true>});
  table.add({say("madc.hi.cc.", type), three, &multiply_add<T, true, true, true>});
}

}  // namespace

void add_carry(opcode_table& table) {
  add_type<std::uint32_t>(table, "u32");
  add_type<std::int32_t>(table, "s32");
  add_type<std::uint64_t>(table, "u64");
  add_type<std::int64_t>(table, "s64");
}

}  // namespace machine
