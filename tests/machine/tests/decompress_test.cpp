// Tests decompression (runtime/decompress.hpp) without libzstd. The tests in runtime/ run programs
// with PTX that nvcc compressed.
#include "runtime/decompress.hpp"

#include "support/catch.hpp"

using machine::runtime::unpack_lz4;
using machine::runtime::unpack_zstd;

namespace {
template <std::size_t n> std::string bytes(char const (&literal)[n]) { return {literal, n - 1}; }
}  // namespace

TEST_CASE("LZ4 literals and back references are decompressed", "[decompress]") {
  CHECK(unpack_lz4(bytes("\x50hello"), 5).text == "hello");
  CHECK(unpack_lz4(bytes("\x11"
                         "a\x01\x00\x20xy"),
                   8)
            .text == "aaaaaaxy");  // the match overlaps its own output
  CHECK(unpack_lz4(bytes("\x30"
                         "abc\x03\x00\x10z"),
                   8)
            .text == "abcabcaz");
  std::string const many(15 + 255 + 3, 'q');
  CHECK(unpack_lz4(bytes("\xf0\xff\x03") + many, many.size()).text == many);
  CHECK(unpack_lz4(bytes("\x1f"
                         "a\x01\x00\xff\x00\x10z"),
                   1 + 15 + 255 + 4 + 1)
            .text == std::string(1 + 15 + 255 + 4, 'a') + "z");
}

TEST_CASE("LZ4 data that is truncated or has invalid offsets is rejected", "[decompress]") {
  std::string const whole = bytes(
      "\x1f"
      "a\x01\x00\xff\x00\x10z");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    auto const got = unpack_lz4(whole.substr(0, length), 276);
    CHECK((got.text.empty() && got.problem.find("damaged") != std::string::npos));
  }
  for (auto const& wrong : {bytes("\x11"
                                  "a\x00\x00\x20xy"),
                            bytes("\x11"
                                  "a\x02\x00\x20xy"),
                            bytes("\x1f"
                                  "a\x01\x00\xff\xff\xff\x00\x10z"),
                            bytes("\x50hello!"), bytes("\x40hell")})
    CHECK(!unpack_lz4(wrong, 8).problem.empty());
  CHECK(unpack_lz4(bytes("\x50hello"), std::size_t{1} << 40).problem.find("4 GiB") !=
        std::string::npos);
}

TEST_CASE("without libzstd the message names the package", "[decompress]") {
  auto const got = unpack_zstd(bytes("\x28\xb5\x2f\xfd"), 5);
  CHECK(got.text.empty());
  CHECK(got.problem.find("libzstd-dev") != std::string::npos);
  CHECK(got.problem.find("--compress-mode none") != std::string::npos);
}
