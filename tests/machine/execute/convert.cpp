// Implements cvt between all pairs of number types (PTX ISA, "cvt"), with numerics/convert.hpp.
//
//     cvt.rzi.s32.f32            towards zero, clamped to the range, NaN to 0
//     cvt.rn.f16x2.f32 d, a, b   a in the upper half
//     cvt.sat.u8.s32             clamped instead of truncated
//
// Registers may be wider than the types; the assembler widens results.
#include "numerics/convert.hpp"

#include <limits>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "execute/type_name.hpp"
#include "numerics/halves.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

using numerics::rounding;
using h = std::uint16_t;

struct f16_tag {};
struct bf16_tag {};

template <class T> struct lane_type {
  using type = T;
};
template <> struct lane_type<f16_tag> {
  using type = h;
};
template <> struct lane_type<bf16_tag> {
  using type = h;
};

template <class T> std::string name_of() {
  if constexpr (std::is_same_v<T, f16_tag>)
    return "f16";
  else if constexpr (std::is_same_v<T, bf16_tag>)
    return "bf16";
  else
    return type_name<T>();
}

/// The name of a row: cvt.rzi.s32.f32.
template <class To, class From> std::string row_name(std::string const& modifiers) {
  return "cvt" + modifiers + "." + name_of<To>() + "." + name_of<From>();
}

/// Adds a row as table.lanes does, but registers may be wider than the types.
template <class Function> void add(opcode_table& table, std::string name, Function) {
  auto row = row_for<Function>(std::move(name), table.vectors(), &Function::operator());
  for (auto& letter : row.signature)
    if (letter == 'b' || letter == 'h' || letter == 'w' || letter == 'l')
      letter = static_cast<char>(letter - 'a' + 'A');
  table.add(std::move(row));
}

template <class To, class From> void add_integers(opcode_table& table) {
  add(table, row_name<To, From>(""), [](From a) -> To { return static_cast<To>(a); });
  using to = std::numeric_limits<To>;
  using from = std::numeric_limits<From>;
  if constexpr (std::cmp_less(from::min(), to::min()) || std::cmp_greater(from::max(), to::max()))
    add(table, row_name<To, From>(".sat"), [](From a) -> To {
      if (std::cmp_less(a, to::min())) return to::min();
      if (std::cmp_greater(a, to::max())) return to::max();
      return static_cast<To>(a);
    });
}

template <class From> double value_of(typename lane_type<From>::type bits, bool ftz) {
  if constexpr (std::is_same_v<From, f16_tag>)
    return static_cast<double>(numerics::f16_to_float(bits));
  else if constexpr (std::is_same_v<From, bf16_tag>)
    return static_cast<double>(numerics::bf16_to_float(bits));
  else if constexpr (std::is_same_v<From, float>)
    return static_cast<double>(ftz ? numerics::flush(bits) : bits);
  else
    return bits;
}

template <class To, class From, rounding mode>
void add_float_to_integer(opcode_table& table, char const* name) {
  using from = typename lane_type<From>::type;
  for (char const* sat : {"", ".sat"}) {  // the result is clamped with and without .sat
    if (std::is_same_v<From, bf16_tag> && *sat != 0) continue;
    add(table, row_name<To, From>(std::string(name) + sat), [](from a) -> To {
      return numerics::float_to_integer<To>(value_of<From>(a, false), mode,
                                            std::is_same_v<From, double>);
    });
    if constexpr (std::is_same_v<From, float>)
      add(table, row_name<To, From>(std::string(name) + ".ftz" + sat), [](from a) -> To {
        return numerics::float_to_integer<To>(value_of<From>(a, true), mode, false);
      });
  }
}

template <class To, class From, rounding mode>
void add_integer_to_float(opcode_table& table, char const* name) {
  using to = typename lane_type<To>::type;
  auto const convert = [](From a) -> to {
    if constexpr (std::is_same_v<To, double>)
      return numerics::integer_to_f64(a, mode);
    else if constexpr (std::is_same_v<To, float>)
      return std::bit_cast<float>(numerics::integer_to_float<numerics::f32>(a, mode));
    else if constexpr (std::is_same_v<To, f16_tag>)
      return static_cast<h>(numerics::integer_to_float<numerics::f16>(a, mode));
    else
      return static_cast<h>(numerics::integer_to_float<numerics::bf16>(a, mode));
  };
  add(table, row_name<To, From>(name), convert);
}

template <class To>
typename lane_type<To>::type encoded(double value, rounding mode, bool ftz, bool sat,
                                     numerics::limits how) {
  if (sat) value = numerics::saturate(value);
  if constexpr (std::is_same_v<To, double>) {
    return value;
  } else if constexpr (std::is_same_v<To, float>) {
    float const made = numerics::f64_to_f32(value, mode);
    return ftz ? numerics::flush(made) : made;
  } else if constexpr (std::is_same_v<To, f16_tag>) {
    return static_cast<h>(numerics::encode<numerics::f16>(value, mode, how));
  } else {
    return static_cast<h>(numerics::encode<numerics::bf16>(value, mode, how));
  }
}

template <class To, class From, rounding mode, bool ftz, bool sat, bool relu>
void add_float_pair(opcode_table& table, std::string const& name) {
  using from = typename lane_type<From>::type;
  using to = typename lane_type<To>::type;
  std::string const modifiers =
      name + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + (relu ? ".relu" : "");
  add(table, row_name<To, From>(modifiers), [](from a) -> to {
    return encoded<To>(value_of<From>(a, ftz), mode, ftz, sat, {.satfinite = false, .relu = relu});
  });
}

/// Adds a cvt whose source and destination have one type: cvt.rni.f32.f32 rounds to an integer.
template <class T, rounding mode> void add_whole(opcode_table& table, char const* name) {
  using lane = typename lane_type<T>::type;
  add(table, row_name<T, T>(name), [](lane a) -> lane {
    return encoded<T>(numerics::round_to_integral(value_of<T>(a, false), mode), rounding::rn, false,
                      false, {});
  });
  if constexpr (!std::is_same_v<T, bf16_tag>)
    add(table, row_name<T, T>(std::string(name) + ".sat"), [](lane a) -> lane {
      return encoded<T>(numerics::round_to_integral(value_of<T>(a, false), mode), rounding::rn,
                        false, true, {});
    });
  if constexpr (std::is_same_v<T, float>) {
    add(table, row_name<float, float>(std::string(name) + ".ftz"), [](float a) -> float {
      return encoded<float>(numerics::round_to_integral(value_of<float>(a, true), mode),
                            rounding::rn, true, false, {});
    });
    add(table, row_name<float, float>(std::string(name) + ".ftz.sat"), [](float a) -> float {
      return encoded<float>(numerics::round_to_integral(value_of<float>(a, true), mode),
                            rounding::rn, true, true, {});
    });
  }
}

template <class Visit> void each_integer(Visit visit) {
  visit.template operator()<std::uint8_t>();
  visit.template operator()<std::int8_t>();
  visit.template operator()<std::uint16_t>();
  visit.template operator()<std::int16_t>();
  visit.template operator()<std::uint32_t>();
  visit.template operator()<std::int32_t>();
  visit.template operator()<std::uint64_t>();
  visit.template operator()<std::int64_t>();
}

template <class Visit> void each_float(Visit visit) {
  visit.template operator()<f16_tag>();
  visit.template operator()<bf16_tag>();
  visit.template operator()<float>();
  visit.template operator()<double>();
}

template <class Visit> void each_mode(Visit visit) {
  visit.template operator()<rounding::rn>(".rn", ".rni");
  visit.template operator()<rounding::rz>(".rz", ".rzi");
  visit.template operator()<rounding::rm>(".rm", ".rmi");
  visit.template operator()<rounding::rp>(".rp", ".rpi");
}

}  // namespace

void add_convert(opcode_table& table) {
  each_integer([&]<class To>() {
    each_integer([&]<class From>() { add_integers<To, From>(table); });
    each_float([&]<class From>() {
      each_mode([&]<rounding mode>(char const*, char const* whole) {
        add_float_to_integer<To, From, mode>(table, whole);
      });
    });
  });
  each_float([&]<class To>() {
    each_integer([&]<class From>() {
      each_mode([&]<rounding mode>(char const* name, char const*) {
        add_integer_to_float<To, From, mode>(table, name);
      });
    });
    each_mode(
        [&]<rounding mode>(char const*, char const* whole) { add_whole<To, mode>(table, whole); });
  });
  each_mode([&]<rounding mode>(char const* name, char const*) {
    add_float_pair<float, double, mode, false, false, false>(table, name);
    add_float_pair<float, double, mode, true, false, false>(table, name);
    add_float_pair<float, double, mode, false, true, false>(table, name);
    add_float_pair<f16_tag, float, mode, false, false, false>(table, name);
    add_float_pair<f16_tag, float, mode, true, false, false>(table, name);
    add_float_pair<f16_tag, float, mode, false, true, false>(table, name);
    add_float_pair<bf16_tag, float, mode, false, false, false>(table, name);
    if constexpr (mode == rounding::rn || mode == rounding::rz) {
      add_float_pair<f16_tag, float, mode, false, false, true>(table, name);
      add_float_pair<bf16_tag, float, mode, false, false, true>(table, name);
    }
    add_float_pair<f16_tag, double, mode, false, false, false>(table, name);
    add_float_pair<bf16_tag, double, mode, false, false, false>(table, name);
    add_float_pair<f16_tag, bf16_tag, mode, false, false, false>(table, name);
    add_float_pair<bf16_tag, f16_tag, mode, false, false, false>(table, name);
  });
  // Exact conversions have no rounding modifier.
  add_float_pair<float, f16_tag, rounding::rn, false, false, false>(table, "");
  add_float_pair<float, f16_tag, rounding::rn, true, false, false>(table, "");
  add_float_pair<float, f16_tag, rounding::rn, false, true, false>(table, "");
  add_float_pair<float, bf16_tag, rounding::rn, false, false, false>(table, "");
  add_float_pair<double, f16_tag, rounding::rn, false, false, false>(table, "");
  add_float_pair<double, bf16_tag, rounding::rn, false, false, false>(table, "");
  add_float_pair<double, float, rounding::rn, false, false, false>(table, "");
  add_float_pair<double, float, rounding::rn, true, false, false>(table, "");
  add_float_pair<double, float, rounding::rn, false, true, false>(table, "");
  add_float_pair<float, float, rounding::rn, true, false, false>(table, "");
  add_float_pair<float, float, rounding::rn, false, true, false>(table, "");
  add_float_pair<float, float, rounding::rn, true, true, false>(table, "");
  add_float_pair<float, float, rounding::rn, false, false, false>(table, "");
  add_float_pair<double, double, rounding::rn, false, false, false>(table, "");
  add_float_pair<double, double, rounding::rn, false, true, false>(table, "");
}

}  // namespace machine
