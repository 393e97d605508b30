// Compares address plans of random layouts and parts with an oracle, for each of the three
// evaluations (index/evaluation.hpp) and with constants. The oracle splits the coordinate digit by
// digit with / and % and applies the swizzle to the whole address. Each case has 40 sets of random
// register values. In the first set, parts with a register of their own have their largest values.
#include "support/catch.hpp"

#include <axe/index/contribution.hpp>
#include <axe/index/place_constant.hpp>
#include <axe/index/plan_address.hpp>

#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace axe;
using namespace axe::detail;

using engine = std::mt19937_64;

integer between(engine& e, integer low, integer high) {
  return std::uniform_int_distribution<integer>(low, high)(e);
}

/// A layout as a list of digits for each dimension, slowest first.
struct dimension_digits {
  std::vector<std::vector<iter>> dimensions;
  axe::swizzle f{};
  integer offset = 0;
  integer bytes = 1;

  integer extent(std::size_t d) const {
    integer product = 1;
    for (iter const& i : dimensions[d]) product *= i.extent;
    return product;
  }
  integer address(std::vector<integer> const& c) const {
    integer at = offset;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      integer rest = c[d];
      for (std::size_t k = dimensions[d].size(); k-- > 0;) {
        at += rest % dimensions[d][k].extent * dimensions[d][k].stride;
        rest /= dimensions[d][k].extent;
      }
    }
    if (f.B != 0) {
      integer const x = at >> f.M;
      integer const field = (integer{1} << f.B) - 1;
      at ^= (f.S > 0 ? x >> f.S & field : (x & field) << -f.S) << f.M;
    }
    return at * bytes;
  }
  layout value() const {
    layout l;
    l.swizzle = f;
    for (auto const& block : dimensions)
      for (iter const& i : block) l.shards.push(i.stride == 0 ? iter{i.extent, 0, axis::null} : i);
    if (offset != 0) l.offsets.push({offset, axis::m});
    return l;
  }
  axe::shape shape() const {
    axe::shape s;
    for (std::size_t d = 0; d < dimensions.size(); ++d) s.append(tree(extent(d)));
    return s;
  }
};

enum class flavour { powers_of_two, swizzled, padded, arbitrary, swizzled_odd_and_padded };

/// A layout of a random kind, with or without an offset.
dimension_digits random_layout(engine& e) {
  dimension_digits out;
  flavour const kind = static_cast<flavour>(between(e, 0, 4));
  integer stride = 1;
  for (integer rank = between(e, 1, 3); rank > 0; --rank) {
    std::vector<iter> block;
    for (integer digits = between(e, 1, 2); digits > 0; --digits) {
      bool const any_extent = kind == flavour::arbitrary ||
                              (kind == flavour::swizzled_odd_and_padded && between(e, 0, 2) == 0);
      integer const extent = any_extent ? between(e, 1, 12) : integer{1} << between(e, 0, 4);
      block.push_back({extent, stride, axis::m});
      stride *= extent;
      if (kind == flavour::padded && between(e, 0, 2) == 0) stride += 1 << between(e, 0, 3);
      if (kind == flavour::swizzled_odd_and_padded && between(e, 0, 2) == 0)
        stride += 1 << between(e, 3, 6);
      if (kind == flavour::arbitrary) stride = between(e, 0, 40);
      if (kind == flavour::arbitrary && between(e, 0, 5) == 0) stride = -stride;
    }
    out.dimensions.push_back(block);
  }
  std::shuffle(out.dimensions.begin(), out.dimensions.end(), e);
  bool const swizzled = kind == flavour::swizzled || kind == flavour::swizzled_odd_and_padded;
  if (swizzled)
    out.f = {static_cast<int>(between(e, 0, 3)), static_cast<int>(between(e, 1, 3)),
             static_cast<int>(between(e, 1, 3))};
  if (swizzled && between(e, 0, 4) == 0) out.f.S = -out.f.S;
  if (between(e, 0, 2) == 0)
    out.offset = kind == flavour::swizzled
                     ? between(e, 0, 3) * out.f.period() + between(e, 0, 1) * 8
                     : between(e, 0, 100);
  out.bytes = swizzled ? integer{1} << between(e, 0, 4) : between(e, 1, 16);
  return out;
}

/// Random parts of coordinates, whose sums stay in bounds. A part is a digit of one of two shared
/// registers, or a register of its own with a bound.
struct coordinates {
  std::vector<part_data> parts;
  std::vector<integer> constants;
};

coordinates random_parts(engine& e, dimension_digits const& l) {
  coordinates out;
  integer used[2] = {1, 1};  // for each shared register, the product of the digits already used
  bool const powers = between(e, 0, 1) == 0;
  for (std::size_t d = 0; d < l.dimensions.size(); ++d) {
    integer room = l.extent(d) - 1;
    integer constant = between(e, 0, 3) == 0 ? between(e, 0, room) : 0;
    room -= constant;
    out.constants.push_back(constant);
    for (integer n = between(e, 0, 3); n > 0 && room > 0; --n) {
      part_data p;
      p.divisor = 1;
      p.dimension = static_cast<int>(d);
      p.step = between(e, 0, 1) == 0 ? integer{1} << between(e, 0, 5) : between(e, 1, room);
      if (p.step > room) continue;
      integer largest = room / p.step;  // the largest value that the part may have
      if (between(e, 0, 1) == 0) {
        int const which = static_cast<int>(between(e, 0, 1));
        integer extent = powers ? 1 : between(e, 2, 7);
        while (powers && extent * 2 - 1 <= largest && extent < 16) extent *= 2;
        if (extent == 1 || extent - 1 > largest || used[which] * extent > 1 << 10) continue;
        p.name = static_cast<stl::uint64_t>(which) + 1;
        p.range = 1 << 10;
        p.divisor = used[which];
        p.extent = extent;
        used[which] *= extent;
        largest = extent - 1;
      } else {
        largest = between(e, 1, largest);
        p.range = largest + 1;
      }
      room -= largest * p.step;
      out.parts.push_back(p);
    }
  }
  return out;
}

/// The contribution of register k with the value t to the address, in the given evaluation.
register_bits evaluate(address_plan const& plan, int k, evaluation form, register_bits t) {
  planned_register const& r = plan.registers[k];
  integer const range = plan.registers[k].range;
  int const scale = plan.scales[plan.registers[k].plane];
  register_bits sum = 0;
  if (form == evaluation::quotients)
    for (quotient_term const& q : r.quotients) {
      register_bits const by = static_cast<register_bits>(q.boundary);
      register_bits const found = is_power_of_two(q.boundary) ? t >> ceil_log2(q.boundary)
                                  : reciprocal_is_exact(q.boundary, range)
                                      ? high_word(t, reciprocal(q.boundary))
                                      : t / by;
      sum += found * static_cast<register_bits>(q.weight >> scale);
    }
  if (form == evaluation::products)
    for (product_term const& p : plan.products(k)) {
      register_bits const v =
          ((t >> p.right_shift) & (p.field == 0 ? ~register_bits{0} : p.field)) * p.factor;
      sum = plan.swizzles_register(k) ? sum ^ v : sum + v;
    }
  if (form == evaluation::diagonals && r.reversed) t = reversed_bits(t);
  if (form == evaluation::diagonals)
    for (diagonal_term const& d : plan.diagonals(k))
      sum ^= (d.shift >= 0 ? t << d.shift : t >> -d.shift) &
             (d.mask == 0 ? ~register_bits{0} : d.mask);
  return sum << scale;
}

struct counts {
  long cases = 0, positions = 0, split = 0, beyond = 0, literal = 0, placed = 0, added_up = 0,
       again = 0, forms[3]{}, forced = 0;
};

/// One set of register values, and the coordinates that they give.
struct register_values {
  register_bits shared[3]{};            // entry p.name: the register of parts with that name
  std::vector<register_bits> of_parts;  // the register of each part
  std::vector<integer> coordinates;
};

register_values random_values(engine& e, coordinates const& c, bool largest) {
  register_values values;
  for (register_bits& s : values.shared) s = static_cast<register_bits>(between(e, 0, 1023));
  values.coordinates = c.constants;
  for (part_data const& p : c.parts) {
    register_bits t = 0;
    if (p.name != 0)
      t = values.shared[p.name];
    else
      t = static_cast<register_bits>(largest ? p.range - 1 : between(e, 0, p.range - 1));
    values.of_parts.push_back(t);
    integer const field = p.extent == 0 ? integer{t} : integer{t} / p.divisor % p.extent;
    values.coordinates[static_cast<std::size_t>(p.dimension)] += field * p.step;
  }
  return values;
}

/// The value from which the plan computes the contribution of register `r`.
register_bits value_of(planned_register const& r, address_plan const& plan, coordinates const& c,
                       register_values const& values) {
  if (r.from == origin::sum) {
    dimension_run const& run = plan.runs[r.index];
    register_bits sum = 0;
    for (int d = run.first; d < run.first + run.count; ++d)
      sum += static_cast<register_bits>(values.coordinates[static_cast<std::size_t>(d)] *
                                        plan.weights[d]);
    return sum;
  }
  part_data const& p = c.parts[static_cast<std::size_t>(r.index)];
  register_bits t = values.of_parts[static_cast<std::size_t>(r.index)];
  if (r.from != origin::raw && p.extent != 0)
    t = t / static_cast<register_bits>(p.divisor) % static_cast<register_bits>(p.extent);
  if (r.from == origin::part) t *= static_cast<register_bits>(p.step);
  return t;
}

/// The address from the sum of the registers below the period of the swizzle, the sum of those
/// beyond it, and the constants.
integer address_of(address_plan const& plan, register_bits sum, register_bits past,
                   constant_part const& placed) {
  integer const signed_sum = static_cast<std::int32_t>(sum);
  // Bases are multiples of the swizzle's period. `past` may wrap around below 0 before all its
  // terms are added.
  if (plan.mode == swizzling::per_register)
    return integer{
        static_cast<register_bits>((sum + past) ^ static_cast<register_bits>(placed.xored)) +
        static_cast<register_bits>(placed.immediate)};
  if (plan.mode != swizzling::of_sum) return signed_sum + placed.immediate;
  return (plan.swizzle(signed_sum + plan.start) ^ placed.xored) + placed.immediate;
}

/// The address of one set of values. Registers that support the evaluation `forced` use it, the
/// others their planned evaluation. If `forced` is -1, all use the planned one.
integer evaluated_address(address_plan const& plan, coordinates const& c,
                          register_values const& values, constant_part const& placed, int forced,
                          counts& seen) {
  register_bits sum = 0;
  register_bits past = 0;
  for (int k = 0; k < plan.registers.size(); ++k) {
    planned_register const& r = plan.registers[k];
    evaluation const form =
        forced >= 0 && r.computable[forced] ? static_cast<evaluation>(forced) : r.form;
    seen.forced += forced >= 0 && form != r.form;
    register_bits const contribution = evaluate(plan, k, form, value_of(r, plan, c, values));
    if (r.plane == beyond)
      past += contribution;
    else
      sum = plan.swizzles_register(k) ? sum ^ contribution : sum + contribution;
  }
  return address_of(plan, sum, past, placed);
}

/// Makes one random layout and its parts, and compares its addresses for random registers and
/// constants.
void check_case(engine& e, counts& seen) {
  dimension_digits const l = random_layout(e);
  coordinates const c = random_parts(e, l);
  coordinate_parts const own{c.parts.data(), static_cast<int>(c.parts.size()), c.constants.data()};
  address_plan const plan = plan_address(l.value(), l.shape(), l.bytes, own);
  ++seen.cases;
  REQUIRE(plan.why.which == rule::none);
  seen.split += plan.mode == swizzling::per_register;
  seen.beyond += plan.registers.count != 0 && plan.registers.back().plane == beyond;
  seen.literal += plan.mode == swizzling::of_sum;
  for (dimension_run const& r : plan.runs) seen.added_up += r.added_up;
  for (planned_register const& r : plan.registers) ++seen.forms[static_cast<int>(r.form)];
  for (int sample = 0; sample < 40; ++sample) {
    register_values const values = random_values(e, c, sample == 0);
    std::vector<integer> added(values.coordinates.size(), 0);
    if (sample % 2 == 1)
      for (std::size_t d = 0; d < added.size(); ++d)
        added[d] = between(e, 0, l.extent(d) - 1 - values.coordinates[d]);
    constant_part const placed = place_constant(plan, own, added.data());
    seen.again += placed.again;
    if (placed.again) continue;  // the plan does not hold for these constants
    seen.placed +=
        plan.mode == swizzling::of_sum &&
        placed.xored + (placed.immediate < 0 ? -placed.immediate : placed.immediate) != 0;
    std::vector<integer> where = values.coordinates;
    for (std::size_t d = 0; d < added.size(); ++d) where[d] += added[d];
    for (int forced = -1; forced < 3; ++forced) {
      ++seen.positions;
      REQUIRE(evaluated_address(plan, c, values, placed, forced, seen) == l.address(where));
    }
  }
}

std::string summary(counts const& seen) {
  std::ostringstream all;
  all << seen.cases << " layouts, " << seen.positions << " positions, split " << seen.split
      << ", beyond " << seen.beyond << ", literal " << seen.literal << ", placed " << seen.placed
      << ", added up " << seen.added_up << ", again " << seen.again << ", forms " << seen.forms[0]
      << " " << seen.forms[1] << " " << seen.forms[2] << ", forced " << seen.forced;
  return all.str();
}

TEST_CASE("addresses equal those of the oracle in every evaluation") {
  engine e(20261120);
  counts seen;
  for (int n = 0; n < 20000; ++n) {
    CAPTURE(n);
    check_case(e, seen);
  }
  INFO(summary(seen));
  CHECK(seen.split > 1000);
  CHECK(seen.beyond > 200);
  CHECK(seen.literal > 100);
  CHECK(seen.placed > 1000);
  CHECK(seen.added_up > 1000);
  for (long f : seen.forms) CHECK(f > 500);
  CHECK(seen.forced > 10000);
  WARN(summary(seen));
}

TEST_CASE("a plan is refused if a register has more quotients than a plan holds") {
  dimension_digits l;
  l.dimensions = {{{integer{1} << 25, 3, axis::m}}};
  // Each part (t / divisor) mod 2 has the quotients of t by `divisor` and by 2 * divisor.
  coordinates c;
  c.constants = {0};
  for (integer divisor = 3; c.parts.size() < 25; divisor += 2) {
    part_data p;
    p.name = 1;
    p.range = 1 << 10;
    p.step = integer{1} << c.parts.size();
    p.divisor = divisor;
    p.extent = 2;
    c.parts.push_back(p);
  }
  auto const planned = [&](int parts) {
    return plan_address(l.value(), l.shape(), l.bytes, {c.parts.data(), parts, c.constants.data()});
  };
  CHECK(planned(25).why == refusal{rule::too_many_parts, {25}});
  c.parts.pop_back();
  address_plan const plan = planned(24);
  REQUIRE(!plan.why);
  engine e(1);
  counts seen;
  for (int sample = 0; sample < 100; ++sample) {
    register_values const values = random_values(e, c, false);
    CHECK(evaluated_address(plan, c, values, {}, -1, seen) == l.address(values.coordinates));
  }
}

TEST_CASE("a multiplication replaces a division only if it is proved exact") {
  for (integer d = 1; d <= 1000; ++d) {
    // If the product is wrong for any value, it is wrong for one near the end of the range.
    for (integer range :
         {integer{100}, integer{5376}, integer{1} << 20, integer{1} << 31, integer{1} << 32}) {
      if (!reciprocal_is_exact(d, range)) continue;
      for (integer v = range - 1; v >= 0 && v > range - 1 - 3 * d; --v)
        REQUIRE(integer{high_word(static_cast<register_bits>(v), reciprocal(d))} == v / d);
    }
  }
  CHECK(reciprocal_is_exact(7, 5376));
  CHECK_FALSE(reciprocal_is_exact(7, 0));
  // The product is wrong for the first value beyond the range that is proved.
  integer const error = integer{reciprocal(7)} * 7 - (integer{1} << 32);
  integer const first_wrong = ((integer{1} << 32) + error - 1) / error / 7 * 7 + 6;
  CHECK(integer{high_word(static_cast<register_bits>(first_wrong), reciprocal(7))} !=
        first_wrong / 7);
}

}  // namespace
