// Implements mov, packing and unpacking, and the changes of width that the assembler inserts.
//
//     mov.b32.pack2      d = part0 | part1 << 16          resize.2.4.s   sign-extends 16 bits to 32
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

struct wide {
  std::uint64_t low, high;
};

template <class Whole, class Part, unsigned parts>
void pack(warp& w, instruction const& i, std::uint32_t mask) {
  auto* const whole = lanes_of<Whole>(w, i.at[0]);
  for_lanes(mask, [&](unsigned lane) {
    Part value[parts];
    for (unsigned p = 0; p < parts; ++p) value[p] = lanes_of<Part>(w, i.at[1 + p])[lane];
    __builtin_memcpy(&whole[lane], value, sizeof(Whole));
  });
}

template <class Whole, class Part, unsigned parts>
void unpack(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const whole = lanes_of<Whole>(w, i.at[parts]);
  for_lanes(mask, [&](unsigned lane) {
    Part value[parts];
    __builtin_memcpy(value, &whole[lane], sizeof(Whole));
    for (unsigned p = 0; p < parts; ++p) lanes_of<Part>(w, i.at[p])[lane] = value[p];
  });
}

template <class Whole, class Part> void add_packing(opcode_table& table) {
  constexpr unsigned parts = sizeof(Whole) / sizeof(Part);
  table.add({say("mov.b", 8 * sizeof(Whole), ".pack", parts), "", &pack<Whole, Part, parts>});
  table.add({say("mov.b", 8 * sizeof(Whole), ".unpack", parts), "", &unpack<Whole, Part, parts>});
}

template <class From, class To> void add_resize(opcode_table& table) {
  using signed_from = std::make_signed_t<From>;
  using signed_to = std::make_signed_t<To>;
  table.lanes(say("resize.", sizeof(From), '.', sizeof(To), ".u"),
              [](From a) -> To { return static_cast<To>(a); });
  if constexpr (sizeof(To) > sizeof(From))
    table.lanes(say("resize.", sizeof(From), '.', sizeof(To), ".s"), [](From a) -> To {
      return static_cast<To>(static_cast<signed_to>(static_cast<signed_from>(a)));
    });
}

template <class From> void add_resizes(opcode_table& table) {
  if constexpr (sizeof(From) != 1) add_resize<From, std::uint8_t>(table);
  if constexpr (sizeof(From) != 2) add_resize<From, std::uint16_t>(table);
  if constexpr (sizeof(From) != 4) add_resize<From, std::uint32_t>(table);
  if constexpr (sizeof(From) != 8) add_resize<From, std::uint64_t>(table);
}

void move_wide(warp& w, instruction const& i, std::uint32_t mask) {
  auto* const to = lanes_of<wide>(w, i.at[0]);
  auto const* const from = lanes_of<wide>(w, i.at[1]);
  for_lanes(mask, [&](unsigned lane) { to[lane] = from[lane]; });
}

}  // namespace

void add_moves(opcode_table& table) {
  table.lanes("mov.b8", [](std::uint8_t a) { return a; });
  table.lanes("mov.b16", [](std::uint16_t a) { return a; });
  table.lanes("mov.b32", [](std::uint32_t a) { return a; });
  table.lanes("mov.b64", [](std::uint64_t a) { return a; });
  table.lanes("mov.pred", [](bool a) { return a; });
  table.lanes("not.pred", [](bool a) { return !a; });
  table.add({"mov.b128", "q=q", &move_wide});
  add_packing<std::uint16_t, std::uint8_t>(table);
  add_packing<std::uint32_t, std::uint16_t>(table);
  add_packing<std::uint32_t, std::uint8_t>(table);
  add_packing<std::uint64_t, std::uint32_t>(table);
  add_packing<std::uint64_t, std::uint16_t>(table);
  add_packing<wide, std::uint64_t>(table);
  add_packing<wide, std::uint32_t>(table);
  add_resizes<std::uint8_t>(table);
  add_resizes<std::uint16_t>(table);
  add_resizes<std::uint32_t>(table);
  add_resizes<std::uint64_t>(table);
}

}  // namespace machine
