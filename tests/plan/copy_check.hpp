// Checks a copy plan by its execution: each element is written once to each of its places, and the
// plan's layouts, predicates and counts of traffic are those of its accesses.
//
//     copy_fault(plan, request)       "" or, for example, "element 3 is written 2 times"
#pragma once

#include "plan/copy_execution.hpp"

#include <axe/plan/copy_traffic.hpp>

namespace axe_test {

/// The number of times that check_traffic() compared the counts of one side of a plan.
inline int compared_traffic = 0;

struct copy_check : copy_execution {
  using copy_execution::copy_execution;

  /// The traffic of one side: all wavefronts and those of the worst phase, or all sectors.
  struct traffic {
    long long all = 0, worst = 0;
    bool partial = false;  // some accesses are predicated off
  };
  /// The wavefronts of one side in shared memory. An access of ldmatrix or stmatrix is a row of 16
  /// bytes.
  traffic wavefronts(bool source_side) const {
    oracle::map_table const& side = source_side ? from : to;
    bool const by_element = source_side ? plan.from_by_element : plan.to_by_element;
    bool const matrix = is_matrix(plan.instruction);
    int const lanes = matrix ? 8 * matrices_of(plan.instruction) : 32;
    int const phase = plan.bytes <= 4 ? 32 : static_cast<int>(128 / plan.bytes);
    traffic out;
    for (long long issue = 0; issue < plan.issues; ++issue)
      for (long long warp = 0; warp < plan.threads; warp += 32)
        for (int first = 0; first < lanes; first += phase) {
          std::map<long long, std::set<long long>> words;  // the accessed words of each bank
          for (int l = first; l < first + phase && l < lanes && warp + l < plan.threads; ++l) {
            std::vector<long long> const c = begin(warp + l, issue);
            if (!in_bounds(c) || !stores(warp + l)) {
              out.partial = true;
              continue;
            }
            long long const at = side[number(c, by_element)].front()[0] * plan.bits / 8;
            for (long long b = 0; b < plan.bytes; b += 4)
              words[(at + b) / 4 % 32].insert((at + b) / 4);
          }
          long long largest = 0;
          for (auto const& [bank, accessed] : words)
            largest = std::max(largest, static_cast<long long>(accessed.size()));
          out.all += largest;
          out.worst = std::max(out.worst, largest);
        }
    return out;
  }
  /// The sectors of 32 bytes that the accesses to one side in global memory need.
  traffic sectors(bool source_side) const {
    oracle::map_table const& side = source_side ? from : to;
    bool const by_element = source_side ? plan.from_by_element : plan.to_by_element;
    traffic out;
    for (long long issue = 0; issue < plan.issues; ++issue)
      for (long long warp = 0; warp < plan.threads; warp += 32) {
        std::set<long long> touched;
        for (long long t = warp; t < warp + 32 && t < plan.threads; ++t) {
          std::vector<long long> const c = begin(t, issue);
          if (!in_bounds(c) || !stores(t))
            out.partial = true;
          else
            touched.insert(side[number(c, by_element)].front()[0] * plan.bits / 256);
        }
        out.all += static_cast<long long>(touched.size());
      }
    return out;
  }
  /// Compares the counts of the library with those of wavefronts() and sectors().
  void check_traffic(bool source_side) {
    axe::memory_space const space = source_side ? plan.from_space : plan.to_space;
    if (plan.bytes > 16 || !memory(space)) return;
    if (space == axe::memory_space::global) {
      auto const counted =
          try_copy_sectors(plan, source_side ? axe::copy_side::from : axe::copy_side::to);
      if (!counted) return;
      traffic const executed = sectors(source_side);
      if (executed.partial ? counted->sectors < executed.all : counted->sectors != executed.all)
        fail("copy_sectors differs from the sectors of the execution");
      return;
    }
    auto const counted =
        try_copy_wavefronts(plan, source_side ? axe::copy_side::from : axe::copy_side::to);
    if (!counted) return;
    ++compared_traffic;
    traffic const executed = wavefronts(source_side);
    if (executed.partial ? counted->wavefronts < executed.all : counted->wavefronts != executed.all)
      fail("copy_wavefronts differs from the wavefronts of the execution");
    if (executed.partial ? counted->conflicts < executed.worst
                         : counted->conflicts != executed.worst)
      fail("copy_wavefronts has another number of conflicts than the execution");
  }

  /// Compares the plan's layouts with its modes: `access_partition` must give the thread and
  /// the number of each access, `partition` the thread and register of each element.
  void check_layouts() {
    oracle::map_table const named = places_of(plan.access_partition),
                            held_by = places_of(plan.partition);
    bool const in_registers = !memory(plan.from_space) || !memory(plan.to_space);
    bool const moves_values =
        !is_matrix(plan.instruction) && plan.instruction != axe::copy_instruction::bulk;
    for (long long t = 0; t < plan.threads; ++t)
      for (long long issue = 0; issue < plan.issues; ++issue) {
        std::size_t access = 0, element = 0;
        std::vector<long long> const c = begin(t, issue);
        for (int k = 0; k < plan.modes.size(); ++k) {
          axe::copy_mode const& m = plan.modes[k];
          auto const at = static_cast<std::size_t>(c[static_cast<std::size_t>(k)]);
          access = access * static_cast<std::size_t>(m.threads * m.issues) +
                   at / static_cast<std::size_t>(m.values);
          element = element * static_cast<std::size_t>(m.threads * m.issues * m.values) + at;
        }
        oracle::place_set const& who = named[access];
        if (std::find(who.begin(), who.end(), oracle::place{0, issue, t + first_thread()}) ==
            who.end())
          fail("`access_partition` gives an access to another thread");
        if (in_registers || !moves_values) continue;
        std::size_t below = 1;  // accesses along the modes below the one that has several values
        for (int k = plan.modes.size() - 1; k >= 0 && plan.modes[k].values == 1; --k)
          below *= static_cast<std::size_t>(plan.modes[k].threads * plan.modes[k].issues);
        for (long long v = 0; v < plan.values; ++v) {
          oracle::place_set const& holders =
              held_by[element + (plan.values > 1 ? static_cast<std::size_t>(v) * below : 0)];
          if (std::find(holders.begin(), holders.end(),
                        oracle::place{0, plan.register_of(issue, v), t + first_thread()}) ==
              holders.end())
            fail("`partition` gives an element to another register");
        }
      }
  }

  /// True if the tile or the tensor may end inside the accesses of this thread and issue.
  bool may_end_inside(std::vector<long long> const& origin) const {
    std::vector<long long> const least = coordinates(origin);
    std::vector<long long> most = least;
    for (long long v = 0; v < plan.values; ++v) {
      std::vector<long long> const c = value(origin, v), at = coordinates(c);
      for (int k = 0; k < plan.modes.size(); ++k)
        if (c[static_cast<std::size_t>(k)] >= plan.modes[k].extent) return true;
      for (std::size_t d = 0; d < most.size(); ++d) { most[d] = std::max(most[d], at[d]); }
    }
    for (std::size_t d = 0; d < most.size(); ++d)
      if (long long const edge = request.options.edges[static_cast<int>(d)] / tile_elements(d);
          edge > 0 && most[d] / edge != least[d] / edge)
        return true;
    return false;
  }
  void check_predicates() {
    bool any = false;
    for (long long t = 0; t < plan.threads && !any; ++t)
      for (long long issue = 0; issue < plan.issues && !any; ++issue)
        any = may_end_inside(begin(t, issue));
    if (any != plan.predicated())
      fail("the plan has predicates that no access needs, or lacks some");
  }

  /// Every element is stored by the first thread that the partition or the source gives it.
  void check_partition(oracle::map_table const& requested_to) {
    bool const given = request.options.partitioned;
    oracle::map_table const held_by =
        as_planned(given ? request.options.partition : request.from, false);
    for (std::size_t x = 0; x < requested_to.size(); ++x) {
      long long first = held_by[x].front()[2];
      for (oracle::place const& p : held_by[x]) first = std::min(first, p[2]);
      for (oracle::place const& p : requested_to[x])
        if (target.count(p) != 0 && target[p].thread != first)
          fail("element " + std::to_string(x) + " is copied by another thread");
    }
  }

  /// Executes the plan. Returns an empty text if each element was written once to each of its
  /// places and nothing else was written, otherwise what is wrong.
  std::string fault() {
    oracle::map_table const requested_from = as_planned(request.from, memory(plan.from_space));
    oracle::map_table const requested_to = as_planned(request.to, memory(plan.to_space));
    for (std::size_t x = 0; x < requested_from.size(); ++x)
      if (plan.from_space != axe::memory_space::global ||
          element_in_bounds(static_cast<long long>(x)))
        source.insert(requested_from[x].begin(), requested_from[x].end());
    if (is_matrix(plan.instruction))
      matrices();
    else
      vectors();
    std::size_t places = 0;
    for (std::size_t x = 0; x < requested_to.size(); ++x)
      for (oracle::place const& p : requested_to[x]) {
        if (!element_in_bounds(static_cast<long long>(x))) continue;
        ++places;
        auto const found = target.find(p);
        oracle::place_set const& of_element = requested_from[x];
        if (found == target.end())
          fail("element " + std::to_string(x) + " is not written");
        else if (!std::binary_search(of_element.begin(), of_element.end(), found->second.from))
          fail("element " + std::to_string(x) + " is not at its place");
        else if (found->second.writes != 1)
          fail("element " + std::to_string(x) + " is written " +
               std::to_string(found->second.writes) + " times");
      }
    if (request.options.partitioned || !memory(plan.from_space)) check_partition(requested_to);
    if (!is_matrix(plan.instruction)) {
      check_predicates();
      if (plan.bytes != plan.values * plan.bits / 8)
        fail("`bytes` is not the size of an access of `values` elements");
    }
    check_layouts();
    if (limits.empty()) {
      check_traffic(true);
      check_traffic(false);
    }
    if (places != target.size()) fail("a place outside the destination is written");
    return wrong;
  }
};

/// Executes a plan. `limits` has the number of coordinates in bounds of each dimension, or is empty
/// if all are.
inline std::string copy_fault(axe::copy_plan const& plan, axe::copy_request const& request,
                              std::vector<long long> const& limits = {}) {
  copy_check check(plan, request);
  check.limits = limits;
  return check.fault();
}

}  // namespace axe_test
