// SPDX-License-Identifier: MIT
// mma_instruction: the kind and shape of a matrix instruction. mma_types: its element types.
//
//     check_mma({mma_kind::mma_sync, 16, 8, 32}, {e4m3, e4m3, f32}, sm_80)  rejected: needs sm_89
//
// Source: PTX ISA, "Multiply-and-Accumulate Instruction: mma", "tcgen05.mma: Kinds".
#pragma once

#include <axe/atoms/matrix_descriptor.hpp>
#include <axe/atoms/mma_atom.hpp>
#include <axe/plan/candidate.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class mma_kind : unsigned char { mma_sync, wgmma, tcgen05 };

AXE_FN constexpr char const* name_of(mma_kind k) {
  return detail::name_at(k, {"mma.sync", "wgmma", "tcgen05.mma"});
}

struct mma_instruction {
  mma_kind kind = mma_kind::mma_sync;
  int m = 0, n = 0, k = 0;
  int ctas = 1;  // 2: a pair of CTAs

  constexpr bool operator==(mma_instruction const&) const = default;
};

struct mma_types {
  element_type a = element_type::bf16;
  element_type b = element_type::bf16;
  element_type sum = element_type::f32;

  constexpr bool operator==(mma_types const&) const = default;
};

namespace detail {

/// A and B may have different types if mixed_as is equal for both.
AXE_FN constexpr element_type mixed_as(element_type t) {
  using enum element_type;
  switch (t) {
    case e5m2: return e4m3;
    case u8: return s8;
    case u4: return s4;
    default: return t;
  }
}

AXE_LAZY_FN constexpr bool types_match(mma_instruction const& i, mma_types const& t) {
  using enum element_type;
  element_type const a = mixed_as(t.a);
  if (a != mixed_as(t.b)) return false;
  bool const into_f32 = t.sum == f32, into_s32 = t.sum == s32;
  bool const in_a_warp = i.kind == mma_kind::mma_sync;
  switch (a) {
    case f16: return into_f32 || t.sum == f16;
    case e4m3: return i.m != 8 && (into_f32 || t.sum == f16);
    case bf16:
    case tf32: return into_f32;
    case s8: return into_s32;
    case s4: return into_s32 && in_a_warp;
    case b1: return into_s32 && i.kind != mma_kind::tcgen05;
    case f64: return t.sum == f64 && in_a_warp;
    default: return false;
  }
}

AXE_FN constexpr int first_architecture(mma_instruction const& i, element_type a) {
  switch (a) {
    case element_type::e4m3:
    case element_type::e5m2: return 89;
    case element_type::f64: return i.m == 16 ? 90 : 80;
    default: return 80;
  }
}

}  // namespace detail

AXE_LAZY_FN constexpr refusal check_mma(mma_instruction const& i, mma_types const& t,
                                        architecture target) {
  using namespace detail;
  if (!types_match(i, t)) return {rule::mma_types, {bits_of(t.a), bits_of(t.b), bits_of(t.sum)}};
  integer const bits = bits_of(t.a);
  if (i.kind == mma_kind::mma_sync) {
    if (!has_mma(i.m, i.n, i.k, bits)) return {rule::mma_no_such_shape, {i.m, i.n, i.k, bits}};
    int const first = first_architecture(i, t.a);
    if (number_of(target) >= first) return {};
    return {first == 89 ? rule::needs_sm_89 : rule::needs_sm_90};
  }
  if (i.kind == mma_kind::wgmma) {
    if (!has_wgmma(target)) return {rule::exists_on_sm_90a};
    bool const steps_by_16 = t.sum == element_type::s32 && i.n > 24;
    if (i.n < 8 || i.n > 256 || i.n % (steps_by_16 ? 16 : 8) != 0)
      return {rule::wgmma_columns, {i.n}};
    if (i.m != 64) return {rule::wgmma_rows, {i.m}};
  } else if (!has_tensor_memory(target)) {
    return {rule::exists_on_sm_100a};
  }
  if (i.k != 256 / bits) return {rule::mma_depth, {i.k, bits, 256 / bits}};
  if (i.kind == mma_kind::wgmma) return {};
  return try_encode_instruction({t.a, t.b, t.sum, i.m, i.n, false, false, i.ctas}).why;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
