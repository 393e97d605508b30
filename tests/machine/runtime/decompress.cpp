// Implements decompress.hpp: decodes LZ4 here, and zstd with libzstd.
#include "runtime/decompress.hpp"

#ifdef MACHINE_ZSTD
#include <zstd.h>
#endif

#include "text/error.hpp"

namespace machine::runtime {
namespace {

constexpr std::size_t largest_text = std::size_t{1} << 32;

unpacked failure(std::string problem) { return {{}, std::move(problem)}; }

unpacked too_large(std::size_t bytes) {
  return failure(
      say("the program's compressed PTX claims to have ", bytes, " bytes, more than 4 GiB"));
}

/// Adds the bytes that continue a length of 15, up to the first below 255. False if the input ends.
bool extend(std::string_view& rest, std::size_t& length) {
  if (length != 15) return true;
  while (!rest.empty()) {
    auto const more = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    length += more;
    if (more != 255) return true;
  }
  return false;
}

}  // namespace

// A sequence is a token (4 bits of literal length, 4 of match length - 4), literals, and the
// match's 16-bit offset. The last sequence ends after its literals.
unpacked unpack_lz4(std::string_view packed, std::size_t bytes) {
  if (bytes > largest_text) return too_large(bytes);
  auto const damaged = [] {
    return failure("the program's PTX is damaged: its LZ4 data is invalid");
  };
  std::string text;
  text.reserve(bytes);
  while (!packed.empty()) {
    auto const token = static_cast<unsigned char>(packed.front());
    packed.remove_prefix(1);
    std::size_t literals = token >> 4;
    if (!extend(packed, literals) || literals > packed.size()) return damaged();
    text.append(packed.substr(0, literals));
    packed.remove_prefix(literals);
    if (packed.empty()) break;
    if (packed.size() < 2) return damaged();
    std::size_t const back = static_cast<unsigned char>(packed[0]) +
                             std::size_t{static_cast<unsigned char>(packed[1])} * 256;
    packed.remove_prefix(2);
    std::size_t length = token & 15u;
    if (!extend(packed, length)) return damaged();
    length += 4;
    if (back == 0 || back > text.size() || text.size() + length > bytes) return damaged();
    for (std::size_t k = 0; k < length; ++k) text.push_back(text[text.size() - back]);
  }
  if (text.size() != bytes) return damaged();
  return {std::move(text), {}};
}

#ifdef MACHINE_ZSTD
unpacked unpack_zstd(std::string_view packed, std::size_t bytes) {
  if (bytes > largest_text) return too_large(bytes);
  std::string text(bytes, '\0');
  std::size_t const got = ZSTD_decompress(text.data(), bytes, packed.data(), packed.size());
  if (ZSTD_isError(got) != 0 || got != bytes)
    return failure("the program's PTX is damaged: its zstd data is invalid");
  return {std::move(text), {}};
}
#else
unpacked unpack_zstd(std::string_view, std::size_t) {
  return failure(
      "the program's PTX is compressed with zstd, and this machine was built without it: install "
      "libzstd-dev (Debian's name) and build the machine again, or compile the program with "
      "--compress-mode none");
}
#endif

}  // namespace machine::runtime
