// Implements instructions between the lanes of a warp (PTX ISA, "shfl.sync", "vote.sync",
// "match.sync", "redux.sync", "activemask", "elect.sync", "bar.warp.sync").
//
//     shfl.sync.down.b32 d|p, a, b, c, m    d = a of lane + b if that is in the segment, else own a
//     c: clamp in bits 0-4, segment mask in bits 8-12; 0x1807 for segments of 8 lanes
#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

enum class direction { up, down, butterfly, index };

template <direction where, bool pair>
void shuffle(warp& w, instruction const& i, std::uint32_t mask) {
  constexpr unsigned a_at = pair ? 2 : 1;
  auto* const to = lanes_of<std::uint32_t>(w, i.at[0]);
  auto const* const a = lanes_of<std::uint32_t>(w, i.at[a_at]);
  auto const* const b = lanes_of<std::uint32_t>(w, i.at[a_at + 1]);
  auto const* const c = lanes_of<std::uint32_t>(w, i.at[a_at + 2]);
  std::uint32_t value[32];
  std::uint32_t inside = 0;
  for_lanes(mask, [&](unsigned lane) {
    auto const at = static_cast<std::int32_t>(lane);
    auto const amount = static_cast<std::int32_t>(b[lane] & 31u);
    auto const clamp = static_cast<std::int32_t>(c[lane] & 31u);
    auto const segment = static_cast<std::int32_t>((c[lane] >> 8) & 31u);
    std::int32_t const highest = (at & segment) | (clamp & ~segment);
    std::int32_t const lowest = at & segment;
    std::int32_t from = 0;
    bool fits = false;
    switch (where) {
      case direction::up:
        from = at - amount;
        fits = from >= highest;
        break;
      case direction::down:
        from = at + amount;
        fits = from <= highest;
        break;
      case direction::butterfly:
        from = at ^ amount;
        fits = from <= highest;
        break;
      case direction::index:
        from = lowest | (amount & ~segment);
        fits = from <= highest;
        break;
    }
    if (!fits) from = at;
    if (((mask >> from) & 1u) == 0)
      fault(w, i, lane, trouble::members, 0,
            say("reads from lane ", from, ", which does not take part"));
    value[lane] = a[from & 31];
    inside |= static_cast<std::uint32_t>(fits) << lane;
  });
  for_lanes(mask, [&](unsigned lane) { to[lane] = value[lane]; });
  if constexpr (pair) {
    auto& p = predicate_of(w, i.at[1]);
    p = (p & ~mask) | inside;
  }
}

void set_predicate(warp& w, std::uint32_t offset, std::uint32_t mask, bool value) {
  auto& p = predicate_of(w, offset);
  p = (p & ~mask) | (value ? mask : 0);
}

enum class vote { all, any, uniform };

template <vote kind> void vote_lanes(warp& w, instruction const& i, std::uint32_t mask) {
  std::uint32_t const yes = predicate_of(w, i.at[1]) & mask;
  bool const result = kind == vote::all   ? yes == mask
                      : kind == vote::any ? yes != 0
                                          : yes == mask || yes == 0;
  set_predicate(w, i.at[0], mask, result);
}

void ballot(warp& w, instruction const& i, std::uint32_t mask) {
  std::uint32_t const yes = predicate_of(w, i.at[1]) & mask;
  auto* const to = lanes_of<std::uint32_t>(w, i.at[0]);
  for_lanes(mask, [&](unsigned lane) { to[lane] = yes; });
}

template <class T> std::uint32_t lanes_equal(T const* a, std::uint32_t mask, unsigned lane) {
  std::uint32_t same = 0;
  for_lanes(mask, [&](unsigned other) {
    same |= static_cast<std::uint32_t>(a[other] == a[lane]) << other;
  });
  return same;
}

template <class T> void match_any(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const a = lanes_of<T>(w, i.at[1]);
  std::uint32_t value[32];
  for_lanes(mask, [&](unsigned lane) { value[lane] = lanes_equal(a, mask, lane); });
  for_lanes(mask, [&](unsigned lane) { lanes_of<std::uint32_t>(w, i.at[0])[lane] = value[lane]; });
}

template <class T, bool pair> void match_all(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const a = lanes_of<T>(w, i.at[pair ? 2 : 1]);
  bool const same = lanes_equal(a, mask, static_cast<unsigned>(std::countr_zero(mask))) == mask;
  for_lanes(mask,
            [&](unsigned lane) { lanes_of<std::uint32_t>(w, i.at[0])[lane] = same ? mask : 0; });
  if constexpr (pair) set_predicate(w, i.at[1], mask, same);
}

template <class T, class Operation> void reduce(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const a = lanes_of<T>(w, i.at[1]);
  T sum = a[std::countr_zero(mask)];
  for_lanes(mask & (mask - 1), [&](unsigned lane) { sum = Operation{}(sum, a[lane]); });
  for_lanes(mask, [&](unsigned lane) { lanes_of<T>(w, i.at[0])[lane] = sum; });
}

/// Implements redux.sync of f32 (sm_100a). -0 is below +0. NaN is ignored if there is a number;
/// with .NaN the result is NaN. .abs compares magnitudes.
template <bool least, bool magnitude, bool keeps_nan>
void reduce_floats(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const a = lanes_of<std::uint32_t>(w, i.at[1]);
  constexpr std::uint32_t canonical = 0x7fffffffu;
  std::uint32_t best = canonical;
  bool nan = false;
  // Maps floats to unsigned integers in the same order.
  auto const rank = [](std::uint32_t bits) {
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
  };
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t const bits = magnitude ? a[lane] & 0x7fffffffu : a[lane];
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
      nan = true;
    } else if (best == canonical || (least ? rank(bits) < rank(best) : rank(bits) > rank(best))) {
      best = bits;
    }
  });
  if (keeps_nan && nan) best = canonical;
  for_lanes(mask, [&](unsigned lane) { lanes_of<std::uint32_t>(w, i.at[0])[lane] = best; });
}

template <bool least> void add_redux_of_floats(opcode_table& table, char const* name) {
  table.add({say("redux.sync.", name, ".f32"), "f=fm", &reduce_floats<least, false, false>,
             control::member});
  table.add({say("redux.sync.", name, ".abs.f32"), "f=fm", &reduce_floats<least, true, false>,
             control::member});
  table.add({say("redux.sync.", name, ".NaN.f32"), "f=fm", &reduce_floats<least, false, true>,
             control::member});
  table.add({say("redux.sync.", name, ".abs.NaN.f32"), "f=fm", &reduce_floats<least, true, true>,
             control::member});
}

template <class T, class Operation>
void add_redux(opcode_table& table, char const* name, Operation) {
  table.add({say("redux.sync.", name), "w=wm", &reduce<T, Operation>, control::member});
}

/// The ISA lets any lane be elected; hardware was observed to elect the lowest, as here.
void elect(warp& w, instruction const& i, std::uint32_t mask) {
  auto const leader = static_cast<std::uint32_t>(std::countr_zero(mask));
  for_lanes(mask, [&](unsigned lane) { lanes_of<std::uint32_t>(w, i.at[0])[lane] = leader; });
  auto& p = predicate_of(w, i.at[1]);
  p = (p & ~mask) | (1u << leader);
}

void active_mask(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) { lanes_of<std::uint32_t>(w, i.at[0])[lane] = mask; });
}

void synchronise(warp& w, instruction const&, std::uint32_t) { order_lanes(w); }

template <direction where> void add_shuffle(opcode_table& table, char const* name) {
  table.add({say("shfl.sync.", name, ".b32"), "w=wwwm", &shuffle<where, false>, control::member});
  table.add({say("shfl.sync.", name, ".b32|"), "w|p=wwwm", &shuffle<where, true>, control::member});
}

}  // namespace

void add_collective(opcode_table& table) {
  add_shuffle<direction::up>(table, "up");
  add_shuffle<direction::down>(table, "down");
  add_shuffle<direction::butterfly>(table, "bfly");
  add_shuffle<direction::index>(table, "idx");
  table.add({"vote.sync.all.pred", "p=pm", &vote_lanes<vote::all>, control::member});
  table.add({"vote.sync.any.pred", "p=pm", &vote_lanes<vote::any>, control::member});
  table.add({"vote.sync.uni.pred", "p=pm", &vote_lanes<vote::uniform>, control::member});
  table.add({"vote.sync.ballot.b32", "w=pm", &ballot, control::member});
  table.add({"match.any.sync.b32", "w=wm", &match_any<std::uint32_t>, control::member});
  table.add({"match.any.sync.b64", "w=lm", &match_any<std::uint64_t>, control::member});
  table.add({"match.all.sync.b32", "w=wm", &match_all<std::uint32_t, false>, control::member});
  table.add({"match.all.sync.b64", "w=lm", &match_all<std::uint64_t, false>, control::member});
  table.add({"match.all.sync.b32|", "w|p=wm", &match_all<std::uint32_t, true>, control::member});
  table.add({"match.all.sync.b64|", "w|p=lm", &match_all<std::uint64_t, true>, control::member});
  using u = std::uint32_t;
  using s = std::int32_t;
  add_redux<u>(table, "add.u32", [](u a, u b) -> u { return a + b; });
  add_redux<u>(table, "add.s32", [](u a, u b) -> u { return a + b; });
  add_redux<u>(table, "min.u32", [](u a, u b) -> u { return b < a ? b : a; });
  add_redux<u>(table, "max.u32", [](u a, u b) -> u { return a < b ? b : a; });
  add_redux<s>(table, "min.s32", [](s a, s b) -> s { return b < a ? b : a; });
  add_redux<s>(table, "max.s32", [](s a, s b) -> s { return a < b ? b : a; });
  add_redux<u>(table, "and.b32", [](u a, u b) -> u { return a & b; });
  add_redux<u>(table, "or.b32", [](u a, u b) -> u { return a | b; });
  add_redux<u>(table, "xor.b32", [](u a, u b) -> u { return a ^ b; });
  add_redux_of_floats<true>(table, "min");
  add_redux_of_floats<false>(table, "max");
  table.add({"elect.sync|", "w|p=m", &elect, control::member});
  table.add({"activemask.b32", "w=", &active_mask});
  table.add({"bar.warp.sync", "=m", &synchronise, control::member});
}

}  // namespace machine
