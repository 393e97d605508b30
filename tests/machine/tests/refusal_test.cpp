// Tests that text that is not PTX, unsupported programs and illegal launches are rejected with a
// sentence.
#include "small_kernel.hpp"

using machine::device;
using machine::load;
using machine::trouble;
using machine_test::array;
using machine_test::entry_with;
using machine_test::first_body_line;
using machine_test::kernel_text;
using machine_test::thrown_by;

namespace {

std::string const header = ".version 9.0\n.target sm_90a\n.address_size 64\n";

}  // namespace

TEST_CASE("text that is not PTX is rejected", "[refusal]") {
  device on;
  CHECK(thrown_by([&] { load("", on); }).what == trouble::text);
  CHECK(thrown_by([&] { load("int main() { return 0; }", on); }).what == trouble::text);
  CHECK(thrown_by([&] {
          load(
              "\x7f"
              "ELF\x02\x01",
              on);
        }).what == trouble::text);
  CHECK(thrown_by([&] { load(header + ".global .b8 x[99999999999999999];", on); }).what ==
        trouble::text);
  auto const caught = thrown_by([&] { load(entry_with("add.s32 %r1, %r2, x77;"), on); });
  CHECK(caught.ptx_line == first_body_line);
  CHECK_THAT(caught.sentence, axe_test::contains_text("x77"));
  auto const unknown =
      thrown_by([&] { load(entry_with("add.s32 %r1, %r2, %r77;"), on).decode("k"); });
  CHECK_THAT(unknown.sentence, axe_test::contains_text("%r77"));
}

TEST_CASE("a text that is cut anywhere is rejected or decodes", "[refusal]") {
  auto const text = kernel_text("calls");
  device on;
  int refusals = 0;
  for (std::size_t length = 0; length < text.size(); length += 97) {
    try {
      auto program = load(text.substr(0, length), on);
      for (auto const& entry : program.entries()) program.decode(entry);
    } catch (machine::error const& caught) {
      ++refusals;
      REQUIRE(!caught.details().sentence.empty());
    }
  }
  CHECK(refusals > 100);
}

TEST_CASE("deeply nested brackets are rejected without using up the stack", "[refusal]") {
  device on;
  for (char const* bracket : {"{", "(", "[", "!", "-"}) {
    std::string deep;
    for (int k = 0; k < 200'000; ++k) deep += bracket;
    for (auto const& text :
         {entry_with("mov.b32 %r1, " + deep), entry_with(deep),
          ".version 9.0\n.target sm_90a\n.address_size 64\n.global .b32 x[4] = " + deep})
      CHECK(thrown_by([&] { load(text, on); }).what == trouble::text);
  }
}

TEST_CASE("a text with one changed byte is rejected or decodes", "[refusal]") {
  auto const text = kernel_text("divergence");
  machine_test::noise random(11);
  device on;
  int refusals = 0;
  for (int round = 0; round < 2000; ++round) {
    auto broken = text;
    broken[random() % broken.size()] = static_cast<char>(random() % 128);
    try {
      auto program = load(broken, on);
      for (auto const& entry : program.entries()) program.decode(entry);
    } catch (machine::error const& caught) {
      ++refusals;
      REQUIRE(!caught.details().sentence.empty());
    }
  }
  CHECK(refusals > 1000);
}

TEST_CASE("an unknown opcode is reported with its line before anything runs", "[refusal]") {
  device on;
  auto program = load(entry_with("add.s32 %r1, %r2, 3;\ntxq.width.b32 %r1, [%rd1];"), on);
  auto const caught = thrown_by([&] { program.decode("k"); });
  CHECK(caught.what == trouble::unsupported);
  CHECK(caught.ptx_line == first_body_line + 1);
  CHECK_THAT(caught.sentence, axe_test::contains_text("txq.width.b32"));
}

TEST_CASE("operands that do not fit their instruction are rejected", "[refusal]") {
  device on;
  for (auto const* body : {"add.s32 %r1, %rd2, 3;", "add.s32 %rd1, %r2, 3;", "add.s32 %p1, %r2, 3;",
                           "add.s32 %r1, %r2;", "add.s32 %r1, %r2, 3, 4;",
                           "ld.global.u32 %r1, %rd1;", "mov.b32 %r1, {%r2, %r3};", "bra 5;",
                           "setp.lt.s32 %r1, %r2, 3;", "call (%r1), nowhere, (%r2);"}) {
    INFO(body);
    auto const caught = thrown_by([&] {
      auto program = load(entry_with(body), on);
      program.decode("k");
    });
    CHECK((caught.what == trouble::text || caught.what == trouble::unsupported));
    CHECK(caught.ptx_line == first_body_line);
  }
}

TEST_CASE("launches with illegal sizes or arguments are rejected", "[refusal]") {
  device on;
  auto program = load(kernel_text("saxpy"), on);
  array<float> const x(on, std::vector<float>(64, 1.0f));
  auto const launch = [&](machine::extent3 grid, machine::extent3 block, machine::extent3 cluster,
                          unsigned shared, std::vector<machine::argument> const& arguments) {
    return thrown_by([&] { program.launch("saxpy", grid, block, cluster, shared, arguments); })
        .what;
  };
  std::vector<machine::argument> const good{x, x, 1.0f, 64};
  CHECK(launch({0}, {64}, {}, 0, good) == trouble::launch);
  CHECK(launch({1}, {1025}, {}, 0, good) == trouble::launch);
  CHECK(launch({1, 65536}, {32}, {}, 0, good) == trouble::launch);
  CHECK(launch({3}, {32}, {2}, 0, good) == trouble::launch);
  CHECK(launch({32}, {32}, {32}, 0, good) == trouble::launch);
  CHECK(launch({1}, {32}, {}, 300'000, good) == trouble::launch);
  CHECK(launch({1}, {32}, {}, 0, {x, x, 1.0f}) == trouble::launch);
  CHECK(launch({1}, {32}, {}, 0, {x, x, 1.0, 64}) == trouble::launch);
  CHECK(thrown_by([&] { program.launch("nobody", {1}, {32}, {}, 0, {}); }).what == trouble::launch);
}

TEST_CASE("instructions of tcgen05 that the machine does not have are rejected with the reason",
          "[refusal]") {
  device on;
  auto const sentence_of = [&](std::string const& body) {
    auto const report = thrown_by([&] { load(entry_with(body), on).decode("k"); });
    CHECK(report.what == trouble::unsupported);
    CHECK_THAT(report.sentence, axe_test::contains_text("is not in the opcode table: "));
    return report.sentence;
  };
  CHECK_THAT(
      sentence_of(
          "tcgen05.mma.sp.cta_group::1.kind::f16.ashift [%r1], [%r2], %rd1, [%r4], %r3, %p1;"),
      axe_test::contains_text("whether the metadata"));
  CHECK_THAT(sentence_of("tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r1, %r2}, %r3, [%r4];"),
             axe_test::contains_text("sm_101a"));
  for (char const* each :
       {"tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r2], %r3, %p1;",
        "tcgen05.mma.sp.cta_group::1.kind::mxf4.block_scale [%r1], %rd1, %rd2, [%r2], %r3, [%r4], "
        "[%r5], %p1;"})
    CHECK_THAT(sentence_of(each), axe_test::contains_text("of sparse products"));
  CHECK_THAT(thrown_by([&] {
               load(entry_with("tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::use [%r1], "
                               "[%r2], %rd1, %r3, %p1;"),
                    on)
                   .decode("k");
             }).sentence,
             axe_test::contains_text("does not allow .ashift with"));
}
