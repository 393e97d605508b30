// PTX as nvcc compresses it: zstd by default, LZ4 with --compress-mode speed.
//
//     unpack_lz4("\x50hello", 5).text == "hello"
//
// LZ4: "LZ4 Block Format Description" of the LZ4 project. zstd needs libzstd (Debian: libzstd-dev).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace machine::runtime {

struct unpacked {
  std::string text;
  std::string problem;  // why there is no text; empty otherwise
};

/// `bytes`: how many the fat binary says there are. Input that does not come to so many is refused.
unpacked unpack_lz4(std::string_view packed, std::size_t bytes);
unpacked unpack_zstd(std::string_view packed, std::size_t bytes);

}  // namespace machine::runtime
