// Tests the fuzzer itself: it must notice a deliberate mistake in any operation, and shrink the
// case to a small one that still fails.
#include "fuzz/generate.hpp"
#include "support/catch.hpp"

using namespace fuzz;

namespace {

/// The first failing case of an operation among the first `count` cases, or nothing.
std::optional<test_case> first_failure(op what, int count) {
  dice d{{20260302}};
  for (int i = 0; i < count; ++i) {
    test_case const c = random_case(d, what);
    if (failed(judge(c))) return c;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a wrong stride is noticed in every operation, and the case is shrunk") {
  for (int k = 0; k < operations; ++k) {
    op const what = static_cast<op>(k);
    CAPTURE(name_of(what));
    broken = what;
    std::optional<test_case> const found = first_failure(what, 200);
    REQUIRE(found);
    REQUIRE(judge(*found).is == verdict::wrong);
    test_case const small = shrink(*found, verdict::wrong);
    CHECK(judge(small).is == verdict::wrong);
    CHECK(text_of(small).size() <= text_of(*found).size());
    CHECK(text_of(small).find(name_of(what)) == 0);
    broken = static_cast<op>(-1);
    CHECK_FALSE(failed(judge(small)));
  }
}

TEST_CASE("a refusal counts as a failure only if a layout exists") {
  test_case c;
  c.what = op::slice;
  c.a.shards.push({6, 1, axe::axis::m});
  c.s_a = {6};
  c.box = {{1, 4}};
  refusing = op::slice;
  CHECK(judge(c).is == verdict::missed);
  refusing = static_cast<op>(-1);
  CHECK(judge(c).is == verdict::accepted);
  c.a.shards[0] = {2, 5, axe::axis::m};
  c.a.shards.push({3, 1, axe::axis::m});
  c.box = {{1, 5}};  // 1 2 5 6 is a layout; 1 2 5 is not one
  CHECK(judge(c).is == verdict::accepted);
  c.box = {{1, 4}};
  CHECK(judge(c).is == verdict::rejected);
}

TEST_CASE("the same seed gives the same cases") {
  for (int k = 0; k < operations; ++k) {
    dice a{{5}}, b{{5}};
    for (int i = 0; i < 50; ++i)
      REQUIRE(text_of(random_case(a, static_cast<op>(k))) ==
              text_of(random_case(b, static_cast<op>(k))));
  }
}
