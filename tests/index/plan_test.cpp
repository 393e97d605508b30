// Compares address plans of random layouts and parts with an oracle, for every evaluation and with
// constants. The oracle splits the coordinate digit by digit with / and % and applies the swizzle
// to the whole address. Each case has 40 drawn sets of register values, one with the largest
// values.
#include "../support/catch.hpp"

#include <axe/index/emit.hpp>
#include <axe/index/place_constant.hpp>
#include <axe/index/plan.hpp>

#include <random>
#include <vector>

namespace {

using namespace axe;
using namespace axe::detail;

using engine = std::mt19937_64;

integer between(engine& e, integer low, integer high) {
  return std::uniform_int_distribution<integer>(low, high)(e);
}

/// A layout as a list of digits for each dimension, slowest first.
struct drawn {
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

drawn draw_layout(engine& e) {
  drawn out;
  // 0: powers of two, 1: swizzled, 2: padded, 3: arbitrary, 4: swizzled with odd extents and
  // padding. Each kind may have an offset.
  int const flavour = static_cast<int>(between(e, 0, 4));
  integer stride = 1;
  for (integer rank = between(e, 1, 3); rank > 0; --rank) {
    std::vector<iter> block;
    for (integer digits = between(e, 1, 2); digits > 0; --digits) {
      bool const any_extent = flavour == 3 || (flavour == 4 && between(e, 0, 2) == 0);
      integer const extent = any_extent ? between(e, 1, 12) : integer{1} << between(e, 0, 4);
      block.push_back({extent, stride, axis::m});
      stride *= extent;
      if (flavour == 2 && between(e, 0, 2) == 0) stride += 1 << between(e, 0, 3);
      if (flavour == 4 && between(e, 0, 2) == 0) stride += 1 << between(e, 3, 6);
      if (flavour == 3) stride = between(e, 0, 40);
      if (flavour == 3 && between(e, 0, 5) == 0) stride = -stride;
    }
    out.dimensions.push_back(block);
  }
  std::shuffle(out.dimensions.begin(), out.dimensions.end(), e);
  bool const swizzled = flavour == 1 || flavour == 4;
  if (swizzled)
    out.f = {static_cast<int>(between(e, 0, 3)), static_cast<int>(between(e, 1, 3)),
             static_cast<int>(between(e, 1, 3))};
  if (swizzled && between(e, 0, 4) == 0) out.f.S = -out.f.S;
  if (between(e, 0, 2) == 0)
    out.offset = flavour == 1 ? between(e, 0, 3) * out.f.period() + between(e, 0, 1) * 8
                              : between(e, 0, 100);
  out.bytes = swizzled ? integer{1} << between(e, 0, 4) : between(e, 1, 16);
  return out;
}

/// Parts of coordinates whose sum stays in bounds: digits of two registers that parts share, values
/// with a bound, and values without one.
struct coordinates {
  std::vector<part_data> parts;
  std::vector<integer> largest;  // the largest value of each register
  std::vector<integer> constants;
};

coordinates draw_parts(engine& e, drawn const& l) {
  coordinates out;
  integer taken[2] = {1, 1};  // for each shared register, the product of the digits already used
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
      integer most = room / p.step;  // the largest value that the part may have
      if (between(e, 0, 1) == 0) {
        int const which = static_cast<int>(between(e, 0, 1));
        integer extent = powers ? 1 : between(e, 2, 7);
        while (powers && extent * 2 - 1 <= most && extent < 16) extent *= 2;
        if (extent == 1 || extent - 1 > most || taken[which] * extent > 1 << 10) continue;
        p.name = static_cast<stl::uint64_t>(which) + 1;
        p.range = 1 << 10;
        p.divisor = taken[which];
        p.extent = extent;
        taken[which] *= extent;
        most = extent - 1;
      } else {
        most = between(e, 1, most);
        p.range = most + 1;
      }
      room -= most * p.step;
      out.parts.push_back(p);
    }
  }
  return out;
}

/// What register k with the value t adds to the address, in the given evaluation.
register_bits evaluate(address_plan const& plan, int k, evaluation form, register_bits t) {
  register_plan const& r = plan.registers[k].plan;
  integer const range = plan.registers[k].range;
  int const scale = plan.scales[plan.registers[k].plane];
  register_bits sum = 0;
  if (form == evaluation::quotients)
    for (quotient_term const& q : r.quotients) {
      register_bits const by = static_cast<register_bits>(q.boundary);
      register_bits const found = is_power_of_two(q.boundary) ? t >> log2_of(q.boundary)
                                  : reciprocal_is_exact(q.boundary, range)
                                      ? high_word(t, reciprocal(q.boundary))
                                      : t / by;
      sum += found * static_cast<register_bits>(q.weight >> scale);
    }
  if (form == evaluation::products)
    for (product_term const& p : plan.products(k)) {
      register_bits const v =
          ((t >> p.right) & (p.field == 0 ? ~register_bits{0} : p.field)) * p.factor;
      sum = plan.splits(k) ? sum ^ v : sum + v;
    }
  if (form == evaluation::diagonals && r.reversed) t = reversed_bits(t);
  if (form == evaluation::diagonals)
    for (diagonal_term const& d : plan.diagonals(k))
      sum ^= (d.shift >= 0 ? t << d.shift : t >> -d.shift) &
             (d.mask == 0 ? ~register_bits{0} : d.mask);
  return sum << scale;
}

integer literal(axe::swizzle const& f, integer plain) { return f(plain); }

struct counts {
  long cases = 0, positions = 0, split = 0, past = 0, literal = 0, placed = 0, reswizzled = 0,
       added_up = 0, again = 0, forms[3]{}, forced = 0, refused = 0;
};

/// Draws one layout and its parts, and compares its addresses for drawn registers and constants.
void hold(engine& e, counts& seen) {
  drawn const l = draw_layout(e);
  coordinates const c = draw_parts(e, l);
  address_plan const plan = plan_address(l.value(), l.shape(), l.bytes, c.parts.data(),
                                         static_cast<int>(c.parts.size()), c.constants.data());
  ++seen.cases;
  if (plan.why.which != rule::none) {
    ++seen.refused;
    INFO(static_cast<int>(plan.why.which));
    CHECK(plan.why.which == rule::none);
    return;
  }
  seen.split += plan.mode == swizzling::split;
  seen.past += has_beyond(plan);
  seen.literal += plan.mode == swizzling::literal;
  for (dimension_run const& r : plan.runs) seen.added_up += r.added_up;
  for (planned_register const& r : plan.registers) ++seen.forms[static_cast<int>(r.plan.form)];
  for (int sample = 0; sample < 40; ++sample) {
    register_bits shared[3];
    for (register_bits& s : shared) s = static_cast<register_bits>(between(e, 0, 1023));
    std::vector<register_bits> raw;
    std::vector<integer> at = c.constants;
    for (part_data const& p : c.parts) {
      register_bits const t =
          p.name != 0
              ? shared[p.name]
              : static_cast<register_bits>(sample == 0 ? p.range - 1 : between(e, 0, p.range - 1));
      raw.push_back(t);
      integer const field = p.extent == 0 ? integer{t} : integer{t} / p.divisor % p.extent;
      at[static_cast<std::size_t>(p.dimension)] += field * p.step;
    }
    std::vector<integer> more(at.size(), 0);
    if (sample % 2 == 1)
      for (std::size_t d = 0; d < more.size(); ++d)
        more[d] = between(e, 0, l.extent(d) - 1 - at[d]);
    constant_part const placed = place_constant(
        plan, c.parts.data(), static_cast<int>(c.parts.size()), c.constants.data(), more.data());
    seen.again += placed.again;
    if (placed.again) continue;  // such an address has a plan of its own
    seen.reswizzled += placed.reswizzled;
    seen.placed +=
        plan.mode == swizzling::literal && !placed.reswizzled &&
        placed.xored + (placed.immediate < 0 ? -placed.immediate : placed.immediate) != 0;
    for (int forced = -1; forced < 3; ++forced) {
      register_bits sum = 0;
      register_bits past = 0;
      for (int k = 0; k < plan.registers.size(); ++k) {
        planned_register const& r = plan.registers[k];
        evaluation const form =
            forced >= 0 && r.plan.has[forced] ? static_cast<evaluation>(forced) : r.plan.form;
        seen.forced += forced >= 0 && form != r.plan.form;
        register_bits t = 0;
        if (r.from == origin::sum) {
          dimension_run const& run = plan.runs[r.index];
          for (int d = run.first; d < run.first + run.count; ++d)
            t += static_cast<register_bits>(at[static_cast<std::size_t>(d)] * plan.weights[d]);
        } else {
          part_data const& p = c.parts[static_cast<std::size_t>(r.index)];
          t = raw[static_cast<std::size_t>(r.index)];
          if (r.from != origin::raw && p.extent != 0)
            t = t / static_cast<register_bits>(p.divisor) % static_cast<register_bits>(p.extent);
          if (r.from == origin::part) t *= static_cast<register_bits>(p.step);
        }
        register_bits const mine = evaluate(plan, k, form, t);
        if (r.plane == beyond)
          past += mine;
        else
          sum = plan.splits(k) ? sum ^ mine : sum + mine;
      }
      // Bases are multiples of the swizzle's period. The sum of the terms above the swizzle may
      // wrap around below 0 before all terms are added.
      integer address = 0;
      if (plan.mode == swizzling::split)
        address = integer{
            static_cast<register_bits>((sum + past) ^ static_cast<register_bits>(placed.xored)) +
            static_cast<register_bits>(placed.immediate)};
      else if (plan.mode == swizzling::literal && placed.reswizzled)
        address = literal(plan.swizzle, integer{static_cast<std::int32_t>(sum)} + placed.immediate);
      else if (plan.mode == swizzling::literal)
        address = (literal(plan.swizzle, integer{static_cast<std::int32_t>(sum)} + plan.start) ^
                   placed.xored) +
                  placed.immediate;
      else
        address = integer{static_cast<std::int32_t>(sum)} + placed.immediate;
      std::vector<integer> where = at;
      for (std::size_t d = 0; d < more.size(); ++d) where[d] += more[d];
      ++seen.positions;
      REQUIRE(address == l.address(where));
    }
  }
}

TEST_CASE("addresses equal set semantics in every evaluation") {
  engine e(20261120);
  counts seen;
  for (int n = 0; n < 20000; ++n) {
    CAPTURE(n);
    hold(e, seen);
  }
  INFO(seen.cases << " layouts, " << seen.positions << " positions, split " << seen.split
                  << ", beyond " << seen.past << ", literal " << seen.literal << ", placed "
                  << seen.placed << ", reswizzled " << seen.reswizzled << ", added up "
                  << seen.added_up << ", again " << seen.again << ", forms " << seen.forms[0] << " "
                  << seen.forms[1] << " " << seen.forms[2] << ", forced " << seen.forced);
  CHECK(seen.refused == 0);
  CHECK(seen.split > 1000);
  CHECK(seen.past > 200);
  CHECK(seen.literal > 100);
  CHECK(seen.placed > 1000);
  CHECK(seen.reswizzled > 1000);
  CHECK(seen.added_up > 1000);
  for (long f : seen.forms) CHECK(f > 500);
  CHECK(seen.forced > 10000);
  WARN(seen.cases << " layouts, " << seen.positions << " positions, split " << seen.split
                  << ", beyond " << seen.past << ", literal " << seen.literal << ", placed "
                  << seen.placed << ", reswizzled " << seen.reswizzled << ", added up "
                  << seen.added_up << ", again " << seen.again << ", forms " << seen.forms[0] << " "
                  << seen.forms[1] << " " << seen.forms[2] << ", forced " << seen.forced);
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
