// SPDX-License-Identifier: MIT
// Reads a Triton encoding, which encoding_map.hpp applies to a tensor.
//
//     #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0,
//                  warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>
//
// `#name = ` may come before it. Source: Triton 3.9.
#pragma once

#include <axe/notation/reader.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail::triton {

inline constexpr int most_dimensions = 8;
using numbers = list<integer, most_dimensions>;

enum class encoding_kind : int {
  blocked,
  linear,
  shared_linear,
  nvidia_mma,
  amd_mfma,
  swizzled_shared,
  nvmma_shared,
  slice,
  dot_op
};
inline constexpr char const* kind_names[] = {"blocked",      "linear",   "shared_linear",
                                             "nvidia_mma",   "amd_mfma", "swizzled_shared",
                                             "nvmma_shared", "slice",    "dot_op"};
AXE_FN constexpr bool is_shared(encoding_kind kind) {
  return kind == encoding_kind::shared_linear || kind == encoding_kind::swizzled_shared ||
         kind == encoding_kind::nvmma_shared;
}

/// The fields, in this order: lists of numbers, single numbers, basis vectors, the parent.
enum field : int {
  size_per_thread,
  threads_per_warp,
  warps_per_cta,
  order,
  instr_shape,
  tiles_per_warp,
  ctas_per_cga,
  cta_split_num,
  cta_order,
  version_major,
  version_minor,
  version,
  vec,
  per_phase,
  max_phase,
  is_transposed,
  element_bit_width,
  swizzling_byte_width,
  transposed,
  fp4_padded,
  rank_of_tensor,
  alignment,
  dim,
  op_idx,
  k_width,
  offset_bases,
  register_bases,
  lane_bases,
  warp_bases,
  block_bases,
  cga_layout,
  parent,
  field_count
};
inline constexpr char const* field_names[] = {"sizePerThread",
                                              "threadsPerWarp",
                                              "warpsPerCTA",
                                              "order",
                                              "instrShape",
                                              "tilesPerWarp",
                                              "CTAsPerCGA",
                                              "CTASplitNum",
                                              "CTAOrder",
                                              "versionMajor",
                                              "versionMinor",
                                              "version",
                                              "vec",
                                              "perPhase",
                                              "maxPhase",
                                              "isTransposed",
                                              "elementBitWidth",
                                              "swizzlingByteWidth",
                                              "transposed",
                                              "fp4Padded",
                                              "rank",
                                              "alignment",
                                              "dim",
                                              "opIdx",
                                              "kWidth",
                                              "offset",
                                              "register",
                                              "lane",
                                              "warp",
                                              "block",
                                              "CGALayout",
                                              "parent"};

using field_set = stl::uint32_t;
template <class... Fields> AXE_FN constexpr field_set fields(Fields... all) {
  return ((field_set{1} << all) | ... | field_set{0});
}
inline constexpr field_set several_ctas =
    fields(cga_layout, ctas_per_cga, cta_split_num, cta_order);

AXE_FN constexpr field_set needed_fields(encoding_kind kind) {
  switch (kind) {
    case encoding_kind::blocked:
      return fields(size_per_thread, threads_per_warp, warps_per_cta, order);
    case encoding_kind::linear: return 0;
    case encoding_kind::shared_linear: return fields(offset_bases);
    case encoding_kind::nvidia_mma: return fields(version_major, warps_per_cta, instr_shape);
    case encoding_kind::amd_mfma: return fields(warps_per_cta, instr_shape, is_transposed);
    case encoding_kind::swizzled_shared: return fields(vec, per_phase, max_phase, order);
    case encoding_kind::nvmma_shared:
      return fields(swizzling_byte_width, transposed, element_bit_width);
    case encoding_kind::slice: return fields(dim, parent);
    case encoding_kind::dot_op: return fields(op_idx, parent);
  }
  return 0;
}
AXE_FN constexpr field_set other_fields(encoding_kind kind) {
  switch (kind) {
    case encoding_kind::linear: return fields(register_bases, lane_bases, warp_bases, block_bases);
    case encoding_kind::shared_linear: return fields(block_bases);
    case encoding_kind::nvidia_mma: return several_ctas | fields(version_minor);
    case encoding_kind::amd_mfma:
      return several_ctas |
             fields(version, version_major, version_minor, tiles_per_warp, element_bit_width);
    case encoding_kind::nvmma_shared: return several_ctas | fields(fp4_padded, rank_of_tensor);
    case encoding_kind::slice: return 0;
    case encoding_kind::dot_op: return fields(k_width);
    default: return several_ctas;
  }
}

/// In shared memory, by_register stands for offsets.
enum basis_holder : int { by_register, by_lane, by_warp, by_cta };

/// A #ttg.slice or #ttg.dot_op.
struct wrapper {
  bool is_slice = false;
  integer dim = 0;
  integer op_idx = 0;
  integer k_width = 0;
};

struct encoding {
  list<wrapper, 4> wrappers;  // outermost first
  encoding_kind kind{};       // of the innermost encoding
  int position = 0;
  numbers lists[version_major];
  integer scalars[offset_bases]{};
  list<numbers, 64> bases;  // in the text's order
  int holder[64]{};         // basis_holder, by basis
  numbers extents;          // of the tensor, if in the text
  field_set seen = 0;

  AXE_FN constexpr bool has(field f) const { return (seen >> f & 1) != 0; }
};

AXE_FN constexpr bool read_numbers(reader& in, numbers& out) {
  out.clear();
  if (!in.require('[', rule::expected_a_triton_field)) return false;
  if (in.take(']')) return true;
  do {
    integer n = 0;
    if (!in.read_integer(n, rule::expected_a_number)) return false;
    if (!out.push(n)) return in.fail(rule::triton_too_large);
  } while (in.take(','));
  return in.require(']', rule::expected_a_closing_bracket);
}

AXE_FN constexpr bool read_bases(reader& in, encoding& e, int holder) {
  if (!in.require('[', rule::expected_a_triton_field)) return false;
  if (in.take(']')) return true;
  do {
    numbers basis;
    if (!read_numbers(in, basis)) return false;
    if (e.bases.size() == 64) return in.fail(rule::triton_too_large);
    e.holder[e.bases.size()] = holder;
    e.bases.push(basis);
  } while (in.take(','));
  return in.require(']', rule::expected_a_closing_bracket);
}

AXE_FN constexpr int find_word(reader& in, char const* const* words, int count) {
  int const start = in.position;
  for (int k = 0; k < count; ++k) {
    if (in.take_word(words[k])) return k;
    in.position = start;
  }
  return -1;
}

AXE_FN constexpr bool read_encoding(reader& in, encoding& e);

AXE_FN constexpr bool read_value(reader& in, encoding& e, int wrapper_index, int f) {
  if (f == parent) return read_encoding(in, e);
  if (f < version_major) return read_numbers(in, e.lists[f]);
  if (f >= offset_bases) {
    int const holder = f == lane_bases    ? by_lane
                       : f == warp_bases  ? by_warp
                       : f >= block_bases ? by_cta
                                          : by_register;
    return read_bases(in, e, holder);
  }
  integer n = 0;
  if (in.take_word("true"))
    n = 1;
  else if (!in.take_word("false") && !in.read_integer(n, rule::expected_a_number))
    return false;
  if (f == dim) e.wrappers[wrapper_index].dim = n;
  if (f == op_idx) e.wrappers[wrapper_index].op_idx = n;
  if (f == k_width) e.wrappers[wrapper_index].k_width = n;
  e.scalars[f] = n;
  return true;
}

/// Reads `{name = value, …}`; in shared_linear `, alignment = 16` may follow.
AXE_FN constexpr bool read_fields(reader& in, encoding& e, encoding_kind kind, int wrapper_index) {
  if (!in.require('<', rule::expected_a_triton_field) ||
      !in.require('{', rule::expected_a_triton_field))
    return false;
  field_set seen = 0;
  bool more = !in.take('}');
  while (more) {
    in.skip_spaces();
    int const start = in.position;
    int const f = find_word(in, field_names, field_count);
    if (f < 0 || ((needed_fields(kind) | other_fields(kind)) >> f & 1) == 0 || (seen >> f & 1) != 0)
      return in.fail_at(start, rule::expected_a_triton_field);
    if (!in.require('=', rule::expected_a_triton_field) || !read_value(in, e, wrapper_index, f))
      return false;
    seen |= fields(f);
    more = in.take(',');
    if (!more && !in.require('}', rule::expected_a_triton_field)) return false;
  }
  if (kind == encoding_kind::shared_linear && in.take(',')) {
    if (!in.take_word("alignment") || !in.require('=', rule::expected_a_triton_field) ||
        !in.read_integer(e.scalars[alignment], rule::expected_a_number))
      return in.fail(rule::expected_a_triton_field);
  }
  if ((needed_fields(kind) & ~seen) != 0)
    return in.fail(is_shared(kind) ? rule::triton_shared_field_missing
                                   : rule::triton_field_missing);
  if (kind < encoding_kind::slice) e.seen = seen;
  return in.require('>', rule::expected_a_triton_field);
}

AXE_FN constexpr bool read_encoding(reader& in, encoding& e) {
  in.skip_spaces();
  int const start = in.position;
  if (!in.take('#') || (!in.take_word("ttg") && !in.take_word("triton_gpu")) || !in.take('.'))
    return in.fail_at(start, rule::expected_a_triton_encoding);
  int const k = find_word(in, kind_names, 9);
  if (k < 0) return in.fail_at(start, rule::expected_a_triton_encoding);
  auto const kind = static_cast<encoding_kind>(k);
  int const wrapper_index = e.wrappers.size();
  if (kind >= encoding_kind::slice) {
    if (!e.wrappers.push({kind == encoding_kind::slice})) return in.fail(rule::triton_too_large);
  } else {
    e.kind = kind;
    e.position = start;
  }
  return read_fields(in, e, kind, wrapper_index);
}

AXE_FN constexpr void skip_alias(reader& in) {
  int const start = in.position;
  int name = 0;
  if (in.take('#')) name = in.name_length();
  in.position += name;
  if (name == 0 || !in.take('=')) in.position = start;
}

}  // namespace detail::triton
}  // namespace AXE_NAMESPACE
}  // namespace axe
