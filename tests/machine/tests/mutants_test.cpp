// Every barrier, arrival, wait, commit and fence of the kernels of kernels/ and breaks/ taken away
// in turn. Each mutant is reported, or it is named here with the reason why the kernel does
// without.
#include "mutate/mutate.hpp"

#include "breaks.hpp"

namespace {

struct redundant {
  char const *kernel, *statement;
  int count;  // how often it stands there without being needed
  char const* reason;
};

constexpr redundant known[] = {
    {"gemm_tma", "wgmma.fence.sync.aligned", 4,
     "later steps: between wgmma on the same accumulators the order is kept (ISA, wgmma.fence)"},
    {"gemm_tma", "mbarrier.arrive.shared::cta.b64 _, [%r171]", 1,
     "the steps behind the unrolled loop: no copy refills their stages"},
    {"product", "bar.sync 0", 1,
     "the one after the mbarrier's init: the barrier before the wait does it too"},
};

struct found {
  int sites = 0, reported = 0;
  std::map<std::string, int> unreported;  // by statement
};

template <class Run>
void mutate(std::string const& kernel, std::string const& entry, std::string const& text,
            found& all, Run run) {
  for (auto const& site : machine::mutation_sites(text, entry)) {
    ++all.sites;
    bool reported = false, wrong = false;
    for (std::uint64_t number = 0; number < 16 && !reported; ++number) {
      try {
        wrong = !run(machine::without(text, site), machine_test::schedule(number)) || wrong;
      } catch (machine::error const& told) {
        INFO(kernel << ", line " << site.line << ": " << site.statement << "\n" << told.what());
        CHECK(told.details().what != machine::trouble::text);
        CHECK(told.details().what != machine::trouble::unsupported);
        reported = true;
      }
    }
    all.reported += reported;
    if (!reported) ++all.unreported[kernel + ": " + site.statement];
    INFO(kernel << ", line " << site.line << ": " << site.statement
                << " taken away: wrong results, and no report");
    CHECK((reported || !wrong));
  }
}

}  // namespace

TEST_CASE("synchronisation taken away is reported, or known to be redundant", "[mutants]") {
  found all;
  for (auto const& [file, entry] : machine_test::known_kernels) {
    auto const text = machine_test::kernel_text(file);
    auto const right = machine_test::run_known(entry, text, machine_test::schedule(0));
    mutate(entry, entry, text, all,
           [&, name = entry](std::string const& changed, machine::launch_options const& how) {
             return machine_test::run_known(name, changed, how) == right;
           });
  }
  for (auto const& each : machine_test::breaks::kernels())
    mutate(each.name, "k", machine_test::breaks::text_of(each, nullptr), all,
           [&](std::string const& changed, machine::launch_options const& how) {
             return machine_test::breaks::run(each, changed, how);
           });
  for (auto const& each : known)
    CHECK(all.unreported[std::string(each.kernel) + ": " + each.statement] == each.count);
  std::map<std::string, int> rest = all.unreported;
  for (auto const& each : known)
    rest[std::string(each.kernel) + ": " + each.statement] -= each.count;
  for (auto const& [statement, count] : rest) {
    INFO(statement << " can be taken away without a report, " << count
                   << " times more than is known");
    CHECK(count == 0);
  }
  INFO(all.sites << " sites, " << all.reported << " reported");
  CHECK(all.sites >= 90);
}
