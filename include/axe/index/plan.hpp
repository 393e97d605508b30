// From a layout and what is known of each coordinate to the registers that an address is made of: everything that is decided before the program runs.
//
//     L = swizzle(3,3,3) o S[(64,64):(64,1)] of 16-bit elements, row = t.bits<0,4>(), column = 8 * t.bits<4,1>() + constants
//     one register t of 32; bytes: columns 128 256 512 1024 | 16, swizzled 144 288 576 1024 | 16; the bits of constants below 32 are free
//
// 1. The shape's dimensions are matched with the layout's digits; dimensions that share a digit are one coordinate (its flat index, still part by part).
// 2. Parts that could carry across a digit are added at run time and decoded once; the others become weighted quotients of their registers.
// 3. Under a swizzle of period P, f(a + b) = f(a) + b where P divides b: what adds multiples of P may go past the swizzle, beyond it. What is left must be F2-linear and
//    bit-disjoint (split form); where it is not, all of it is added up and the sum is swizzled (literal form). Constants are xor-ed into either where their bits are free.
// 4. Each register takes its cheapest evaluation.
// Units: bytes. Refused at compile time: a swizzle over elements whose bytes are no power of two (its chunks would be no bits of the address), what
// `group` refuses of the shape, a layout with replicas or on more axes than one.
// Definition: docs/index.md, "The plan".
#pragma once

#include <axe/algebra/blocks.hpp>
#include <axe/index/evaluation.hpp>
#include <axe/map/reach.hpp>

namespace axe::inline AXE_NAMESPACE::detail {

/// How the swizzle is applied: not at all, to each bit by itself, or to the sum of all registers.
enum class swizzling : unsigned char { none, split, literal };

inline constexpr int most_registers = 16;
inline constexpr int most_parts = 32;
/// The plane of registers that add multiples of the swizzle's period and go past it. Planes 0 and 1 are under the swizzle.
inline constexpr int beyond = 2;

/// A register of the plan: a part's raw register, its digit alone, the part itself, or the coordinate of a run of dimensions added up.
enum class origin : unsigned char { raw, field, part, sum };

struct planned_register {
  register_plan plan;
  int plane = 0;
  origin from = origin::raw;
  int index = 0;  // of the part, or of the run
  integer range = 0;
  integer weight = 0;  // of a part in its run's flat index
};

/// Dimensions first … first + count - 1, which share digits; a coordinate in them is their flat index.
struct dimension_run {
  dimension_digits digits;
  int first = 0;
  int count = 0;
  bool added_up = false;  // its parts carry: one register is their sum, constants included

  AXE_FN constexpr bool holds(int dimension) const { return dimension >= first && dimension < first + count; }
};

struct address_plan {
  refusal why{};
  list<dimension_run, capacity::shards> runs;
  list<integer, capacity::shards> weights;  // of dimension d in its run's flat index
  list<planned_register, most_registers> registers;
  swizzling mode = swizzling::none;
  axe::swizzle swizzle{};  // of bytes
  integer offset = 0;      // O, bytes, inside the swizzle
  integer start = 0;       // O and the coordinates' own constants
  integer least = 0;       // of the addresses reached, bytes
  integer largest = 0;
  bool pointers = false;  // the base has 64 bits: scaled, the sum is one IMAD.WIDE away from it
  int planes = 1;         // under a swizzle the bits below and above its chunk may be summed apart
  int scales[3]{};        // of each plane: what its sum is shifted by when the base is added
  register_bits plain =
      0;  // bits that may be set before the swizzle; in the literal form `start` is counted in
  register_bits reached = 0;  // and after
  integer most = 0;           // what the registers add at most and least, divided by 2^scales[0]
  integer fewest = 0;

  /// Do all addresses fit 32 bits? What is added up on the way may wrap.
  /// Where a negative stride takes the registers' sum below 0, it has 32 bits with its sign, for bases that are wider.
  AXE_FN constexpr bool addresses_in_32_bits() const {
    constexpr integer signed_end = integer{1} << 31;
    return least >= 0 && largest < 2 * signed_end &&
           (fewest >= 0 || (fewest >= -(signed_end >> scales[0]) && most < signed_end >> scales[0]));
  }
  /// Is register r xor-ed with others, because the swizzle has been applied to each?
  AXE_FN constexpr bool splits(int r) const {
    return mode == swizzling::split && registers.at[r].plane != beyond;
  }
  /// Can the registers' sum be computed in 32 bits and widened without its sign?
  AXE_FN constexpr bool narrow() const { return fewest >= 0 && most < (integer{1} << 32); }
};

/// Step 2 for one part: its terms, merged into the plan's registers.
AXE_FN constexpr bool plan_part(address_plan& plan, dimension_digits const& digits, part_data const* parts,
                                int p, integer step) {
  part_data const& part = parts[p];
  integer values = part.values();
  integer const most = (digits.extent - 1) / step + 1;  // the coordinate lies inside the dimension
  if (values == 0 || (values > most && part.extent == 0)) values = most;
  quotient_sum terms;
  planned_register fresh;
  fresh.index = p;
  if (!terms_of_part(digits, step, values, terms)) {
    // A step that fits no boundary: the part itself, computed, has them all.
    terms = {};
    fresh.from = origin::part;
    fresh.weight = step / part.step;
    fresh.range = step * (values - 1) + 1;
    if (!terms_of_part(digits, 1, fresh.range, terms)) return false;
  } else if (part.whole()) {
    fresh.range = values;
  } else {
    // floor(((t / v) mod e) / b) = floor(t / (v*b)) - e/b * floor(t / (v*e)) where b divides e.
    bool telescopes = true;
    for (quotient_term const& t : terms)
      telescopes = telescopes && (part.topmost() || part.extent % t.boundary == 0);
    if (telescopes) {
      quotient_sum raw;
      for (quotient_term const& t : terms) {
        add_term(raw, t.boundary * part.divisor, t.weight);
        if (!part.topmost())
          add_term(raw, part.divisor * part.extent, -t.weight * (part.extent / t.boundary));
      }
      terms = raw;
      fresh.range = part.range;
    } else {
      fresh.from = origin::field;
      fresh.range = values;
    }
  }
  if (terms.empty() || fresh.range == 1) return true;
  for (planned_register& known : plan.registers)
    if (fresh.from == origin::raw && known.from == origin::raw && part.name != 0 &&
        parts[known.index].name == part.name) {
      for (quotient_term const& t : terms) add_term(known.plan.quotients, t.boundary, t.weight);
      return true;
    }
  fresh.plan.quotients = terms;
  return plan.registers.push(fresh);
}

/// The parts of one run, their steps counted in its flat index.
AXE_FN constexpr list<part_data, most_parts> parts_of_run(address_plan const& plan, dimension_run const& r,
                                                          part_data const* parts, int count) {
  list<part_data, most_parts> here;
  for (int p = 0; p < count; ++p) {
    if (!r.holds(parts[p].dimension)) continue;
    here.push(parts[p]);
    here.back().step *= plan.weights[parts[p].dimension];
  }
  return here;
}

/// Step 2: the parts of one run.
AXE_FN constexpr bool plan_run(address_plan& plan, int run, part_data const* parts, int count,
                               integer const* constants) {
  dimension_run& r = plan.runs[run];
  integer constant = 0;
  for (int d = r.first; d < r.first + r.count; ++d) constant += constants[d] * plan.weights[d];
  list<part_data, most_parts> const here = parts_of_run(plan, r, parts, count);
  r.added_up = !parts_do_not_carry(r.digits, here.begin(), here.size(), constant);
  if (!r.added_up) {
    plan.start += digits_at(r.digits, constant);
    for (int p = 0; p < count; ++p)
      if (r.holds(parts[p].dimension) &&
          !plan_part(plan, r.digits, parts, p, parts[p].step * plan.weights[parts[p].dimension]))
        return false;
    return true;
  }
  planned_register sum{{}, 0, origin::sum, run, r.digits.extent, 0};
  return terms_of_part(r.digits, 1, r.digits.extent, sum.plan.quotients) && plan.registers.push(sum);
}

/// Targets before sm_90 scale a register by 4, 8 or 16 inside a shared-memory address, where the base is a constant.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool addresses_scale = true;
#else
inline constexpr bool addresses_scale = false;
#endif

AXE_FN constexpr bool has_beyond(address_plan const& plan) {
  return !plan.registers.empty() && plan.registers.back().plane == beyond;
}

/// Does a plan mask a register as it is evaluated?
AXE_FN constexpr bool masks_registers(address_plan const& plan) {
  for (planned_register const& r : plan.registers) {
    if (r.plan.form == evaluation::products)
      for (product_term const& p : r.plan.products)
        if (p.field != 0) return true;
    if (r.plan.form == evaluation::diagonals)
      for (diagonal_term const& d : r.plan.diagonals)
        if (d.mask != 0) return true;
  }
  return false;
}

/// What it costs to swizzle a sum: a shift, a mask and an XOR, of which ptxas makes two; and to add what it starts with.
AXE_FN constexpr int cost_of_literal(integer start) {
  return (counts_as_host ? 4 : 5) + (start == 0 ? 0 : counts_as_host ? 1 : 2);
}
/// What it costs to shift a plane's sum and to add it to the base.
AXE_FN constexpr int cost_of_scale(int scale, bool pointers) {
  if (counts_as_host) return (pointers && scale == 0 ? 2 : 1) + (scale > 3);
  return scale != 0 ? 3 : pointers ? 4 : 2;  // a shift and an add are one instruction in the end
}
/// What is left to add where a factor multiplies what is added: a multiplication takes the addition along, a shift half of it.
AXE_FN constexpr int addition_left(integer factor) {
  return !is_power_of_two(magnitude(factor)) ? 0 : factor == 1 ? 2 : 1;
}
/// What it costs to add what goes beyond the swizzle to the base.
AXE_FN constexpr int cost_of_beyond(address_plan const& plan) {
  int const scale = plan.scales[beyond];
  int least = 2;
  for (planned_register const& r : plan.registers) {
    if (r.plane != beyond) continue;
    if (r.plan.form == evaluation::quotients)
      for (quotient_term const& t : r.plan.quotients) {
        int const left = addition_left(t.weight >> scale);
        if (left < least) least = left;
      }
    if (r.plan.form == evaluation::products)
      for (product_term const& p : r.plan.products) {
        int const left = addition_left(p.factor);
        if (left < least) least = left;
      }
  }
  return least + (scale != 0 ? 1 : 0);
}
/// On hosts: is the scale as good as none? Where fields are masked it leaves them as they are, for other addresses as well.
AXE_FN constexpr bool scale_wins_ties(address_plan const& plan) {
  bool quotients = false;
  for (planned_register const& r : plan.registers)
    quotients = quotients || r.plan.form == evaluation::quotients;
  return counts_as_host && !plan.pointers && !quotients;
}

/// Step 4 when the registers' sums are shifted by the planes' scales where the base is added. What all of it costs.
AXE_FN constexpr int choose_evaluations(address_plan& plan) {
  int cost = plan.mode == swizzling::literal ? cost_of_literal(plan.start) : 0;
  for (int p = 0; p < plan.planes; ++p) cost += cost_of_scale(plan.scales[p], plan.pointers);
  bool masks = false;
  plan.reached = 0;
  for (int k = 0; k < plan.registers.size(); ++k) {
    planned_register& r = plan.registers[k];
    bool const split = plan.splits(k);
    bool own_apart = true;
    register_bits seen = 0;
    for (int b = 0; b < r.plan.bits; ++b) {
      own_apart = own_apart && (seen & r.plan.columns[b]) == 0;
      seen |= r.plan.columns[b];
    }
    r.plan.reached = seen;
    plan.reached |= seen;
    cost += choose_evaluation(r.plan, r.range, split, split || own_apart, plan.scales[r.plane]).sum();
    masks = masks || r.plan.form != evaluation::quotients;
  }
  if (has_beyond(plan)) cost += cost_of_beyond(plan);
  if (plan.mode == swizzling::literal)
    plan.reached = plan.plain | static_cast<register_bits>(plan.swizzle(plan.plain));
  // Masked fields serve other addresses, too; what multiplies the whole register merges with a base as it is.
  if (addresses_scale && plan.mode == swizzling::none && plan.scales[0] >= 2 && plan.scales[0] <= 4)
    cost -= masks ? 2 : 1;
  return cost;
}

/// The registers of a plan with their bits below `cut` in one plane and those above in another; false when there are too many.
AXE_FN constexpr bool cut_planes(address_plan const& from, int cut, address_plan& to) {
  to = from;
  to.registers.clear();
  to.planes = 2;
  to.scales[1] = cut;
  register_bits const below = (register_bits{1} << cut) - 1;
  for (int plane = 0; plane < 2; ++plane)
    for (planned_register const& r : from.registers) {
      if (r.plane == beyond) continue;
      planned_register part = r;
      part.plane = plane;
      register_bits any = 0;
      for (register_bits& c : part.plan.columns) any |= c &= plane == 0 ? below : ~below;
      if (any != 0 && !to.registers.push(part)) return false;
    }
  for (planned_register const& r : from.registers)
    if (r.plane == beyond && !to.registers.push(r)) return false;
  return true;
}

/// Sets the columns of a register, if it has any.
AXE_FN constexpr void find_columns(planned_register& r) {
  integer columns[32]{};
  r.plan.bits = bits_of(r.range);
  r.plan.linear = columns_of(r.plan.quotients, r.plan.bits, columns);
  for (int b = 0; b < r.plan.bits && r.plan.linear; ++b)
    r.plan.columns[b] = static_cast<register_bits>(columns[b]);
}

/// The bits that a sum may have whose terms have bits among a and among b: where the largest of all carry, others may.
AXE_FN constexpr register_bits bits_of_sum(register_bits a, register_bits b) {
  return a | b | ((a + b) ^ a ^ b);
}
/// The bits that the sum of a plan's start and all its registers may have, modulo 2^32.
AXE_FN constexpr register_bits possible_bits(address_plan const& plan) {
  register_bits bits = static_cast<register_bits>(plan.start);
  for (planned_register const& r : plan.registers) {
    if (r.plan.linear) {
      for (int b = 0; b < r.plan.bits; ++b) bits = bits_of_sum(bits, r.plan.columns[b]);
      continue;
    }
    register_bits weights = 0;
    for (quotient_term const& t : r.plan.quotients) weights |= static_cast<register_bits>(t.weight);
    bits = bits_of_sum(bits, ~register_bits{0} << lowest_bit(weights));
  }
  return bits;
}

/// A sum of quotients that has these columns.
AXE_FN constexpr quotient_sum quotients_of(register_bits const (&columns)[32], int bits) {
  quotient_sum sum;
  integer last = 0;
  for (int b = 0; b < bits; ++b) {
    integer const column = columns[b];
    add_term(sum, integer{1} << b, column - 2 * last);
    last = column;
  }
  return sum;
}
/// The bits above the swizzle's period that more than one column of a plan's registers has.
AXE_FN constexpr register_bits shared_above(address_plan const& plan, register_bits above) {
  register_bits once = 0;
  register_bits twice = 0;
  for (planned_register const& r : plan.registers)
    for (int b = 0; b < r.plan.bits && r.plan.linear; ++b) {
      twice |= once & r.plan.columns[b] & above;
      once |= r.plan.columns[b];
    }
  return twice;
}
/// The registers of a plan with what adds multiples of the swizzle's period beyond it, where the bits would overlap others'; false where the rest is not linear and
/// bit-disjoint below the period, or there are too many.
AXE_FN constexpr bool cut_beyond(address_plan const& from, address_plan& to) {
  integer const period = from.swizzle.period();
  if (period >= integer{1} << 32) return false;
  register_bits const below = static_cast<register_bits>(period - 1);
  register_bits const twice = shared_above(from, ~below);
  to = from;
  to.mode = swizzling::split;
  to.registers.clear();
  to.plain = 0;
  list<planned_register, most_registers> past;
  for (planned_register const& r : from.registers) {
    planned_register under = r;
    planned_register over = r;
    over.plane = beyond;
    if (r.plan.linear) {
      for (int b = 0; b < r.plan.bits; ++b) {
        register_bits const column = r.plan.columns[b];
        over.plan.columns[b] = (column & twice) == 0 ? 0 : column & ~below;
        under.plan.columns[b] = column - over.plan.columns[b];
      }
      over.plan.quotients = quotients_of(over.plan.columns, r.plan.bits);
    } else {
      under.plan.quotients = {};
      over.plan.quotients = {};
      for (quotient_term const& t : r.plan.quotients)
        (t.weight % period == 0 ? over : under).plan.quotients.push(t);
      find_columns(under);
      if (!under.plan.linear) return false;
    }
    register_bits any = 0;
    for (int b = 0; b < under.plan.bits; ++b) {
      if ((to.plain & under.plan.columns[b]) != 0) return false;
      to.plain |= under.plan.columns[b];
      any |= under.plan.columns[b];
    }
    if (any != 0 && !to.registers.push(under)) return false;
    if (!over.plan.quotients.empty() && !past.push(over)) return false;
  }
  for (planned_register const& r : past)
    if (!to.registers.push(r)) return false;
  return (to.start & (period - 1) & to.plain) == 0;
}

/// The common power of two of what the registers of a plane add.
AXE_FN constexpr int common_scale(address_plan const& plan, int plane) {
  integer all = 0;
  for (int k = 0; k < plan.registers.size(); ++k) {
    planned_register const& r = plan.registers[k];
    if (r.plane != plane) continue;
    if (plan.splits(k))
      for (int b = 0; b < r.plan.bits; ++b) all |= r.plan.columns[b];
    else
      for (quotient_term const& t : r.plan.quotients) all |= t.weight;
  }
  int common = 0;
  while (all != 0 && (all >> common & 1) == 0) ++common;
  return common;
}

/// Step 4 for the common power of two of the weights or none, and in one plane or two. What it costs.
AXE_FN constexpr int choose_scales(address_plan& plan) {
  if (plan.mode == swizzling::split)
    for (planned_register& r : plan.registers)
      for (int b = 0; b < r.plan.bits && r.plane != beyond; ++b)
        r.plan.columns[b] = static_cast<register_bits>(plan.swizzle(r.plan.columns[b]));
  int cost = choose_evaluations(plan);
  auto const consider = [&](address_plan& other) {
    int const then = choose_evaluations(other);
    if (then > cost || (then == cost && !scale_wins_ties(other))) return;
    cost = then;
    plan = other;
  };
  address_plan scaled = plan;
  scaled.scales[0] = common_scale(plan, 0);
  consider(scaled);
  if (plan.mode == swizzling::split && plan.swizzle.S > 0) {
    address_plan two;
    int const cut = plan.swizzle.M + plan.swizzle.B;
    if (cut_planes(scaled, cut, two)) {
      consider(two);
      two.scales[0] = 0;
      consider(two);
    }
  }
  if (has_beyond(plan)) {
    scaled = plan;
    scaled.scales[beyond] = common_scale(plan, beyond);
    consider(scaled);
  }
  return cost;
}

/// Adds what one digit moves by, no further than 64 bits go.
AXE_FN constexpr void extend_span(integer& span, iter const& digit) {
  if (!add_product(span, digit.extent - 1, digit.stride)) span = digit.stride < 0 ? smallest : largest;
}

/// The literal form, or the split form with what goes beyond the swizzle, whichever is cheaper. Ties go to the split form: what is the same for all threads joins the base.
AXE_FN constexpr void plan_overlapping(address_plan& plan) {
  address_plan past;
  bool const splits = cut_beyond(plan, past);
  plan.plain = possible_bits(plan);
  int const cost = choose_scales(plan);
  if (splits && choose_scales(past) <= cost) plan = past;
}

/// Steps 3 and 4.
AXE_FN constexpr void plan_evaluations(address_plan& plan) {
  bool apart = true;
  bool linear = true;
  for (planned_register& r : plan.registers) {
    find_columns(r);
    linear = linear && r.plan.linear;
    for (int b = 0; b < r.plan.bits && r.plan.linear; ++b) {
      apart = apart && (plan.plain & r.plan.columns[b]) == 0;
      plan.plain |= r.plan.columns[b];
    }
  }
  bool const swizzled = !plan.swizzle.none();
  // The coordinates' own constants must leave the dynamic bits alone as well.
  if (swizzled && (plan.start & (plan.swizzle.period() - 1) & plan.plain) != 0) apart = false;
  plan.mode = !swizzled ? swizzling::none : linear && apart ? swizzling::split : swizzling::literal;
  if (plan.mode == swizzling::literal)
    plan_overlapping(plan);
  else
    choose_scales(plan);
  for (dimension_run const& r : plan.runs)
    for (iter const& i : r.digits.fastest_first) extend_span(i.stride < 0 ? plan.fewest : plan.most, i);
  // Divided as a whole: a scale need not divide a stride that parts take several times.
  plan.fewest >>= plan.scales[0];
  plan.most >>= plan.scales[0];
}

/// What constants added to the coordinates do to a fixed address.
struct constant_part {
  bool again = false;       // they carry, or meet dynamic bits: the address is computed anew
  bool reswizzled = false;  // they meet bits of the sum that is swizzled: it is, with `immediate` added to it
  integer xored = 0;        // bits that are xor-ed into the register
  integer immediate = 0;    // and what is added last
  integer outside[3]{
      -1, 0,
      0};  // a dimension that they leave for every value of its parts, their sum there, its extent; or -1
};

/// Do a dimension's own constant and the one to be added leave 0 … end - 1 whatever its parts are? `sum`: the two, no further than 64 bits go.
AXE_FN constexpr bool leave_dimension(integer& sum, part_data const* parts, int count, int dimension,
                                      integer end, integer own, integer more) {
  sum = own;
  if (!add(sum, more)) sum = more < 0 ? smallest : largest;
  integer most = sum;
  for (int p = 0; p < count; ++p)
    if (parts[p].dimension == dimension)
      most =
          parts[p].values() == 0 || !add_product(most, parts[p].step, parts[p].values() - 1) ? largest : most;
  return sum >= end || most < 0;
}
/// A dimension of a layout that constants leave, if there is one.
AXE_FN constexpr void find_outside(constant_part& result, address_plan const& plan, part_data const* parts,
                                   int count, integer const* own, integer const* more) {
  for (dimension_run const& r : plan.runs)
    for (int d = r.first; d < r.first + r.count; ++d) {
      integer const extent = (d == r.first ? r.digits.extent : plan.weights[d - 1]) / plan.weights[d];
      integer sum = 0;
      if (!leave_dimension(sum, parts, count, d, extent, own[d], more[d])) continue;
      result.outside[0] = d;
      result.outside[1] = sum;
      result.outside[2] = extent;
    }
}

/// `own`: the constants that the coordinates have already; `more`: those to be added.
AXE_FN constexpr constant_part place_constant(address_plan const& plan, part_data const* parts, int count,
                                              integer const* own, integer const* more) {
  constant_part result;
  integer total = plan.offset;
  for (dimension_run const& r : plan.runs) {
    integer added = 0;
    integer index = 0;
    for (int d = r.first; d < r.first + r.count; ++d) {
      added += more[d] * plan.weights[d];
      index += (more[d] + own[d]) * plan.weights[d];
    }
    if (r.added_up) {
      result.again = result.again || added != 0;
      continue;
    }
    if (r.digits.fastest_first.size() > 1) {  // one digit has no boundary
      list<part_data, most_parts> const here = parts_of_run(plan, r, parts, count);
      if (!parts_do_not_carry(r.digits, here.begin(), here.size(), index)) result.again = true;
    }
    total += digits_at(r.digits, index);
  }
  result.immediate = total;
  if (plan.mode == swizzling::none) return result;
  bool const literal = plan.mode == swizzling::literal;
  integer const period = plan.swizzle.period();
  if (literal) total -= plan.start;  // in the sum already
  integer const low = total & (period - 1);
  bool const meets = (low & plan.plain) != 0 || (literal && period > integer{1} << 32);
  if (meets && literal) {
    result.reswizzled = true;
    return result;
  }
  if (meets) result.again = true;
  integer const moved = plan.swizzle(low);
  result.xored = moved & plan.reached;
  result.immediate = (moved & ~integer{plan.reached}) + (total - low);
  return result;
}

/// Steps 2 to 4, once the runs are known.
AXE_FN constexpr void plan_registers(address_plan& plan, part_data const* parts, int count,
                                     integer const* constants) {
  if (count > most_parts) plan.why = {rule::too_many_parts, {count, most_parts}};
  for (int r = 0; r < plan.runs.size() && !plan.why; ++r)
    if (!plan_run(plan, r, parts, count, constants))
      plan.why = {rule::too_many_parts, {count, most_registers}};
  for (planned_register const& r : plan.registers)
    if ((r.from == origin::sum || r.from == origin::part) && r.range > (integer{1} << 32))
      plan.why = {rule::coordinate_sum_has_32_bits,
                  {r.from == origin::sum ? plan.runs[r.index].first : parts[r.index].dimension, r.range}};
  if (!plan.why) plan_evaluations(plan);
}

/// The places that a layout reaches; where its swizzle makes that long to say, the whole periods that they lie in.
AXE_FN constexpr outcome<interval> bounds_of(layout const& l) {
  outcome<interval> const exact = reach_of(l, axis::m);
  if (exact || exact.why.which != rule::undecided) return exact;
  layout plain = l;
  plain.swizzle = {};
  interval const reach = *reach_of(plain, axis::m);
  integer const period = l.swizzle.period();
  return interval{floor_divide(reach.least, period) * period,
                  floor_divide(reach.largest, period) * period + (period - 1)};
}

/// Step 1 for a layout on its shape.
AXE_FN constexpr refusal plan_runs(address_plan& plan, layout const& l, shape const& s, integer bytes) {
  extent_list dimensions;
  if (refusal const bad = check(l)) return bad;
  for (iter const& i : l.replicas)
    if (i.extent != 1) return {rule::address_of_replicas, {i.extent, i.stride}, {i.on}};
  for (axis a : axes_of(l))
    if (a != axis::m) return {rule::address_on_another_axis, {}, {a}};
  if (refusal const bad = admit_dimensions(l, s, dimensions)) return bad;
  outcome<interval> const reach = bounds_of(l);
  if (!reach) return reach.why;
  plan.least = reach->least * bytes;
  plan.largest = (reach->largest + 1) * bytes - 1;
  plan.offset = l.offset(axis::m) * bytes;
  for (int d = 0; d < dimensions.size(); ++d) plan.weights.push(1);
  if (!l.swizzle.none() && !is_power_of_two(bytes)) return {rule::swizzle_packs_powers_of_two, {bytes}};
  if (!l.swizzle.none()) plan.swizzle = {l.swizzle.M + log2_of(bytes), l.swizzle.B, l.swizzle.S};
  return for_each_run(
      canonical_shards(l.shards), dimensions, [&](int first, int held, iter_list const& block) {
        dimension_run run;
        run.first = first;
        run.count = held;
        integer below = 1;
        for (int d = first + held - 1; d >= first; --d) {
          plan.weights[d] = below;
          below *= dimensions[d];
        }
        run.digits.extent = below;
        for (int k = block.size() - 1; k >= 0; --k)
          run.digits.fastest_first.push({block[k].extent, block[k].stride * bytes, block[k].on});
        plan.runs.push(run);
        return refusal{};
      });
}

/// The plan of one layout on its shape, for the parts of all coordinates.
AXE_FN constexpr address_plan plan_address(layout const& l, shape const& s, integer bytes,
                                           part_data const* parts, int count, integer const* constants) {
  address_plan plan;
  plan.why = plan_runs(plan, l, s, bytes);
  plan.start = plan.offset;
  if (!plan.why) plan_registers(plan, parts, count, constants);
  return plan;
}

}  // namespace axe::inline AXE_NAMESPACE::detail
