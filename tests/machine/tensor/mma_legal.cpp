// Says why an mma.sync instruction is not legal up to sm_90 (PTX ISA, "mma", syntax).
#include "tensor/mma.hpp"

namespace machine::tensor {

char const* refuse_mma(mma_instruction const& it) {
  if (it.n != 8 || (it.m != 8 && it.m != 16)) return "mma.sync shapes are m8n8 and m16n8";
  bool const small = it.m == 8;
  bool const float_sum = it.d == element::f32 || it.d == element::f16;
  bool const integer = is_integer(it.a);
  if (it.satfinite && !integer) return "mma.sync takes .satfinite for s8, u8, s4 and u4 only";
  if (it.exclusive_or && it.a != element::b1) return "mma.sync takes .xor.popc for b1 only";
  bool const volta = small && it.k == 4 && it.a == element::f16;
  if ((it.a_is_column || it.b_is_row) && !volta)
    return "mma.sync is .row.col, except m8n8k4 of f16";
  if (integer) {
    bool const bytes = width_of(it.a) == 8;
    if (!is_integer(it.b) || width_of(it.b) != width_of(it.a))
      return "mma.sync needs integers of one width in A and B";
    if (it.c != element::s32 || it.d != element::s32) return "mma.sync accumulates integers in s32";
    int const shortest = bytes ? 16 : 32;
    if (it.k == shortest || (!small && it.k == 2 * shortest)) return nullptr;
    return bytes ? "mma.sync of bytes has shapes m8n8k16, m16n8k16 and m16n8k32"
                 : "mma.sync of 4-bit integers has shapes m8n8k32, m16n8k32 and m16n8k64";
  }
  if (is_fp8(it.a) ? !is_fp8(it.b) : it.a != it.b)
    return "mma.sync needs A and B of one type, or both of fp8";
  switch (it.a) {
    case element::f16:
      if (!float_sum || (it.c != element::f16 && it.c != element::f32))
        return "mma.sync of f16 accumulates in f16 or f32";
      if (volta) {
        return it.c == element::f32 && it.d == element::f16
                   ? "mma.sync m8n8k4 with f32 in C needs f32 in D"
                   : nullptr;
      }
      if (it.c != it.d) return "mma.sync needs C and D of one type";
      return !small && (it.k == 8 || it.k == 16)
                 ? nullptr
                 : "mma.sync of f16 has shapes m8n8k4, m16n8k8 and m16n8k16";
    case element::bf16:
      if (it.c != element::f32 || it.d != element::f32)
        return "mma.sync of bf16 accumulates in f32";
      return !small && (it.k == 8 || it.k == 16)
                 ? nullptr
                 : "mma.sync of bf16 has shapes m16n8k8 and m16n8k16";
    case element::tf32:
      if (it.c != element::f32 || it.d != element::f32)
        return "mma.sync of tf32 accumulates in f32";
      return !small && (it.k == 4 || it.k == 8) ? nullptr
                                                : "mma.sync of tf32 has shapes m16n8k4 and m16n8k8";
    case element::f64:
      if (it.c != element::f64 || it.d != element::f64) return "mma.sync of f64 accumulates in f64";
      if (small ? it.k == 4 : it.k == 4 || it.k == 8 || it.k == 16) return nullptr;
      return "mma.sync of f64 has shapes m8n8k4, m16n8k4, m16n8k8 and m16n8k16";
    case element::e4m3:
    case element::e5m2:
      if (!float_sum || it.c != it.d)
        return "mma.sync of fp8 accumulates in f16 or f32, the same in C and D";
      return !small && (it.k == 16 || it.k == 32)
                 ? nullptr
                 : "mma.sync of fp8 has shapes m16n8k16 and m16n8k32";
    case element::b1:
      if (it.c != element::s32 || it.d != element::s32) return "mma.sync of b1 accumulates in s32";
      if (it.k == 128 || (!small && it.k == 256)) return nullptr;
      return "mma.sync of b1 has shapes m8n8k128, m16n8k128 and m16n8k256";
    default: return "mma.sync has no such operand type";
  }
}

}  // namespace machine::tensor
