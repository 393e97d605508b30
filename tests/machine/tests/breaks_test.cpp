// The kernels of breaks/: each is legal and copies `in` to `out` in a roundabout way, and carries its own mistakes in comments.
//
//     bar.sync 0;    //! no barrier before reading: => race: no barrier lies between
//
// is the kernel "no barrier before reading" with this line replaced by what stands between ':' and '=>' (here: nothing), which
// must be reported as a race whose sentence contains the words behind the last ':'. '|' separates what is equally right, since
// schedules meet a mistake at different places. A line that begins with //! belongs to the instruction above it.
// The legal kernel is run under 100 schedules and never reported.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support_machine.hpp"
#include "tensor/tensor_map.hpp"

using machine::launch_options;
using machine_test::array;

namespace {

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

std::string trimmed(std::string const& text) {
  auto const first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> split(std::string const& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(trimmed(part));
  return parts;
}

mistake read_mistake(std::string const& text, std::size_t line) {
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

kernel read_kernel(std::filesystem::path const& path) {
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

std::vector<kernel> const& kernels() {
  static auto const list = [] {
    std::vector<std::filesystem::path> paths;
    for (auto const& each : std::filesystem::directory_iterator(std::string(MACHINE_KERNELS) + "/../breaks"))
      if (each.path().extension() == ".ptx") paths.push_back(each.path());
    std::sort(paths.begin(), paths.end());
    std::vector<kernel> made;
    for (auto const& path : paths) made.push_back(read_kernel(path));
    return made;
  }();
  return list;
}

std::string text_of(kernel const& from, mistake const* with) {
  std::string text;
  for (std::size_t k = 0; k < from.lines.size(); ++k)
    text += (with != nullptr && with->line == k ? with->replacement : from.lines[k]) + "\n";
  return text;
}

/// How many bytes the kernel moves: the threads of its text know.
std::size_t bytes_of(kernel const& of) {
  static std::map<std::string, std::size_t> const sizes = {
      {"staged", 256},   {"named", 512}, {"pipeline", 4096}, {"bulk", 2048}, {"tensor", 4096},
      {"product", 2048}, {"core", 2048}, {"cluster", 256},   {"warp", 128}};
  return sizes.at(of.name);
}

machine::argument map_of(map_request const& wanted, std::uint64_t address) {
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

/// Runs it; true when `out` is `in` afterwards. Throws what the machine reports.
bool run(kernel const& of, std::string const& text, launch_options const& how) {
  machine::device on;
  std::vector<std::uint16_t> values(bytes_of(of) / 2);
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = static_cast<std::uint16_t>(0x3f80 + k % 100);  // bf16 near 1
  array<std::uint16_t> const out(on, values.size()), in(on, values);
  std::vector<machine::argument> arguments{out, in};
  for (auto const& each : of.maps)
    arguments.push_back(map_of(each, each.of == "in" ? in.address() : out.address()));
  machine::load(text, on).launch("k", {of.grid}, {of.block}, {of.cluster}, of.shared, arguments, how);
  return out.values() == values;
}

launch_options schedule(std::uint64_t number) {
  launch_options how;
  how.when = number == 0   ? machine::landing::at_once
             : number == 1 ? machine::landing::late
                           : machine::landing::random;
  how.seed = number < 2 ? 0 : number;
  how.strict = true;
  how.instruction_limit = 300'000;
  return how;
}

bool says(std::string const& sentence, std::vector<std::string> const& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](auto const& each) { return sentence.find(each) != std::string::npos; });
}

}  // namespace

TEST_CASE("the legal kernels copy, and are not reported under 100 schedules", "[breaks]") {
  for (auto const& each : kernels())
    for (std::uint64_t number = 0; number < 100; ++number) {
      INFO(each.name << ", schedule " << number);
      std::string told;
      try {
        CHECK(run(each, text_of(each, nullptr), schedule(number)));
      } catch (machine::error const& wrong) { told = wrong.what(); }
      REQUIRE(told == "");
    }
}

TEST_CASE("each mistake is reported, with the right sentence", "[breaks]") {
  std::size_t count = 0;
  for (auto const& each : kernels())
    for (auto const& wrong : each.mistakes) {
      ++count;
      bool reported = false;
      std::string others;
      for (std::uint64_t number = 0; number < 12 && !reported; ++number) {
        try {
          run(each, text_of(each, &wrong), schedule(number));
        } catch (machine::error const& told) {
          auto const& report = told.details();
          bool const right =
              std::find(wrong.kinds.begin(), wrong.kinds.end(), name_of(report.what)) != wrong.kinds.end() &&
              says(report.sentence, wrong.words);
          reported = right;
          if (!right && others.empty()) others = "schedule " + std::to_string(number) + ": " + told.what();
        }
      }
      INFO(each.name << ": " << wrong.name << "\n" << others);
      CHECK((reported && others.empty()));
    }
  CHECK(count >= 80);
}
