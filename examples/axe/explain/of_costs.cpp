// Explains answers about bank conflicts, sectors, vectors and conflict-free layouts by statements
// about single lanes and elements.
//
//     conflicts(S[(64,64):(64,1)], (64,64), ldmatrix_rows(16))
//       instruction 0, phase 0: lanes 0,1,…7 need 8 vectors of bank 0
//       lane 2: element 128 is at byte 256: word 64, bank 0
#include "explain/correspondence.hpp"
#include "explain/explain.hpp"

#include "text/sink.hpp"

#include <axe/draw/conflict_picture.hpp>

#include <algorithm>

namespace explain {

namespace {

using axe::access_pattern;

integer address(axe::layout const& l, integer x) { return axe::places(l, x).first()[axe::axis::m]; }

/// The element and the byte at which the access of a lane begins.
struct lane_access {
  integer element = 0, byte = 0;

  lane_access(axe::layout const& l, access_pattern const& a, integer vector)
      : element(address(a.elements, vector * a.values)), byte(address(l, element) * a.bits / 8) {}
  integer word() const { return axe::detail::floor_divide(byte, 4); }
  integer bank() const { return word() - axe::detail::floor_divide(word(), 32) * 32; }

  std::string words(integer lane) const {
    return "lane " + std::to_string(lane) + ": element " + std::to_string(element) +
           " is at byte " + std::to_string(byte);
  }
};

/// The number of lanes that take part in instruction 0. An access to blocks consists of sweeps,
/// each with one vector of every block, and a small tile has fewer blocks than a warp has lanes.
integer lanes_of_first(access_pattern const& a) {
  integer const vectors = axe::size(a.elements) / a.values;
  return std::min<integer>(a.lanes, a.sweep == 0 ? vectors : a.sweep);
}

/// The number of the vector that the first lane of an instruction accesses.
integer first_vector(axe::layout const& l, access_pattern const& a, integer instruction) {
  axe::detail::access_counts n;
  if (axe::detail::check_access(a, axe::size(l), n)) return 0;
  return instruction / n.instructions_per_sweep * n.sweep +
         instruction % n.instructions_per_sweep * a.lanes;
}

/// Statements about the phase with the most conflicts: its worst bank, and three of its lanes.
std::vector<statement> of_banks(axe::layout const& l, axe::shape const& s, access_pattern const& a,
                                integer conflicts) {
  axe::outcome<axe::shared_traffic> const traffic = axe::try_shared_memory(l, s, a);
  if (!traffic) return {};
  axe::drawing::subject const of = axe::drawing::make_subject(l, s);
  axe::drawing::bank_phases const all = axe::drawing::phases_of(of, a, traffic->instruction);
  axe::drawing::bank_phase const& phase = all.phases.at(static_cast<std::size_t>(traffic->phase));
  integer column = 0, most = 0;
  for (auto const& [c, units] : phase.lines)
    if (units > most) column = c, most = units;
  std::vector<integer> lanes, others;
  for (auto const& [at, here] : phase.lanes) {
    std::vector<integer>& to = at.second == column ? lanes : others;
    to.insert(to.end(), here.begin(), here.end());
  }
  std::sort(lanes.begin(), lanes.end());
  std::vector<statement> out;
  std::string const unit = all.banks_in_column == 1 ? " word" : " vector";
  out.push_back({"instruction " + std::to_string(traffic->instruction) + ", phase " +
                     std::to_string(traffic->phase) + (lanes.size() == 1 ? ": lane " : ": lanes ") +
                     axe::drawing::positions_text(lanes, false) +
                     (lanes.size() == 1 ? " needs " : " need ") + std::to_string(most) + unit +
                     (most == 1 ? "" : "s") + " of bank " +
                     std::to_string(column * all.banks_in_column),
                 most == conflicts && conflicts == traffic->conflicts});
  lanes.insert(lanes.end(), others.begin(), others.end());
  integer const first = first_vector(l, a, traffic->instruction);
  for (std::size_t k = 0; k < std::min<std::size_t>(lanes.size(), 3); ++k) {
    lane_access const at(l, a, first + lanes[k]);
    auto const found = phase.lanes.find(
        {axe::detail::floor_divide(at.word(), 32), at.bank() / all.banks_in_column});
    out.push_back({at.words(lanes[k]) + ": word " + std::to_string(at.word()) + ", bank " +
                       std::to_string(at.bank()),
                   found != phase.lanes.end() &&
                       std::count(found->second.begin(), found->second.end(), lanes[k]) == 1});
  }
  return out;
}

/// Statements about the sectors of instruction 0. The answer counts those of all instructions.
std::vector<statement> of_sectors(axe::layout const& l, access_pattern const& a,
                                  axe::global_traffic const& answer) {
  std::vector<statement> out;
  std::set<integer> sectors;
  integer const lanes = lanes_of_first(a);
  for (integer lane = 0; lane < lanes; ++lane)
    for (integer byte = 0; byte < std::max<integer>(1, a.values * a.bits / 8); ++byte)
      sectors.insert(axe::detail::floor_divide(lane_access(l, a, lane).byte + byte, 32));
  for (integer const lane : three_of(lanes)) {
    lane_access const at(l, a, lane);
    integer const sector = axe::detail::floor_divide(at.byte, 32);
    out.push_back({at.words(lane) + ": sector " + std::to_string(sector) + ", line " +
                       std::to_string(axe::detail::floor_divide(at.byte, 128)),
                   sectors.count(sector) == 1});
  }
  auto const touched = static_cast<integer>(sectors.size());
  out.push_back(
      {"instruction 0 touches " + std::to_string(touched) + (touched == 1 ? " sector" : " sectors"),
       answer.instructions == 1 ? touched == answer.sectors : touched < answer.sectors});
  return out;
}

/// Statements that three groups of n neighbouring elements are contiguous.
std::vector<statement> of_runs(axe::layout const& l, integer n, bool aligned) {
  std::vector<statement> out;
  for (integer const group : three_of(axe::size(l) / n)) {
    integer const first = address(l, group * n);
    bool run = !aligned || axe::detail::floor_divide(first, n) * n == first;
    for (integer k = 1; k < std::min<integer>(n, 4096); ++k)
      run = run && address(l, group * n + k) == first + k;
    out.push_back({"elements " + std::to_string(group * n) + " to " +
                       std::to_string(group * n + n - 1) + " are at " + std::to_string(first) +
                       "@m to " + std::to_string(first + n - 1) + "@m",
                   run});
  }
  return out;
}

std::vector<statement> of_multiples(axe::layout const& l, integer n) {
  std::vector<statement> out;
  for (integer const x : three_of(axe::size(l))) {
    integer const at = address(l, x);
    out.push_back({"element " + std::to_string(x) + " is at " + std::to_string(at) +
                       "@m = " + (n == 0 ? "0" : std::to_string(at / n) + "*" + std::to_string(n)),
                   n == 0 ? at == 0 : at % n == 0});
  }
  return out;
}

std::vector<statement> of_redundancy(axe::layout const& l, integer n) {
  std::vector<statement> out;
  for (integer const x : three_of(axe::size(l))) {
    axe::placement const where = axe::places(l, x);
    out.push_back({"element " + std::to_string(x) + " has " + words(places_of(l, x), "many places"),
                   where.size() == n});
  }
  return out;
}

/// The value of element n of an access pattern, computed from the pattern's digits.
integer by_digits(axe::layout const& pattern, integer n) {
  extents all;
  for (axe::iter const& i : pattern.shards) all.push_back(i.extent);
  extents const digits = coordinate_of(n, all);
  integer sum = pattern.offset(axe::axis::m);
  for (int k = 0; k < pattern.shards.size(); ++k)
    sum += digits[static_cast<std::size_t>(k)] * pattern.shards[k].stride;
  return pattern.swizzle.none() ? sum : pattern.swizzle(sum);
}

/// Statements about three lanes of an access. A form of access is applied to a tile of 64 x 64.
std::vector<statement> of_access(calculator::accessed const& access) {
  axe::outcome<access_pattern> const a = access.on(axe::shape{64, 64});
  if (!a) return {};
  std::vector<statement> out;
  integer const lanes = lanes_of_first(*a);
  for (integer const lane : three_of(lanes)) {
    integer const begin = lane * a->values, end = begin + a->values - 1;
    integer const x = address(a->elements, begin), last = address(a->elements, end);
    bool const run = last == x + a->values - 1;
    out.push_back(
        {"lane " + std::to_string(lane) + (access.own ? "" : " of a tile (64,64)") + ": element" +
             (a->values == 1
                  ? " " + std::to_string(x)
                  : "s " + std::to_string(x) + (run ? " to " : ", …, ") + std::to_string(last)),
         (run || access.own) && x == by_digits(a->elements, begin) &&
             last == by_digits(a->elements, end)});
  }
  return out;
}

/// Statements about the bank conflicts of each access on a found layout.
std::vector<statement> of_found(axe::layout const& l, axe::shape const& s, arguments const& given) {
  std::vector<statement> out;
  for (std::size_t k = 0; k < given.count(); ++k) {
    if (!given.is<calculator::accessed>(k)) continue;
    axe::outcome<access_pattern> const a = given.get<calculator::accessed>(k).on(s);
    if (!a) continue;
    for (statement const& one : of_banks(l, s, *a, 1)) out.push_back(one);
  }
  return out;
}

std::vector<statement> of_synthesis(arguments const& given) {
  std::string_view const name = given.name();
  if (name == "conflict_free_pitch")
    return of_found(*given.result(), given.get<axe::shape>(0), given);
  if (name == "conflict_free_layout")
    return of_found(*given.result(), given.get<axe::shape>(1), given);
  if (auto const* f = std::get_if<axe::swizzle>(&given.call.result)) {
    axe::outcome<axe::layout> const l = axe::try_compose(*f, given.layout(0));
    return l ? of_found(*l, given.get<axe::shape>(1), given) : std::vector<statement>();
  }
  auto const* m = std::get_if<calculator::shared<calculator::matrix>>(&given.call.result);
  std::vector<statement> out;
  axe::layout const l = given.layout(0);
  for (integer const x : three_of(axe::size(l))) {
    integer const from = address(l, x);
    axe::outcome<axe::place> const to = axe::try_apply((*m)->of, axe::place({from, axe::axis::m}));
    out.push_back({"element " + std::to_string(x) + " moves from " + std::to_string(from) +
                       "@m to " + (to ? text::printed(*to) : "nowhere"),
                   static_cast<bool>(to)});
  }
  return out;
}

}  // namespace

std::vector<statement> of_costs(calculator::recorded_call const& call) {
  arguments const given{call};
  std::string_view const name = given.name();
  if (auto const* a = std::get_if<calculator::shared<calculator::accessed>>(&call.result))
    return of_access(**a);
  if (name.starts_with("conflict_free_")) return of_synthesis(given);
  if (!given.is<axe::layout>(0)) return {};
  axe::layout const l = given.layout(0);
  integer const* n = std::get_if<integer>(&call.result);
  if (name == "contiguity" && n != nullptr) return of_runs(l, *n, false);
  if (name == "widest_vector" && n != nullptr) return of_runs(l, *n, true);
  if (name == "alignment" && n != nullptr) return of_multiples(l, *n);
  if (name == "redundancy" && n != nullptr) return of_redundancy(l, *n);
  if (name != "conflicts" && name != "shared_memory" && name != "global_memory") return {};
  auto const s = given.get<axe::shape>(1);
  axe::outcome<access_pattern> const a = given.get<calculator::accessed>(2).on(s);
  if (!a) return {};
  integer bits = (axe::max)(l, axe::axis::m);
  if (!axe::detail::multiply(bits, a->bits)) return {};  // byte addresses do not fit in 64 bits
  if (name == "global_memory")
    return of_sectors(l, *a, *std::get_if<axe::global_traffic>(&call.result));
  auto const* traffic = std::get_if<axe::shared_traffic>(&call.result);
  return of_banks(l, s, *a, traffic != nullptr ? traffic->conflicts : *n);
}

}  // namespace explain
