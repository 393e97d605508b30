// SPDX-License-Identifier: MIT
// copy_instruction: the instruction by which a copy loads or stores.
//
//     ldmatrix_x4: matrices_of 4, bytes_of 16        vector_8: a load or store of 8 bytes
#pragma once

#include <axe/atoms/target.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class copy_instruction : unsigned char {
  any,  // the planner chooses
  tma,
  bulk,
  cp_async_16,
  cp_async_8,
  cp_async_4,
  ldmatrix_x4,
  ldmatrix_x2,
  ldmatrix_x1,
  ldmatrix_trans_x4,
  ldmatrix_trans_x2,
  ldmatrix_trans_x1,
  stmatrix_x4,
  stmatrix_x2,
  stmatrix_x1,
  stmatrix_trans_x4,
  stmatrix_trans_x2,
  stmatrix_trans_x1,
  vector_16,
  vector_8,
  vector_4,
  vector_2,
  vector_1,
  count
};

AXE_LAZY_FN constexpr char const* name_of(copy_instruction i) {
  return detail::name_at(i, {"any",
                             "tma",
                             "cp.async.bulk",
                             "cp.async.16",
                             "cp.async.8",
                             "cp.async.4",
                             "ldmatrix.x4",
                             "ldmatrix.x2",
                             "ldmatrix.x1",
                             "ldmatrix.trans.x4",
                             "ldmatrix.trans.x2",
                             "ldmatrix.trans.x1",
                             "stmatrix.x4",
                             "stmatrix.x2",
                             "stmatrix.x1",
                             "stmatrix.trans.x4",
                             "stmatrix.trans.x2",
                             "stmatrix.trans.x1",
                             "vector.16",
                             "vector.8",
                             "vector.4",
                             "vector.2",
                             "vector.1"});
}

namespace detail {
AXE_FN constexpr int number_from(copy_instruction i, copy_instruction first) {
  return static_cast<int>(i) - static_cast<int>(first);
}
AXE_FN constexpr bool between(copy_instruction i, copy_instruction first, copy_instruction last) {
  return number_from(i, first) >= 0 && number_from(last, i) >= 0;
}
}  // namespace detail

AXE_FN constexpr bool is_vector(copy_instruction i) {
  return detail::between(i, copy_instruction::vector_16, copy_instruction::vector_1);
}
AXE_FN constexpr bool is_cp_async(copy_instruction i) {
  return detail::between(i, copy_instruction::cp_async_16, copy_instruction::cp_async_4);
}
AXE_FN constexpr bool is_asynchronous(copy_instruction i) {
  return detail::between(i, copy_instruction::tma, copy_instruction::cp_async_4);
}
AXE_FN constexpr bool is_ldmatrix(copy_instruction i) {
  return detail::between(i, copy_instruction::ldmatrix_x4, copy_instruction::ldmatrix_trans_x1);
}
AXE_FN constexpr bool is_matrix(copy_instruction i) {
  return detail::between(i, copy_instruction::ldmatrix_x4, copy_instruction::stmatrix_trans_x1);
}
AXE_FN constexpr bool is_transposed(copy_instruction i) {
  return is_matrix(i) && detail::number_from(i, copy_instruction::ldmatrix_x4) / 3 % 2 == 1;
}
AXE_LAZY_FN constexpr int matrices_of(copy_instruction i) {
  return is_matrix(i) ? 4 >> detail::number_from(i, copy_instruction::ldmatrix_x4) % 3 : 0;
}
/// The contiguous bytes at one address, or 0 for tma and bulk.
AXE_LAZY_FN constexpr int bytes_of(copy_instruction i) {
  if (is_matrix(i)) return 16;
  if (is_cp_async(i)) return 16 >> detail::number_from(i, copy_instruction::cp_async_16);
  if (is_vector(i)) return 16 >> detail::number_from(i, copy_instruction::vector_16);
  return 0;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
