// The formulas of the PTX ISA for matrix fragments: row and column of element i of a lane's
// fragment, one function for each operand.
//
//     a_m16n8k16_16bit(lane, i).row    groupID for 0 <= i < 2 || 4 <= i < 6, groupID + 8 otherwise
//
// The file uses no header of the library. The ISA prints the expressions in the sections "Matrix
// Fragments for mma.mMnNkK". For ldmatrix, wgmma and tcgen05 it has figures only, and the
// expressions here describe the figures.
#pragma once

namespace isa {

struct element {
  int row, column;
};

constexpr int group_id(int lane) { return lane >> 2; }
constexpr int thread_in_group(int lane) { return lane % 4; }

// m8n8k4 .f64
constexpr element a_m8n8k4_64bit(int lane, int) { return {group_id(lane), thread_in_group(lane)}; }
constexpr element b_m8n8k4_64bit(int lane, int) { return {thread_in_group(lane), group_id(lane)}; }
// m8n8k16 .s8, .u8
constexpr element a_m8n8k16_8bit(int lane, int i) {
  return {group_id(lane), thread_in_group(lane) * 4 + i};
}
constexpr element b_m8n8k16_8bit(int lane, int i) {
  return {thread_in_group(lane) * 4 + i, group_id(lane)};
}
// m8n8k32 .s4, .u4
constexpr element a_m8n8k32_4bit(int lane, int i) {
  return {group_id(lane), thread_in_group(lane) * 8 + i};
}
constexpr element b_m8n8k32_4bit(int lane, int i) {
  return {thread_in_group(lane) * 8 + i, group_id(lane)};
}
// m8n8k128 .b1
constexpr element a_m8n8k128_1bit(int lane, int i) {
  return {group_id(lane), thread_in_group(lane) * 32 + i};
}
constexpr element b_m8n8k128_1bit(int lane, int i) {
  return {thread_in_group(lane) * 32 + i, group_id(lane)};
}
// C and D of every m8n8k shape
constexpr element c_m8n8(int lane, int i) {
  return {group_id(lane), thread_in_group(lane) * 2 + (i & 0x1)};
}

// m16n8k4 .tf32, .f64
constexpr element a_m16n8k4_32bit(int lane, int i) {
  return {i == 0 ? group_id(lane) : group_id(lane) + 8, thread_in_group(lane)};
}
constexpr element b_m16n8k4_32bit(int lane, int) { return {thread_in_group(lane), group_id(lane)}; }
// m16n8k8 .f16, .bf16
constexpr element a_m16n8k8_16bit(int lane, int i) {
  return {i == 0 || i == 1 ? group_id(lane) : group_id(lane) + 8,
          thread_in_group(lane) * 2 + (i & 0x1)};
}
constexpr element b_m16n8k8_16bit(int lane, int i) {
  return {thread_in_group(lane) * 2 + i, group_id(lane)};
}
// m16n8k8 .tf32, .f64
constexpr element a_m16n8k8_32bit(int lane, int i) {
  return {i == 0 || i == 2 ? group_id(lane) : group_id(lane) + 8,
          i == 0 || i == 1 ? thread_in_group(lane) : thread_in_group(lane) + 4};
}
constexpr element b_m16n8k8_32bit(int lane, int i) {
  return {i == 0 ? thread_in_group(lane) : thread_in_group(lane) + 4, group_id(lane)};
}
// m16n8k16 .f16, .bf16
constexpr element a_m16n8k16_16bit(int lane, int i) {
  return {
      (0 <= i && i < 2) || (4 <= i && i < 6) ? group_id(lane) : group_id(lane) + 8,
      i < 4 ? thread_in_group(lane) * 2 + (i & 0x1) : thread_in_group(lane) * 2 + (i & 0x1) + 8};
}
constexpr element b_m16n8k16_16bit(int lane, int i) {
  return {i < 2 ? thread_in_group(lane) * 2 + (i & 0x1) : thread_in_group(lane) * 2 + (i & 0x1) + 8,
          group_id(lane)};
}
// m16n8k16 .f64
constexpr element a_m16n8k16_64bit(int lane, int i) {
  return {i % 2 == 0 ? group_id(lane) : group_id(lane) + 8,
          i % 2 == 0 ? i * 2 + thread_in_group(lane) : i * 2 - 2 + thread_in_group(lane)};
}
constexpr element b_m16n8k16_64bit(int lane, int i) {
  return {thread_in_group(lane) + i * 4, group_id(lane)};
}
// m16n8k16 .s8, .u8, .e4m3, .e5m2
constexpr element a_m16n8k16_8bit(int lane, int i) {
  return {i < 4 ? group_id(lane) : group_id(lane) + 8, thread_in_group(lane) * 4 + (i & 0x3)};
}
constexpr element b_m16n8k16_8bit(int lane, int i) {
  return {thread_in_group(lane) * 4 + i, group_id(lane)};
}
// m16n8k32 .s8, .u8, .e4m3, .e5m2, .e3m2, .e2m3, .e2m1
constexpr element a_m16n8k32_8bit(int lane, int i) {
  return {
      (0 <= i && i < 4) || (8 <= i && i < 12) ? group_id(lane) : group_id(lane) + 8,
      i < 8 ? thread_in_group(lane) * 4 + (i & 0x3) : thread_in_group(lane) * 4 + (i & 0x3) + 16};
}
constexpr element b_m16n8k32_8bit(int lane, int i) {
  return {
      i < 4 ? thread_in_group(lane) * 4 + (i & 0x3) : thread_in_group(lane) * 4 + (i & 0x3) + 16,
      group_id(lane)};
}
// m16n8k32 .s4, .u4
constexpr element a_m16n8k32_4bit(int lane, int i) {
  return {i < 8 ? group_id(lane) : group_id(lane) + 8, thread_in_group(lane) * 8 + (i & 0x7)};
}
constexpr element b_m16n8k32_4bit(int lane, int i) {
  return {thread_in_group(lane) * 8 + (i & 0x7), group_id(lane)};
}
// m16n8k64 .s4, .u4, .e2m1
constexpr element a_m16n8k64_4bit(int lane, int i) {
  return {
      (0 <= i && i < 8) || (16 <= i && i < 24) ? group_id(lane) : group_id(lane) + 8,
      i < 16 ? thread_in_group(lane) * 8 + (i & 0x7) : thread_in_group(lane) * 8 + (i & 0x7) + 32};
}
constexpr element b_m16n8k64_4bit(int lane, int i) {
  return {
      i < 8 ? thread_in_group(lane) * 8 + (i & 0x7) : thread_in_group(lane) * 8 + (i & 0x7) + 32,
      group_id(lane)};
}
// m16n8k128 .b1
constexpr element a_m16n8k128_1bit(int lane, int i) {
  return {i < 32 ? group_id(lane) : group_id(lane) + 8, thread_in_group(lane) * 32 + (i & 0x1F)};
}
constexpr element b_m16n8k128_1bit(int lane, int i) {
  return {thread_in_group(lane) * 32 + i, group_id(lane)};
}
// m16n8k256 .b1. This function corrects the page, which prints column thread_in_group * 32 + i
// without & 0x1F for 32 <= i < 64. As printed, lane 3's a32 and lane 0's a96 are both element (8,
// 128), and no lane has (8, 0). atom_test.cpp shows both.
constexpr element a_m16n8k256_1bit(int lane, int i) {
  return {i < 32 || (64 <= i && i < 96) ? group_id(lane) : group_id(lane) + 8,
          i < 64 ? thread_in_group(lane) * 32 + (i & 0x1F)
                 : thread_in_group(lane) * 32 + (i & 0x1F) + 128};
}
constexpr element a_m16n8k256_1bit_as_printed(int lane, int i) {
  return {a_m16n8k256_1bit(lane, i).row,
          i < 64 ? thread_in_group(lane) * 32 + i : thread_in_group(lane) * 32 + (i & 0x1F) + 128};
}
constexpr element b_m16n8k256_1bit(int lane, int i) {
  return {i < 32 ? thread_in_group(lane) * 32 + (i & 0x1F)
                 : thread_in_group(lane) * 32 + (i & 0x1F) + 128,
          group_id(lane)};
}
// C and D of every m16n8k shape
constexpr element c_m16n8(int lane, int i) {
  return {i < 2 ? group_id(lane) : group_id(lane) + 8, thread_in_group(lane) * 2 + (i & 0x1)};
}

// ldmatrix and stmatrix: value i of a lane is half i % 2 of register q = i / 2, which holds element
// (row, column) of matrix q. Lane 8q + r passes the address of row r of matrix q.
constexpr element ldmatrix(int lane, int i) { return {lane / 4, 2 * (lane % 4) + i % 2}; }
constexpr element ldmatrix_trans(int lane, int i) { return {2 * (lane % 4) + i % 2, lane / 4}; }

// wgmma.m64nNk: t is the number of the thread in its warpgroup.
constexpr element d_wgmma(int t, int i) {
  return {16 * (t / 32) + t % 32 / 4 + 8 * ((i >> 1) & 1), 8 * (i >> 2) + 2 * (t & 3) + (i & 1)};
}
constexpr element a_wgmma_16bit(int t, int i) {
  return {16 * (t / 32) + t % 32 / 4 + 8 * ((i / 2) % 2), 8 * (i / 4) + 2 * (t % 4) + i % 2};
}
constexpr element a_wgmma_8bit(int t, int i) {
  return {16 * (t / 32) + t % 32 / 4 + 8 * ((i / 4) % 2), 16 * (i / 8) + 4 * (t % 4) + i % 4};
}
constexpr element a_wgmma_32bit(int t, int i) {
  return {16 * (t / 32) + t % 32 / 4 + 8 * (i % 2), 4 * (i / 2) + t % 4};
}

// tcgen05.ld and .st: register i of a lane holds 32 bits of (lane of tensor memory, column),
// counted from the first lane and column of the warp. For each lane of tensor memory, 64 bits go to
// two lanes of the warp and 128 bits to four; 256 bits go to two registers of each of four lanes.
constexpr element tcgen05_32x32b(int lane, int i) { return {lane, i}; }
constexpr element tcgen05_16x64b(int lane, int i) {
  return {lane / 4 + 8 * (lane % 2), 2 * i + lane / 2 % 2};
}
constexpr element tcgen05_16x128b(int lane, int i) {
  return {lane / 4 + 8 * (i % 2), 4 * (i / 2) + lane % 4};
}
constexpr element tcgen05_16x256b(int lane, int i) {
  return {lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2};
}
/// Lanes 0 to 15 hold columns 0 to n - 1, lanes 16 to 31 columns n to 2n - 1.
constexpr element tcgen05_16x32bx2(int lane, int i, int n) {
  return {lane % 16, lane / 16 * n + i};
}

// The row and column of D that are stored in a lane and a column of tensor memory, for the layouts
// of "Data Path Layout Organization".
constexpr element data_path_ad(int lane, int column, int) { return {lane, column}; }
constexpr element data_path_be(int lane, int column, int n) {
  return {lane % 64, column + lane / 64 * (n / 2)};
}
constexpr element data_path_g(int lane, int column, int n) {
  return {lane % 32, column + lane / 32 * (n / 4)};
}
/// Only lanes 0 to 15 of the 32 of each warp hold elements.
constexpr element data_path_cf(int lane, int column, int) {
  return {lane / 32 * 16 + lane % 32, column};
}

// "Swizzling Modes": the number of each 16-byte chunk in a line of 128 bytes is XORed with the
// lowest 1, 2 or 3 bits of the line's number.
constexpr long long swizzled_byte(long long byte, int span) {
  long long const line = byte / 128, chunk = byte / 16 % 8;
  long long const moved = chunk ^ (span == 128 ? line % 8 : span == 64 ? line % 4 : line % 2);
  return line * 128 + moved * 16 + byte % 16;
}

// "Shared Memory Matrix Layout": the byte of element (row, k) before the swizzle, counted from the
// start of the descriptor. `bytes` is the size of an element, `width` the width of the swizzle in
// bytes (0 without one), and lbo and sbo are the leading and the stride byte offset of the
// descriptor.
constexpr long long k_major_byte(int row, int k, int bytes, int width, int lbo, int sbo) {
  int const along = k * bytes;
  if (width == 0) return row / 8 * sbo + row % 8 * 16 + along / 16 * lbo + along % 16;
  return row / 8 * sbo + row % 8 * width + along;
}
constexpr long long mn_major_byte(int row, int k, int bytes, int width, int lbo, int sbo) {
  int const along = row * bytes;
  if (width == 0) return along / 16 * sbo + along % 16 + k / 8 * lbo + k % 8 * 16;
  return along / width * lbo + along % width + k / 8 * sbo + k % 8 * width;
}

}  // namespace isa
