// Builds kernels from a few lines of PTX in the test.
#pragma once

#include "support_machine.hpp"

namespace machine_test {

/// Returns an entry k(out) with registers %r0-19, %rd0-19, %f0-19, %p0-9 and 64 bytes of
/// static shared memory `s`. It begins with %r1 = tid.x and %rd1 = out.
inline std::string entry_with(std::string const& body, std::string const& directives = "") {
  return ".version 9.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 128 .b8 "
         "dynamic[];\n"
         ".visible .entry k(.param .u64 out) " +
         directives +
         " {\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.reg .pred %p<10>;\n"
         ".reg .f32 %f<20>;\n.shared .align 16 .b8 s[64];\n"
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n" +
         body + "\nret;\n}\n";
}

/// The line of the text of `entry_with` at which its body begins.
inline constexpr int first_body_line = 13;

/// Stores %r2 to out[global thread index]; append it to the body.
inline std::string const store_r2 =
    "\nmov.u32 %r18, %ctaid.x;\nmov.u32 %r19, %ntid.x;\nmad.lo.u32 %r18, %r18, %r19, %r1;\n"
    "mul.wide.u32 %rd18, %r18, 4;\nadd.u64 %rd18, %rd1, %rd18;\nst.global.u32 [%rd18], %r2;\n";

/// Runs the kernel and returns one word of each thread.
inline std::vector<std::uint32_t> run_small(std::string const& body, unsigned blocks,
                                            unsigned threads, machine::extent3 cluster = {},
                                            unsigned dynamic_shared = 0,
                                            machine::launch_options options = {}) {
  machine::device on;
  array<std::uint32_t> const out(
      on, std::vector<std::uint32_t>(std::size_t{blocks} * threads, 0xdeadbeefu));
  machine::load(entry_with(body), on)
      .launch("k", {blocks}, {threads}, cluster, dynamic_shared, {out}, options);
  return out.values();
}

inline machine::report report_small(std::string const& body, unsigned blocks, unsigned threads,
                                    machine::extent3 cluster = {}, unsigned dynamic_shared = 0,
                                    machine::launch_options options = {}) {
  return thrown_by([&] { run_small(body, blocks, threads, cluster, dynamic_shared, options); });
}

/// Returns options under which copies complete at once, late, and at seven random times. Those of
/// the random times also ask for the strict checks.
inline std::vector<machine::launch_options> every_landing() {
  std::vector<machine::launch_options> list(2);
  list[1].when = machine::landing::late;
  for (std::uint64_t seed = 1; seed <= 7; ++seed) {
    machine::launch_options random;
    random.when = machine::landing::random;
    random.seed = seed;
    random.strict = true;
    list.push_back(random);
  }
  return list;
}

}  // namespace machine_test
