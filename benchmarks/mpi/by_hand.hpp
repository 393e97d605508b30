// Reshards a tensor with block-cyclic dimensions by hand-written MPI calls. reshard.cpp compares
// axe with these calls.
//
//     block_cyclic{4096, {64, 2, 4, 1}, {48, 8, 1, 512}}     4096 indices. Before: blocks of 64 on
//         2 processes, whose ranks are 4 apart; stride 1. After: blocks of 48 on 8 processes
//
// A message is the product of the dimensions' intervals, as in pdgemr2d and COSTA. alltoallv packs
// it. alltoallw describes it by nested MPI types.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace by_hand {

using integer = std::int64_t;

/// How one dimension is distributed before or after the resharding.
struct side {
  integer block;        // the number of indices in a block
  integer processes;    // 1: every process has all indices
  integer rank_stride;  // the distance of the processes' ranks
  integer stride;       // the distance of neighbouring indices of a block in memory, in elements

  bool has(int rank, integer i) const {
    return i / block % processes == rank / rank_stride % processes;
  }
  integer at(integer i) const { return (i / (block * processes) * block + i % block) * stride; }
};
struct block_cyclic {
  integer size;
  side from, to;
};
/// Consecutive indices that one process has before and another one has after the resharding.
struct interval {
  integer from, to, length;  // from and to are offsets in elements
};

inline std::vector<interval> intervals(block_cyclic const& d, int sender, int receiver) {
  std::vector<interval> out;
  for (integer i = 0; i < d.size;) {
    integer const next = std::min(
        {d.size, (i / d.from.block + 1) * d.from.block, (i / d.to.block + 1) * d.to.block});
    if (d.from.has(sender, i) && d.to.has(receiver, i))
      out.push_back({d.from.at(i), d.to.at(i), next - i});
    i = next;
  }
  return out;
}

/// The resharding of a tensor on process `rank` of `n`. In arrays of two, entry 0 is for messages
/// to send and entry 1 for messages to receive. The last dimension of `tensor` is packed fastest.
class move {
 public:
  move(std::vector<block_cyclic> const& tensor, int n, int rank) : dimensions(tensor) {
    for (int side = 0; side < 2; ++side)
      for (int peer = 0; peer < n; ++peer) {
        std::vector<std::vector<interval>> all;
        integer size = 1;
        for (block_cyclic const& d : tensor) {
          all.push_back(side == 0 ? intervals(d, rank, peer) : intervals(d, peer, rank));
          integer sum = 0;
          for (interval const& i : all.back()) sum += i.length;
          size *= sum;
        }
        counts[side].push_back(static_cast<int>(size));
        begins[side].push_back(peer == 0 ? 0 : begins[side].back() + counts[side][peer - 1]);
        of_peer[side].push_back(all);
      }
    for (int side = 0; side < 2; ++side) {
      packed[side].resize(begins[side].back() + counts[side].back());
      for (int peer = 0; peer < n; ++peer) types[side].push_back(type_of(side, peer));
    }
    ones.assign(n, 1);
    zeros.assign(n, 0);
  }
  move(move const&) = delete;
  ~move() {
    for (int side = 0; side < 2; ++side)
      for (MPI_Datatype& t : types[side]) MPI_Type_free(&t);
  }

  /// Packs all messages, calls MPI_Alltoallv, and unpacks all messages.
  void alltoallv(double const* from, double* to) {
    for (std::size_t peer = 0; peer < of_peer[0].size(); ++peer)
      walk<true>(of_peer[0][peer], 0, from, packed[0].data() + begins[0][peer]);
    MPI_Alltoallv(packed[0].data(), counts[0].data(), begins[0].data(), MPI_DOUBLE,
                  packed[1].data(), counts[1].data(), begins[1].data(), MPI_DOUBLE, MPI_COMM_WORLD);
    for (std::size_t peer = 0; peer < of_peer[1].size(); ++peer)
      walk<false>(of_peer[1][peer], 0, to, packed[1].data() + begins[1][peer]);
  }
  void alltoallw(double const* from, double* to) {
    MPI_Alltoallw(from, ones.data(), zeros.data(), types[0].data(), to, ones.data(), zeros.data(),
                  types[1].data(), MPI_COMM_WORLD);
  }

 private:
  using intervals_of_message = std::vector<std::vector<interval>>;

  template <bool packs, class Memory, class Packed>
  Packed* walk(intervals_of_message const& m, std::size_t d, Memory* at, Packed* dense) const {
    integer const stride = packs ? dimensions[d].from.stride : dimensions[d].to.stride;
    for (interval const& i : m[d]) {
      Memory* const begin = at + (packs ? i.from : i.to);
      if (d + 1 < m.size()) {
        for (integer k = 0; k < i.length; ++k)
          dense = walk<packs>(m, d + 1, begin + k * stride, dense);
        continue;
      }
      if constexpr (packs) {
        if (stride == 1)
          std::copy(begin, begin + i.length, dense);
        else
          for (integer k = 0; k < i.length; ++k) dense[k] = begin[k * stride];
      } else {
        if (stride == 1)
          std::copy(dense, dense + i.length, begin);
        else
          for (integer k = 0; k < i.length; ++k) begin[k * stride] = dense[k];
      }
      dense += i.length;
    }
    return dense;
  }
  MPI_Datatype type_of(int side, int peer) const {
    MPI_Datatype type = MPI_DOUBLE;
    MPI_Type_dup(MPI_DOUBLE, &type);
    for (std::size_t d = dimensions.size(); d-- > 0;) {
      integer const stride = side == 0 ? dimensions[d].from.stride : dimensions[d].to.stride;
      std::vector<MPI_Datatype> parts;
      std::vector<MPI_Aint> at;
      for (interval const& i : of_peer[side][static_cast<std::size_t>(peer)][d]) {
        parts.emplace_back();
        MPI_Type_create_hvector(static_cast<int>(i.length), 1, stride * 8, type, &parts.back());
        at.push_back((side == 0 ? i.from : i.to) * 8);
      }
      std::vector<int> const one_each(parts.size(), 1);
      MPI_Datatype next = MPI_DATATYPE_NULL;
      MPI_Type_create_struct(static_cast<int>(parts.size()), one_each.data(), at.data(),
                             parts.data(), &next);
      for (MPI_Datatype& part : parts) MPI_Type_free(&part);
      MPI_Type_free(&type);
      type = next;
    }
    MPI_Type_commit(&type);
    return type;
  }

  std::vector<block_cyclic> dimensions;
  std::vector<intervals_of_message> of_peer[2];
  std::vector<int> counts[2], begins[2], ones, zeros;
  std::vector<double> packed[2];
  std::vector<MPI_Datatype> types[2];
};

}  // namespace by_hand
