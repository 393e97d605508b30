// Implements barriers of a block and of a cluster (PTX ISA, "bar", "barrier", "barrier.cluster").
//
//     bar.sync a{, b}      the whole warp arrives, counted as 32 threads, and waits
//     bar.arrive a, b      arrives and does not wait
//     barrier.sync a{, b}  without .aligned: only the lanes that execute it arrive
//
// Without b the barrier waits for every thread of the block that has not exited. Two different
// counts in one generation are an error.
#include "execute/barriers.hpp"
#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"

namespace machine {

void begin_next_generation(block& home, block_barrier& barrier) {
  auto const number = static_cast<unsigned>(&barrier - home.barriers.data());
  complete_barrier(home, number);
  // The next generation may complete before these warps run again. A warp votes with all its lanes.
  for (auto const& w : home.warps) {
    if (w->live == 0) continue;
    auto const& lane = w->lanes[static_cast<unsigned>(std::countr_zero(w->live))];
    if (lane.why == waiting::barrier && lane.object == number &&
        lane.generation == barrier.generation)
      w->votes = barrier.votes;
  }
  barrier.votes = {};
  barrier.arrived = 0;
  ++barrier.generation;
  ++home.home->progress;
}

namespace {

unsigned first_lane(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

/// Adds the lanes to the count of arrivals. True if this completes the barrier.
bool arrive(warp& w, instruction const& i, std::uint32_t mask, block_barrier& barrier,
            std::uint32_t expected, std::uint32_t number) {
  unsigned const lane = first_lane(mask);
  if (expected != 0 && expected % 32 != 0)
    fault(w, i, lane, trouble::barrier, number,
          say("barrier ", number, " with ", expected, " threads, which is not a multiple of 32"));
  if (barrier.arrived != 0 && barrier.expected != expected)
    fault(w, i, lane, trouble::barrier, number,
          say("barrier ", number, " has a count of ", expected, " threads here and of ",
              barrier.expected, " elsewhere (0: all threads of the block)"));
  barrier.expected = expected;
  // An aligned barrier counts whole warps. Lanes that have exited, or that a partial last warp does
  // not have, count as arrived.
  bool const whole = mask == w.live;
  barrier.arrived += expected != 0 && whole ? 32 : static_cast<std::uint32_t>(std::popcount(mask));
  ++w.home->home->progress;
  publish_at_barrier(w, number);
  std::uint32_t const needed = expected != 0 ? expected : w.home->live_threads;
  if (barrier.arrived > needed)
    fault(w, i, lane, trouble::barrier, number,
          say("barrier ", number, " expects ", needed, " threads and ", barrier.arrived,
              " have arrived"));
  return barrier.arrived == needed;
}

/// The operands of a barrier, which must be equal in all lanes.
struct named_barrier {
  std::uint32_t number, expected;
};
named_barrier operands_of(warp& w, instruction const& i, std::uint32_t mask, unsigned at) {
  unsigned const lane = first_lane(mask);
  auto const* const numbers = lanes_of<std::uint32_t>(w, i.at[at]);
  auto const* const counts = lanes_of<std::uint32_t>(w, i.at[at + 1]);
  for_lanes(mask, [&](unsigned other) {
    if (numbers[other] != numbers[lane] || counts[other] != counts[lane])
      fault(w, i, other, trouble::barrier, numbers[other],
            "the lanes of a warp name different barriers or counts");
  });
  if (numbers[lane] > 15)
    fault(w, i, lane, trouble::barrier, numbers[lane],
          say("barrier ", numbers[lane], ": a block has barriers 0 to 15"));
  return {numbers[lane], counts[lane]};
}

void wait_for(warp& w, block_barrier const& barrier, std::uint32_t number,
              std::uint64_t generation) {
  if (barrier.generation != generation) {
    acquire_barrier(w, number);
    return;
  }
  w.parked = waiting::barrier;
  w.parked_object = number;
  w.parked_generation = generation;
}

void sync(warp& w, instruction const& i, std::uint32_t mask) {
  auto const named = operands_of(w, i, mask, 0);
  auto& barrier = w.home->barriers[named.number];
  std::uint64_t const generation = barrier.generation;
  if (arrive(w, i, mask, barrier, named.expected, named.number))
    begin_next_generation(*w.home, barrier);
  wait_for(w, barrier, named.number, generation);
}

void arrive_only(warp& w, instruction const& i, std::uint32_t mask) {
  auto const named = operands_of(w, i, mask, 0);
  if (named.expected == 0)
    fault(w, i, first_lane(mask), trouble::barrier, named.number,
          "bar.arrive needs a number of threads");
  auto& barrier = w.home->barriers[named.number];
  if (arrive(w, i, mask, barrier, named.expected, named.number))
    begin_next_generation(*w.home, barrier);
}

/// A barrier with a vote becomes two instructions: `vote` arrives with the votes and waits, and
/// `collect` reads the result.
enum class ballot { and_, or_, popc };

void vote(warp& w, instruction const& i, std::uint32_t mask) {
  auto const named = operands_of(w, i, mask, 1);
  auto& barrier = w.home->barriers[named.number];
  std::uint32_t const yes = predicate_of(w, i.at[3]) & mask;
  barrier.votes.all &= static_cast<std::uint32_t>(yes == mask);
  barrier.votes.any |= static_cast<std::uint32_t>(yes != 0);
  barrier.votes.count += static_cast<std::uint32_t>(std::popcount(yes));
  w.votes = barrier.votes;
  std::uint64_t const generation = barrier.generation;
  if (arrive(w, i, mask, barrier, named.expected, named.number))
    begin_next_generation(*w.home, barrier);
  wait_for(w, barrier, named.number, generation);
}

template <ballot kind> void collect(warp& w, instruction const& i, std::uint32_t mask) {
  if constexpr (kind == ballot::popc) {
    for_lanes(mask,
              [&](unsigned lane) { lanes_of<std::uint32_t>(w, i.at[0])[lane] = w.votes.count; });
  } else {
    auto& p = predicate_of(w, i.at[0]);
    bool const yes = (kind == ballot::and_ ? w.votes.all : w.votes.any) != 0;
    p = (p & ~mask) | (yes ? mask : 0);
  }
}

void cluster_arrive(warp& w, instruction const&, std::uint32_t mask) {
  cluster& home = *w.home->home;
  home.barrier.arrived += static_cast<std::uint32_t>(std::popcount(mask));
  for_lanes(mask, [&](unsigned lane) { w.cluster_phase[lane] = home.barrier.generation; });
  w.cluster_arrived |= mask;
  ++home.progress;
  if (home.barrier.arrived >= home.live_threads) {
    home.barrier.arrived = 0;
    ++home.barrier.generation;
    order_cluster(home);
  }
}

void checked_cluster_arrive(warp& w, instruction const& i, std::uint32_t mask) {
  if ((w.cluster_arrived & mask) != 0)
    fault(w, i, first_lane(w.cluster_arrived & mask), trouble::barrier, 0,
          "arrives twice at the cluster barrier without a wait in between");
  cluster_arrive(w, i, mask);
}

void cluster_wait(warp& w, instruction const& i, std::uint32_t mask) {
  if ((mask & ~w.cluster_arrived) != 0)
    fault(w, i, first_lane(mask & ~w.cluster_arrived), trouble::barrier, 0,
          "waits at the cluster barrier without having arrived");
  w.cluster_arrived &= ~mask;
  std::uint64_t const generation = w.cluster_phase[first_lane(mask)];
  if (w.home->home->barrier.generation != generation) return;
  w.parked = waiting::cluster;
  w.parked_generation = generation;
}

}  // namespace

void add_barriers(opcode_table& table) {
  for (char const* name :
       {"bar.sync", "bar.cta.sync", "barrier.sync.aligned", "barrier.cta.sync.aligned"})
    table.add({name, "=w?w", &sync, control::blocking, true});
  for (char const* name : {"barrier.sync", "barrier.cta.sync"})
    table.add({name, "=w?w", &sync, control::single});
  for (char const* name :
       {"bar.arrive", "bar.cta.arrive", "barrier.arrive.aligned", "barrier.cta.arrive.aligned"})
    table.add({name, "=ww", &arrive_only, control::blocking, true});
  for (char const* name : {"barrier.arrive", "barrier.cta.arrive"})
    table.add({name, "=ww", &arrive_only, control::single});
  for (char const* name : {"bar", "bar.cta", "barrier", "barrier.cta"}) {
    std::string const stem = std::string(name) + ".red.";
    std::string const aligned = name[3] == 0 || name[3] == '.' ? "" : ".aligned";
    table.add({stem + "and" + aligned + ".pred", "p=wwp", &vote, control::blocking, true});
    table.add({stem + "or" + aligned + ".pred", "p=wwp", &vote, control::blocking, true});
    table.add({stem + "popc" + aligned + ".u32", "w=wwp", &vote, control::blocking, true});
  }
  table.add({"barrier.collect.and", "", &collect<ballot::and_>});
  table.add({"barrier.collect.or", "", &collect<ballot::or_>});
  table.add({"barrier.collect.popc", "", &collect<ballot::popc>});
  for (char const* strength : {"", ".release", ".relaxed"}) {
    table.add({std::string("barrier.cluster.arrive") + strength + ".aligned", "=",
               &checked_cluster_arrive, control::blocking, true});
    table.add({std::string("barrier.cluster.arrive") + strength, "=", &checked_cluster_arrive});
  }
  for (char const* strength : {"", ".acquire"}) {
    table.add({std::string("barrier.cluster.wait") + strength + ".aligned", "=", &cluster_wait,
               control::blocking, true});
    table.add(
        {std::string("barrier.cluster.wait") + strength, "=", &cluster_wait, control::single});
  }
}

}  // namespace machine
