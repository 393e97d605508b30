// SPDX-License-Identifier: MIT
// group_collective: executes a plan that is a collective, by one MPI call in each group of ranks.
//
// The ranks of a group differ on one mesh axis only and are ordered by it. Dense buffers are used
// in place, others are packed. MPI chooses the order of addition.
#pragma once

#include <axe/distributed/collective.hpp>
#include <axe/mpi/buffers.hpp>
#include <axe/mpi/types.hpp>

#include <limits>
#include <type_traits>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

inline bool is_mpi_collective(collective c) {
  return c != collective::none && c != collective::local && c != collective::permute;
}
inline bool is_sum(collective c) {
  return c == collective::reduce_scatter || c == collective::all_reduce || c == collective::reduce;
}

/// MPI's type for MPI_SUM, which is faster than a user function, or MPI_DATATYPE_NULL.
template <class T> MPI_Datatype type_of_numbers() {
  if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr bool sign = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return sign ? MPI_INT8_T : MPI_UINT8_T;
    if constexpr (sizeof(T) == 2) return sign ? MPI_INT16_T : MPI_UINT16_T;
    if constexpr (sizeof(T) == 4) return sign ? MPI_INT32_T : MPI_UINT32_T;
    if constexpr (sizeof(T) == 8) return sign ? MPI_INT64_T : MPI_UINT64_T;
  }
  return MPI_DATATYPE_NULL;
}

template <class T> class group_collective {
 public:
  group_collective(MPI_Comm on, reshard_plan const& p, recognised const& of, schedule const& mine)
      : kind(of.kind) {
    integer own = -1;
    for (integer d = 0; d < p.device_count(); ++d)
      if (p.rank_of(d) == mine.rank) own = d;
    integer weight = 1;
    for (int a = p.axes - 1; a > of.on; --a) weight *= p.devices.axes[a].extent;
    integer const extent = p.devices.axes[of.on].extent;
    if (own >= 0) coordinate_in_group = own / weight % extent;
    int const color =
        own < 0 ? MPI_UNDEFINED : static_cast<int>(own - coordinate_in_group * weight);
    require(MPI_Comm_split(on, color, static_cast<int>(coordinate_in_group), &group),
            "MPI_Comm_split");
    if (own < 0) return;
    std::vector<int> ranks;
    for (integer c = 0; c < extent; ++c)
      ranks.push_back(static_cast<int>(p.rank_of(own + (c - coordinate_in_group) * weight)));
    find_transfers(mine, ranks);
  }
  group_collective(group_collective const&) = delete;
  group_collective& operator=(group_collective const&) = delete;
  ~group_collective() {
    if (sum != MPI_OP_NULL && sum != MPI_SUM) MPI_Op_free(&sum);
    if (group != MPI_COMM_NULL) MPI_Comm_free(&group);
  }

  /// False if blocks differ in size or are missing, or if a sum's count exceeds int.
  bool usable() const {
    if (group == MPI_COMM_NULL) return true;
    integer const most = std::numeric_limits<int>::max();
    return regular && (!is_sum(kind) || block * static_cast<integer>(parts()) <= most);
  }
  static bool replaces(round const& r) {
    return r.first == stage::add_across || r.first == stage::move;
  }

  void begin(round const& r, buffers<T> const& b) {
    // A sum's collective runs in the add_across round.
    pending = group != MPI_COMM_NULL && !(r.first == stage::move && is_sum(kind));
    if (!pending) return;
    T const* const from = send_buffer(b);
    T* const to = receive_buffer(b);
    call(from, to);
  }
  void end(buffers<T> const& b) {
    if (!pending) return;
    require(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    if (in_place_to) return;
    T const* packed = incoming.data();
    for (transfer const& t : receives) {
      if (t.elements > 0) t.unpack(packed, b.writes(t.write));
      packed += block;
    }
  }

 private:
  static constexpr integer bytes = sizeof(T);

  std::size_t parts() const { return kind == collective::all_reduce ? sends.size() : 1; }

  void find_transfers(schedule const& mine, std::vector<int> const& ranks) {
    std::size_t const n = ranks.size();
    std::vector<transfer> out(n), in(n);
    std::size_t const me = static_cast<std::size_t>(coordinate_in_group);
    bool const sums = is_sum(kind);
    auto const keep = [&](std::vector<transfer>& list, std::size_t c, transfer const& t) {
      if (list[c].elements > 0 && !sums) regular = false;
      if (list[c].elements == 0) list[c] = t;
      list[c].adds = false;
    };
    for (round const& r : mine.rounds) {
      if (!replaces(r)) continue;
      for (std::size_t c = 0; c < n; ++c) {
        for (transfer const& t : r.sends)
          if (t.peer == ranks[c] && (!sums || r.first == stage::add_across)) keep(out, c, t);
        for (transfer const& t : r.arrivals) {
          if (t.peer != ranks[c]) continue;
          if (t.peer == mine.rank) keep(out, me, t);
          // The adder of a sum receives the same elements from every rank.
          bool const at_adder = sums && r.first == stage::add_across;
          keep(in, at_adder ? me : c, t);
        }
      }
    }
    for (std::vector<transfer> const* list : {&out, &in})
      for (transfer const& t : *list)
        if (t.elements > 0) {
          if (block == 0) block = t.elements;
          if (t.elements != block) regular = false;
        }
    if (block == 0) regular = false;
    for (std::size_t c = 0; c < n; ++c)
      if (in[c].elements > 0) root = c;
    choose_transfers(out, in, me);
  }
  void choose_transfers(std::vector<transfer> const& out, std::vector<transfer> const& in,
                        std::size_t me) {
    auto const first_of = [](std::vector<transfer> const& list) {
      for (transfer const& t : list)
        if (t.elements > 0) return std::vector<transfer>{t};
      return std::vector<transfer>{};
    };
    auto const held = [](std::vector<transfer> const& list) {
      std::vector<transfer> some;
      for (transfer const& t : list)
        if (t.elements > 0) some.push_back(t);
      return some;
    };
    switch (kind) {
      case collective::all_gather: sends = {out[me]}, receives = in; break;
      case collective::all_to_all: sends = out, receives = in; break;
      case collective::reduce_scatter: sends = out, receives = {in[me]}; break;
      case collective::all_reduce: sends = held(out), receives = held(in); break;
      case collective::reduce:
      case collective::gather:
        root = 0;
        while (out[root].elements == 0 && root + 1 < out.size()) ++root;
        sends = first_of(out);
        if (root == me) receives = kind == collective::gather ? in : first_of(in);
        break;
      case collective::broadcast:
      case collective::scatter:
        if (root == me) sends = kind == collective::scatter ? out : first_of(out);
        receives = first_of(in);
        break;
      default: regular = false;
    }
  }

  /// -1 unless the blocks are dense and contiguous, in order.
  integer dense_begin(std::vector<transfer> const& list, bool at_sender) const {
    for (std::size_t k = 0; k < list.size(); ++k)
      if (list[k].elements != block || !list[k].dense(at_sender) ||
          list[k].begin(at_sender) != list[0].begin(at_sender) + static_cast<integer>(k) * block)
        return -1;
    return list.empty() ? -1 : list[0].begin(at_sender);
  }
  T const* send_buffer(buffers<T> const& b) {
    if (integer const at = dense_begin(sends, true); at >= 0) return b.reads(sends[0].read) + at;
    T* const out = outgoing.at_least(static_cast<integer>(sends.size()) * block);
    for (std::size_t k = 0; k < sends.size(); ++k)
      if (sends[k].elements > 0)
        sends[k].pack(b.reads(sends[k].read), out + static_cast<integer>(k) * block);
    return out;
  }
  T* receive_buffer(buffers<T> const& b) {
    integer const at = dense_begin(receives, false);
    in_place_to = at >= 0;
    if (in_place_to) return b.writes(receives[0].write) + at;
    return incoming.at_least(static_cast<integer>(receives.size()) * block);
  }

  static void add(void* from, void* to, int* count, MPI_Datatype*) {
    if constexpr (requires(T a) { a + a; }) {
      T const* const more = static_cast<T const*>(from);
      T* const sums = static_cast<T*>(to);
      for (int k = 0; k < *count; ++k) sums[k] = static_cast<T>(more[k] + sums[k]);
    }
  }
  /// Also sets `sum`.
  MPI_Datatype type_of_units() {
    if (MPI_Datatype const number = is_sum(kind) ? type_of_numbers<T>() : MPI_DATATYPE_NULL;
        number != MPI_DATATYPE_NULL) {
      sum = MPI_SUM;
      return number;
    }
    if (whole.get() == MPI_DATATYPE_NULL) {
      type_list one;
      one.add(contiguous(is_sum(kind) ? 1 : block, bytes), 0);
      whole = one.commit();
      if (is_sum(kind)) require(MPI_Op_create(add, 1, &sum), "MPI_Op_create");
    }
    return whole.get();
  }
  void call(T const* from, T* to) {
    MPI_Datatype const type = type_of_units();
    int const at = static_cast<int>(root);
    int const count = static_cast<int>(block * static_cast<integer>(parts()));
    int code = MPI_SUCCESS;
    switch (kind) {
      case collective::all_gather:
        code = MPI_Iallgather(from, 1, type, to, 1, type, group, &request);
        break;
      case collective::all_to_all:
        code = MPI_Ialltoall(from, 1, type, to, 1, type, group, &request);
        break;
      case collective::reduce_scatter:
        code = MPI_Ireduce_scatter_block(from, to, count, type, sum, group, &request);
        break;
      case collective::all_reduce:
        code = MPI_Iallreduce(from, to, count, type, sum, group, &request);
        break;
      case collective::reduce:
        code = MPI_Ireduce(from, to, count, type, sum, at, group, &request);
        break;
      case collective::gather:
        code = MPI_Igather(from, 1, type, to, 1, type, at, group, &request);
        break;
      case collective::scatter:
        code = MPI_Iscatter(from, 1, type, to, 1, type, at, group, &request);
        break;
      default:
        if (coordinate_in_group == static_cast<integer>(root))
          std::memcpy(to, from, static_cast<std::size_t>(block * bytes));
        code = MPI_Ibcast(to, 1, type, at, group, &request);
    }
    require(code, "a collective of MPI");
  }

  collective kind;
  MPI_Comm group = MPI_COMM_NULL;
  integer coordinate_in_group = 0;
  std::size_t root = 0;
  integer block = 0;     // elements of each nonempty transfer
  bool regular = true;   // all have `block` elements
  bool pending = false;  // a call was begun and not ended
  bool in_place_to = false;
  std::vector<transfer> sends, receives;
  datatype whole;
  MPI_Op sum = MPI_OP_NULL;
  scratch<T> outgoing, incoming;
  MPI_Request request = MPI_REQUEST_NULL;
};

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
