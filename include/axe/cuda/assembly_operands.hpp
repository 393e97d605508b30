// SPDX-License-Identifier: MIT
// Lists of asm operands. AXE_OPERANDS_n(C, X, K): X[K] to X[K + n - 1], with constraint C.
// AXE_NAMES_n: the text of operands 0 to n - 1.
#pragma once

#define AXE_OPERANDS_1(C, X, K) C(X[K])
#define AXE_OPERANDS_2(C, X, K) AXE_OPERANDS_1(C, X, K), AXE_OPERANDS_1(C, X, K + 1)
#define AXE_OPERANDS_3(C, X, K) AXE_OPERANDS_2(C, X, K), AXE_OPERANDS_1(C, X, K + 2)
#define AXE_OPERANDS_4(C, X, K) AXE_OPERANDS_2(C, X, K), AXE_OPERANDS_2(C, X, K + 2)
#define AXE_OPERANDS_5(C, X, K) AXE_OPERANDS_4(C, X, K), AXE_OPERANDS_1(C, X, K + 4)
#define AXE_OPERANDS_6(C, X, K) AXE_OPERANDS_4(C, X, K), AXE_OPERANDS_2(C, X, K + 4)
#define AXE_OPERANDS_8(C, X, K) AXE_OPERANDS_4(C, X, K), AXE_OPERANDS_4(C, X, K + 4)
#define AXE_OPERANDS_16(C, X, K) AXE_OPERANDS_8(C, X, K), AXE_OPERANDS_8(C, X, K + 8)
#define AXE_OPERANDS_32(C, X, K) AXE_OPERANDS_16(C, X, K), AXE_OPERANDS_16(C, X, K + 16)
#define AXE_NAMES_1 "%0"
#define AXE_NAMES_2 "%0, %1"
#define AXE_NAMES_4 AXE_NAMES_2 ", %2, %3"
#define AXE_NAMES_8 AXE_NAMES_4 ", %4, %5, %6, %7"
#define AXE_NAMES_16 AXE_NAMES_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define AXE_NAMES_32 \
  AXE_NAMES_16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
