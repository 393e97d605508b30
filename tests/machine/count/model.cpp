// Computes the sectors and wavefronts of one access.
#include "count/model.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace machine {
namespace {

constexpr unsigned sector_bytes = 32, banks = 32, bank_bytes = 4;

/// Returns the largest number of different words in one bank.
unsigned busiest_bank(std::vector<std::uint32_t>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::array<unsigned, banks> of{};
  for (auto const word : words) ++of[word % banks];
  return *std::max_element(of.begin(), of.end());
}

}  // namespace

cost sectors_of(std::span<std::uint64_t const> addresses, unsigned bytes) {
  if (addresses.empty() || bytes == 0) return {};
  std::vector<std::uint64_t> begins(addresses.begin(), addresses.end());
  std::sort(begins.begin(), begins.end());
  cost total;
  std::uint64_t touched = 0, end = 0,
                next_sector = 0;  // bytes below `end` and sectors below `next_sector` are counted
  for (auto const begin : begins) {
    touched += begin + bytes - std::max(begin, std::min(end, begin + bytes));
    end = std::max(end, begin + bytes);
    std::uint64_t const first = std::max(begin / sector_bytes, next_sector);
    std::uint64_t const behind = (begin + bytes - 1) / sector_bytes + 1;
    if (behind > first) total.taken += behind - first;
    next_sector = std::max(next_sector, behind);
  }
  total.least = (touched + sector_bytes - 1) / sector_bytes;
  return total;
}

cost wavefronts_of(std::span<std::uint32_t const, 32> addresses, std::uint32_t mask,
                   unsigned bytes) {
  unsigned const phase = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  cost total;
  std::vector<std::uint32_t> words;
  for (unsigned first = 0; first < 32; first += phase) {
    words.clear();
    for (unsigned lane = first; lane < first + phase; ++lane)
      if (((mask >> lane) & 1u) != 0)
        for (std::uint32_t word = addresses[lane] / bank_bytes;
             word <= (addresses[lane] + bytes - 1) / bank_bytes; ++word)
          words.push_back(word);
    if (words.empty()) continue;
    total.taken += busiest_bank(words);
    ++total.least;
  }
  return total;
}

}  // namespace machine
