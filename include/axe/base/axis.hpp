// SPDX-License-Identifier: MIT
// An axis: a named physical dimension, such as the lanes of a warp or a memory address.
//
//     constexpr axis mesh_x = device_axis("mesh_x");
//
// A declared axis holds its kind and its name in 64 bits. Definition: docs/algebra.md, D1.
#pragma once

#include <axe/base/text.hpp>
#include <axe/base/traits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// `null` stands for no axis. Iters on it have stride 0.
enum class axis : detail::stl::uint64_t {
  null,
  // Memory axes.
  m,
  reg,
  TLane,
  TCol,
  P,
  F,
  Bank,
  // Thread axes.
  lane,
  warp,
  wid_in_wg,
  wg,
  tid_in_wg,
  tid,
  cta_x,
  cta_y,
  cta_z,
  cluster_cta_x,
  cluster_cta_y,
  cluster_cta_z,
  // Device axes.
  gpuid,
  pid,
};

enum class kind : unsigned char { thread, memory, device };

enum class scope : unsigned char { none, thread, warp, warpgroup, cta, cluster, grid };

namespace detail {

inline constexpr int built_in_axes = static_cast<int>(axis::pid) + 1;
inline constexpr stl::uint64_t declared_bit = stl::uint64_t{1} << 63;
inline constexpr int kind_position = 61;

struct built_in_axis {
  char const* name = "";
  char const* alias = "";
  scope unit = scope::none;
  scope counted_in = scope::none;
};

AXE_FN constexpr built_in_axis built_in(axis a) {
  switch (a) {
    case axis::null: return {"null"};
    case axis::m: return {"m"};
    case axis::reg: return {"reg"};
    case axis::TLane: return {"TLane", "Lane"};
    case axis::TCol: return {"TCol", "Col"};
    case axis::P: return {"P"};
    case axis::F: return {"F"};
    case axis::Bank: return {"Bank"};
    case axis::lane: return {"lane", "laneid", scope::thread, scope::warp};
    case axis::warp: return {"warp", "warpid", scope::warp, scope::cta};
    case axis::wid_in_wg: return {"wid_in_wg", "", scope::warp, scope::warpgroup};
    case axis::wg: return {"wg", "wgid", scope::warpgroup, scope::cta};
    case axis::tid_in_wg: return {"tid_in_wg", "", scope::thread, scope::warpgroup};
    case axis::tid: return {"tid", "tx", scope::thread, scope::cta};
    case axis::cta_x: return {"cta_x", "bx", scope::cta, scope::grid};
    case axis::cta_y: return {"cta_y", "by", scope::cta, scope::grid};
    case axis::cta_z: return {"cta_z", "bz", scope::cta, scope::grid};
    case axis::cluster_cta_x: return {"cluster_cta_x", "cbx", scope::cta, scope::cluster};
    case axis::cluster_cta_y: return {"cluster_cta_y", "cby", scope::cta, scope::cluster};
    case axis::cluster_cta_z: return {"cluster_cta_z", "cbz", scope::cta, scope::cluster};
    case axis::gpuid: return {"gpuid"};
    case axis::pid: return {"pid"};
    default: return {};
  }
}

AXE_FN constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
AXE_FN constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Six bits for each character; 0 ends the name.
AXE_FN constexpr char unpack_character(unsigned code) {
  return "\0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"[code];
}
AXE_FN constexpr unsigned pack_character(char c) {
  unsigned code = 63;
  while (code > 0 && unpack_character(code) != c) --code;
  return code;
}

AXE_FN constexpr stl::uint64_t number_of(axis a) { return static_cast<stl::uint64_t>(a); }

/// Compares integers: an enum == makes clang try 144 overloads.
AXE_FN constexpr bool same(axis a, axis b) { return number_of(a) == number_of(b); }

AXE_FN constexpr bool is_declared(axis a) { return (number_of(a) & declared_bit) != 0; }

AXE_FN constexpr axis pack_axis(char const* name, int length, kind k) {
  stl::uint64_t bits = declared_bit | (static_cast<stl::uint64_t>(k) << kind_position);
  for (int i = 0; i < length; ++i)
    bits |= static_cast<stl::uint64_t>(pack_character(name[i])) << (6 * i);
  return static_cast<axis>(bits);
}

// A call in a constant expression stops the build, and the error shows the function's name.
#ifdef __clang__
inline constexpr void (*an_axis_name_is_one_to_nine_letters_digits_or_underscores)() = nullptr;
inline constexpr void (*this_axis_name_is_built_in)() = nullptr;
#else
AXE_FN inline void an_axis_name_is_one_to_nine_letters_digits_or_underscores() {}
AXE_FN inline void this_axis_name_is_built_in() {}
#endif

template <unsigned Size> AXE_FN constexpr axis declare_axis(char const (&name)[Size], kind k) {
  constexpr int length = static_cast<int>(Size) - 1;
  if (length < 1 || length > 9 || !is_letter(name[0]))
    an_axis_name_is_one_to_nine_letters_digits_or_underscores();
  for (int i = 0; i < length; ++i)
    if (pack_character(name[i]) == 0) an_axis_name_is_one_to_nine_letters_digits_or_underscores();
  for (int i = 0; i < built_in_axes; ++i) {
    built_in_axis const taken = built_in(static_cast<axis>(i));
    if (same_text(name, length, taken.name) || same_text(name, length, taken.alias))
      this_axis_name_is_built_in();
  }
  return pack_axis(name, length, k);
}

}  // namespace detail

/// Declares an axis. Its name has one to nine letters, digits or underscores, does not begin with a
/// digit and is not built in. A wrong name stops the build if the axis is constexpr.
template <unsigned Size> AXE_FN constexpr axis thread_axis(char const (&name)[Size]) {
  return detail::declare_axis(name, kind::thread);
}
template <unsigned Size> AXE_FN constexpr axis memory_axis(char const (&name)[Size]) {
  return detail::declare_axis(name, kind::memory);
}
template <unsigned Size> AXE_FN constexpr axis device_axis(char const (&name)[Size]) {
  return detail::declare_axis(name, kind::device);
}

/// The null axis counts as memory.
AXE_FN constexpr kind kind_of(axis a) {
  using namespace detail;
  if (is_declared(a)) return static_cast<kind>((number_of(a) >> kind_position) & 3);
  if (number_of(a) >= number_of(axis::gpuid)) return kind::device;
  return number_of(a) >= number_of(axis::lane) ? kind::thread : kind::memory;
}

/// `lane` counts threads (its unit) in a warp (its scope). `none` except for built-in thread axes.
AXE_FN constexpr scope unit_of(axis a) { return detail::built_in(a).unit; }
AXE_FN constexpr scope scope_of(axis a) { return detail::built_in(a).counted_in; }

/// The extent of the axis if the hardware fixes it, else 0.
AXE_FN constexpr integer places_in_scope(axis a) {
  switch (a) {
    case axis::lane: return 32;
    case axis::wid_in_wg: return 4;
    case axis::tid_in_wg: return 128;
    default: return 0;
  }
}

/// `axes::warp` is the axis, and also the scope of one warp in cuda/scope.hpp.
struct warp_unit {
  static constexpr integer size = 32, first = 0;  // its threads: 0 to 31
  AXE_FN constexpr operator axis() const { return axis::warp; }
};

/// Rejects lane == 0 and tid < 32.
template <class Number>
  requires requires(Number n) { +n; }
AXE_FN constexpr bool operator==(axis, Number) {
  static_assert(detail::never<Number>,
                "an axis is not a number: kernels call axe::lane_id(), warp_id() or thread_id()");
  return false;
}
template <class Number>
  requires requires(Number n) { +n; }
AXE_FN constexpr int operator<=>(axis, Number) {
  static_assert(detail::never<Number>,
                "an axis is not a number: kernels call axe::lane_id(), warp_id() or thread_id()");
  return 0;
}

/// After `using namespace axe::axes;`, write `8*lane + 6*warp`.
namespace axes {
using axis::cluster_cta_x, axis::cluster_cta_y, axis::cluster_cta_z;
using axis::cta_x, axis::cta_y, axis::cta_z;
using axis::gpuid, axis::pid;
using axis::lane, axis::wid_in_wg, axis::wg, axis::tid_in_wg, axis::tid;
using axis::m, axis::reg, axis::TLane, axis::TCol, axis::P, axis::F, axis::Bank;
inline constexpr warp_unit warp{};
}  // namespace axes

}  // namespace AXE_NAMESPACE
}  // namespace axe
