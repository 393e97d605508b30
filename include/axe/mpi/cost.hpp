// SPDX-License-Identifier: MIT
// cost: a rank's cost of one move by each method.
//
// `automatic` chooses the method whose slowest rank needs the least time.
#pragma once

#include <axe/mpi/group_collective.hpp>
#include <axe/mpi/shared_window.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {

enum class method : unsigned char {
  automatic,
  packed,
  types,  // derived datatypes; packs sums only
  shared,
  collective,
};

AXE_FN constexpr char const* name_of(method m) {
  return axe::detail::name_at(m, {"automatic", "packed", "types", "shared", "collective"});
}

/// The cost leaves out local copies, which are equal for all methods.
struct cost {
  integer messages = 0;   // sent; in a window, notices and acknowledgements
  integer sent = 0;       // bytes inside the node
  integer sent_far = 0;   // bytes to other nodes
  integer copied = 0;     // bytes packed, unpacked or read from a window
  integer pieces = 0;     // contiguous parts of derived datatypes
  integer in_pieces = 0;  // bytes in these parts

  /// An estimate in nanoseconds.
  constexpr double time() const {
    auto const of = [](integer n) { return static_cast<double>(n); };
    return 1000 * of(messages) + 0.15 * of(sent) + 0.1 * of(sent_far) + 0.15 * of(copied) +
           150 * of(pieces) + of(in_pieces);
  }
};

namespace detail {

inline cost cost_of(method by, schedule const& s, node const& inside, integer bytes) {
  cost c;
  auto const add_pieces = [&](transfer const& t, bool at_sender) {
    if (t.dense(at_sender)) return;
    c.pieces += t.pieces(at_sender);
    c.in_pieces += t.elements * bytes;
  };
  for (round const& r : s.rounds) {
    bool const one_call = by == method::collective && group_collective<char>::replaces(r);
    // MPI adds in a tree of the group's ranks. Each level moves twice what a rank holds.
    integer levels = 0;
    for (std::size_t left = r.sends.size(); one_call && left > 0; left /= 2) ++levels;
    integer const times = one_call && r.adds ? 2 * levels : 1;
    c.messages += levels;
    for (transfer const& t : r.sends) {
      bool const near = inside.index_of(t.peer) >= 0;
      integer const size = t.elements * bytes;
      bool const by_window = by == method::shared && near;
      c.messages += one_call ? 0 : 1;
      if (!by_window) (near ? c.sent : c.sent_far) += times * size;
      if (by == method::types)
        add_pieces(t, true);
      else if (by_window ? t.packed_as < 0 : !t.dense(true) || (one_call && r.adds))
        c.copied += times * size;
    }
    for (transfer const& t : r.arrivals) {
      if (t.peer == s.rank) continue;
      integer const size = t.elements * bytes;
      bool const by_window = by == method::shared && inside.index_of(t.peer) >= 0;
      if (by_window) ++c.messages;
      if (by == method::types && !r.adds)
        add_pieces(t, false);
      else if (by_window || (t.adds && !one_call) || !t.dense(false))
        c.copied += size;
    }
  }
  return c;
}

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
