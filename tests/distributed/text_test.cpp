// Tests the printed form of plans, statement by statement.
#include "distributed/oracle.hpp"
#include "support/catch.hpp"

namespace {

constexpr axe::axis y = axe::device_axis("y");
constexpr axe::axis x = axe::device_axis("x");
constexpr axe::notation on_mesh{y, x};

TEST_CASE("a block of columns is copied from two devices") {
  axe::mesh const m{{y, 2}, {x, 4}};
  axe::reshard_plan const p = axe::plan_reshard({on_mesh("S[(2,4,8):(1@y,8,1)]"), {8, 8}, m},
                                                {on_mesh("S[(8,2,4):(4,1@x,1)] + 1@y"), {8, 8}, m});
  CHECK(oracle::printed(p) ==
        "step\n"
        "copy 0:src[0+(4,4):(8,1)] -> 4:dst[0+16]\n"
        "copy 4:src[0+(4,4):(8,1)] -> 4:dst[16+16]\n"
        "copy 0:src[4+(4,4):(8,1)] -> 5:dst[0+16]\n"
        "copy 4:src[4+(4,4):(8,1)] -> 5:dst[16+16]\n");
}

TEST_CASE("summands in memory and on devices are added in order") {
  axe::mesh const m{{x, 2}};
  axe::reshard_plan const p = axe::plan_reshard({on_mesh("S[(2,2,2):(4,1@x,1)]"), {2, 2, 2}, m, 2},
                                                {on_mesh("S[2:3]"), 2, m});
  CHECK(oracle::printed(p) ==
        "step\n"
        "copy 0:src[0+2] -> 0:tmp0[0+2]\n"
        "copy 1:src[0+2] -> 1:tmp0[0+2]\n"
        "step\n"
        "add 0:src[4+2] -> 0:tmp0[0+2]\n"
        "add 1:src[4+2] -> 1:tmp0[0+2]\n"
        "step\n"
        "copy 0:tmp0[0+2] -> 0:dst[0+2:3]\n"
        "step\n"
        "add 1:tmp0[0+2] -> 0:dst[0+2:3]\n"
        "step\n"
        "free 0:tmp0\n"
        "free 1:tmp0\n");
}

TEST_CASE("a plan between two meshes over one set of ranks names ranks") {
  axe::mesh const rows = axe::mesh{{x, 2}}.on_ranks({1}, 0);
  axe::mesh const far = axe::mesh{{y, 2}}.on_ranks({-1}, 3);
  axe::reshard_plan const p = axe::plan_reshard({on_mesh("S[(2,2):(1@x,1)]"), 4, rows},
                                                {on_mesh("S[(2,2):(1@y,1)]"), 4, far});
  CHECK(oracle::printed(p) ==
        "step\n"
        "copy 1:src[0+2] -> 2:dst[0+2]\n"
        "copy 0:src[0+2] -> 3:dst[0+2]\n");
}

TEST_CASE("an element enters a node once") {
  axe::mesh const m{{y, 2}, {x, 2}};
  axe::reshard_plan const p = axe::plan_reshard(
      {on_mesh("S[4:1]"), 4, m}, {on_mesh("S[4:1] + R[2:1@y] + R[2:1@x]"), 4, m}, {{y}});
  CHECK(oracle::printed(p) ==
        "step\n"
        "copy 0:src[0+4] -> 0:dst[0+4]\n"
        "copy 0:src[0+4] -> 1:dst[0+4]\n"
        "copy 0:src[0+4] -> 2:dst[0+4]\n"
        "step\n"
        "copy 2:dst[0+4] -> 3:dst[0+4]\n");
}

TEST_CASE("invalid shardings are rejected") {
  axe::mesh const m{{x, 2}};
  axe::sharding const bad{on_mesh("S[(2,2):(1@x,1)] + R[2:1] + 3"), 4, m};
  CHECK(std::string(axe::sentence(check(bad), {&bad.places}).c_str()) ==
        "elements 0 and 1 of S[(2,2):(1@x,1)] + R[2:1] + 3 are both at address 4 of device 0");
}

std::string described(axe::reshard_plan const& p, axe::element_type type = axe::element_type::f32) {
  oracle::text_sink out;
  print(out, axe::printed_reshard{&p, type});
  return out.words;
}

TEST_CASE("NCCL receives a summand beside the sum") {
  axe::mesh const m{{x, 4}};
  axe::reshard_plan const p = axe::plan_reshard({on_mesh("S[(4,8):(1@x,1)]"), {4, 8}, m, 1},
                                                {on_mesh("S[(2,4):(2@x,1)]"), 8, m});
  CHECK_THAT(described(p),
             axe_test::contains_text("    ncclRecv(received, 4, ncclFloat32, 1, comm, stream)\n"
                                     "    ncclGroupEnd()\n"
                                     "    add received to dst\n"));
}

TEST_CASE("elements that are not contiguous are packed and unpacked beside the NCCL calls") {
  axe::mesh const m{{x, 2}};
  axe::sharding const rows{on_mesh("S[(2,3,3):(1@x,3,1)]"), {6, 3}, m, 0, {5, 3}};
  axe::sharding const columns{on_mesh("S[(5,2,2):(2,1@x,1)]"), {5, 4}, m, 0, {5, 3}};
  CHECK_THAT(described(axe::plan_reshard(rows, columns)),
             axe_test::contains_text("    pack src into packed\n"
                                     "    ncclGroupStart()\n"));
  CHECK_THAT(described(axe::plan_reshard(columns, rows)),
             axe_test::contains_text("    ncclGroupEnd()\n"
                                     "    unpack received into dst\n"));
}

TEST_CASE("copies and sums inside a device are printed beside the NCCL calls") {
  axe::mesh const m{{y, 2}, {x, 4}};
  axe::reshard_plan const p = axe::plan_reshard({on_mesh("S[(2,4,8):(1@y,8,1)]"), {8, 8}, m},
                                                {on_mesh("S[(8,2,4):(4,1@x,1)] + 1@y"), {8, 8}, m});
  CHECK_THAT(described(p), axe_test::contains_text("  NCCL calls of rank 4:\n"
                                                   "    copy 4:src[0+(4,4):(8,1)] -> 4:dst[16+16]\n"
                                                   "    pack src into packed\n"
                                                   "    ncclGroupStart()\n"));
  axe::mesh const two{{x, 2}};
  axe::reshard_plan const sums = axe::plan_reshard(
      {on_mesh("S[(2,2,2):(4,1@x,1)]"), {2, 2, 2}, two, 2}, {on_mesh("S[2:3]"), 2, two});
  CHECK_THAT(described(sums),
             axe_test::contains_text("    add the 2 summands in src of each device\n"
                                     "    pack src in the order of the peers\n"
                                     "    ncclReduce("));
}

TEST_CASE("plans of one element, of parts of bytes and of 2^62 bytes print right numbers") {
  axe::mesh const m{{x, 4}};
  axe::sharding const quarters{on_mesh("S[4:1@x]"), 4, m};
  axe::sharding const all{on_mesh("S[4:1] + R[4:1@x]"), 4, m};
  std::string const half_bytes =
      described(axe::plan_reshard(quarters, all), axe::element_type::e2m1);
  CHECK_THAT(half_bytes, axe_test::contains_text("NCCL cannot send a part of a byte"));
  axe::sharding const low{on_mesh("S[(2,2,8):(1@x,8,1)]"), {4, 8}, m};
  axe::sharding const high{on_mesh("S[(2,2,8):(1@x,8,1)] + 2@x + 6"), {4, 8}, m};
  CHECK_THAT(described(axe::plan_reshard(low, high), axe::element_type::e2m1),
             axe_test::contains_text("ncclRecv(dst + 3, 8, ncclUint8, 0, comm, stream)"));
  axe::sharding const on_0{on_mesh("S[1:1]"), 1, {{x, 2}}};
  axe::sharding const on_1{on_mesh("S[1:1] + 1@x"), 1, {{x, 2}}};
  CHECK_THAT(described(axe::plan_reshard(on_0, on_1)),
             axe_test::contains_text("can send 1 of the elements that move"));
  CHECK_THAT(described(axe::plan_reshard(on_0, on_1), axe::element_type::u8),
             axe_test::contains_text("rank 0: sends 1 byte, receives 0 (it lacks 0)"));
  // Device 0 holds 4 elements, and each of 3 devices lacks them.
  CHECK_THAT(
      described(axe::plan_reshard({on_mesh("S[4:1]"), 4, m}, {on_mesh("S[4:1] + R[4:1@x]"), 4, m})),
      axe_test::contains_text("only 1 device, rank 0, can send 12 of the elements"));
  axe::integer const n = axe::integer{1} << 60;
  CHECK_THAT(described(axe::plan_reshard({on_mesh("S[1152921504606846976:1]"), n, {{x, 2}}},
                                         {on_mesh("S[1152921504606846976:1] + 1@x"), n, {{x, 2}}})),
             axe_test::contains_text("(4611686018427387904 bytes)"));
}

}  // namespace
