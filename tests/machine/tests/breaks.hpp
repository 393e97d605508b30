// Reads the kernels of breaks/ and applies their mistakes.
//
//     bar.sync 0;    //! no barrier before reading: => race: no barrier lies between
//
// This mistake, "no barrier before reading", replaces its line by the text between ':' and '=>'
// (here nothing). It must be reported as a race, with the words after the last ':' in the sentence.
// '|' separates alternatives, because schedules may meet a mistake at different places. A line that
// starts with //! belongs to the instruction above it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "known_kernels.hpp"

namespace machine_test::breaks {

struct mistake {
  std::string name, replacement;
  std::vector<std::string> kinds, words;
  std::size_t line = 0;
};

struct map_request {
  std::string of;
  unsigned columns = 0, rows = 0, swizzle = 0;
};

struct kernel {
  std::string name;
  std::vector<std::string> lines;  // without the mistakes
  std::vector<mistake> mistakes;
  std::vector<map_request> maps;
  unsigned grid = 1, block = 1, cluster = 1, shared = 0;
};

inline std::string trimmed(std::string const& text) {
  auto const first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

inline std::vector<std::string> split(std::string const& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(trimmed(part));
  return parts;
}

inline mistake read_mistake(std::string const& text, std::size_t line) {
  mistake made;
  auto const arrow = text.rfind("=>"), name_end = text.find(": "), words = text.find(": ", arrow);
  REQUIRE((arrow != std::string::npos && words != std::string::npos && name_end < arrow));
  made.name = trimmed(text.substr(0, name_end));
  made.replacement = trimmed(text.substr(name_end + 1, arrow - name_end - 1));
  made.kinds = split(text.substr(arrow + 2, words - arrow - 2), '|');
  made.words = split(text.substr(words + 2), '|');
  made.line = line;
  return made;
}

inline kernel read_kernel(std::filesystem::path const& path) {
  kernel made;
  made.name = path.stem().string();
  std::ifstream file(path);
  REQUIRE(file.good());
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("// launch: ", 0) == 0) {
      std::istringstream words(line.substr(11));
      for (std::string what; words >> what;)
        words >> (what == "grid"      ? made.grid
                  : what == "block"   ? made.block
                  : what == "cluster" ? made.cluster
                                      : made.shared);
    }
    if (line.rfind("// maps: ", 0) == 0)
      for (auto const& each : split(line.substr(9), ',')) {
        std::istringstream words(each);
        map_request wanted;
        char by = 0;
        std::string swizzle;
        words >> wanted.of >> wanted.columns >> by >> wanted.rows >> swizzle;
        wanted.swizzle = swizzle == "32B" ? 1 : swizzle == "64B" ? 2 : swizzle == "128B" ? 3 : 0;
        made.maps.push_back(wanted);
      }
    auto const mark = line.find("//!");
    std::string const code = trimmed(line.substr(0, mark));
    if (mark == std::string::npos || !code.empty()) made.lines.push_back(line.substr(0, mark));
    if (mark != std::string::npos)
      made.mistakes.push_back(read_mistake(line.substr(mark + 3), made.lines.size() - 1));
  }
  return made;
}

inline std::vector<kernel> const& kernels() {
  static auto const list = [] {
    std::vector<std::filesystem::path> paths;
    for (auto const& each :
         std::filesystem::directory_iterator(std::string(MACHINE_KERNELS) + "/../breaks"))
      if (each.path().extension() == ".ptx") paths.push_back(each.path());
    std::sort(paths.begin(), paths.end());
    std::vector<kernel> made;
    for (auto const& path : paths) made.push_back(read_kernel(path));
    return made;
  }();
  return list;
}

inline std::string text_of(kernel const& from, mistake const* with) {
  std::string text;
  for (std::size_t k = 0; k < from.lines.size(); ++k)
    text += (with != nullptr && with->line == k ? with->replacement : from.lines[k]) + "\n";
  return text;
}

/// The number of bytes that the kernel of this name copies.
inline std::size_t bytes_moved(kernel const& of) {
  static std::map<std::string, std::size_t> const sizes = {
      {"staged", 256},  {"named", 512},      {"pipeline", 4096}, {"bulk", 2048},
      {"tensor", 4096}, {"product", 2048},   {"core", 2048},     {"cluster", 256},
      {"warp", 128},    {"registers", 1024}, {"columns", 512},   {"tensor_core", 4096},
      {"pair", 8192},   {"flags", 256},      {"counter", 512},   {"handover", 512}};
  return sizes.at(of.name);
}

inline machine::argument map_of(map_request const& wanted, std::uint64_t address) {
  std::uint64_t const extents[] = {wanted.columns, wanted.rows},
                      strides[] = {std::uint64_t{wanted.columns} * 2};
  std::uint32_t const steps[] = {1, 1}, box[] = {wanted.columns, wanted.rows};
  machine::tensor::map_arguments what;
  what.type = 9;  // bf16
  what.rank = 2;
  what.address = address;
  what.extents = extents;
  what.strides = strides;
  what.element_strides = steps;
  what.swizzle = wanted.swizzle;
  alignas(64) std::array<std::byte, 128> bytes;
  auto const problem = machine::tensor::encode_tiled(bytes.data(), what, box);
  INFO(problem.value_or(""));
  REQUIRE(!problem);
  return {bytes.data(), bytes.size()};
}

/// Runs a kernel. True if it copied `in` to `out`. Throws the machine's error.
inline bool run(kernel const& of, std::string const& text, machine::launch_options const& how) {
  machine::device on;
  std::vector<std::uint16_t> values(bytes_moved(of) / 2);
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = static_cast<std::uint16_t>(0x3f80 + k % 100);  // bf16 near 1
  array<std::uint16_t> const out(on, values.size()), in(on, values);
  std::vector<machine::argument> arguments{out, in};
  for (auto const& each : of.maps)
    arguments.push_back(map_of(each, each.of == "in" ? in.address() : out.address()));
  machine::load(text, on).launch("k", {of.grid}, {of.block}, {of.cluster}, of.shared, arguments,
                                 how);
  return out.values() == values;
}

}  // namespace machine_test::breaks
