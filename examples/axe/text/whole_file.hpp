// Writes a file completely or leaves the old file as it was.
//
//     if (std::string const why = text::write_whole_file("tile.svg", svg); !why.empty())
//       std::cerr << why;    cannot write tile.svg: No space left on device
#pragma once

#include <string>
#include <string_view>

namespace text {

/// Writes a temporary file in the same folder and renames it. Writes directly to a device or pipe.
/// Returns the error as a sentence, or an empty string.
std::string write_whole_file(std::string const& path, std::string_view content);

}  // namespace text
