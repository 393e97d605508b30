// Makes random pairs of register layouts, plans the conversion, executes the plan and then its
// printed text on 32 lanes, and compares every element with sets of places.
//
//     fuzz_convert [--cases 20000] [--seed 1] [--from 0] [--steps 50000] [--baseline FILE]
//
// Exit code 1: an element is misplaced; a plan has fewer shuffles than the bound, or more although
// docs/algebra.md promises the bound; too many plans exceed it or use shared memory; a plan takes
// over 2 s; or 1 % of the plans, or one of powers of two, have more shuffles than FILE says.
#include "printed.hpp"
#include "random_pairs.hpp"

#include <axe/construct/literal.hpp>
#include <axe/convert/interpret.hpp>
#include <axe/convert/plan_convert.hpp>
#include <axe/convert/print_conversion.hpp>
#include <axe/map/places.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

namespace {

struct tally {
  long cases = 0, wrong = 0, kinds[4] = {}, met = 0, above = 0, excess = 0, powers = 0,
       powers_met = 0, promised = 0;
  double slowest = 0;  // CPU seconds of the slowest plan
};

bool power_of_two(registers::side const& s) {
  for (auto const* list : {&s.digits, &s.replicas})
    for (registers::digit const& d : *list)
      if ((d.extent & (d.extent - 1)) != 0 || (d.stride & (d.stride - 1)) != 0) return false;
  return s.lane_offset == 0 && s.slot_offset == 0;
}

bool has_replicas(registers::side const& s) {
  for (registers::digit const& d : s.replicas)
    if (d.extent > 1) return true;
  return false;
}
bool has_replicas_on_lanes(registers::side const& s) {
  for (registers::digit const& d : s.replicas)
    if (d.extent > 1 && d.on_lane) return true;
  return false;
}
bool all_lanes(registers::side const& s) {
  int lanes = 1;
  for (auto const* list : {&s.digits, &s.replicas})
    for (registers::digit const& d : *list) lanes *= d.on_lane ? d.extent : 1;
  return lanes == 32;
}

/// The number of element bits that are in registers in both layouts. All extents are powers of two.
int staying_bits(registers::pair const& p) {
  auto const on_lane = [](registers::side const& s) {
    std::vector<bool> bits;
    for (std::size_t k = s.digits.size(); k-- > 0;)
      for (int e = s.digits[k].extent; e > 1; e /= 2) bits.push_back(s.digits[k].on_lane);
    return bits;
  };
  std::vector<bool> const from = on_lane(p.from), to = on_lane(p.to);
  int n = 0;
  for (std::size_t b = 0; b < from.size(); ++b) n += !from[b] && !to[b];
  return n;
}

/// True if docs/algebra.md promises that the plan meets the bound: for elements of at least 32 bits
/// without replicas in the source or on lanes of the target, and for powers of two on all lanes if
/// the element bits that are in registers on both sides fill 32-bit words.
bool promised(registers::pair const& p) {
  if (p.width >= 32 && !has_replicas(p.from) && !has_replicas_on_lanes(p.to)) return true;
  if (!power_of_two(p.from) || !power_of_two(p.to) || !all_lanes(p.from) || !all_lanes(p.to))
    return false;
  return (1 << staying_bits(p)) * p.width >= 32;
}

/// True if no two elements share an address in shared memory, and if the sizes of the plan's
/// vectors and its conflicts are possible numbers.
bool shared_plan_is_valid(registers::pair const& p, axe::conversion_plan const& plan) {
  std::set<axe::integer> used;
  for (int x = 0; x < p.from.size(); ++x)
    if (!used.insert((*axe::places(plan.shared.place, axe::integer{x}).begin())[axe::axis::m])
             .second)
      return false;
  return plan.shared.store_bits >= p.width && plan.shared.load_bits >= p.width &&
         plan.shared.store_conflict >= 1;
}

/// A text of any length, to which axe::print writes.
struct sentence {
  std::string words;

  void put(char c) { words += c; }
  void put(char const* from) { words += from; }
  void put(axe::integer n) { words += std::to_string(n); }
};

/// One case of baseline.txt.
struct earlier_plan {
  int shuffles = 0;
  bool powers_of_two = false;
};

/// Reads baseline.txt: the number of shuffles of each case, followed by `p` if all extents and
/// strides are powers of two.
std::vector<earlier_plan> read_baseline(char const* path) {
  std::vector<earlier_plan> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) all.push_back({std::stoi(word), word.back() == 'p'});
  }
  return all;
}

/// Compares the shuffles of plans with those of the baseline.
struct comparison {
  std::vector<earlier_plan> baseline;
  long compared = 0, fewer = 0, more = 0, wrong = 0;

  void compare(long number, registers::pair const& p, int shuffles) {
    if (number >= static_cast<long>(baseline.size())) return;
    earlier_plan const& before = baseline[static_cast<std::size_t>(number)];
    bool const powers_of_two = power_of_two(p.from) && power_of_two(p.to);
    ++compared;
    fewer += shuffles < before.shuffles;
    more += shuffles > before.shuffles;
    if (shuffles > before.shuffles)
      std::printf("case %ld: %d shuffles, %d before%s\n", number, shuffles, before.shuffles,
                  powers_of_two ? "; powers of two" : "");
    if (powers_of_two == before.powers_of_two && (!powers_of_two || shuffles <= before.shuffles))
      return;
    ++wrong;
    if (powers_of_two != before.powers_of_two)
      std::printf("case %ld is not the case of the baseline\n", number);
  }
  bool passes() const {
    if (baseline.empty()) return true;
    std::printf("%ld compared with the baseline: %ld have fewer shuffles, %ld more\n", compared,
                fewer, more);
    return wrong == 0 && compared > 0 && more * 100 <= compared;
  }
};

/// The shuffles that are counted for a plan through shared memory: more than any plan of the
/// baseline.
constexpr int shared_memory_costs = 1'000'000;

/// Checks one case. Returns what is wrong, or null.
char const* judge(registers::pair const& p, long steps, tally& counts, int& shuffles) {
  axe::layout const from = axe::parse(registers::text(p.from).c_str()),
                    to = axe::parse(registers::text(p.to).c_str());
  std::clock_t const start = std::clock();
  axe::outcome<axe::conversion_plan> const planned =
      axe::try_plan_convert(from, to, p.width, axe::step_limit(steps));
  counts.slowest =
      std::max(counts.slowest, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  if (!planned) return "try_plan_convert rejects the conversion";
  axe::conversion_plan const& plan = *planned;
  ++counts.kinds[static_cast<int>(plan.kind)];
  shuffles = plan.kind == axe::conversion_kind::warps ? shared_memory_costs : plan.shuffles();
  if (plan.kind == axe::conversion_kind::warps)
    return shared_plan_is_valid(p, plan) ? nullptr : "the plan through shared memory is invalid";
  if (plan.shuffles() < plan.shuffle_bound)
    return "fewer shuffles than the bound: the bound is wrong";
  bool const met = plan.shuffles() == plan.shuffle_bound;
  if (!met && promised(p)) return "more shuffles than the bound, which is promised to be met";
  counts.promised += promised(p);
  ++(met ? counts.met : counts.above);
  counts.excess += plan.shuffles() - plan.shuffle_bound;
  if (power_of_two(p.from) && power_of_two(p.to)) {
    ++counts.powers;
    counts.powers_met += met;
  }
  if ((plan.kind == axe::conversion_kind::lanes) != (plan.shuffles() > 0))
    return "the kind of the plan contradicts its number of shuffles";
  sentence text;
  axe::print(text, plan);
  for (int pass = 0; pass < (p.width < 32 ? 2 : 1); ++pass) {
    registers::file const source = registers::fill(p.from, p.width, plan.source_words, pass);
    registers::file target(plan.target_words), by_text(plan.target_words);
    axe::interpret(plan, source.word.data(), target.word.data());
    if (registers::missing(p.to, p.width, target, pass) >= 0)
      return "an element is not at its place";
    if (char const* const unread = printed::execute(text.words, source, by_text)) return unread;
    if (registers::missing(p.to, p.width, by_text, pass) >= 0)
      return "the printed plan moves an element elsewhere";
  }
  return nullptr;
}

struct options {
  long cases = 20'000, seed = 1, first = 0, steps = 50'000;
  bool show = false;  // whether to print the plans above the bound
  comparison against;
};

/// Reads the command line. Prints what is wrong with it and returns false.
bool read_options(int count, char** words, options& o) {
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "--show") == 0) {
      o.show = true;
      continue;
    }
    if (i + 1 >= count) {
      std::fprintf(stderr,
                   "fuzz_convert [--cases N] [--seed N] [--from N] [--steps N] [--baseline FILE] "
                   "[--show]\n");
      return false;
    }
    if (std::strcmp(words[i], "--baseline") == 0) {
      o.against.baseline = read_baseline(words[++i]);
      if (o.against.baseline.empty()) {
        std::fprintf(stderr, "fuzz_convert: cannot read %s\n", words[i]);
        return false;
      }
      continue;
    }
    long* const to = std::strcmp(words[i], "--cases") == 0   ? &o.cases
                     : std::strcmp(words[i], "--seed") == 0  ? &o.seed
                     : std::strcmp(words[i], "--from") == 0  ? &o.first
                     : std::strcmp(words[i], "--steps") == 0 ? &o.steps
                                                             : nullptr;
    if (to == nullptr || std::sscanf(words[i + 1], "%ld", to) != 1) {
      std::fprintf(stderr, "fuzz_convert: %s is not an option with a number\n", words[i]);
      return false;
    }
    ++i;
  }
  return true;
}

/// Prints the sums of a run. Returns whether few enough plans are above the bound or in shared
/// memory, and no plan takes more than 2 s of CPU time with the default step limit. A plan may
/// take 1 s on an idle machine, and other programs slow it down.
bool report(tally const& counts, [[maybe_unused]] long steps) {
  std::printf(
      "%ld cases: %ld wrong; nothing %ld, registers %ld, lanes %ld, shared %ld; bound met %ld, "
      "above it %ld "
      "(by %ld shuffles); "
      "promised %ld; powers of two %ld, bound met %ld\n",
      counts.cases, counts.wrong, counts.kinds[0], counts.kinds[1], counts.kinds[2],
      counts.kinds[3], counts.met, counts.above, counts.excess, counts.promised, counts.powers,
      counts.powers_met);
  std::printf(
      "the bound is met in %.2f %% of the plans inside a warp\n",
      100.0 * static_cast<double>(counts.met) / static_cast<double>(counts.met + counts.above));
  if (counts.met * 100 < 95 * (counts.met + counts.above)) {
    std::printf("that is less than 95 %%\n");
    return false;
  }
  if (counts.kinds[3] * 500 > counts.cases) {
    std::printf("more than 2 in 1,000 plans go through shared memory\n");
    return false;
  }
  std::printf("the slowest plan takes %.2f s of CPU time\n", counts.slowest);
#ifndef __SANITIZE_ADDRESS__
  if (steps <= 50'000 && counts.slowest > 2) {
    std::printf("that is more than 2 s\n");
    return false;
  }
#endif
  return true;
}

}  // namespace

int main(int count, char** words) {
  options o;
  if (!read_options(count, words, o)) return 2;
  tally counts;
  for (long c = o.first; c < o.first + o.cases; ++c) {
    registers::random_pairs random(static_cast<std::uint64_t>(o.seed) * 1'000'003u +
                                   static_cast<std::uint64_t>(c));
    registers::pair const p = random.next();
    long const above = counts.above;
    int shuffles = 0;
    char const* const wrong = judge(p, o.steps, counts, shuffles);
    ++counts.cases;
    if (wrong == nullptr) o.against.compare(c, p, shuffles);
    if (wrong != nullptr) {
      ++counts.wrong;
      std::printf("wrong: %s\n  %s\n  %s\n  width %d, seed %ld, case %ld\n", wrong,
                  registers::text(p.from).c_str(), registers::text(p.to).c_str(), p.width, o.seed,
                  c);
    } else if (o.show && counts.above > above) {
      std::printf("above: %s | %s | %d\n", registers::text(p.from).c_str(),
                  registers::text(p.to).c_str(), p.width);
    }
    if (o.cases >= 100'000 && (c - o.first + 1) % 50'000 == 0)
      std::fprintf(stderr, "%ld cases\n", c - o.first + 1);
  }
  return report(counts, o.steps) && o.against.passes() && counts.wrong == 0 ? 0 : 1;
}
