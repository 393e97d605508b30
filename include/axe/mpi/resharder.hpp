// resharder<T>: moves a tensor of T as a plan says, on the ranks of a communicator.
//
//     resharder<float> move{plan, MPI_COMM_WORLD};                  compares the plans of all ranks
//     move(from, to);                              or move.start(from, to); move.wait();
//     resharder<float> typed{plan, comm, {.by = method::types}};
//
// `from` and `to` are the rank's own buffers. Pending sums are added in the plan's order, so that
// every rank and run gives the same bits. T is trivially copyable; sums need operator+.
// Definition: docs/distributed.md, "On MPI".
#pragma once

#include <axe/mpi/schedule.hpp>
#include <axe/mpi/types.hpp>

#include <span>
#include <type_traits>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {

/// How the elements travel.
enum class method : unsigned char {
  packed,  // one packed message for each pair of ranks; reads and writes each element once more
  types,   // MPI_Alltoallw with nested derived datatypes; nothing is packed, except sums
};

struct options {
  method by = method::packed;
};

template <class T> class resharder {
  static_assert(std::is_trivially_copyable_v<T>, "MPI moves bytes: T must be trivially copyable");

 public:
  /// Collective over `of`. Throws on every rank, before any element moves, if the plans, shapes or
  /// element sizes of two ranks differ, or if the plan needs more ranks.
  resharder(reshard_plan const& plan, MPI_Comm of, options chosen = {}) : how(chosen) {
    detail::require(MPI_Comm_dup(of, &comm), "MPI_Comm_dup");
    detail::require(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    int rank = 0;
    detail::require(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    detail::require(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    compare(plan, chosen);
    mine = detail::schedule(plan, rank);
    partial.resize(static_cast<std::size_t>(mine.end(buffer::tmp0)));
  }
  resharder(resharder const&) = delete;
  resharder& operator=(resharder const&) = delete;
  /// Waits for what `start` began, so that no other rank waits for this one.
  ~resharder() {
    try {
      wait();
    } catch (error const&) {  // the other ranks learn of it from MPI
    }
    MPI_Comm_free(&comm);
  }

  /// The elements that the rank's buffers must hold.
  integer elements_from() { return mine.end(buffer::src); }
  integer elements_to() { return mine.end(buffer::dst); }

  void operator()(std::span<T const> from, std::span<T> to) {
    start(from, to);
    wait();
  }

  /// Begins a move. Until `wait` returns, `from` must not change and `to` must not be used.
  void start(std::span<T const> from, std::span<T> to) {
    if (moving) throw error("start was called twice without wait");
    admit("from", static_cast<integer>(from.size()), elements_from());
    admit("to", static_cast<integer>(to.size()), elements_to());
    src = from.data();
    dst = to.data();
    moving = true;
    at = 0;
    begin_step();
  }
  /// Ends a move. Without a move it does nothing.
  void wait() {
    if (!moving) return;
    for (;;) {
      end_step();
      if (++at == mine.steps.size()) break;
      begin_step();
    }
    moving = false;
  }

 private:
  static constexpr integer bytes = sizeof(T);
  static constexpr integer most_bytes = integer{1} << 30;  // of one MPI message

  void compare(reshard_plan const& plan, options const& chosen) {
    std::uint64_t const own = detail::digest_of(plan, bytes) + static_cast<unsigned>(chosen.by);
    std::uint64_t const sides[2] = {own, ~own};
    std::uint64_t least[2] = {};
    detail::require(MPI_Allreduce(sides, least, 2, MPI_UINT64_T, MPI_MIN, comm), "MPI_Allreduce");
    if (least[0] != own || least[1] != ~own)
      fail("the ranks have different plans, element types or options");
    if (plan.devices.last_rank() >= ranks)
      fail("the plan uses rank " + std::to_string(plan.devices.last_rank()) +
           ", but the communicator has " + std::to_string(ranks) + " ranks");
  }
  [[noreturn]] void fail(std::string const& sentence) {
    MPI_Comm_free(&comm);
    throw error(sentence);
  }
  static void admit(char const* name, integer has, integer needs) {
    if (has < needs)
      throw error("the buffer '" + std::string(name) + "' has " + std::to_string(has) +
                  " elements, but this rank uses " + std::to_string(needs));
  }

  T const* reads(buffer b) const {
    return b == buffer::src ? src : b == buffer::dst ? dst : partial.data();
  }
  T* writes(buffer b) { return b == buffer::dst ? dst : partial.data(); }

  /// Writes element number k of a transfer: copies it or adds it.
  static void put(T& to, T const& value, bool adds) {
    if constexpr (requires { to = to + value; })
      to = adds ? static_cast<T>(to + value) : value;
    else
      to = value;
  }
  void pack(detail::transfer const& t, std::vector<T>& out) {
    T const* const from = reads(t.read);
    out.resize(static_cast<std::size_t>(t.elements));
    std::size_t k = 0;
    for (strided_run const& r : t.runs)
      detail::each_address(r, [&](integer address, integer) { out[k++] = from[address]; });
  }
  void unpack(detail::transfer const& t, std::vector<T> const& in) {
    T* const to = writes(t.write);
    std::size_t k = 0;
    for (strided_run const& r : t.runs)
      detail::each_address(r, [&](integer, integer address) { put(to[address], in[k++], t.adds); });
  }

  /// All reads of a step come before all writes: local copies are made when everything is packed.
  void copy_local(detail::step const& s) {
    for (detail::transfer const& t : s.local) {
      pack(t, scratch);
      unpack(t, scratch);
    }
  }

  void begin_step() {
    if (how.by == method::types)
      begin_typed(mine.steps[at]);
    else
      begin_packed(mine.steps[at]);
  }
  void end_step() {
    detail::step const& s = mine.steps[at];
    detail::require(
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
    requests.clear();
    for (std::size_t k = 0; k < s.receives.size(); ++k)
      if (how.by == method::packed || s.receives[k].adds) unpack(s.receives[k], incoming[k]);
    own_types.clear();
  }

  void begin_packed(detail::step const& s) {
    incoming.resize(s.receives.size());
    outgoing.resize(s.sends.size());
    for (std::size_t k = 0; k < s.receives.size(); ++k) {
      incoming[k].resize(static_cast<std::size_t>(s.receives[k].elements));
      post(s.receives[k].peer, incoming[k], false);
    }
    for (std::size_t k = 0; k < s.sends.size(); ++k) {
      pack(s.sends[k], outgoing[k]);
      post(s.sends[k].peer, outgoing[k], true);
    }
    copy_local(s);
  }
  /// Counts of MPI are int: a long message travels in pieces, in order.
  void post(int peer, std::vector<T>& data, bool sends) {
    char* const begin = reinterpret_cast<char*>(data.data());
    integer const size = static_cast<integer>(data.size()) * bytes;
    for (integer done = 0; done < size; done += most_bytes) {
      int const length = static_cast<int>(std::min(most_bytes, size - done));
      MPI_Request request = MPI_REQUEST_NULL;
      if (sends)
        detail::require(MPI_Isend(begin + done, length, MPI_BYTE, peer, 0, comm, &request),
                        "MPI_Isend");
      else
        detail::require(MPI_Irecv(begin + done, length, MPI_BYTE, peer, 0, comm, &request),
                        "MPI_Irecv");
      requests.push_back(request);
    }
  }

  void begin_typed(detail::step const& s) {
    std::size_t const n = static_cast<std::size_t>(ranks);
    zeros.assign(n, 0);
    for (int side = 0; side < 2; ++side) {
      counts[side].assign(n, 0);
      types[side].assign(n, MPI_BYTE);
    }
    incoming.resize(s.receives.size());
    for (int side = 0; side < 2; ++side) {
      std::vector<std::vector<detail::datatype>> of_peer(n);
      std::vector<detail::transfer> const& all = side == 0 ? s.sends : s.receives;
      for (std::size_t k = 0; k < all.size(); ++k)
        of_peer[static_cast<std::size_t>(all[k].peer)].push_back(typed(all[k], side == 0, k));
      for (std::size_t peer = 0; peer < n; ++peer) {
        if (of_peer[peer].empty()) continue;
        own_types.push_back(detail::joined(of_peer[peer]));
        counts[side][peer] = 1;
        types[side][peer] = own_types.back().get();
      }
    }
    MPI_Request request = MPI_REQUEST_NULL;
    detail::require(
        MPI_Ialltoallw(MPI_BOTTOM, counts[0].data(), zeros.data(), types[0].data(), MPI_BOTTOM,
                       counts[1].data(), zeros.data(), types[1].data(), comm, &request),
        "MPI_Ialltoallw");
    requests.push_back(request);
    copy_local(s);
  }
  /// A sum is received beside the buffer and added by end_step.
  detail::datatype typed(detail::transfer const& t, bool sends, std::size_t k) {
    if (sends) return detail::type_of(t, bytes, true, reads(t.read));
    if (!t.adds) return detail::type_of(t, bytes, false, writes(t.write));
    incoming[k].resize(static_cast<std::size_t>(t.elements));
    detail::transfer beside = t;
    beside.runs.clear();
    strided_run run;
    run.digits.push({t.elements, 1, 1});
    beside.runs.push_back(run);
    return detail::type_of(beside, bytes, false, incoming[k].data());
  }

  options how;
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks = 1;
  detail::schedule mine;
  std::vector<T> partial;  // tmp0
  T const* src = nullptr;
  T* dst = nullptr;
  bool moving = false;
  std::size_t at = 0;  // the step
  std::vector<MPI_Request> requests;
  std::vector<std::vector<T>> incoming, outgoing;
  std::vector<T> scratch;
  // The arguments of MPI_Ialltoallw, which MPI reads until it ends: by side, one for each rank.
  std::vector<int> counts[2], zeros;
  std::vector<MPI_Datatype> types[2];
  std::vector<detail::datatype> own_types;
};

}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
