// fix: all run-time work of an address at once; then each access costs a constant, and under a swizzle at most one XOR.
//
//     auto const rows = axe::fix<L, extents<64, 64>, 2>(t.bits<0, 4>(), constant<8>{} * t.bits<4, 1>());      bytes from the layout's start
//     rows.at<16, 32>().from(buffer)                                          address of the element 16 rows down and 32 columns right
//
//     d  = f(dynamic)      f = the swizzle, linear over F2: f(dynamic + c) = f(dynamic) ^ f(c) where their bits are disjoint
//     xc = f(c mod period) &  reached(d)       im = f(c mod period) & ~reached(d) + (c - c mod period)         address = ((base + d) ^ xc) + im
//
// The constants of `at` are added to the coordinates. Where they could carry across a digit, or meet the dynamic bits under a swizzle, `at` computes
// the whole address again with them: longer, never another address.
// Preconditions: each coordinate plus its constants lies inside its dimension; under a swizzle the base is a multiple of the swizzle's period in bytes.
// Refused at compile time: replicas, an axis other than m, a shape of another size.
// Definition: docs/index.md, "Fix once, then constants".
#pragma once

#include <axe/index/emit.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

template <class P> struct part_facts;
template <class Name, integer Range, integer Step, integer Divisor, integer Extent>
struct part_facts<index_part<Name, Range, Step, Divisor, Extent>> {
  static constexpr integer range = Range, step = Step, divisor = Divisor, extent = Extent;
  static constexpr stl::uint64_t name = 0;
};
template <axis A, integer Range, integer Step, integer Divisor, integer Extent>
struct part_facts<index_part<named<A>, Range, Step, Divisor, Extent>> {
  static constexpr integer range = Range, step = Step, divisor = Divisor, extent = Extent;
  static constexpr stl::uint64_t name = static_cast<stl::uint64_t>(A) + 1;
};

/// The parts of a pack of sums as data, and by number as values.
template <class... Sums> struct part_table;
template <> struct part_table<> {
  static constexpr int parts = 0;
  AXE_FN static constexpr void list_parts(part_data*, integer*, int) {}
};
template <integer C, class... Parts, class... Sums> struct part_table<coordinate_sum<C, Parts...>, Sums...> {
  using rest = part_table<Sums...>;
  static constexpr int parts = sizeof...(Parts) + rest::parts;
  AXE_FN static constexpr void list_parts(part_data* out, integer* constants, int dimension) {
    constants[dimension] = C;
    ((*out++ = part_data{dimension, part_facts<Parts>::name, part_facts<Parts>::range,
                         part_facts<Parts>::step, part_facts<Parts>::divisor, part_facts<Parts>::extent}),
     ...);
    rest::list_parts(out, constants, dimension + 1);
  }
};

/// How a plan treats constants added to the coordinates of its sums.
template <class... Sums, class... Constants>
AXE_FN constexpr constant_part place_constants(address_plan const& plan, Constants... constants) {
  using table = part_table<Sums...>;
  integer const more[sizeof...(Sums) + 1]{constants...};
  part_data parts[table::parts + 1]{};
  integer own[sizeof...(Sums) + 1]{};
  table::list_parts(parts, own, 0);
  return place_constant(plan, parts, table::parts, own, more);
}

/// The sums of a fixed address, kept for what cannot be decided without them. Unused ones cost nothing.
template <class... Sums> struct sums;
template <> struct sums<> {};
template <class First, class... Rest> struct sums<First, Rest...> {
  First first;
  [[no_unique_address]] sums<Rest...> rest;
};

template <int P, integer C, class First, class... Parts, class... Sums>
AXE_FN constexpr auto part_number(sums<coordinate_sum<C, First, Parts...>, Sums...> const& s);
template <int P, integer C, class... Sums>
AXE_FN constexpr auto part_number(sums<coordinate_sum<C>, Sums...> const& s) {
  return part_number<P>(s.rest);
}
template <int P, integer C, class First, class... Parts>
AXE_FN constexpr auto part_in(coordinate_sum<C, First, Parts...> const& s) {
  if constexpr (P == 0)
    return s.first;
  else
    return part_in<P - 1>(s.rest);
}
template <int P, integer C, class First, class... Parts, class... Sums>
AXE_FN constexpr auto part_number(sums<coordinate_sum<C, First, Parts...>, Sums...> const& s) {
  if constexpr (P < static_cast<int>(sizeof...(Parts)) + 1)
    return part_in<P>(s.first);
  else
    return part_number<P - static_cast<int>(sizeof...(Parts)) - 1>(s.rest);
}

/// Sum number D.
template <int D, class... Sums> AXE_FN constexpr auto sum_number(sums<Sums...> const& s) {
  if constexpr (D == 0)
    return s.first;
  else
    return sum_number<D - 1>(s.rest);
}

AXE_FN constexpr sums<> keep() { return {}; }
template <class First, class... Rest>
AXE_FN constexpr sums<First, Rest...> keep(First const& first, Rest const&... rest) {
  return {first, keep(rest...)};
}

/// The plan of a layout for sums of parts.
template <class L, class S, integer Bytes, class... Sums> struct plan_of {
  using table = part_table<Sums...>;
  AXE_FN static constexpr address_plan make() {
    part_data parts[table::parts + 1]{};
    integer constants[sizeof...(Sums) + 1]{};
    table::list_parts(parts, constants, 0);
    return plan_address(L::value, S::value, Bytes, parts, table::parts, constants);
  }
  static constexpr address_plan value = make();

  AXE_FN static constexpr refusal why() { return value.why; }
  AXE_FN static constexpr refusal_text text() {
    constexpr layout l = L::value;
    constexpr shape s = S::value;
    refusal_text out;
    out.put("fix: ");
    print(out, value.why, {&l, nullptr, &s});
    return out;
  }
};

}  // namespace detail

/// A register and a constant to be added to it last: what a memory instruction takes as [register + immediate].
template <class Register, integer Immediate> struct displaced {
  Register base;
  static constexpr integer immediate = Immediate;
  AXE_FN constexpr operator Register() const { return base + static_cast<Register>(Immediate); }
  /// The same from a base that changes from use to use: what does not change is left outside of a loop.
  template <class Base> AXE_FN constexpr displaced<Base, Immediate> from(Base start) const {
    return {static_cast<Base>(start + base)};
  }
};

/// The run-time part of an address in a layout, in bytes from its start. `Index` is 32 bits wide wherever the layout's span allows it.
template <class L, class S, integer Bytes, class... Sums> struct fixed_offset {
  using plan = detail::plan_of<L, S, Bytes, Sums...>;
  using index = detail::stl::conditional_t<plan::value.addresses_in_32_bits(), detail::stl::uint32_t,
                                           detail::stl::uint64_t>;
  static constexpr int rank = sizeof...(Sums);

  index dynamic;
  [[no_unique_address]] detail::sums<Sums...> coordinates;

  /// Offset of the element `Constants` further on. XOR first: of use where the base differs from access to access.
  template <integer... Constants> AXE_FN constexpr auto at() const {
    constexpr detail::constant_part c = constants<Constants...>();
    if constexpr (c.again) {
      return moved<Constants...>(detail::indices_to<rank>{}).template at<>();
    } else if constexpr (plan::value.mode == detail::swizzling::literal) {
      return displaced<index, 0>{literal(static_cast<index>(dynamic + static_cast<index>(c.immediate)))};
    } else if constexpr (c.xored != 0) {
      return displaced<index, c.immediate>{static_cast<index>(dynamic ^ static_cast<index>(c.xored))};
    } else {
      return displaced<index, c.immediate>{dynamic};
    }
  }

  /// The same from a base that does not change: the XOR comes after it, so that all accesses share one register. Base: an unsigned address.
  template <class Base> AXE_FN constexpr auto from(Base base) const;

  /// Coordinate D as it was fixed, a number.
  template <int D> AXE_FN constexpr unsigned coordinate() const {
    return detail::sum_number<D>(coordinates)();
  }
  /// How `at` treats constants, for tests and plans.
  template <integer... Constants> AXE_FN static constexpr detail::constant_part constants() {
    static_assert(sizeof...(Constants) == 0 || sizeof...(Constants) == rank,
                  "one constant for each dimension");
    return detail::place_constants<Sums...>(plan::value, Constants...);
  }

  template <integer... Constants, int... D> AXE_FN constexpr auto moved(detail::indices<D...>) const;

 private:
  AXE_FN static constexpr index literal(index plain) {
    constexpr axe::swizzle f = plan::value.swizzle;
    constexpr index mask = static_cast<index>(((integer{1} << f.B) - 1) << f.M);
    if constexpr (f.S > 0)
      return plain ^ ((plain >> f.S) & mask);
    else
      return plain ^ ((plain & mask) << -f.S);
  }
};

namespace detail {

template <class Plan, int First, int Count, int D, class... Sums>
AXE_FN constexpr unsigned run_value(sums<Sums...> const& s) {
  if constexpr (D == First + Count)
    return 0;
  else
    return run_value<Plan, First, Count, D + 1>(s) +
           sum_number<D>(s)() * static_cast<unsigned>(Plan::value.weights.at[D]);
}

template <class Plan, int R, class... Sums> AXE_FN constexpr unsigned register_of(sums<Sums...> const& s) {
  constexpr origin from = Plan::value.registers.at[R].from;
  constexpr int number = Plan::value.registers.at[R].index;
  if constexpr (from == origin::sum) {
    constexpr int first = Plan::value.runs.at[number].first;
    return run_value<Plan, first, Plan::value.runs.at[number].count, first>(s);
  } else if constexpr (from == origin::raw) {
    return part_number<number>(s).value;
  } else if constexpr (from == origin::field) {
    return part_number<number>(s).field();
  } else {
    return part_number<number>(s)() * static_cast<unsigned>(Plan::value.registers.at[R].weight);
  }
}

/// Does the combination of the registers of its plane before R with R take an XOR? Where their bits are apart a sum is the same and merges better.
AXE_FN constexpr bool combines_by_xor(address_plan const& plan, int r) {
  if (plan.mode != swizzling::split) return false;
  register_bits before = 0;
  for (int k = 0; k < r; ++k)
    if (plan.registers[k].plane == plan.registers[r].plane) before |= plan.registers[k].plan.reached;
  return (before & plan.registers[r].plan.reached) != 0;
}
/// The first register of a plane, and one past its last.
AXE_FN constexpr int first_of_plane(address_plan const& plan, int plane) {
  int r = 0;
  while (r < plan.registers.count && plan.registers[r].plane < plane) ++r;
  return r;
}

template <class Plan, class Index, int First, int R, class... Sums>
AXE_FN constexpr Index registers_to(sums<Sums...> const& s) {
  Index const mine = contribution<Plan, R, Index>(register_of<Plan, R>(s));
  if constexpr (R == First)
    return mine;
  else if constexpr (combines_by_xor(Plan::value, R))
    return registers_to<Plan, Index, First, R - 1>(s) ^ mine;
  else
    return registers_to<Plan, Index, First, R - 1>(s) + mine;
}

/// The registers of one plane, divided by its power of two.
template <class Plan, class Index, int Plane, class... Sums>
AXE_FN constexpr Index add_plane(sums<Sums...> const& s) {
  constexpr int first = first_of_plane(Plan::value, Plane);
  constexpr int last = first_of_plane(Plan::value, Plane + 1);
  if constexpr (first == last)
    return 0;
  else
    return registers_to<Plan, Index, first, last - 1>(s);
}

}  // namespace detail

/// Fixes the run-time coordinates of layout L (a carrier) on shape S (extents<…>), elements of Bytes bytes.
template <class L, class S, integer Bytes, class... Coordinates>
AXE_FN constexpr auto fix(Coordinates const&... coordinates);

namespace detail {

/// All registers of a plan.
template <class Plan, class Index, class... Sums>
AXE_FN constexpr Index add_registers(sums<Sums...> const& kept) {
  Index const low = add_plane<Plan, Index, 0>(kept) << Plan::value.scales[0];
  if constexpr (Plan::value.planes == 1)
    return low;
  else
    return low + (add_plane<Plan, Index, 1>(kept) << Plan::value.scales[1]);
}

template <class L, class S, integer Bytes, class... Sums> AXE_FN constexpr auto fix_sums(Sums const&... s) {
  using fixed = fixed_offset<L, S, Bytes, Sums...>;
  using plan = typename fixed::plan;
  using stop [[maybe_unused]] = typename verdict<plan>::stop;
  sums<Sums...> const kept = keep(s...);
  return fixed{add_registers<plan, typename fixed::index>(kept), kept};
}

}  // namespace detail

template <class L, class S, integer Bytes, class... Coordinates>
AXE_FN constexpr auto fix(Coordinates const&... coordinates) {
  return detail::fix_sums<L, S, Bytes>(as_sum(coordinates)...);
}

template <class L, class S, integer Bytes, class... Sums>
template <integer... Constants, int... D>
AXE_FN constexpr auto fixed_offset<L, S, Bytes, Sums...>::moved(detail::indices<D...>) const {
  return detail::fix_sums<L, S, Bytes>((detail::sum_number<D>(coordinates) + constant<Constants>{})...);
}

/// A fixed offset with its base in the same register.
template <class Base, class Offset> struct fixed_address {
  Base base;
  Base sum;  // base + offset.dynamic
  [[no_unique_address]] Offset offset;

  template <int D> AXE_FN constexpr unsigned coordinate() const { return offset.template coordinate<D>(); }
  template <integer... Constants> AXE_FN constexpr auto at() const {
    using plan = typename Offset::plan;
    constexpr detail::constant_part c = Offset::template constants<Constants...>();
    if constexpr (c.again || plan::value.mode == detail::swizzling::literal) {
      auto const anew = offset.template at<Constants...>();
      return displaced<Base, decltype(anew)::immediate>{static_cast<Base>(base + anew.base)};
    } else if constexpr (c.xored != 0) {
      return displaced<Base, c.immediate>{static_cast<Base>(sum ^ static_cast<Base>(c.xored))};
    } else {
      return displaced<Base, c.immediate>{sum};
    }
  }
};

template <class L, class S, integer Bytes, class... Sums>
template <class Base>
AXE_FN constexpr auto fixed_offset<L, S, Bytes, Sums...>::from(Base base) const {
  return fixed_address<Base, fixed_offset>{base, static_cast<Base>(base + dynamic), *this};
}

}  // namespace axe::inline AXE_NAMESPACE
