// Executes plans with the oracle of oracle.hpp and checks their results, races, bytes and bounds.
#include "distributed/executed.hpp"
#include "support/catch.hpp"

namespace {

using axe::integer;

std::string judge(random_shardings::random_case const& c) {
  axe::outcome<axe::reshard_plan> const p = axe::try_plan_reshard(c.from, c.to, c.options);
  if (!p) return random_shardings::judge_refusal(c, p.why);
  oracle::problem const q(c.from, c.to);
  oracle::verdict const v = oracle::execute(q, oracle::printed(*p));
  if (!v.wrong.empty()) return v.wrong;
  integer const least = q.least();
  if (v.volume != least)
    return "the plan moves " + std::to_string(v.volume) + " elements, not " + std::to_string(least);
  if (axe::volume(*p) != least || axe::least_volume(*p) != least)
    return "the plan states a wrong volume";
  if (axe::rounds(*p) != v.rounds) return "the plan states a wrong number of rounds";
  if (std::string const wrong = random_shardings::judge_largest_send(*p, q); !wrong.empty())
    return wrong;
  if (std::string const wrong = random_shardings::judge_collective(*p); !wrong.empty())
    return wrong;
  if (std::string const wrong = random_shardings::judge_executed(*p, c, q, v); !wrong.empty())
    return wrong;
  return random_shardings::judge_devices(*p, c.options.scratch);
}

void judge_random(unsigned seed, int cases) {
  random_shardings::random_source d(seed);
  for (int k = 0; k < cases; ++k) {
    random_shardings::random_case const c = random_shardings::make_random_case(d);
    std::string const wrong = judge(c);
    INFO(random_shardings::described(c));
    REQUIRE(wrong == "");
  }
}

TEST_CASE("plans of random shardings are right") { judge_random(1, axe_test::drawn(3000)); }

TEST_CASE("plans of many random shardings are right", "[slow]") {
  judge_random(2, axe_test::samples_from_environment());
}

/// The valid shardings of `size` elements with one or two digits of small strides, and at most one
/// iter in R.
std::vector<axe::sharding> small_shardings(axe::mesh const& m, integer size, int summands) {
  std::vector<axe::layout> found;
  std::vector<std::pair<integer, integer>> cuts{{size, 1}};
  for (integer d = 2; d < size; ++d)
    if (size % d == 0) cuts.push_back({size / d, d});
  axe::axis const axes[] = {axe::axis::m, random_shardings::y, random_shardings::x};
  for (auto const& [outer, inner] : cuts)
    for (axe::axis a : axes)
      for (axe::axis b : axes)
        for (integer s : {1, 2, 3})
          for (integer t : {1, 2, -1}) {
            if (inner == 1 && (b != axe::axis::m || t != 1)) continue;
            for (axe::axis on : axes)
              for (integer r : {1, 2, 3}) {
                if (r == 1 && on != axe::axis::m) continue;
                axe::layout l;
                l.shards.push({outer, s, a});
                if (inner > 1) l.shards.push({inner, t, b});
                if (r > 1) l.replicas.push({r, on == axe::axis::m ? size : 1, on});
                if (inner > 1 && t < 0) l.offsets.push({inner - 1, b});
                found.push_back(l);
              }
          }
  std::vector<axe::sharding> out;
  for (axe::layout const& l : found) {
    axe::sharding s{l, size, m, 0, {}};
    if (summands > 1) {
      s.extents = axe::shape{summands, size / summands};
      s.summands = 1;
    }
    if (!check(s)) out.push_back(s);
  }
  return out;
}

void judge_all(integer stride) {
  axe_test::drawn_cases is_drawn;
  integer number = 0;
  for (integer h : {1, 2, 3})
    for (integer w : {2, 3})
      for (integer size : {2, 3, 4, 6}) {
        axe::mesh m;
        m.add(random_shardings::y, h);
        m.add(random_shardings::x, w);
        std::vector<axe::sharding> const targets = small_shardings(m, size, 1);
        for (integer summands : {1, 2}) {
          if (summands > 1 && size * summands > 8) continue;
          for (axe::sharding const& a :
               small_shardings(m, size * summands, static_cast<int>(summands)))
            for (axe::sharding const& b : targets) {
              if (++number % stride != 0 || !is_drawn()) continue;
              random_shardings::random_case const c{a, b, {}};
              if (std::string const wrong = judge(c); !wrong.empty()) {
                INFO(random_shardings::described(c));
                REQUIRE(wrong == "");
              }
            }
        }
      }
  CHECK(number > 100000);
}

TEST_CASE("plans between a sample of all layouts of one and two digits are right") {
  judge_all(499);
}
TEST_CASE("plans between many layouts of one and two digits are right", "[slow]") { judge_all(1); }

TEST_CASE("the oracle rejects wrong plans") {
  axe::mesh m;
  m.add(random_shardings::x, 2);
  axe::sharding partial, whole;
  axe::layout l;
  l.shards = {{2, 1, random_shardings::x}, {2, 1, axe::axis::m}};
  partial = {l, {2, 2}, m, 1, {}};
  l = {};
  l.shards = {{2, 1, axe::axis::m}};
  whole = {l, 2, m, 0, {}};
  oracle::problem const q(partial, whole);
  CHECK(q.least() == 2);
  CHECK(oracle::execute(q,
                        "step\ncopy 0:src[0+2] -> 0:dst[0+2]\nstep\nadd 1:src[0+2] -> 0:dst[0+2]\n")
            .wrong == "");
  CHECK(oracle::execute(q, "step\ncopy 0:src[0+2] -> 0:dst[0+2]\n").wrong != "");
  CHECK(oracle::execute(q, "step\ncopy 0:src[0+2] -> 0:dst[0+2]\nadd 1:src[0+2] -> 0:dst[0+2]\n")
            .wrong != "");
  CHECK(oracle::execute(q,
                        "step\ncopy 0:src[0+2] -> 0:dst[0+2]\nstep\nadd 0:src[0+2] -> 0:dst[0+2]\n")
            .wrong != "");
  CHECK(oracle::execute(q,
                        "step\ncopy 0:src[0+2] -> 0:dst[1+2]\nstep\nadd 1:src[0+2] -> 0:dst[1+2]\n")
            .wrong != "");
  CHECK(oracle::execute(q, "step\ncopy 0:src[0+1:2] -> 0:dst[0+1]\n").wrong != "");
}

}  // namespace
