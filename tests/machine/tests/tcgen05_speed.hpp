// A kernel for machine_speed. A block multiplies zeros by tcgen05.mma of 128 x 256 x 16 in f16,
// with one commit and wait for four products, as in a mainloop with k blocks of 64.
#pragma once

#include <string>

inline constexpr unsigned tcgen05_rounds = 64;
inline constexpr double tcgen05_operations = 2.0 * 128 * 256 * 64 * tcgen05_rounds;
inline constexpr unsigned tcgen05_shared = 4 * (4096 + 8192);

inline std::string const tcgen05_kernel = R"(
.version 9.0
.target sm_100a
.address_size 64
.extern .shared .align 128 .b8 dynamic[];
.visible .entry tcgen05(.param .u32 rounds) {
  .reg .b32 %r<20>;
  .reg .b64 %a<4>, %b<4>;
  .reg .pred %first, %alloc, %done, %more, %on;
  .shared .align 8 .b8 s[16];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, s;
  mov.u32 %r3, dynamic;
  mov.u32 %r4, 0;
  ld.param.u32 %r5, [rounds];
  setp.eq.u32 %first, %r1, 0;
  setp.lt.u32 %alloc, %r1, 32;
  @!%alloc bra FILL;
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 256;
FILL:
  @%first mbarrier.init.shared::cta.b64 [%r2+8], 1;
  mad.lo.u32 %r6, %r1, 16, %r3;
  mov.u32 %r7, 0;
ZERO:
  st.shared.v4.u32 [%r6], {%r4, %r4, %r4, %r4};
  add.u32 %r6, %r6, 2048;
  add.u32 %r7, %r7, 1;
  setp.lt.u32 %more, %r7, 24;
  @%more bra ZERO;
  fence.proxy.async;
  bar.sync 0;
  ld.shared.b32 %r8, [%r2];
  shr.u32 %r9, %r3, 4;
  cvt.u64.u32 %a0, %r9;
  or.b64 %a0, %a0, 0x0000401000080000;
  add.u64 %a1, %a0, 256;
  add.u64 %a2, %a0, 512;
  add.u64 %a3, %a0, 768;
  add.u64 %b0, %a0, 1024;
  add.u64 %b1, %a0, 1536;
  add.u64 %b2, %a0, 2048;
  add.u64 %b3, %a0, 2560;
  mov.u32 %r10, 0x08400010;
  mov.u32 %r11, 0;
  setp.ne.u32 %on, %r4, 0;
ROUND:
  @!%first bra WAIT;
  tcgen05.mma.cta_group::1.kind::f16 [%r8], %a0, %b0, %r10, %on;
  setp.eq.u32 %on, %r4, 0;
  tcgen05.mma.cta_group::1.kind::f16 [%r8], %a1, %b1, %r10, %on;
  tcgen05.mma.cta_group::1.kind::f16 [%r8], %a2, %b2, %r10, %on;
  tcgen05.mma.cta_group::1.kind::f16 [%r8], %a3, %b3, %r10, %on;
  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2+8];
WAIT:
  and.b32 %r12, %r11, 1;
  mbarrier.try_wait.parity.shared::cta.b64 %done, [%r2+8], %r12;
  @!%done bra WAIT;
  bar.sync 0;
  add.u32 %r11, %r11, 1;
  setp.lt.u32 %more, %r11, %r5;
  @%more bra ROUND;
  tcgen05.fence::after_thread_sync;
  @!%alloc bra END;
  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r8, 256;
END:
  ret;
}
)";
