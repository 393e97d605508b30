// SPDX-License-Identifier: MIT
// shared_window: memory of the ranks of one node that all of them can read.
//
// The constructor is collective, and its sizes count elements. `valid()` is false on all ranks if
// the allocation fails on one.
#pragma once

#include <axe/mpi/buffers.hpp>

#include <functional>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

/// The ranks that share memory with this rank, at most `most`; 0: all.
class node {
 public:
  node(MPI_Comm comm, int most) : index_of_rank(0) {
    int ranks = 0;
    int rank = 0;
    require(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    require(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    require(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &own),
            "MPI_Comm_split_type");
    if (most > 0) {
      MPI_Comm whole = own;
      int inside = 0;
      require(MPI_Comm_rank(whole, &inside), "MPI_Comm_rank");
      require(MPI_Comm_split(whole, inside / most, rank, &own), "MPI_Comm_split");
      MPI_Comm_free(&whole);
    }
    int size = 0;
    require(MPI_Comm_size(own, &size), "MPI_Comm_size");
    std::vector<int> members(static_cast<std::size_t>(size));
    require(MPI_Allgather(&rank, 1, MPI_INT, members.data(), 1, MPI_INT, own), "MPI_Allgather");
    index_of_rank.assign(static_cast<std::size_t>(ranks), -1);
    for (std::size_t k = 0; k < members.size(); ++k)
      index_of_rank[static_cast<std::size_t>(members[k])] = static_cast<int>(k);
  }
  node(node const&) = delete;
  node& operator=(node const&) = delete;
  ~node() {
    if (own != MPI_COMM_NULL) MPI_Comm_free(&own);
  }
  MPI_Comm comm() const { return own; }
  int index_of(int rank) const { return index_of_rank[static_cast<std::size_t>(rank)]; }

 private:
  MPI_Comm own = MPI_COMM_NULL;
  std::vector<int> index_of_rank;
};

template <class T> class shared_window {
 public:
  shared_window(node const& on, MPI_Comm comm, integer source, integer tmp0, integer packed)
      : own_node(&on), source_size(source), tmp0_size(tmp0) {
    // An empty segment has no address.
    integer const elements = std::max<integer>(1, source + tmp0 + packed);
    MPI_Aint const bytes = static_cast<MPI_Aint>(elements * static_cast<integer>(sizeof(T)));
    MPI_Info info = MPI_INFO_NULL;
    require(MPI_Info_create(&info), "MPI_Info_create");
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    int made =
        MPI_Win_allocate_shared(bytes, sizeof(T), info, on.comm(), &base, &window) == MPI_SUCCESS;
    MPI_Info_free(&info);
    if (made == 0) window = MPI_WIN_NULL;
    require(MPI_Allreduce(MPI_IN_PLACE, &made, 1, MPI_INT, MPI_LAND, comm), "MPI_Allreduce");
    if (made == 0) return;
    created = true;
    require(MPI_Win_lock_all(MPI_MODE_NOCHECK, window), "MPI_Win_lock_all");
    int ranks = 0;
    MPI_Comm_size(on.comm(), &ranks);
    for (int k = 0; k < ranks; ++k) {
      MPI_Aint size = 0;
      int unit = 0;
      T* at = nullptr;
      require(MPI_Win_shared_query(window, k, &size, &unit, &at), "MPI_Win_shared_query");
      memory.push_back(at);
    }
  }
  shared_window(shared_window const&) = delete;
  shared_window& operator=(shared_window const&) = delete;
  ~shared_window() {
    if (created) MPI_Win_unlock_all(window);
    if (window != MPI_WIN_NULL) MPI_Win_free(&window);
  }

  bool valid() const { return created; }
  T* source() const { return base; }
  T* tmp0() const { return base + source_size; }
  T* packed() const { return tmp0() + tmp0_size; }
  /// -1 unless in source() or tmp0().
  integer offset_of(T const* at) const {
    return !std::less<>{}(at, base) && std::less<>{}(at, packed()) ? at - base : -1;
  }
  T const* of(int rank) const {
    int const k = own_node->index_of(rank);
    return k < 0 ? nullptr : memory[static_cast<std::size_t>(k)];
  }
  /// Orders this rank's writes before a message it sends, and its reads after one it receives.
  void sync() const { require(MPI_Win_sync(window), "MPI_Win_sync"); }

 private:
  node const* own_node;
  integer source_size;
  integer tmp0_size;
  bool created = false;
  T* base = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  std::vector<T*> memory;
};

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
