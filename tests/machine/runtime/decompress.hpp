// Decompresses PTX in fat binaries: zstd (nvcc's default) or LZ4 (--compress-mode speed).
//
//     unpack_lz4("\x50hello", 5).text == "hello"
//
// "LZ4 Block Format Description" of the LZ4 project defines LZ4. zstd needs libzstd (libzstd-dev).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace machine::runtime {

struct unpacked {
  std::string text;
  std::string problem;  // why there is no text; empty if there is one
};

/// `bytes` is the size of the text in the fat binary. Input of another size is rejected.
unpacked unpack_lz4(std::string_view packed, std::size_t bytes);
unpacked unpack_zstd(std::string_view packed, std::size_t bytes);

}  // namespace machine::runtime
