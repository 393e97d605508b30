// machine_fuzz checks that the PTX machine rejects or runs any text, and never crashes. Build it
// with sanitizers.
//
//     machine_fuzz --cases 100000 --seed 1        or: ./run fuzz --machine
//
// A case is a kernel of kernels/ or breaks/ after up to four random changes: cuts, insertions,
// other numbers, moved lines. Some cases are random bytes. Texts that still decode are launched
// for a few thousand instructions, with valid and invalid pointers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "machine.hpp"

namespace {

/// The generator xorshift64*.
struct noise {
  std::uint64_t state;
  std::uint64_t operator()() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull;
  }
  std::size_t below(std::size_t bound) {
    return bound == 0 ? 0 : static_cast<std::size_t>(operator()() % bound);
  }
};

std::vector<std::string> sources() {
  std::vector<std::filesystem::path> files;
  for (char const* folder : {MACHINE_KERNELS, MACHINE_BREAKS})
    for (auto const& each : std::filesystem::directory_iterator(folder))
      if (each.path().extension() == ".ptx") files.push_back(each.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (auto const& each : files) {
    std::ifstream in(each);
    std::ostringstream text;
    text << in.rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

/// Returns a random part of the text, at most 1024 characters.
std::string_view piece_of(std::string const& text, noise& random) {
  std::size_t const begin = random.below(text.size()),
                    length = 1 + random.below(std::size_t{1} << random.below(11));
  return std::string_view(text).substr(begin, length);
}

void replace_number(std::string& text, noise& random) {
  static char const* const numbers[] = {"0",
                                        "-1",
                                        "4294967295",
                                        "4294967296",
                                        "18446744073709551615",
                                        "99999999999999999999999",
                                        "1073741824",
                                        "0x7fffffffffffffff",
                                        "33",
                                        "65",
                                        "0f7fc00000",
                                        "0d7ff0000000000000",
                                        "1e999"};
  std::size_t at = text.find_first_of("0123456789", random.below(text.size()));
  if (at == std::string::npos) return;
  std::size_t const end = text.find_first_not_of("0123456789", at);
  text.replace(at, end == std::string::npos ? end : end - at,
               numbers[random.below(std::size(numbers))]);
}

std::string changed(std::vector<std::string> const& all, noise& random) {
  std::string text = all[random.below(all.size())];
  for (std::size_t k = 1 + random.below(4); k > 0 && !text.empty(); --k) {
    std::size_t const at = random.below(text.size());
    switch (random.below(10)) {
      case 0: text.resize(at); break;
      case 1: text[at] = static_cast<char>(random()); break;
      case 2: text.erase(at, 1 + random.below(60)); break;
      case 3: text.insert(at, piece_of(text, random)); break;
      case 4: text.insert(at, piece_of(all[random.below(all.size())], random)); break;
      case 5:
      case 6: replace_number(text, random); break;
      case 7:
        text.insert(at,
                    std::string(random.below(3) == 0 ? 100'000 : 40, "{(\"[,;.%"[random.below(8)]));
        break;
      case 8: {  // moves a line to the end
        std::size_t const one = text.find('\n', at),
                          two = one == std::string::npos ? one : text.find('\n', one + 1);
        if (two != std::string::npos)
          text += std::string(text.substr(one, two - one)), text.erase(one, two - one);
        break;
      }
      default:
        for (auto& c : text)
          if (random.below(3000) == 0) c = static_cast<char>(random.below(128));
    }
  }
  if (random.below(50) == 0)
    for (auto& c : text) c = static_cast<char>(random());
  return text;
}

struct outcomes {
  unsigned long rejected = 0, decoded = 0, stopped = 0, ran = 0;
};

void run_case(std::string const& text, noise& random, outcomes& seen) {
  machine::device on(std::uint64_t{1} << 30);
  auto const memory = on.allocate(1 << 16);
  on.fill(memory, 0, 1 << 16);
  try {
    auto program = machine::load(text, on);
    for (auto const& entry : program.entries()) {
      auto const code = program.decode(entry);
      ++seen.decoded;
      std::vector<machine::argument> values;
      for (auto const& each : code->parameters) {
        std::vector<std::uint64_t> bytes(
            each.bytes / 8 + 1, random.below(4) == 0 ? random() : memory + 256 * random.below(32));
        if (each.bytes < 8) bytes[0] = random.below(300);
        values.emplace_back(bytes.data(), each.bytes);
      }
      machine::launch_options how;
      how.instruction_limit = 4000;
      how.threads = 1 + static_cast<unsigned>(random.below(2));
      how.strict = random.below(2) == 0;
      how.when = static_cast<machine::landing>(random.below(3));
      how.seed = random.below(3);
      how.count = random.below(4) == 0;
      unsigned const threads = 1 + static_cast<unsigned>(random.below(256));
      try {
        program.launch(entry, {1 + static_cast<unsigned>(random.below(3))}, {threads}, {},
                       static_cast<unsigned>(random.below(65536)), values, how);
        ++seen.ran;
      } catch (machine::error const&) { ++seen.stopped; }
    }
  } catch (machine::error const&) { ++seen.rejected; }
}

}  // namespace

int main(int count, char** given) {
  unsigned long cases = 20'000, seed = 1;
  for (int i = 1; i < count; ++i) {
    bool const has_value = i + 1 < count;
    if (std::strcmp(given[i], "--cases") == 0 && has_value)
      cases = std::strtoul(given[++i], nullptr, 10);
    else if (std::strcmp(given[i], "--seed") == 0 && has_value)
      seed = std::strtoul(given[++i], nullptr, 10);
    else
      return std::fprintf(stderr, "usage: machine_fuzz [--cases N] [--seed N]\n"), 2;
  }
  auto const texts = sources();
  outcomes seen;
  for (unsigned long k = 0; k < cases; ++k) {
    noise random{(seed << 32 | k) * 2 + 1};
    for (int warm = 0; warm < 8; ++warm) random();
    std::string const text = changed(texts, random);
    // Writes the text before it runs, so that the text of a crash remains.
    if (char const* const keep = std::getenv("AXE_MACHINE_FUZZ_TEXT"))
      std::ofstream(keep, std::ios::binary) << text;
    run_case(text, random, seen);
    if ((k + 1) % (cases / 20 + 1) == 0)
      std::fprintf(stderr, "    %lu of %lu cases\n", k + 1, cases);
  }
  std::printf(
      "%lu cases, seed %lu: %lu texts rejected, %lu entries decoded: %lu ran, %lu stopped with a "
      "report\n",
      cases, seed, seen.rejected, seen.decoded, seen.ran, seen.stopped);
  // A run in which no text was rejected, or in which none ran, has tested nothing.
  return seen.rejected != 0 && (seen.ran != 0 || cases < 1000) ? 0 : 1;
}
