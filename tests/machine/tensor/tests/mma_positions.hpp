// Element positions of each mma.sync shape as the PTX ISA prints them, to check the formulas of
// fragment.hpp. groupID is lane / 4, threadID_in_group is lane % 4; i is the element's index in the
// lane's fragment.
#pragma once

#include <string>
#include <vector>

#include "tensor/mma.hpp"

namespace machine::tensor::test {

struct place {
  int row, column;
};
using formula = place (*)(int lane, int i);

struct shape_case {
  int m, n, k;
  std::vector<element> types;
  std::vector<element> sums;
  formula a, b, c;
};

inline place sixteen_by_eight(int lane, int i) {
  int const row = i < 2 ? lane >> 2 : (lane >> 2) + 8;
  return {row, (lane % 4) * 2 + (i & 1)};
}
inline place eight_by_eight(int lane, int i) { return {lane >> 2, (lane % 4) * 2 + (i & 1)}; }

inline std::vector<shape_case> shape_cases() {
  using enum element;
  return {
      // "Matrix Fragments for mma.m8n8k4 with .f64 floating point type"
      {8,
       8,
       4,
       {f64},
       {f64},
       [](int l, int) { return place{l >> 2, l % 4}; },
       [](int l, int) { return place{l % 4, l >> 2}; },
       eight_by_eight},
      // "Matrix Fragments for mma.m8n8k16"
      {8,
       8,
       16,
       {s8, u8},
       {s32},
       [](int l, int i) { return place{l >> 2, (l % 4) * 4 + i}; },
       [](int l, int i) { return place{(l % 4) * 4 + i, l >> 2}; },
       eight_by_eight},
      // "Matrix Fragments for mma.m8n8k32"
      {8,
       8,
       32,
       {s4, u4},
       {s32},
       [](int l, int i) { return place{l >> 2, (l % 4) * 8 + i}; },
       [](int l, int i) { return place{(l % 4) * 8 + i, l >> 2}; },
       eight_by_eight},
      // "Matrix Fragments for mma.m8n8k128"
      {8,
       8,
       128,
       {b1},
       {s32},
       [](int l, int i) { return place{l >> 2, (l % 4) * 32 + i}; },
       [](int l, int i) { return place{(l % 4) * 32 + i, l >> 2}; },
       eight_by_eight},
      // "Matrix Fragments for mma.m16n8k4"
      {16,
       8,
       4,
       {tf32},
       {f32},
       [](int l, int i) { return place{i == 0 ? l >> 2 : (l >> 2) + 8, l % 4}; },
       [](int l, int) { return place{l % 4, l >> 2}; },
       sixteen_by_eight},
      {16,
       8,
       4,
       {f64},
       {f64},
       [](int l, int i) { return place{i == 0 ? l >> 2 : (l >> 2) + 8, l % 4}; },
       [](int l, int) { return place{l % 4, l >> 2}; },
       sixteen_by_eight},
      // "Matrix Fragments for mma.m16n8k8"
      {16,
       8,
       8,
       {f16},
       {f16, f32},
       [](int l, int i) { return place{i < 2 ? l >> 2 : (l >> 2) + 8, (l % 4) * 2 + (i & 1)}; },
       [](int l, int i) { return place{(l % 4) * 2 + i, l >> 2}; },
       sixteen_by_eight},
      {16,
       8,
       8,
       {bf16},
       {f32},
       [](int l, int i) { return place{i < 2 ? l >> 2 : (l >> 2) + 8, (l % 4) * 2 + (i & 1)}; },
       [](int l, int i) { return place{(l % 4) * 2 + i, l >> 2}; },
       sixteen_by_eight},
      {16,
       8,
       8,
       {tf32},
       {f32},
       [](int l, int i) {
         return place{i == 0 || i == 2 ? l >> 2 : (l >> 2) + 8, i < 2 ? l % 4 : l % 4 + 4};
       },
       [](int l, int i) { return place{i == 0 ? l % 4 : l % 4 + 4, l >> 2}; },
       sixteen_by_eight},
      {16,
       8,
       8,
       {f64},
       {f64},
       [](int l, int i) {
         return place{i == 0 || i == 2 ? l >> 2 : (l >> 2) + 8, i < 2 ? l % 4 : l % 4 + 4};
       },
       [](int l, int i) { return place{i == 0 ? l % 4 : l % 4 + 4, l >> 2}; },
       sixteen_by_eight},
      // "Matrix Fragments for mma.m16n8k16 with floating point type"
      {16,
       8,
       16,
       {f16},
       {f16, f32},
       [](int l, int i) {
         return place{(i < 2) || (i >= 4 && i < 6) ? l >> 2 : (l >> 2) + 8,
                      (l % 4) * 2 + (i & 1) + (i < 4 ? 0 : 8)};
       },
       [](int l, int i) { return place{(l % 4) * 2 + (i & 1) + (i < 2 ? 0 : 8), l >> 2}; },
       sixteen_by_eight},
      {16,
       8,
       16,
       {bf16},
       {f32},
       [](int l, int i) {
         return place{(i < 2) || (i >= 4 && i < 6) ? l >> 2 : (l >> 2) + 8,
                      (l % 4) * 2 + (i & 1) + (i < 4 ? 0 : 8)};
       },
       [](int l, int i) { return place{(l % 4) * 2 + (i & 1) + (i < 2 ? 0 : 8), l >> 2}; },
       sixteen_by_eight},
      {16,
       8,
       16,
       {f64},
       {f64},
       [](int l, int i) {
         return place{i % 2 == 0 ? l >> 2 : (l >> 2) + 8,
                      i % 2 == 0 ? i * 2 + l % 4 : i * 2 - 2 + l % 4};
       },
       [](int l, int i) { return place{l % 4 + i * 4, l >> 2}; },
       sixteen_by_eight},
      // "Matrix Fragments for mma.m16n8k16 with integer type"
      {16,
       8,
       16,
       {s8, u8},
       {s32},
       [](int l, int i) { return place{i < 4 ? l >> 2 : (l >> 2) + 8, (l % 4) * 4 + (i & 3)}; },
       [](int l, int i) { return place{(l % 4) * 4 + i, l >> 2}; },
       sixteen_by_eight},
      {16,
       8,
       16,
       {e4m3, e5m2},
       {f16, f32},
       [](int l, int i) { return place{i < 4 ? l >> 2 : (l >> 2) + 8, (l % 4) * 4 + (i & 3)}; },
       [](int l, int i) { return place{(l % 4) * 4 + i, l >> 2}; },
       sixteen_by_eight},
      // "Matrix Fragments for mma.m16n8k32"
      {16,
       8,
       32,
       {s4, u4},
       {s32},
       [](int l, int i) { return place{i < 8 ? l >> 2 : (l >> 2) + 8, (l % 4) * 8 + (i & 7)}; },
       [](int l, int i) { return place{(l % 4) * 8 + (i & 7), l >> 2}; },
       sixteen_by_eight},
      {16,
       8,
       32,
       {s8, u8},
       {s32},
       [](int l, int i) {
         return place{(i < 4) || (i >= 8 && i < 12) ? l >> 2 : (l >> 2) + 8,
                      (l % 4) * 4 + (i & 3) + (i < 8 ? 0 : 16)};
       },
       [](int l, int i) { return place{(l % 4) * 4 + (i & 3) + (i < 4 ? 0 : 16), l >> 2}; },
       sixteen_by_eight},
      {16,
       8,
       32,
       {e4m3, e5m2},
       {f16, f32},
       [](int l, int i) {
         return place{(i < 4) || (i >= 8 && i < 12) ? l >> 2 : (l >> 2) + 8,
                      (l % 4) * 4 + (i & 3) + (i < 8 ? 0 : 16)};
       },
       [](int l, int i) { return place{(l % 4) * 4 + (i & 3) + (i < 4 ? 0 : 16), l >> 2}; },
       sixteen_by_eight},
      // "Matrix Fragments for mma.m16n8k64"
      {16,
       8,
       64,
       {s4, u4},
       {s32},
       [](int l, int i) {
         return place{(i < 8) || (i >= 16 && i < 24) ? l >> 2 : (l >> 2) + 8,
                      (l % 4) * 8 + (i & 7) + (i < 16 ? 0 : 32)};
       },
       [](int l, int i) { return place{(l % 4) * 8 + (i & 7) + (i < 8 ? 0 : 32), l >> 2}; },
       sixteen_by_eight},
      // "Matrix Fragments for mma.m16n8k128"
      {16,
       8,
       128,
       {b1},
       {s32},
       [](int l, int i) { return place{i < 32 ? l >> 2 : (l >> 2) + 8, (l % 4) * 32 + (i & 31)}; },
       [](int l, int i) { return place{(l % 4) * 32 + i, l >> 2}; },
       sixteen_by_eight},
      // "Matrix Fragments for mma.m16n8k256"
      {16,
       8,
       256,
       {b1},
       {s32},
       [](int l, int i) {
         return place{(i < 32) || (i >= 64 && i < 96) ? l >> 2 : (l >> 2) + 8,
                      (l % 4) * 32 + (i & 31) + (i < 64 ? 0 : 128)};
       },
       [](int l, int i) { return place{(l % 4) * 32 + (i & 31) + (i < 32 ? 0 : 128), l >> 2}; },
       sixteen_by_eight},
  };
}

}  // namespace machine::tensor::test
