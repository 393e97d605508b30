// Lists the fundamental types and state spaces of PTX (ISA, "Fundamental Types", "State Spaces").
//
//     width_of(scalar::f16x2) = 4 bytes        scalar_named(".bf16") = scalar::bf16
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace machine {

enum class scalar : std::uint8_t {
  none,
  pred,
  b8,
  u8,
  s8,
  b16,
  u16,
  s16,
  f16,
  bf16,
  b32,
  u32,
  s32,
  f32,
  f16x2,
  bf16x2,
  b64,
  u64,
  s64,
  f64,
  b128
};

enum class space : std::uint8_t { none, generic, global, constant, shared, local, parameter, reg };

constexpr unsigned width_of(scalar type) {
  switch (type) {
    case scalar::none: return 0;
    case scalar::pred: return 4;  // one mask of 32 lanes
    case scalar::b8:
    case scalar::u8:
    case scalar::s8: return 1;
    case scalar::b16:
    case scalar::u16:
    case scalar::s16:
    case scalar::f16:
    case scalar::bf16: return 2;
    case scalar::b32:
    case scalar::u32:
    case scalar::s32:
    case scalar::f32: return 4;
    case scalar::f16x2:
    case scalar::bf16x2: return 4;
    case scalar::b64:
    case scalar::u64:
    case scalar::s64:
    case scalar::f64: return 8;
    case scalar::b128: return 16;
  }
  return 0;
}

constexpr bool is_signed(scalar type) {
  return type == scalar::s8 || type == scalar::s16 || type == scalar::s32 || type == scalar::s64;
}

/// Finds a type by its name, with or without the dot.
constexpr std::optional<scalar> scalar_named(std::string_view name) {
  if (!name.empty() && name.front() == '.') name.remove_prefix(1);
  constexpr struct {
    std::string_view text;
    scalar type;
  } names[] = {{"pred", scalar::pred}, {"b8", scalar::b8},       {"u8", scalar::u8},
               {"s8", scalar::s8},     {"b16", scalar::b16},     {"u16", scalar::u16},
               {"s16", scalar::s16},   {"f16", scalar::f16},     {"bf16", scalar::bf16},
               {"b32", scalar::b32},   {"u32", scalar::u32},     {"s32", scalar::s32},
               {"f32", scalar::f32},   {"f16x2", scalar::f16x2}, {"bf16x2", scalar::bf16x2},
               {"b64", scalar::b64},   {"u64", scalar::u64},     {"s64", scalar::s64},
               {"f64", scalar::f64},   {"b128", scalar::b128}};
  for (auto const& entry : names)
    if (entry.text == name) return entry.type;
  return std::nullopt;
}

}  // namespace machine
