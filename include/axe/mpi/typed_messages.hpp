// SPDX-License-Identifier: MIT
// typed_messages: executes a round by one MPI_Alltoallw of derived datatypes, packing only received
// summands.
//
//     MPI_Ialltoallw        for any buffers
//     MPI_Alltoallw_init    persistent, after bind(): MPI 4 or the extension of Open MPI
#pragma once

#include <axe/mpi/buffers.hpp>
#include <axe/mpi/types.hpp>

#include <array>

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

#if MPI_VERSION >= 4
#define AXE_MPI_ALLTOALLW_INIT MPI_Alltoallw_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define AXE_MPI_ALLTOALLW_INIT MPIX_Alltoallw_init
#endif

struct typed_side {
  std::vector<int> counts, displacements;
  std::vector<MPI_Datatype> types;
  std::vector<datatype> owned;

  void fill(std::vector<type_list> const& of_peer, integer displacement) {
    counts.assign(of_peer.size(), 0);
    displacements.assign(of_peer.size(), static_cast<int>(displacement));
    types.assign(of_peer.size(), MPI_BYTE);
    owned.clear();
    for (std::size_t peer = 0; peer < of_peer.size(); ++peer) {
      if (of_peer[peer].empty()) continue;
      owned.push_back(of_peer[peer].commit());
      counts[peer] = 1;
      types[peer] = owned.back().get();
    }
  }
};

template <class T> class typed_messages {
 public:
  /// If `local`, copies inside the rank are messages too: only MPI may access the memory.
  typed_messages(MPI_Comm on, schedule const& mine, bool local)
      : comm(on), rank(mine.rank), sends_local(local) {
    int ranks = 0;
    require(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    std::size_t const n = static_cast<std::size_t>(ranks);
    for (round const& r : mine.rounds) {
      std::vector<type_list> from(n), to(n);
      integer to_add = 0;
      for (transfer const& t : r.sends) from[static_cast<std::size_t>(t.peer)].add(t, bytes, true);
      for (transfer const& t : r.arrivals) {
        type_list& list = to[static_cast<std::size_t>(t.peer)];
        if (t.peer == rank) {
          if (!local || r.adds) continue;
          from[static_cast<std::size_t>(rank)].add(t, bytes, true);
          list.add(t, bytes, false);
        } else if (r.adds) {
          list.add(contiguous(t.elements, bytes), to_add * bytes);
          to_add += t.elements;
        } else {
          list.add(t, bytes, false);
        }
      }
      sides.emplace_back();
      sides.back()[0].fill(from, -bytes);
      sides.back()[1].fill(to, 0);
      incoming.at_least(to_add);
      busy.push_back(static_cast<int>(!r.sends.empty() || local));
    }
    // A round without sends needs no call.
    require(MPI_Allreduce(MPI_IN_PLACE, busy.data(), static_cast<int>(busy.size()), MPI_INT,
                          MPI_LOR, comm),
            "MPI_Allreduce");
  }
  typed_messages(typed_messages const&) = delete;
  typed_messages& operator=(typed_messages const&) = delete;
  ~typed_messages() { unbind(); }

  static constexpr bool persists() {
#ifdef AXE_MPI_ALLTOALLW_INIT
    return true;
#else
    return false;
#endif
  }
  void bind(schedule const& mine, buffers<T> const& b) {
    unbind();
    bound.assign(mine.rounds.size(), MPI_REQUEST_NULL);
#ifdef AXE_MPI_ALLTOALLW_INIT
    for (std::size_t k = 0; k < bound.size(); ++k) {
      if (busy[k] == 0) continue;
      typed_side const& from = sides[k][0];
      typed_side const& to = sides[k][1];
      require(AXE_MPI_ALLTOALLW_INIT(
                  origin(mine.rounds[k], b), from.counts.data(), from.displacements.data(),
                  from.types.data(), target(mine.rounds[k], b), to.counts.data(),
                  to.displacements.data(), to.types.data(), comm, MPI_INFO_NULL, &bound[k]),
              "MPI_Alltoallw_init");
    }
#else
    (void)b;
#endif
  }
  bool is_bound() const { return !bound.empty(); }

  void begin(std::size_t k, round const& r, buffers<T> const& b) {
    if (busy[k] != 0) {
      typed_side const& from = sides[k][0];
      typed_side const& to = sides[k][1];
      if (is_bound())
        require(MPI_Start(&bound[k]), "MPI_Start");
      else
        require(MPI_Ialltoallw(origin(r, b), from.counts.data(), from.displacements.data(),
                               from.types.data(), target(r, b), to.counts.data(),
                               to.displacements.data(), to.types.data(), comm, &request),
                "MPI_Ialltoallw");
    }
    if (!r.adds && !sends_local) b.copy_all_local(r, rank);
  }
  void end(std::size_t k, round const& r, buffers<T> const& b) {
    if (busy[k] != 0)
      require(MPI_Wait(is_bound() ? &bound[k] : &request, MPI_STATUS_IGNORE), "MPI_Wait");
    if (!r.adds) return;
    T const* packed = incoming.data();
    for (transfer const& t : r.arrivals) {
      if (t.peer == rank) {
        b.copy_local(t);
        continue;
      }
      t.unpack(packed, b.writes(t.write));
      packed += t.elements;
    }
  }

 private:
  static constexpr integer bytes = sizeof(T);

  /// The address one element after the begin, because Open MPI treats equal addresses on both sides
  /// as MPI_IN_PLACE. Displacements of sends subtract this element.
  static T const* origin(round const& r, buffers<T> const& b) {
    T const* const begin = b.reads(r.read);
    return begin == nullptr ? nullptr : begin + 1;
  }
  T* target(round const& r, buffers<T> const& b) {
    return r.adds ? incoming.data() : r.first == stage::add_inside ? b.tmp0 : b.dst;
  }
  void unbind() {
    for (MPI_Request& r : bound)
      if (r != MPI_REQUEST_NULL) MPI_Request_free(&r);
    bound.clear();
  }

  MPI_Comm comm;
  int rank;
  bool sends_local;
  std::vector<std::array<typed_side, 2>> sides;  // by round: the reads, then the writes
  std::vector<int> busy;
  scratch<T> incoming;
  std::vector<MPI_Request> bound;
  MPI_Request request = MPI_REQUEST_NULL;
};

#undef AXE_MPI_ALLTOALLW_INIT

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
