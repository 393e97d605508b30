// The differential fuzzer. The tests run 100,000 or 500,000 cases, `./run fuzz` a hundred million.
//
//     fuzz --cases 1000000 --seed 7 --jobs 2 --only slice
//     fuzz --seed 7 --from 48213 --cases 1          case 48213 of seed 7 again (same --only)
//     fuzz --break slice                            makes a mistake in slice: cases must fail
//     fuzz --any-share                              ignores the required shares of kinds of cases
//
// Case i of a seed never changes. A failing case is shrunk and printed (exit code 1).
#include "fuzz/generate.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace {

using namespace fuzz;

struct counts {
  long cases = 0, accepted = 0, replicas = 0, negative = 0, odd = 0, long_lists = 0;
  long rejected = 0, undecided = 0, capacity = 0, skipped = 0, wrong = 0, missed = 0;

  void add(counts const& o) {
    cases += o.cases, accepted += o.accepted, replicas += o.replicas, negative += o.negative,
        odd += o.odd, long_lists += o.long_lists;
    rejected += o.rejected, undecided += o.undecided, capacity += o.capacity, skipped += o.skipped,
        wrong += o.wrong, missed += o.missed;
  }
  void note(test_case const& c, verdict v) {
    ++cases;
    switch (v) {
      case verdict::rejected: ++rejected; return;
      case verdict::undecided: ++undecided; return;
      case verdict::capacity: ++capacity; return;
      case verdict::skipped: ++skipped; return;
      case verdict::wrong: ++wrong; return;
      case verdict::missed: ++missed; return;
      case verdict::accepted: ++accepted;
    }
    bool r = false, n = false, odd_extent = false, three = false;
    for (axe::layout const* l : {&c.a, &c.b}) {
      r = r || !l->replicas.empty();
      three = three || l->shards.size() >= 3;
      for (axe::iter const& i : l->shards)
        n = n || i.stride < 0, odd_extent = odd_extent || (i.extent & (i.extent - 1)) != 0;
      for (axe::iter const& i : l->replicas)
        n = n || i.stride < 0, odd_extent = odd_extent || (i.extent & (i.extent - 1)) != 0;
    }
    replicas += r, negative += n, odd += odd_extent, long_lists += three;
  }
};

struct options {
  unsigned long long seed = 20260301;
  long cases = 1'000'000;  // one more than the last case
  long from = 0;
  int jobs = 1;
  int witnesses = 1;
  bool check_shares = true;
  bool undecided = false;  // print undecided cases too
  std::vector<op> only;
};

struct state {
  std::mutex lock;
  std::atomic<long> next{0};
  std::atomic<bool> stop{false};
  counts of[operations];
  std::map<std::string, int> shown;
  std::atomic<long> failures{0};
};

void report(options const& o, state& s, long i, test_case const& c, judgement const& j) {
  std::lock_guard const hold(s.lock);
  if (failed(j)) ++s.failures;
  if (s.shown[std::string(name_of(c.what)) + j.why]++ >= o.witnesses) return;
  test_case const small = shrink(c, j.is);
  std::printf("%s: case %ld of seed %llu: %s: %s\n    original: %s\n    smallest: %s: %s\n",
              j.is == verdict::wrong    ? "WRONG"
              : j.is == verdict::missed ? "VALID, BUT REJECTED"
                                        : "UNDECIDED",
              i, o.seed, name_of(c.what), j.why, text_of(c).c_str(), text_of(small).c_str(),
              judge(small).why);
  std::fflush(stdout);
}

constexpr long batch = 2000;

void work(options const& o, state& s) {
  counts mine[operations];
  for (long from = s.next.fetch_add(batch); from < o.cases && s.failures < 1000;
       from = s.next.fetch_add(batch))
    for (long i = from; i < std::min(o.cases, from + batch); ++i) {
      op const what = o.only[static_cast<std::size_t>(i) % o.only.size()];
      dice d{{o.seed * 0x9e3779b97f4a7c15u +
              static_cast<unsigned long long>(i) * 0xd1342543de82ef95u}};
      d.next();
      test_case const c = random_case(d, what);
      judgement const j = judge(c);
      mine[static_cast<int>(what)].note(c, j.is);
      if (failed(j) || (o.undecided && j.is == verdict::undecided)) report(o, s, i, c, j);
    }
  std::lock_guard const hold(s.lock);
  for (int k = 0; k < operations; ++k) s.of[k].add(mine[k]);
}

/// True if at least 30% of the cases are accepted and, of those, 20% have R, 20% a negative stride,
/// 50% an extent that is not a power of two, and 30% three iters or more.
bool shares_hold(counts const& c) {
  double const all = static_cast<double>(c.cases - c.skipped), in = static_cast<double>(c.accepted);
  return in >= 0.3 * all && static_cast<double>(c.replicas) >= 0.2 * in &&
         static_cast<double>(c.negative) >= 0.2 * in && static_cast<double>(c.odd) >= 0.5 * in &&
         static_cast<double>(c.long_lists) >= 0.3 * in;
}

int print(options const& o, state& s) {
  std::printf("%-16s %10s %9s %5s %5s %5s %5s %10s %9s %8s %8s %6s %6s\n", "operation", "cases",
              "accepted", "R", "neg", "odd", "3+", "rejected", "undecided", "capacity", "skipped",
              "wrong", "missed");
  bool shares = true;
  counts total;
  auto const line = [](char const* name, counts const& c, bool fine) {
    auto const percent = [](long part, long whole) {
      return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    };
    std::printf(
        "%-16s %10ld %8.1f%% %4.0f%% %4.0f%% %4.0f%% %4.0f%% %10ld %9ld %8ld %8ld %6ld %6ld%s\n",
        name, c.cases, percent(c.accepted, c.cases - c.skipped), percent(c.replicas, c.accepted),
        percent(c.negative, c.accepted), percent(c.odd, c.accepted),
        percent(c.long_lists, c.accepted), c.rejected, c.undecided, c.capacity, c.skipped, c.wrong,
        c.missed, fine ? "" : "   below a required share");
  };
  for (op what : o.only) {
    counts const& c = s.of[static_cast<int>(what)];
    bool const fine = shares_hold(c);
    shares = shares && fine;
    line(name_of(what), c, fine);
    total.add(c);
  }
  line("all", total, true);
  if (o.check_shares && !shares) return 1;
  if (o.check_shares && total.undecided * 10'000 > total.cases) {
    std::printf("more than 1 in 10,000 cases is undecided\n");
    return 1;
  }
  return total.wrong + total.missed == 0 ? 0 : 1;
}

[[noreturn]] void usage(char const* why) {
  std::fprintf(stderr,
               "fuzz: %s\nusage: fuzz [--cases N] [--from N] [--seed N] [--jobs N] [--only "
               "OPERATION[,...]] [--break "
               "OPERATION] [--witnesses N] [--any-share] [--undecided]\n",
               why);
  std::exit(2);
}

op operation(std::string const& name) {
  for (int k = 0; k < operations; ++k)
    if (name == name_of(static_cast<op>(k))) return static_cast<op>(k);
  usage(("no operation is called " + name).c_str());
}

options parse(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; ++i) {
    std::string const name = argv[i];
    if (name == "--any-share") o.check_shares = false;
    if (name == "--undecided") o.undecided = true;
    if (name == "--any-share" || name == "--undecided") continue;
    if (i + 1 == argc) usage((name + " needs a value").c_str());
    std::string const value = argv[++i];
    auto const count = [&] {
      char* end = nullptr;
      unsigned long long const n = std::strtoull(value.c_str(), &end, 10);
      if (value.empty() || *end != '\0') usage((name + " needs a number, not " + value).c_str());
      return n;
    };
    if (name == "--cases")
      o.cases = static_cast<long>(count());
    else if (name == "--from")
      o.from = static_cast<long>(count());
    else if (name == "--seed")
      o.seed = count();
    else if (name == "--jobs")
      o.jobs = std::max(1, static_cast<int>(count()));
    else if (name == "--witnesses")
      o.witnesses = static_cast<int>(count());
    else if (name == "--break")
      broken = operation(value);
    else if (name == "--only")
      for (std::size_t at = 0; at <= value.size();) {
        std::size_t const comma = std::min(value.find(',', at), value.size());
        o.only.push_back(operation(value.substr(at, comma - at)));
        at = comma + 1;
      }
    else
      usage(("unknown option " + name).c_str());
  }
  o.cases += o.from;
  if (o.only.empty())
    for (int k = 0; k < operations; ++k) o.only.push_back(static_cast<op>(k));
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  options const o = parse(argc, argv);
  std::printf("fuzz: %ld cases from %ld on, --seed %llu, %d jobs\n", o.cases - o.from, o.from,
              o.seed, o.jobs);
  std::fflush(stdout);
  state s;
  s.next = o.from;
  std::vector<std::thread> workers;
  for (int k = 0; k < o.jobs; ++k) workers.emplace_back([&] { work(o, s); });
  auto last = std::chrono::steady_clock::now();
  while (s.next < o.cases && s.failures < 1000) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    if (std::chrono::steady_clock::now() - last < std::chrono::seconds(10)) continue;
    last = std::chrono::steady_clock::now();
    std::fprintf(stderr, "fuzz: %ld of %ld cases\n", std::min<long>(s.next, o.cases), o.cases);
  }
  for (std::thread& w : workers) w.join();
  return print(o, s);
}
