// Runs the mutants of the kernels of kernels/ and breaks/. A mutant lacks one barrier, arrival,
// wait, commit or fence, or has .relaxed in place of one .acquire, .release or .acq_rel. Each
// mutant is reported, or listed below with the reason why the kernel still works.
#include "mutate/mutate.hpp"

#include "breaks.hpp"

namespace {

struct redundant {
  char const *kernel, *statement;
  int count;  // occurrences that are not needed
  char const* reason;
};

constexpr redundant known[] = {
    {"gemm_tma", "wgmma.fence.sync.aligned", 4,
     "later k steps: products on the same accumulators are ordered without it (ISA, wgmma.fence)"},
    {"gemm_tma", "mbarrier.arrive.shared::cta.b64 _, [%r171]", 1,
     "steps after the unrolled loop: no copy refills their stages"},
    {"product", "bar.sync 0", 1,
     "after mbarrier.init: the barrier before the wait also orders the initialisation"},
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
      } catch (machine::error const& caught) {
        INFO(kernel << ", line " << site.line << ": " << site.statement << "\n" << caught.what());
        CHECK(caught.details().what != machine::trouble::text);
        CHECK(caught.details().what != machine::trouble::unsupported);
        reported = true;
      }
    }
    all.reported += reported;
    if (!reported) ++all.unreported[kernel + ": " + site.statement];
    INFO(kernel << ", line " << site.line << ": " << site.statement
                << " removed or relaxed: wrong results without a report");
    CHECK((reported || !wrong));
  }
}

}  // namespace

TEST_CASE("removed synchronisation is reported or known to be redundant", "[mutants]") {
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
    INFO(statement << " can be removed or relaxed without a report at " << count
                   << " more places than listed");
    CHECK(count == 0);
  }
  INFO(all.sites << " sites, " << all.reported << " reported");
  CHECK(all.sites >= 90);
}
