// Reads fat binaries, which nvcc embeds into host programs.
//
//     wrapper   u32 0x466243b1, u32 version, pointer to the data
//     data      u32 0xba55ed50, u16 version, u16 header bytes, u64 bytes of all entries
//     entry     u16 kind (1: PTX), u16 version, u32 header bytes, u64 payload bytes,
//               u32 compressed bytes; at 28 u32 architecture (90); at 40 u64 flags (0x2000: LZ4,
//               0x8000: zstd); at 56 u64 bytes of the unpacked text. The payload comes
//               after the header.
#include <algorithm>
#include <cstring>

#include "runtime/context.hpp"
#include "runtime/decompress.hpp"

namespace machine::runtime {
namespace {

template <class T> T field(unsigned char const* at, std::size_t offset) {
  T value;
  std::memcpy(&value, at + offset, sizeof(T));
  return value;
}

unpacked text_of(unsigned char const* entry, std::string_view payload) {
  auto const flags = field<std::uint64_t>(entry, 40);
  if ((flags & 0xa000u) == 0) return {std::string(payload), {}};
  auto const packed = payload.substr(0, field<std::uint32_t>(entry, 16));
  auto const bytes = field<std::uint64_t>(entry, 56);
  return (flags & 0x2000u) != 0 ? unpack_lz4(packed, bytes) : unpack_zstd(packed, bytes);
}

}  // namespace

ptx_texts texts_in(void const* wrapper) {
  ptx_texts texts;
  auto const* const outer = static_cast<unsigned char const*>(wrapper);
  if (field<std::uint32_t>(outer, 0) != 0x466243b1u) return texts;
  auto const* const data = field<unsigned char const*>(outer, 8);
  if (data == nullptr || field<std::uint32_t>(data, 0) != 0xba55ed50u) return texts;
  std::uint64_t const size = field<std::uint64_t>(data, 8);
  std::uint64_t at = field<std::uint16_t>(data, 6);
  std::uint64_t const end = at + size;
  while (at + 64 <= end) {
    auto const* const entry = data + at;
    std::uint32_t const header = field<std::uint32_t>(entry, 4);
    std::uint64_t const payload = field<std::uint64_t>(entry, 8);
    if (header < 64 || at + header + payload > end) break;
    if (field<std::uint16_t>(entry, 0) == 1 && payload > 8) {
      auto [text, problem] =
          text_of(entry, {reinterpret_cast<char const*>(entry + header), payload});
      if (!problem.empty()) texts.problem = std::move(problem);
      texts.architecture =
          std::max(texts.architecture, static_cast<int>(field<std::uint32_t>(entry, 28)));
      if (text.find(".version") != std::string::npos)
        texts.found.push_back(text.substr(0, text.find('\0')));
    }
    at += header + (payload + 7) / 8 * 8;
  }
  return texts;
}

}  // namespace machine::runtime
