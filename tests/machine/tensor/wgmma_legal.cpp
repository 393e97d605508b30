// Lists the legal wgmma.mma_async instructions (PTX ISA, "wgmma.mma_async", syntax). The ISA lists
// n up to 224 for integers. ptxas 13.0 also accepts 240 and 256, as for b1, and so does the
// machine.
#include "tensor/wgmma.hpp"

namespace machine::tensor {

char const* refuse_wgmma(wgmma_instruction const& it) {
  bool const bytes = it.a == element::s8 || it.a == element::u8;
  bool const integer = bytes || it.a == element::b1;
  if (it.n < 8 || it.n > 256 || it.n % 8 != 0)
    return "wgmma.mma_async needs n from 8 to 256 in steps of 8";
  if (integer && it.n > 24 && it.n % 16 != 0)
    return "wgmma.mma_async of integers and b1 has n 8, 16, 24 and multiples of 16";
  if (it.satfinite && !bytes) return "wgmma.mma_async takes .satfinite for s8 and u8 only";
  if (integer && (it.negate_a || it.negate_b))
    return "wgmma.mma_async can negate floats, not integers";
  if ((it.transpose_a || it.transpose_b) && !is_16_bit_float(it.a))
    return "wgmma.mma_async can transpose f16 and bf16 only";
  if (it.transpose_a && it.a_in_registers) return "wgmma.mma_async cannot transpose A in registers";
  if (bytes) {
    if (it.b != element::s8 && it.b != element::u8)
      return "wgmma.mma_async of bytes needs s8 or u8 in A and B";
    return it.d == element::s32 ? nullptr : "wgmma.mma_async accumulates integers in s32";
  }
  if (is_fp8(it.a) ? !is_fp8(it.b) : it.a != it.b)
    return "wgmma.mma_async needs A and B of one type, or both of fp8";
  switch (it.a) {
    case element::b1:
      return it.d == element::s32 ? nullptr : "wgmma.mma_async accumulates b1 in s32";
    case element::f16:
    case element::e4m3:
    case element::e5m2:
      return it.d == element::f32 || it.d == element::f16
                 ? nullptr
                 : "wgmma.mma_async of f16 and fp8 accumulates in f16 or f32";
    case element::bf16:
    case element::tf32:
      return it.d == element::f32 ? nullptr : "wgmma.mma_async of bf16 and tf32 accumulates in f32";
    default: return "wgmma.mma_async has no such operand type";
  }
}

}  // namespace machine::tensor
