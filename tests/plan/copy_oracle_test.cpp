// Compares plans of random copies with plain sets: what a plan does (copy_check.hpp), and whether a
// rejected instruction could copy the tile (copy_oracle.hpp).
//
// AXE_TEST_SEED and AXE_TEST_SAMPLES set the seed and the number of requests of the slow case.
#include "plan/copy_oracle.hpp"
#include "plan/random_copies.hpp"
#include "plan/tensor_copy_check.hpp"
#include "support/catch.hpp"

#include <axe/refusal/refusal.hpp>

#include <optional>

namespace {

using axe::copy_instruction;
using axe_test::random_copy;
using enum axe::memory_space;

copy_oracle::memory as_memory(axe::memory_space s) {
  return s == global   ? copy_oracle::memory::global
         : s == shared ? copy_oracle::memory::shared
                       : copy_oracle::memory::registers;
}

/// True if the instruction takes the cache hint. Source: PTX ISA, "ld", "st", "cp.async",
/// "cp.async.bulk".
bool takes_hint(axe::copy_request const& r, copy_instruction i) {
  bool const at_global = r.from_space == global || r.to_space == global;
  switch (r.options.cache) {
    case axe::cache_hint::none: return true;
    case axe::cache_hint::read_only: return is_vector(i) && r.from_space == global;
    case axe::cache_hint::no_allocate: return is_vector(i) && at_global;
    default: return !is_matrix(i) && at_global;
  }
}

bool exists(axe::copy_request const& r, copy_instruction i, long long bytes) {
  if (!takes_hint(r, i)) return false;
  using enum copy_oracle::kind;
  int const sm = r.target == axe::architecture::sm_80     ? 80
                 : r.target == axe::architecture::sm_89   ? 89
                 : r.target == axe::architecture::sm_100a ? 100
                                                          : 90;
  copy_oracle::kind const kind = is_vector(i)     ? vector
                                 : is_cp_async(i) ? cp_async
                                 : is_ldmatrix(i) ? ldmatrix
                                 : is_matrix(i)   ? stmatrix
                                                  : bulk;
  return copy_oracle::exists(kind, bytes, as_memory(r.from_space), as_memory(r.to_space), sm);
}

/// The request in plain sets. Nothing if no copy has its meaning: two elements of the destination
/// share a place, elements share a byte on one side but not on the other, or the threads are not
/// consecutive threads of the scope.
std::optional<copy_oracle::task> task_of(random_copy const& c) {
  axe::copy_request const& r = c.request;
  copy_oracle::task t;
  t.from_memory = as_memory(r.from_space), t.to_memory = as_memory(r.to_space);
  t.from = axe_test::places_of(r.from), t.to = axe_test::places_of(r.to);
  if (r.options.partitioned) t.holders = axe_test::places_of(r.options.partition);
  t.bits = r.bits;
  t.from_base = r.options.from_alignment, t.to_base = r.options.to_alignment;
  t.zero = r.options.outside == axe::copy_outside::zero;
  for (int d = 0; d < r.tile.rank(); ++d) t.tile.push_back(r.tile.nodes.value(d + 1));
  for (axe::integer const e : r.options.edges) t.edges.push_back(e);
  if (!copy_oracle::is_injective(t.to)) return {};
  if (!copy_oracle::in_bytes(t)) return {};
  if (r.from_space == registers) t.holders = t.from;
  if (r.to_space == registers) t.holders = t.to;
  if (!copy_oracle::has_consecutive_threads(t, r.scope)) return {};
  return t;
}

/// True if elements share a place of a tensor that may end inside the tile. The planner does not
/// test this, because elements past the end are not stored.
bool stores_twice(axe::copy_request const& r) {
  return r.to_space == global && axe::detail::has_edge(r.options.edges) &&
         !copy_oracle::is_injective(axe_test::places_of(r.to));
}

/// True if the swizzle may split an access. The planner then rejects accesses that are cut, bulk
/// copies and matrices.
bool splits(axe::layout const& l, int bits, long long bytes) {
  return !l.swizzle.none() && (bits << l.swizzle.M) / 8 < bytes;
}

/// True if a digit on memory descends. The planner copies its elements one by one, even if a
/// swizzle reverses their order.
bool descends(axe::layout const& l) {
  for (axe::iter const& i : l.shards)
    if (i.is_on(axe::axis::m) && i.stride < 0) return true;
  return false;
}

/// True if the oracle finds a copy by this instruction.
bool is_possible(random_copy const& c, copy_oracle::task const& t, copy_instruction i) {
  axe::copy_request const& r = c.request;
  long long const bytes = i == copy_instruction::bulk ? 16 : bytes_of(i);
  if (!exists(r, i, bytes) || bytes * 8 < t.bits) return false;
  long long const whole = i == copy_instruction::bulk ? 1 << 20 : bytes;
  bool const split = splits(r.from, r.bits, whole) || splits(r.to, r.bits, whole);
  // A swizzle may permute the replicas of an element, which the planner copies one by one.
  if (split && (r.from.replicas.count != 0 || r.to.replicas.count != 0)) return false;
  if (split && (descends(r.from) || descends(r.to))) return false;
  if (is_vector(i) || is_cp_async(i))
    return allows_vectors(t, bytes * 8 / t.bits, is_vector(i) && !split);
  if (split) return false;
  if (axe::detail::has_edge(r.options.edges)) return false;
  if (i == copy_instruction::bulk) return t.holders.empty() && allows_bulk(t);
  if (!c.matrices) return false;
  // A swizzle that keeps 16 bytes together moves whole rows.
  random_copy plain = c;
  plain.request.from.swizzle = plain.request.to.swizzle = {};
  return allows_matrices(*task_of(plain), is_ldmatrix(i), is_transposed(i), matrices_of(i));
}

struct judge {
  std::map<copy_instruction, int> accepted;
  int illegal = 0, chosen_asynchronous = 0;
  int hinted[5] = {};

  std::string one(random_copy& c, std::optional<copy_oracle::task> const& t, copy_instruction i,
                  axe::outcome<axe::copy_plan> const& any) {
    axe::copy_request& r = c.request;
    r.options.force = i;
    axe::outcome<axe::copy_plan> const plan = axe::try_plan_copy(r);
    if (!plan) {
      // Sides without common digits are copied element by element (docs/plans.md).
      if (!t || plan.why.which == axe::rule::copy_no_common_digits || !is_possible(c, *t, i))
        return "";
      return std::string("is rejected: ") + name_of(plan.why.which);
    }
    ++accepted[i];
    if (!t) return "copies a tile that has no copy";
    if (!exists(r, i, plan->bytes)) return "does not exist";
    if (plan->threads > r.scope) return "has more threads than the scope";
    bool const waits = !r.options.asynchronous;
    if (is_asynchronous(i) != waits && !any) return "is a plan that the planner did not find";
    if (any && is_asynchronous(any->instruction) == waits) return "is not chosen";
    if (i == copy_instruction::bulk && !waits && r.scope == 1 && any->instruction != i)
      return "is not the choice of one thread";
    if (any && any->instruction == i && !(any->access_partition == plan->access_partition))
      return "has another plan if it is forced";
    bool const alike = any && (is_vector(i) ? is_vector(any->instruction)
                                            : is_cp_async(i) && is_cp_async(any->instruction));
    if (alike && plan->bytes > any->bytes) return "is wider than the planner's choice";
    return axe_test::copy_fault(*plan, r, c.limits);
  }

  /// Makes a request that a tensor copy may execute, and executes its plan.
  std::string by_tensor(random_copy const& c, bool load) {
    axe::copy_request r = c.request;
    r.from_space = load ? global : shared;
    r.to_space = load ? shared : global;
    r.target = axe::architecture::sm_90a;
    r.options = {};
    r.options.force = copy_instruction::tma;
    r.options.outside = axe::copy_outside::zero;
    (load ? r.options.to_alignment : r.options.from_alignment) = 1 << 13;
    r.options.edges = c.request.options.edges;
    axe::outcome<axe::copy_plan> const plan = axe::try_plan_copy(r);
    if (!plan) return "";
    ++accepted[copy_instruction::tma];
    return axe_test::tensor_copy_fault(*plan, r, c.limits);
  }

  void requests(unsigned long long seed, int count) {
    axe_test::copy_dice d(seed);
    for (int k = 0; k < count; ++k) {
      random_copy c = axe_test::make_random_copy(d);
      axe::copy_request& r = c.request;
      CAPTURE(seed, k, axe::to_text(r.from).c_str(), name_of(r.from_space),
              axe::to_text(r.to).c_str(), name_of(r.to_space),
              axe::to_text(r.options.partition).c_str(), r.bits, r.scope, name_of(r.target),
              c.limits);
      if (stores_twice(r)) continue;
      auto const t = task_of(c);
      illegal += !t;
      if (r.from_space != registers && r.to_space != registers)
        for (bool const load : {true, false}) REQUIRE(by_tensor(c, load) == "");
      auto const any = axe::try_plan_copy(r);
      chosen_asynchronous += any && r.options.asynchronous;
      hinted[static_cast<int>(r.options.cache)] += bool(any);
      for (int n = 2; n < static_cast<int>(copy_instruction::count); ++n) {
        auto const i = static_cast<copy_instruction>(n);
        CAPTURE(name_of(i));
        REQUIRE(one(c, t, i, any) == "");
      }
    }
  }
};

}  // namespace

TEST_CASE("plans of random copies are right, and rejected only if no plan is possible") {
  judge j;
  j.requests(20261127, 5000);
  // The random requests must reach every instruction, and some must have no plan.
  for (int n = 1; n < static_cast<int>(copy_instruction::count); ++n) {
    auto const i = static_cast<copy_instruction>(n);
    CAPTURE(name_of(i));
    CHECK(j.accepted[i] >= 3);
  }
  for (int n = 1; n < 5; ++n) CHECK(j.hinted[n] > 30);
  CHECK((j.illegal > 300 && j.chosen_asynchronous > 50));
}

TEST_CASE("plans of many random copies are right", "[slow]") {
  judge j;
  j.requests(axe_test::seed_from_environment(1), axe_test::samples_from_environment());
}
