// SPDX-License-Identifier: MIT
// plan_convert(from, to, width): how warps convert one register layout into another.
//
//     S[(8,4,2):(4@lane,1@lane,1@reg)] to S[(4,2,8):(1@lane,1@reg,4@lane)]    2 shuffles, 16 bits
//     S[(4,32):(1@warp,1@lane)] to S[(32,4):(1@lane,1@warp)]                  shared memory
//
// bits.hpp plans layouts of powers of two, schedule.hpp others. If a plan exceeds shuffle_bound,
// the router (route.hpp) searches for a shorter one. Definition: docs/algebra.md, D21.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/convert/engine/bits.hpp>
#include <axe/convert/engine/route.hpp>
#include <axe/convert/engine/schedule.hpp>
#include <axe/convert/engine/shared.hpp>
#include <axe/convert/engine/within_warp.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Inserts a 0 at each bit of the mask `gaps`.
AXE_LAZY_FN constexpr int spread(int value, int gaps) {
  for (int gap = 1; gap <= gaps; gap *= 2)
    if ((gaps & gap) != 0) value += value & -gap;
  return value;
}

AXE_LAZY_FN constexpr void remove_bit(place_bits& bits, int element_bit) {
  for (int p = bits.position(element_bit); p + 1 < place_bits::first_lane_bit; ++p)
    bits.at[p] = bits.at[p + 1];
  bits.at[place_bits::first_lane_bit - 1] = place_bits::absent;
  for (int& b : bits.at)
    if (b > element_bit) --b;
  --bits.elements;
}

AXE_LAZY_FN constexpr bool add_repeats(conversion_plan& plan, integer times, integer source,
                                       integer target) {
  int const n = plan.repeats.size();
  for (integer j = 1; j < times; ++j)
    for (int r = 0; r < n; ++r)
      if (!plan.repeats.push({static_cast<int>(plan.repeats[r].source + j * source),
                              static_cast<int>(plan.repeats[r].target + j * target)}))
        return false;
  return true;
}

/// The program of one repeat. Its words are numbered without gaps.
struct repeat_program {
  program steps;
  value_list source_words, target_words;

  AXE_FN constexpr explicit repeat_program(int inputs) {
    steps.inputs = inputs;
    for (int w = 0; w < inputs; ++w) source_words.push(w);
  }
  AXE_FN constexpr int shuffles() const { return count_steps(steps.steps, conversion_op::shuffle); }
};

AXE_LAZY_FN constexpr void shorten_by_router(warp_exchange const& x, int bound, step_limit steps,
                                             repeat_program& made) {
  // In a constant expression, larger tables use most of the compiler's step limit.
  if (__builtin_is_constant_evaluated() && 80 * x.elements > steps.allowed) return;
  integer left = steps.allowed;
  // With this limit, the search takes less than a second at run time.
  if (!__builtin_is_constant_evaluated())
    left = 2048 * smaller(left, smaller(18'000, 64 * count_paths(x)));
  int most = made.steps.overflowed ? congestion::most_rounds + 1 : made.shuffles();
  while (bound < most) {
    int const rounds = (bound + most) / 2;
    round_list route;
    step_limit share(left - left / 6);
    bool const found = find_route(x, rounds, share, route);
    left -= share.taken;
    repeat_program shorter(made.source_words.size());
    if (found)
      shorter.target_words =
          exchange_writer{x, route, made.source_words, shorter.steps}.write(prefer::own);
    if (found && !shorter.steps.overflowed) {
      made = shorter;
      most = made.shuffles();
    } else {
      bound = rounds + 1;
    }
  }
}

/// Two repeats use words whose numbers differ only in the bits of `source_gaps` and `target_gaps`.
/// `made` numbers words without these bits.
AXE_LAZY_FN constexpr bool finish(warp_exchange const& x, step_limit steps, repeat_program& made,
                                  int source_gaps, int target_gaps, conversion_plan& plan) {
  plan.shuffle_bound = shuffle_bound(x, plan.repeats.size());
  shorten_by_router(x, shuffle_bound(x), steps, made);
  if (made.steps.overflowed) return false;
  for (int const w : made.source_words) plan.inputs.push(spread(w, source_gaps));
  plan.steps = made.steps.steps;
  plan.maps = made.steps.maps;
  bool moves = plan.steps.count > 0;
  for (int w = 0; w < made.target_words.size(); ++w) {
    int const value = made.target_words[w], word = spread(w, target_gaps);
    if (value < 0) continue;
    plan.outputs.push({word, value});
    moves = moves || plan.inputs[value] != word;
  }
  for (conversion_repeat const& r : plan.repeats) moves = moves || r.source != r.target;
  plan.kind = plan.shuffles() > 0 ? conversion_kind::lanes
              : moves             ? conversion_kind::registers
                                  : conversion_kind::nothing;
  return true;
}

struct bit_pair {
  place_bits source, target;
};

/// Y bits that select neither an element of a word nor one of a packet select a repeat.
AXE_LAZY_FN constexpr bool plan_bits(bit_pair of, int per_word_bits, step_limit steps,
                                     conversion_plan& plan) {
  bit_exchange const whole(of.source, of.target, per_word_bits);
  bit_list const packet = packet_bits(whole);
  int source_gaps = 0, target_gaps = 0, removed = 0;
  for (int bit : whole.y) {
    int const here = whole.source.position(bit) - per_word_bits,
              there = whole.target.position(bit) - per_word_bits;
    if (packet.contains(bit) || here < 0 || there < 0) continue;
    if (!add_repeats(plan, 2, integer{1} << here, integer{1} << there)) return false;
    source_gaps |= 1 << here;
    target_gaps |= 1 << there;
    // Bits of Y ascend, and each removed one lowers the numbers of those above it.
    remove_bit(of.source, bit - removed);
    remove_bit(of.target, bit - removed++);
  }
  warp_exchange const x(access_of_bits(of.source), access_of_bits(of.target), 1 << per_word_bits);
  if (!x.fits) return false;
  bit_pair all = of;  // with lane bits that neither side uses, so that all lanes do the same
  for (int p = place_bits::first_lane_bit; p < place_bits::first_lane_bit + 5; ++p)
    if (of.source.at[p] == place_bits::absent && of.target.at[p] == place_bits::absent)
      all.source.at[p] = all.target.at[p] = place_bits::idle;
  repeat_program made(x.source.words(x.per_word));
  made.target_words =
      convert_bits(all.source, all.target, per_word_bits, made.source_words, made.steps);
  return finish(x, steps, made, source_gaps, target_gaps, plan);
}

AXE_LAZY_FN constexpr bool plan_tables(layout const& from, layout const& to, int per_word,
                                       step_limit steps, conversion_plan& plan) {
  warp_exchange const x(register_access(from, false), register_access(to, false), per_word);
  // In a constant expression, larger tables exceed compilers' limits.
  if (!x.fits || (__builtin_is_constant_evaluated() && x.elements > 512)) return false;
  round_list rounds;
  repeat_program made(x.source.words(per_word));
  made.steps.overflowed = !schedule(x, rounds);
  if (!made.steps.overflowed)
    made.target_words =
        exchange_writer{x, rounds, made.source_words, made.steps}.write(prefer::own);
  return finish(x, steps, made, 0, 0, plan);
}

/// False if a side has no place bits, or if `to` uses a lane bit that `from` does not use.
AXE_LAZY_FN constexpr bool read_bit_pair(layout const& from, layout const& to, bit_pair& pair) {
  bool bits = read_place_bits(from, pair.source) && read_place_bits(to, pair.target);
  for (int p = place_bits::first_lane_bit; p < place_bits::first_lane_bit + 5 && bits; ++p)
    bits = pair.source.at[p] != place_bits::absent || pair.target.at[p] == place_bits::absent;
  return bits;
}

AXE_LAZY_FN constexpr bool plan_in_warp(layout from, layout to, int per_word, step_limit steps,
                                        conversion_plan& plan) {
  plan.repeats.push({static_cast<int>(start_at_word_0(from, per_word)),
                     static_cast<int>(start_at_word_0(to, per_word))});
  int const per_word_bits = exact_log2(per_word);
  bit_pair pair;
  if (read_bit_pair(from, to, pair)) return plan_bits(pair, per_word_bits, steps, plan);
  layout once_from = from, once_to = to;
  conversion_plan repeated = plan;
  for (common_digit c; take_common(once_from, once_to, per_word, per_word == 1, c);)
    if (!add_repeats(repeated, c.extent, c.source, c.target)) return false;
  if (repeated.repeats.size() == 1) return plan_tables(from, to, per_word, steps, plan);
  // With full packets, one plan for all repeats saves no shuffles.
  if (read_bit_pair(once_from, once_to, pair) &&
      (per_word == 1 ||
       bit_exchange(pair.source, pair.target, per_word_bits).y.size() >= per_word_bits)) {
    plan = repeated;
    return plan_bits(pair, per_word_bits, steps, plan);
  }
  if (per_word > 1) return plan_tables(from, to, per_word, steps, plan);
  if (!plan_tables(once_from, once_to, per_word, steps, repeated)) return false;
  // In one plan, repeats may share rounds.
  if (repeated.shuffle_bound % repeated.repeats.size() == 0 ||
      !plan_tables(from, to, per_word, steps, plan) || repeated.shuffles() <= plan.shuffles())
    plan = repeated;
  return true;
}

}  // namespace detail

/// `width` is 8, 16, 32 or 64 bits. Rejects layouts of different sizes, elements that leave their
/// CTA, and what within_warp.hpp rejects. Elements may share a register of `to` only if they share
/// one of `from`.
AXE_LAZY_FN constexpr outcome<conversion_plan> try_plan_convert(
    layout const& from, layout const& to, integer width,
    step_limit steps = step_limit::of_long_steps()) {
  using namespace detail;
  if (width != 8 && width != 16 && width != 32 && width != 64)
    return refusal{rule::register_width, {width}};
  int const bits = static_cast<int>(width);
  outcome<layout> operands[2];
  if (refusal const bad = check_conversion(from, to, bits, operands)) return bad;
  auto [source, target] = operands;
  bool same_ctas = true;
  if (refusal const bad = check_inside_cta(*source, *target, steps, same_ctas)) return bad;
  refusal const contested = check_injective(source, rule::registers_contested);
  bool merged = true;
  if (contested) {
    outcome<layout> const first = try_canonicalize(first_of_equal(*source));
    if (check_injective(first, rule::registers_contested)) return contested;
    merged = merge_equal(source, target);
  }
  if (refusal const bad = check_unequal(*operands[0], *operands[1], target, steps)) return bad;
  conversion_plan plan;
  plan.width = bits;
  layout sides[2] = {inside_warp(*source), inside_warp(*target)};
  if (bits == 64)
    for (layout& side : sides) {
      outcome<layout> const halves = unpack_of(valid_layout::proved(side), 2, axis::reg, steps);
      if (halves.why) return halves.why;
      side = *halves;
    }
  int const per_word = bits == 64 ? 1 : 32 / bits;
  plan.source_words = words_of(sides[0], per_word);
  plan.target_words = words_of(sides[1], per_word);
  if (merged && same_warps(*source, *target, steps)) {
    conversion_plan inside = plan;
    if (plan_in_warp(sides[0], sides[1], per_word, steps, inside)) return inside;
  }
  for (outcome<layout>& side : operands)
    if (same_ctas) side = in_each_cta(*side);
  return plan_through_shared(*operands[0], *operands[1], static_cast<bool>(contested), plan, steps);
}

AXE_LAZY_FN constexpr conversion_plan plan_convert(layout const& from, layout const& to,
                                                   integer width) {
  return detail::stop_on(try_plan_convert(from, to, width), "plan_convert", {&from, &to});
}

namespace detail {

template <class From, class To, int Width> struct planned_conversion {
  static constexpr outcome<conversion_plan> result =
      try_plan_convert(From::value, To::value, Width);

  AXE_FN static constexpr refusal_text text() {
    return text_of_call("plan_convert", result.why, From::value, To::value);
  }
};

}  // namespace detail

template <carries_layout From, carries_layout To, int Width> struct conversion {
  using stop [[maybe_unused]] = detail::verdict<detail::planned_conversion<From, To, Width>>::stop;
  static constexpr conversion_plan plan = detail::planned_conversion<From, To, Width>::result.value;
  static constexpr int source_words = plan.source_words, target_words = plan.target_words;
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
