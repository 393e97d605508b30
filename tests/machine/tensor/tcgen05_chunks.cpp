#include "tensor/tcgen05_chunks.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace machine::tensor {
namespace {

constexpr std::size_t most_kept = 256;

using key = std::array<std::uint32_t, 9>;

operand_chunks computed(operand_descriptor const& it, major order, mma_element type, int rows,
                        int chunks) {
  operand_chunks made;
  made.order = order;
  made.elements = 16 / bytes_of(type);
  made.chunks_of_line = chunks;
  if (order == major::mn) made.chunks_of_line = (rows + made.elements - 1) / made.elements;
  for_each_chunk(it, order, type, rows, chunks,
                 [&](std::uint32_t address, int, int) { made.addresses.push_back(address); });
  auto sorted = made.addresses;
  std::sort(sorted.begin(), sorted.end());
  made.end = sorted.back() + 16;
  for (auto const address : sorted) {
    if (!made.runs.empty() && address == made.runs.back().begin + made.runs.back().bytes)
      made.runs.back().bytes += 16;
    else if (made.runs.empty() || address >= made.runs.back().begin + made.runs.back().bytes)
      made.runs.push_back({address, 16});
  }
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return made;
  for (std::size_t k = 1; k < made.addresses.size() && made.first_repeated < 0; ++k) {
    auto const here = made.addresses.begin() + static_cast<std::ptrdiff_t>(k);
    if (std::find(made.addresses.begin(), here, *here) != here)
      made.first_repeated = static_cast<int>(k);
  }
  return made;
}

}  // namespace

int operand_chunks::chunk_at(std::uint32_t address) const {
  auto const found = std::find(addresses.begin(), addresses.end(), address / 16 * 16);
  return static_cast<int>(found - addresses.begin());
}

std::shared_ptr<operand_chunks const> chunks_of(operand_descriptor const& it, major order,
                                                mma_element type, int rows, int chunks) {
  static thread_local std::map<key, std::shared_ptr<operand_chunks const>> kept;
  auto const& matrix = it.matrix;
  key const which{matrix.start,
                  matrix.leading,
                  matrix.stride,
                  matrix.base_offset,
                  static_cast<std::uint32_t>(matrix.mode) * 2 + (it.atoms_of_32 ? 1 : 0),
                  static_cast<std::uint32_t>(order),
                  static_cast<std::uint32_t>(bytes_of(type)),
                  static_cast<std::uint32_t>(rows),
                  static_cast<std::uint32_t>(chunks)};
  if (auto const found = kept.find(which); found != kept.end()) return found->second;
  if (kept.size() >= most_kept) kept.clear();
  return kept[which] = std::make_shared<operand_chunks>(computed(it, order, type, rows, chunks));
}

}  // namespace machine::tensor
