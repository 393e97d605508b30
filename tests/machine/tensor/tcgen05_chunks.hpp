// Computes the addresses of the 16-byte chunks of an operand of tcgen05.mma, once for each
// descriptor: a kernel has few descriptors, and each product needs the addresses several times.
#pragma once

#include <memory>
#include <vector>

#include "tensor/tcgen05_descriptor.hpp"

namespace machine::tensor {

struct chunk_run {
  std::uint32_t begin = 0, bytes = 0;
};

struct operand_chunks {
  std::vector<std::uint32_t> addresses;  // in the order of for_each_chunk
  std::vector<chunk_run> runs;           // the same bytes, each once, in ascending order
  std::uint32_t end = 0;                 // one past the last byte
  int first_repeated = -1;  // the first chunk that has the bytes of an earlier one, or -1
  int chunks_of_line = 2;   // a line is a row if K-major, an index k if MN-major
  int elements = 0;         // elements of a chunk, along k or along the rows
  major order = major::k;

  [[nodiscard]] int row_of(int chunk) const {
    return order == major::k ? chunk / chunks_of_line : chunk % chunks_of_line * elements;
  }
  [[nodiscard]] int k_of(int chunk) const {
    return order == major::k ? chunk % chunks_of_line * elements : chunk / chunks_of_line;
  }
  /// Returns the number of the chunk that lies at the address.
  [[nodiscard]] int chunk_at(std::uint32_t address) const;
};

/// Returns the chunks of a descriptor. `chunks` is as in for_each_chunk. Each thread keeps the
/// results for a few hundred descriptors.
std::shared_ptr<operand_chunks const> chunks_of(operand_descriptor const& it, major order,
                                                mma_element type, int rows, int chunks = 2);

}  // namespace machine::tensor
