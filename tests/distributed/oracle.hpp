// An oracle for plans of resharding that uses only sets. It lists the places of every element and
// executes the printed statements of a plan word by word.
#pragma once

#include <axe/axe.hpp>
#include <axe/distributed.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace oracle {

using axe::integer;

struct text_sink {
  std::string words;
  void put(char c) { words += c; }
  void put(char const* c) { words += c; }
  void put(integer n) { words += std::to_string(n); }
};

inline std::string printed(axe::reshard_plan const& p) {
  text_sink out;
  axe::print_messages(out, p);
  return out.words;
}

/// One word of a buffer on one device.
struct cell {
  integer rank;
  std::string buffer;
  integer address;
  auto operator<=>(cell const&) const = default;
};

/// A partial sum of an element: its summands in the order in which they were added.
struct content {
  integer element = 0;
  std::vector<integer> summands;
  bool operator==(content const&) const = default;
};

/// All (rank, address) of element x, computed from the definition.
inline std::set<std::pair<integer, integer>> places_of(axe::sharding const& s, integer x) {
  std::map<axe::axis, integer> at;
  for (auto const& t : s.places.offsets) at[t.on] += t.n;
  for (int k = s.places.shards.size() - 1; k >= 0; --k) {
    auto const& i = s.places.shards[k];
    at[i.on] += x % i.extent * i.stride;
    x /= i.extent;
  }
  std::vector<std::map<axe::axis, integer>> all{at};
  for (auto const& r : s.places.replicas) {
    std::vector<std::map<axe::axis, integer>> more;
    for (auto const& p : all)
      for (integer c = 0; c < r.extent; ++c) {
        more.push_back(p);
        more.back()[r.on] += c * r.stride;
      }
    all = more;
  }
  std::set<std::pair<integer, integer>> out;
  for (auto& p : all) {
    integer rank = s.devices.first_rank;
    for (auto const& a : s.devices.axes) rank += p[a.on] * a.rank_stride;
    out.insert({rank, p[axe::axis::m]});
  }
  return out;
}

/// A resharding, element by element.
struct problem {
  axe::sharding from, to;
  integer summands = 1;
  integer elements = 1;
  std::vector<bool> real;
  std::vector<integer> index_in_to;  // of each element of `from`, in the padded shape of `to`

  problem(axe::sharding const& a, axe::sharding const& b) : from(a), to(b) {
    std::vector<integer> padded;
    for (int d = 0; d < a.extents.rank(); ++d)
      if (d < a.summands)
        summands *= a.extents.nodes.value(d + 1);
      else
        padded.push_back(a.extents.nodes.value(d + 1));
    for (integer e : padded) elements *= e;
    std::vector<integer> kept = padded;
    for (std::size_t d = 0; d < kept.size() && a.real.rank() > 0; ++d)
      kept[d] = a.real.nodes.value(static_cast<int>(d) + 1);
    for (integer x = 0; x < elements; ++x) {
      integer rest = x;
      bool inside = true;
      integer other = 0;
      integer weight = 1;
      int extent_of_b = b.extents.rank();
      for (std::size_t d = padded.size(); d-- > 0; --extent_of_b) {
        inside = inside && rest % padded[d] < kept[d];
        other += rest % padded[d] * weight;
        weight *= b.extents.nodes.value(extent_of_b);
        rest /= padded[d];
      }
      real.push_back(inside);
      index_in_to.push_back(other);
    }
  }

  bool is_real(integer x) const { return real[static_cast<std::size_t>(x)]; }
  integer in_to(integer x) const { return index_in_to[static_cast<std::size_t>(x)]; }

  std::set<integer> ranks(axe::sharding const& s, integer x) const {
    std::set<integer> out;
    for (auto const& [rank, address] : places_of(s, x)) out.insert(rank);
    return out;
  }

  /// The number of elements that the busiest device sends in the best plan without sums. Tries
  /// every set of devices: together they must send the elements that only they hold and others
  /// want. -1 if more than 10 devices hold elements.
  integer largest_send() const {
    std::map<std::set<integer>, integer> demand;
    std::set<integer> all;
    for (integer x = 0; x < elements; ++x) {
      if (!is_real(x)) continue;
      std::set<integer> const holders = ranks(from, x);
      all.insert(holders.begin(), holders.end());
      for (integer t : ranks(to, in_to(x))) demand[holders] += holders.count(t) == 0;
    }
    if (all.size() > 10) return -1;
    std::vector<integer> const list(all.begin(), all.end());
    integer worst = 0;
    for (unsigned chosen = 1; chosen < 1u << list.size(); ++chosen) {
      std::set<integer> some;
      for (std::size_t k = 0; k < list.size(); ++k)
        if (chosen >> k & 1) some.insert(list[k]);
      integer own = 0;
      for (auto const& [holders, elements_wanted] : demand)
        if (std::includes(some.begin(), some.end(), holders.begin(), holders.end()))
          own += elements_wanted;
      integer const devices = static_cast<integer>(some.size());
      worst = std::max(worst, (own + devices - 1) / devices);
    }
    return worst;
  }

  /// The least number of words that devices send for element x. Some device must get every summand,
  /// from as few other devices as possible, and then sends the sum to each other target.
  integer least(integer x) const {
    std::set<integer> const targets = ranks(to, in_to(x));
    std::vector<std::set<integer>> holders;
    for (integer s = 0; s < summands; ++s) holders.push_back(ranks(from, s * elements + x));
    std::set<integer> everything = holders[0];
    std::set<integer> devices = targets;
    for (auto const& h : holders) {
      std::set<integer> both;
      for (integer d : h)
        if (everything.count(d)) both.insert(d);
      everything = both;
      devices.insert(h.begin(), h.end());
    }
    if (!everything.empty()) {
      integer lacking = 0;
      for (integer t : targets) lacking += everything.count(t) == 0;
      return lacking;
    }
    std::vector<integer> const list(devices.begin(), devices.end());
    integer best = 1 << 20;
    for (unsigned helpers = 0; helpers < 1u << list.size(); ++helpers) {
      integer const cost = __builtin_popcount(helpers);
      if (cost >= best) continue;
      for (integer v : list) {
        bool whole = true;
        for (auto const& h : holders) {
          bool covered = h.count(v) > 0;
          for (std::size_t k = 0; k < list.size(); ++k)
            covered = covered || ((helpers >> k & 1) && h.count(list[k]));
          whole = whole && covered;
        }
        if (!whole) continue;
        best = std::min<integer>(
            best, cost + static_cast<integer>(targets.size()) - (targets.count(v) ? 1 : 0));
      }
    }
    return best;
  }
  integer least() const {
    integer sum = 0;
    for (integer x = 0; x < elements; ++x)
      if (is_real(x)) sum += least(x);
    return sum;
  }
};

/// One side of a statement: a device, a buffer and addresses.
struct addresses {
  integer rank = 0;
  std::string buffer;
  std::vector<integer> list;
};

inline std::vector<integer> numbers(std::string const& text) {
  std::vector<integer> out;
  for (char const* c = text.c_str(); *c != '\0';) {
    char* end = nullptr;
    integer const n = std::strtoll(c, &end, 10);
    if (end == c) {
      ++c;
      continue;
    }
    out.push_back(n);
    c = end;
  }
  return out;
}

/// Reads one side of a statement, such as "0:src[16+(4,2):(64,1)]".
inline addresses read_addresses(std::string const& text) {
  addresses out;
  std::size_t const colon = text.find(':');
  std::size_t const open = text.find('[');
  out.rank = std::atoll(text.substr(0, colon).c_str());
  out.buffer = text.substr(colon + 1, open - colon - 1);
  std::string const inside = text.substr(open + 1, text.size() - open - 2);
  std::size_t const plus = inside.find('+');
  integer const begin = std::atoll(inside.substr(0, plus).c_str());
  std::size_t const split = inside.find(':', plus);
  std::vector<integer> const extents = numbers(inside.substr(plus + 1, split - plus - 1));
  std::vector<integer> strides{1};
  if (split != std::string::npos) strides = numbers(inside.substr(split + 1));
  integer size = 1;
  for (integer e : extents) size *= e;
  for (integer x = 0; x < size; ++x) {
    integer rest = x;
    integer at = begin;
    for (std::size_t k = extents.size(); k-- > 0;) {
      at += rest % extents[k] * strides.at(k);
      rest /= extents[k];
    }
    out.list.push_back(at);
  }
  return out;
}

struct verdict {
  std::string wrong;  // what is wrong, or empty
  integer volume = 0;
  integer rounds = 0;
  std::map<std::pair<integer, integer>, integer> moved;  // words from one rank to another
  std::map<integer, integer> tmp0;  // by rank: the largest number of words there at one time
};

/// Executes one statement, which reads `before` and writes `after`. `written` has the cells that
/// the step has written. Sets `between` if the statement moves words between devices.
inline std::string execute_line(std::string const& line, std::map<cell, content> const& before,
                                std::map<cell, content>& after, std::set<cell>& written, verdict& v,
                                bool& between) {
  std::istringstream words(line);
  std::string verb, source, arrow, destination;
  words >> verb >> source >> arrow >> destination;
  if (verb == "free") {
    std::string const buffer = source.substr(source.find(':') + 1);
    std::erase_if(after, [&](auto const& c) {
      return c.first.rank == std::atoll(source.c_str()) && c.first.buffer == buffer;
    });
    return "";
  }
  addresses const from = read_addresses(source);
  addresses const to = read_addresses(destination);
  if (from.list.size() != to.list.size()) return "sizes differ: " + line;
  if (from.rank != to.rank) {
    v.volume += static_cast<integer>(from.list.size());
    v.moved[{from.rank, to.rank}] += static_cast<integer>(from.list.size());
    between = true;
  }
  for (std::size_t k = 0; k < from.list.size(); ++k) {
    cell const target{to.rank, to.buffer, to.list[k]};
    auto const found = before.find({from.rank, from.buffer, from.list[k]});
    if (found == before.end()) return "reads a word that was not written: " + line;
    if (to.buffer == "src") return "writes src: " + line;
    if (!written.insert(target).second) return "two writes in one step: " + line;
    if (verb == "copy") {
      after[target] = found->second;
      continue;
    }
    auto const old = before.find(target);
    if (verb != "add" || old == before.end()) return "adds to a word that was not written: " + line;
    if (old->second.element != found->second.element) return "adds another element: " + line;
    content sum = old->second;
    for (integer s : found->second.summands) {
      if (std::count(sum.summands.begin(), sum.summands.end(), s) > 0)
        return "adds a summand twice: " + line;
      sum.summands.push_back(s);
    }
    after[target] = sum;
  }
  return "";
}

/// Executes the statements and compares the target's elements with the definition.
inline verdict execute(problem const& p, std::string const& text) {
  verdict v;
  std::map<cell, content> state;
  for (integer s = 0; s < p.summands; ++s)
    for (integer x = 0; x < p.elements; ++x)
      if (p.is_real(x))
        for (auto const& [rank, address] : places_of(p.from, s * p.elements + x))
          state[{rank, "src", address}] = {x, {s}};
  std::map<cell, content> after = state;
  std::set<cell> written;
  bool between = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == "step") {
      state = after;
      std::map<integer, integer> held;
      for (auto const& [at, sum] : state)
        if (at.buffer == "tmp0") v.tmp0[at.rank] = std::max(v.tmp0[at.rank], ++held[at.rank]);
      written.clear();
      v.rounds += between;
      between = false;
      continue;
    }
    v.wrong = execute_line(line, state, after, written, v, between);
    if (!v.wrong.empty()) return v;
  }
  v.rounds += between;
  std::set<cell> wanted;
  std::map<integer, std::vector<integer>> order;
  for (integer x = 0; x < p.elements; ++x)
    if (p.is_real(x))
      for (auto const& [rank, address] : places_of(p.to, p.in_to(x))) {
        cell const at{rank, "dst", address};
        wanted.insert(at);
        auto const found = after.find(at);
        if (found == after.end() || found->second.element != x ||
            static_cast<integer>(found->second.summands.size()) != p.summands)
          v.wrong = "element " + std::to_string(x) + " is missing on rank " + std::to_string(rank);
        else if (auto const& first = order.emplace(x, found->second.summands).first->second;
                 first != found->second.summands)
          v.wrong = "replicas of element " + std::to_string(x) + " were added in other orders";
      }
  for (auto const& [at, held] : after) {
    if (at.buffer == "dst" && wanted.count(at) == 0)
      v.wrong = "writes a word that the target does not need";
    if (at.buffer == "tmp0") v.wrong = "tmp0 is not freed";
  }
  return v;
}

}  // namespace oracle
