// Says why an mma.sync instruction is not legal up to sm_90 (PTX ISA, "mma", syntax).
#include "tensor/mma.hpp"

namespace machine::tensor {
namespace {

bool is_small(mma_instruction const& it) { return it.m == 8; }  // m8n8, not m16n8

/// m8n8k4 of f16 runs on quads of lanes, and has both orders of A and B.
bool is_volta(mma_instruction const& it) {
  return is_small(it) && it.k == 4 && it.a == element::f16;
}

bool has_sum(mma_instruction const& it, element type) { return it.c == type && it.d == type; }

bool is_m16n8(mma_instruction const& it, int k, int other_k) {
  return !is_small(it) && (it.k == k || it.k == other_k);
}

char const* refuse_integers(mma_instruction const& it) {
  bool const bytes = width_of(it.a) == 8;
  if (!is_integer(it.b) || width_of(it.b) != width_of(it.a))
    return "mma.sync needs integers of one width in A and B";
  if (!has_sum(it, element::s32)) return "mma.sync accumulates integers in s32";
  int const shortest = bytes ? 16 : 32;
  if (it.k == shortest || is_m16n8(it, shortest, 2 * shortest)) return nullptr;
  return bytes ? "mma.sync of bytes has shapes m8n8k16, m16n8k16 and m16n8k32"
               : "mma.sync of 4-bit integers has shapes m8n8k32, m16n8k32 and m16n8k64";
}

char const* refuse_f16(mma_instruction const& it) {
  auto const is_float = [](element type) { return type == element::f16 || type == element::f32; };
  if (!is_float(it.c) || !is_float(it.d)) return "mma.sync of f16 accumulates in f16 or f32";
  if (is_volta(it)) {
    bool const narrows = it.c == element::f32 && it.d == element::f16;
    return narrows ? "mma.sync m8n8k4 with f32 in C needs f32 in D" : nullptr;
  }
  if (it.c != it.d) return "mma.sync needs C and D of one type";
  return is_m16n8(it, 8, 16) ? nullptr : "mma.sync of f16 has shapes m8n8k4, m16n8k8 and m16n8k16";
}

char const* refuse_bf16(mma_instruction const& it) {
  if (!has_sum(it, element::f32)) return "mma.sync of bf16 accumulates in f32";
  return is_m16n8(it, 8, 16) ? nullptr : "mma.sync of bf16 has shapes m16n8k8 and m16n8k16";
}

char const* refuse_tf32(mma_instruction const& it) {
  if (!has_sum(it, element::f32)) return "mma.sync of tf32 accumulates in f32";
  return is_m16n8(it, 4, 8) ? nullptr : "mma.sync of tf32 has shapes m16n8k4 and m16n8k8";
}

char const* refuse_f64(mma_instruction const& it) {
  if (!has_sum(it, element::f64)) return "mma.sync of f64 accumulates in f64";
  if (it.k == 4 || is_m16n8(it, 8, 16)) return nullptr;
  return "mma.sync of f64 has shapes m8n8k4, m16n8k4, m16n8k8 and m16n8k16";
}

char const* refuse_fp8(mma_instruction const& it) {
  if (!has_sum(it, element::f16) && !has_sum(it, element::f32))
    return "mma.sync of fp8 accumulates in f16 or f32, the same in C and D";
  return is_m16n8(it, 16, 32) ? nullptr : "mma.sync of fp8 has shapes m16n8k16 and m16n8k32";
}

char const* refuse_b1(mma_instruction const& it) {
  if (!has_sum(it, element::s32)) return "mma.sync of b1 accumulates in s32";
  if (it.k == 128 || is_m16n8(it, 128, 256)) return nullptr;
  return "mma.sync of b1 has shapes m8n8k128, m16n8k128 and m16n8k256";
}

}  // namespace

char const* refuse_mma(mma_instruction const& it) {
  if (it.n != 8 || (it.m != 8 && it.m != 16)) return "mma.sync shapes are m8n8 and m16n8";
  bool const integer = is_integer(it.a);
  if (it.satfinite && !integer) return "mma.sync takes .satfinite for s8, u8, s4 and u4 only";
  if (it.exclusive_or && it.a != element::b1) return "mma.sync takes .xor.popc for b1 only";
  if ((it.a_is_column || it.b_is_row) && !is_volta(it))
    return "mma.sync is .row.col, except m8n8k4 of f16";
  if (integer) return refuse_integers(it);
  if (is_fp8(it.a) ? !is_fp8(it.b) : it.a != it.b)
    return "mma.sync needs A and B of one type, or both of fp8";
  switch (it.a) {
    case element::f16: return refuse_f16(it);
    case element::bf16: return refuse_bf16(it);
    case element::tf32: return refuse_tf32(it);
    case element::f64: return refuse_f64(it);
    case element::e4m3:
    case element::e5m2: return refuse_fp8(it);
    case element::b1: return refuse_b1(it);
    default: return "mma.sync has no such operand type";
  }
}

}  // namespace machine::tensor
