#include "tensor/tcgen05_descriptor.hpp"

#include <algorithm>

#include "tensor/tcgen05_chunks.hpp"

namespace machine::tensor {
namespace {

std::string hexadecimal(std::uint64_t value) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
  while ((value >>= 4) != 0);
  return "0x" + digits;
}

bool element_named(mma_kind kind, unsigned code, mma_element& out) {
  using enum mma_element;
  static constexpr mma_element floats[] = {e4m3, e5m2, e5m2, e2m3, e3m2, e2m1};
  switch (kind) {
    case mma_kind::f16: out = code == 0 ? f16 : bf16; return code <= 1;
    case mma_kind::tf32: out = tf32; return code == 2;
    case mma_kind::i8: out = code == 0 ? u8 : s8; return code <= 1;
    case mma_kind::mxf4:
    case mma_kind::mxf4nvf4: out = e2m1_pair; return code == 1;
    case mma_kind::f8f6f4:
    case mma_kind::mxf8f6f4:
      if (code > 5 || code == 2) return false;
      out = floats[code];
      return true;
  }
  return false;
}

std::string refuse_types(mma_instruction const& it) {
  bool const integer = it.kind == mma_kind::i8;
  if (integer != (it.d == mma_result::s32))
    return std::string("kind::") + name_of(it.kind) +
           (integer ? " accumulates in s32" : " accumulates in f16 or f32");
  if (it.d == mma_result::f16 &&
      (it.kind == mma_kind::tf32 || it.a == mma_element::bf16 || it.b == mma_element::bf16))
    return "tf32 and bf16 accumulate in f32";
  if (integer && (it.negate_a || it.negate_b)) return "kind::i8 cannot negate its operands";
  if (it.saturate && !integer) return "only kind::i8 saturates";
  return {};
}

// Checks M and N. For some steps of N, ISA 9.0 lists 16 and 32 where later versions list 8 and 16.
std::string refuse_shape(mma_instruction const& it) {
  if (it.is_weight_stationary) {
    if (it.m != 32 && it.m != 64 && it.m != 128)
      return "M is " + std::to_string(it.m) + "; .ws needs 32, 64 or 128";
    if (it.n != 64 && it.n != 128 && it.n != 256)
      return "N is " + std::to_string(it.n) + "; .ws needs 64, 128 or 256";
    return {};
  }
  int const least = it.pair == 2 ? 128 : 64;
  if (has_scales(it.kind) && it.m == 64) return "M is 64; block scales need 128 rows";
  if (it.m != least && it.m != 2 * least)
    return "M is " + std::to_string(it.m) + "; cta_group::" + std::to_string(it.pair) + " needs " +
           std::to_string(least) + " or " + std::to_string(2 * least);
  int step = it.pair == 2 ? 16 : 8;
  if (it.kind == mma_kind::i8 && (it.pair == 2 || it.m == 128 || it.n > 32)) step = 16 * it.pair;
  if (it.n < step || it.n > 256 || it.n % step != 0)
    return "N is " + std::to_string(it.n) + "; multiples of " + std::to_string(step) +
           " up to 256 are possible";
  return {};
}

/// Returns why the types of the scales, or their places in their word, are illegal.
std::string refuse_scales(mma_instruction const& it) {
  if (!has_scales(it.kind)) return {};
  bool const narrow = it.kind != mma_kind::mxf8f6f4;
  if (it.scaled_by == scale_type::ue4m3 && !(it.kind == mma_kind::mxf4nvf4 && it.scales == 4))
    return std::string("scales of type UE4M3; only kind::mxf4nvf4 with a scale for 16 elements ") +
           "takes them";
  if (narrow && (it.a_order == major::mn || it.b_order == major::mn))
    return "MN-major operands of 4 bits; they must be K-major";
  for (int const part : {it.a_part, it.b_part})
    if (part % it.scales != 0)
      return "scales that begin at byte " + std::to_string(part) + " of their word; " +
             std::to_string(it.scales) + " scales begin at a multiple of " +
             std::to_string(it.scales);
  return {};
}

/// Rejects sparse products whose metadata has a layout that only figures of the ISA show. CUTLASS
/// does not have these layouts.
std::string refuse_sparse(mma_instruction const& it) {
  if (!it.is_sparse) return {};
  if (it.m != 128 * it.pair)
    return "M is " + std::to_string(it.m) + "; the machine implements sparse products only for M " +
           std::to_string(128 * it.pair);
  bool const bytes = it.kind == mma_kind::f8f6f4 || it.kind == mma_kind::i8;
  if (bytes && it.selector != 0)
    return "sparsity selector " + std::to_string(it.selector) + "; kind::" + name_of(it.kind) +
           " needs 0";
  if (it.selector > 1)
    return "sparsity selector " + std::to_string(it.selector) +
           "; the machine implements only 0 and 1";
  return {};
}

std::string refuse_swizzle(operand_descriptor const& it, unsigned code, major order,
                           mma_element type) {
  if (code != 0 && code != 1 && code != 2 && code != 4 && code != 6)
    return "swizzle mode " + std::to_string(code) + ", which does not exist";
  bool const wide = type == mma_element::tf32 && order == major::mn;
  if (wide && !it.atoms_of_32)
    return "tf32 that is MN-major needs the 128B swizzle with atoms of 32 bytes";
  if (!wide && it.atoms_of_32)
    return "the 128B swizzle with atoms of 32 bytes is for tf32 that is MN-major";
  if (it.matrix.base_offset != 0 && it.matrix.mode == swizzle::none)
    return "a base offset, which without swizzle has no meaning";
  return {};
}

}  // namespace

char const* name_of(mma_kind kind) {
  constexpr char const* names[] = {"f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"};
  return names[static_cast<int>(kind)];
}

char const* name_of(mma_element type) {
  constexpr char const* names[] = {"f16",  "bf16", "tf32", "e4m3", "e5m2", "e2m3",
                                   "e3m2", "e2m1", "u8",   "s8",   "e2m1"};
  return names[static_cast<int>(type)];
}

namespace {

/// Decodes the fields of an instruction descriptor. The caller has set kind, pair, scales and form
/// (dense, sparse or .ws) of `out`.
std::string decode_fields(std::uint32_t bits, mma_instruction& out) {
  auto const field = [&](int low, int count) { return bits >> low & ((1u << count) - 1); };
  mma_kind const kind = out.kind;
  bool const scaled = has_scales(kind), narrow = scaled && kind != mma_kind::mxf8f6f4;
  std::string const which = "the instruction descriptor " + hexadecimal(bits) + ": ";
  if ((field(2, 1) != 0) != out.is_sparse)
    return which + (out.is_sparse ? "A is not sparse; tcgen05.mma.sp needs sparse A"
                                  : "A is sparse; only tcgen05.mma.sp multiplies sparse A");
  if (narrow && field(31, 1) != 0) return which + "K 96, which sm_100a does not have";
  std::uint32_t const unused =
      scaled ? 3u | 1u << 3 | 1u << 6 | (narrow ? 1u << 12 : 0) | 7u << 24 | 1u << 31
             : (out.is_sparse ? 0u : 3u) | 1u << 6 | 1u << 23 |
                   (out.is_weight_stationary ? 1u : 7u) << 29;
  if ((bits & unused) != 0)
    return which + "bits are set that must be 0: " + hexadecimal(bits & unused);
  if (!scaled && field(4, 2) == 3) return which + "type 3 of D, which does not exist";
  if (!scaled) out.d = static_cast<mma_result>(field(4, 2));
  if (!element_named(kind, field(7, 3), out.a) || !element_named(kind, field(10, 3), out.b))
    return which + "types " + std::to_string(field(7, 3)) + " and " + std::to_string(field(10, 3)) +
           " of A and B, which kind::" + name_of(kind) + " does not have";
  if (out.is_sparse) out.selector = static_cast<int>(field(0, 2));
  out.saturate = !scaled && field(3, 1) != 0;
  out.negate_a = field(13, 1) != 0;
  out.negate_b = field(14, 1) != 0;
  out.a_order = field(15, 1) != 0 ? major::mn : major::k;
  out.b_order = field(16, 1) != 0 ? major::mn : major::k;
  out.n = static_cast<int>(field(17, 6)) * 8;
  out.m = static_cast<int>(scaled ? field(27, 2) * 128 : field(24, 5) * 16);
  if (scaled) {
    out.scaled_by = field(23, 1) != 0 ? scale_type::ue8m0 : scale_type::ue4m3;
    out.b_part = static_cast<int>(field(4, 2));
    out.a_part = static_cast<int>(field(29, 2));
  }
  for (auto const& problem :
       {refuse_types(out), refuse_shape(out), refuse_scales(out), refuse_sparse(out)})
    if (!problem.empty()) return which + problem;
  return {};
}

}  // namespace

std::string decode_mma(std::uint32_t bits, mma_kind kind, int pair, mma_instruction& out,
                       int scales) {
  out = {};
  out.kind = kind;
  out.pair = pair;
  out.scales = scales;
  return decode_fields(bits, out);
}

std::string decode_sparse_mma(std::uint32_t bits, mma_kind kind, int pair, mma_instruction& out) {
  out = {};
  out.kind = kind;
  out.pair = pair;
  out.is_sparse = true;
  return decode_fields(bits, out);
}

std::string decode_stationary_mma(std::uint32_t bits, mma_kind kind, mma_instruction& out) {
  out = {};
  out.kind = kind;
  out.is_weight_stationary = true;
  return decode_fields(bits, out);
}

std::string decode_operand(std::uint64_t bits, major order, mma_element type, int rows,
                           std::size_t shared_size, operand_descriptor& out, int bytes_of_row) {
  constexpr std::uint64_t used =
      0x3fff | 0x3fffull << 16 | 0x3fffull << 32 | 7ull << 46 | 7ull << 49 | 7ull << 61;
  if ((bits >> 46 & 7) != 1)
    return "bits 48-46 are " + std::to_string(bits >> 46 & 7) +
           " and must be 1: is it a descriptor of wgmma?";
  if ((bits & ~used) != 0) return "bits are set that must be 0: " + hexadecimal(bits & ~used);
  auto const code = static_cast<unsigned>(bits >> 61);
  // The codes of the modes are not those of wgmma.
  constexpr swizzle modes[] = {swizzle::none, swizzle::b128, swizzle::b128, swizzle::none,
                               swizzle::b64,  swizzle::none, swizzle::b32,  swizzle::none};
  out.matrix = decode_descriptor(bits & 0x3fff3fff3fffull);
  out.matrix.base_offset = static_cast<std::uint32_t>(bits >> 49 & 7);
  out.matrix.mode = modes[code];
  out.atoms_of_32 = code == 1;
  if (auto const problem = refuse_swizzle(out, code, order, type); !problem.empty()) return problem;
  int const chunks = std::max(bytes_of_row / 16, 2);
  if (chunks > 2 && order == major::k && out.matrix.mode == swizzle::b32)
    return "the 32B swizzle; its spans hold half of a row of B of a sparse product";
  if (chunks_of(out, order, type, rows, chunks)->end <= shared_size) return {};
  std::string refusal;
  for_each_chunk(out, order, type, rows, chunks, [&](std::uint32_t address, int row, int k) {
    bool const unread = order == major::k && k * bytes_of(type) >= bytes_of_row;
    if (unread || !refusal.empty() || std::size_t{address} + 16 <= shared_size) return;
    refusal = "row " + std::to_string(row) + ", k " + std::to_string(k) + " lies at " +
              hexadecimal(address) + ", outside the " + std::to_string(shared_size) +
              " bytes of shared memory";
  });
  return refusal;
}

}  // namespace machine::tensor
