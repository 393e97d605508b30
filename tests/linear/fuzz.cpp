// Compares linear maps with tables of all inputs, for any number of cases:
// ./run fuzz --linear [--cases N] [--seed N] [--jobs N].
//
// Each case makes a random layout with a shape and several random maps, and checks every operation
// on them. The program stops at the first wrong answer, or refusal of a legal case, and prints it
// with its seed. The exit code is then 1; it is 2 for a wrong command line.
#include "linear/agree.hpp"
#include "linear/layouts.hpp"

#include <axe/linear/print_map.hpp>
#include <axe/linear/read_map.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

namespace {

using namespace axe_test;
using namespace axe::axes;

constexpr axe::axis hardware[3]{reg, lane, warp};
constexpr axe::axis logical[3]{dim<0>, dim<1>, m};

std::string text(linear_map const& map) { return axe::to_text(map).c_str(); }

char const* about_one(linear_map const& a, random_source& d) {
  axe::outcome<linear_map> const again = axe::try_parse_linear(text(a).c_str());
  if (!again || !(again.value == a)) return "the text does not read back as the map";
  if (char const* wrong = backward_disagreement(a)) return wrong;
  axe::axis_list ins;
  axe::axis_list outs;
  for (axe::axis axis : hardware)
    if (d.between(0, 1) == 1) ins.push(axis);
  for (axe::axis axis : logical)
    if (d.between(0, 1) == 1) outs.push(axis);
  if (char const* wrong = part_disagreement(a, ins, outs)) return wrong;
  return equivalent_disagreement(a, with_first_axes_last(a));
}

char const* about_two(linear_map const& a, linear_map const& c, linear_map const& back,
                      linear_map const& factor) {
  if (char const* wrong = compose_disagreement(a, back)) return wrong;
  if (char const* wrong = compose_disagreement(back, a)) return wrong;
  if (char const* wrong = invert_and_compose_disagreement(a, c)) return wrong;
  if (char const* wrong = equivalent_disagreement(a, c)) return wrong;
  if (char const* wrong = multiply_disagreement(factor, c)) return wrong;
  if (char const* wrong = divide_disagreement(a, factor, true)) return wrong;
  return divide_disagreement(a, factor, false);
}

/// Checks one case. Returns an empty text, or the error.
std::string run_case(unsigned long long seed) {
  random_source d{seed};
  axe::layout const l = random_layout(d);
  axe::shape const s = random_shape(d, l);
  char const* wrong_layout = layout_disagreement(l, s);
  if (wrong_layout == nullptr) wrong_layout = replica_disagreement(l, s, d);
  if (wrong_layout != nullptr)
    return std::string(axe::to_text(l).c_str()) + " on " +
           axe::to_text(static_cast<axe::tree const&>(s)).c_str() + ": " + wrong_layout;
  linear_map const to_places = random_map_to_places(d);
  if (char const* wrong = map_disagreement(to_places)) return text(to_places) + ": " + wrong;
  linear_map const a = random_map(d, hardware, logical, 2);
  if (char const* wrong = about_one(a, d)) return text(a) + ": " + wrong;
  quotient_arguments const keeping = random_quotient_arguments(d);
  if (char const* wrong = quotient_disagreement(keeping.map, keeping.kept))
    return text(keeping.map) + ": " + wrong;
  linear_map const c = random_map(d, hardware, logical, 2);
  linear_map const back = random_map(d, logical, hardware, 2);
  linear_map const factor = random_map(d, hardware, logical, 1);
  if (char const* wrong = about_two(a, c, back, factor))
    return text(a) + ", " + text(c) + ", " + text(back) + ", " + text(factor) + ": " + wrong;
  return {};
}

struct settings {
  unsigned long long cases = 10'000'000;
  unsigned long long seed = 1;
  unsigned long long jobs = 1;
};

bool read(int argc, char** argv, settings& out) {
  for (int i = 1; i < argc; i += 2) {
    unsigned long long* const to = std::strcmp(argv[i], "--cases") == 0  ? &out.cases
                                   : std::strcmp(argv[i], "--seed") == 0 ? &out.seed
                                   : std::strcmp(argv[i], "--jobs") == 0 ? &out.jobs
                                                                         : nullptr;
    char* end = nullptr;
    if (to == nullptr || i + 1 == argc) return false;
    *to = std::strtoull(argv[i + 1], &end, 10);
    if (*end != '\0' || end == argv[i + 1]) return false;
  }
  return out.jobs > 0;
}

}  // namespace

int main(int argc, char** argv) {
  settings given;
  if (!read(argc, argv, given)) {
    std::fprintf(stderr, "usage: fuzz_linear [--cases N] [--seed N] [--jobs N]\n");
    return 2;
  }
  std::atomic<unsigned long long> next{0};
  std::atomic<bool> wrong{false};
  std::mutex printing;
  auto said = std::chrono::steady_clock::now();
  auto const work = [&] {
    for (unsigned long long i = next++; i < given.cases && !wrong; i = next++) {
      std::string const found = run_case(given.seed * 0x9e3779b97f4a7c15u + i);
      auto const now = std::chrono::steady_clock::now();
      std::lock_guard<std::mutex> const lock(printing);
      if (!found.empty()) {
        std::printf("--seed %llu, case %llu: %s\n", given.seed, i, found.c_str());
        wrong = true;
      }
      if (now - said < std::chrono::seconds(5)) continue;
      said = now;
      std::fprintf(stderr, "    %llu of %llu cases\n", i, given.cases);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned long long j = 0; j < given.jobs; ++j) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  if (!wrong)
    std::printf("linear maps: %llu cases, 0 wrong, 0 rejected without need\n", given.cases);
  return wrong ? 1 : 0;
}
