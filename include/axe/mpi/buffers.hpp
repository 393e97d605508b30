// SPDX-License-Identifier: MIT
// buffers: src, dst and tmp0 of one rank during a move, and the local copies between them.
#pragma once

#include <axe/mpi/error.hpp>
#include <axe/mpi/schedule.hpp>

#include <memory>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

template <class T> struct buffers {
  T const* src = nullptr;
  T* dst = nullptr;
  T* tmp0 = nullptr;

  T const* reads(buffer b) const { return b == buffer::src ? src : b == buffer::dst ? dst : tmp0; }
  T* writes(buffer b) const { return b == buffer::dst ? dst : tmp0; }
  void copy_local(transfer const& t) const { t.copy(reads(t.read), writes(t.write)); }
  void copy_all_local(round const& r, int rank) const {
    for (transfer const& t : r.arrivals)
      if (t.peer == rank) copy_local(t);
  }
};

/// Loses its elements when it grows. Not a vector, because vector<bool> has no data().
template <class T> class scratch {
 public:
  T* at_least(integer elements) {
    if (elements > size) {
      memory = std::make_unique<T[]>(static_cast<std::size_t>(elements));
      size = elements;
    }
    return data();
  }
  T* data() const { return memory.get(); }

 private:
  std::unique_ptr<T[]> memory;
  integer size = 0;
};

inline void wait_all(std::vector<MPI_Request>& requests) {
  require(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
  requests.clear();
}

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
