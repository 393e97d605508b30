// Tests notations that ptxas accepts: orders of modifiers, vector registers and braces around one
// operand. Also tests the number of registers that ptxas gives a kernel with setmaxnreg.
#include "program/table.hpp"
#include "small_kernel.hpp"

using machine::canonical_name;
using namespace machine_test;

TEST_CASE("canonical names have no hints and one order", "[notation]") {
  struct {
    char const *written, *meant;
  } const names[] = {
      {"ld.relaxed.gpu.global.L1::no_allocate.L2::128B.v4.u32", "ld.global.v4.u32"},
      {"atom.acq_rel.gpu.shared::cta.cas.b32", "atom.shared.cas.b32"},
      {"atom.global.v4.f32.add", "atom.global.add.v4.f32"},
      {"atom.global.add.v2.f32", "atom.global.add.v2.f32"},
      {"red.relaxed.gpu.global.v8.bf16.max.noftz", "red.global.max.noftz.v8.bf16"},
      {"red.global.add.noftz.L2::cache_hint.v2.f16x2", "red.global.add.noftz.v2.f16x2"},
      {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32",
       "red.async.shared.mbarrier::complete_tx::bytes.add.u32"},
      {"ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16",
       "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
      {"stmatrix.sync.aligned.x2.m8n8.shared.b16", "stmatrix.sync.aligned.m8n8.x2.shared.b16"},
      {"setp.lt.and.ftz.f32", "setp.lt.ftz.and.f32"},
      {"ex2.approx.f32.ftz", "ex2.approx.ftz.f32"},
      {"max.s16x2.relu", "max.relu.s16x2"},
      {"cvt.rz.relu.satfinite.f16x2.f32", "cvt.rz.satfinite.relu.f16x2.f32"},
      {"set.gtu.xor.ftz.u32.f32", "set.gtu.ftz.xor.u32.f32"},
      {"set.lt.or.ftz.f16x2.f16x2", "set.lt.ftz.or.f16x2.f16x2"},
      {"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32.satfinite",
       "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32"},
      {"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64.rn",
       "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64"},
      {"wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.s8.s8",
       "wgmma.mma_async.sync.aligned.m64n8k32.s32.satfinite.s8.s8"},
      {"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8.satfinite",
       "wgmma.mma_async.sync.aligned.m64n8k32.s32.satfinite.s8.s8"},
      {"ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16",
       "ldmatrix.sync.aligned.m8n8.x4.shared.b16"}};
  for (auto const& each : names) {
    INFO(each.written);
    CHECK(canonical_name(each.written) == each.meant);
    CHECK(machine::opcode_table::instance().find(each.meant) != nullptr);
  }
}

TEST_CASE("incomplete names are not found in the table", "[notation]") {
  for (char const* name :
       {"", ".", "abs.ftz", ".ftz", ".relu", "mma.satfinite", "mma.f64.rn", "atom.v4.",
        "set.and.ftz", "ldmatrix.x4", "ldmatrix.x4.m8n8", "...", "red.v2"}) {
    INFO(name);
    CHECK(machine::opcode_table::instance().find(canonical_name(name)) == nullptr);
  }
}

TEST_CASE("elements of a vector register have two names", "[notation]") {
  std::string const declared =
      ".reg .v4 .f32 v;\n.reg .v2 .u32 w, u;\n.reg .v2 .b32 r<3>;\nmov.u32 %r3, 1;\n";
  auto const stored = [&](std::string const& body) {
    return run_small(declared + body + store_r2, 1, 1)[0];
  };
  CHECK(stored("mov.u32 w.x, 5;\nmov.u32 w.y, 7;\nsub.u32 %r2, w.y, w.r;\n") == 2);
  CHECK(
      stored("mov.v2.u32 w, {3, 4};\nmov.v2.u32 w, {w.g, w.x};\nmad.lo.u32 %r2, w.x, 10, w.y;\n") ==
      43);
  CHECK(stored("mov.v2.u32 r1, {8, 9};\nmov.v2.u32 {u.y, u.x}, r1;\nmov.v2.b32 r2, u;\n"
               "mad.lo.u32 %r2, r2.x, 10, r2.y;\n") == 98);
  CHECK(
      stored(
          "mov.v2.u32 w, {6, 0};\nmov.b64 %rd2, w;\nmov.b64 u, %rd2;\nadd.u32 %r2, u.x, u.y;\n") ==
      6);
  CHECK(stored("mov.v4.f32 v, {0f3F800000, 0f40000000, 0f40400000, 0f40800000};\nmov.u32 %r4, s;\n"
               "st.shared.v4.f32 [%r4], v;\nld.shared.v2.u32 w, [%r4+8];\n"
               "add.f32 v.w, v.b, v.a;\ncvt.rzi.u32.f32 %r2, v.w;\nxor.b32 w.x, w.x, 0x40400000;\n"
               "add.u32 %r2, %r2, w.x;\n") == 7);
  for (char const* wrong : {"mov.u32 %r2, w.z;\n", "mov.u32 %r2, w.b;\n", "mov.u32 %r2, %r3.x;\n",
                            "mov.u32 %r2, w.xy;\n", "mov.v4.u32 w, {1, 2, 3, 4};\n",
                            "mov.u32 %r2, w;\n", ".reg .v2 .pred pp;\n"}) {
    INFO(wrong);
    CHECK(report_small(declared + wrong, 1, 1).what == machine::trouble::text);
  }
}

TEST_CASE("braces around one operand change nothing", "[notation]") {
  CHECK(run_small("mov.u32 %r3, 12;\nst.global.u32 [%rd1], {%r3};\nld.global.u32 {%r2}, [%rd1];\n" +
                      store_r2,
                  1, 1)[0] == 12);
  CHECK(report_small("ld.global.u32 {%r2, %r3}, [%rd1];\n", 1, 1).what == machine::trouble::text);
}

// `registers` is what cuobjdump -res-usage reports for a kernel that ptxas 13.0 compiled. The
// kernel has setmaxnreg.dec 40 and then setmaxnreg.inc `increased`.
TEST_CASE("a kernel with setmaxnreg has the registers that ptxas gives it", "[notation]") {
  struct {
    char const* directives;
    unsigned increased, registers;
  } const kernels[] = {
      {".maxntid 128,1,1 .minnctapersm 1", 240, 240},
      {".maxntid 160,1,1 .minnctapersm 1", 240, 240},
      {".maxntid 256,1,1 .minnctapersm 1", 240, 240},
      {".maxntid 384,1,1 .minnctapersm 1", 240, 168},
      {".maxntid 416,1,1 .minnctapersm 1", 240, 128},
      {".maxntid 512,1,1 .minnctapersm 1", 240, 128},
      {".maxntid 640,1,1 .minnctapersm 1", 240, 96},
      {".maxntid 768,1,1 .minnctapersm 1", 240, 80},
      {".maxntid 1024,1,1 .minnctapersm 1", 240, 64},
      {".maxntid 384,1,1 .minnctapersm 2", 120, 80},
      {".maxntid 384,1,1 .minnctapersm 3", 120, 56},
      {".maxntid 384,1,1 .minnctapersm 1", 160, 160},
      {".reqntid 384,1,1 .minnctapersm 1", 232, 168},
      {".maxnreg 128", 200, 128},
      {".maxnreg 100", 200, 104},  // rounded up to a multiple of 8
      {".maxntid 384,1,1 .minnctapersm 1 .maxnreg 96", 240, 96},
      {".maxntid 384,1,1", 232,
       0},  // ptxas: "'setmaxnreg' ignored; unable to determine register count at entry"
      {"", 240, 0}};
  for (auto const& each : kernels) {
    INFO(each.directives << ", " << each.increased);
    machine::device on;
    auto program =
        machine::load(entry_with(machine::say("setmaxnreg.dec.sync.aligned.u32 40;\nbar.sync "
                                              "0;\nsetmaxnreg.inc.sync.aligned.u32 ",
                                              each.increased, ";\n"),
                                 each.directives),
                      on);
    CHECK(program.decode("k")->entry_registers == each.registers);
  }
}
