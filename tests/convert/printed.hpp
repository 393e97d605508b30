// Parses the printed text of a plan and executes it on 32 lanes, without headers of the library.
//
//     registers::file target(plan.target_words);
//     char const* wrong = printed::execute(text, source, target);        null, or an error
//
// The numbers of steps in the text's first line must be those of the lines below it.
#pragma once

#include "registers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>

namespace printed {

using lanes = std::array<std::uint32_t, 32>;

/// A position in the text. `fine` becomes false at the first character that is not expected.
struct reader {
  char const* at;
  bool fine = true;

  bool see(char const* words) {
    std::size_t const n = std::strlen(words);
    if (std::strncmp(at, words, n) != 0) return false;
    at += n;
    return true;
  }
  void expect(char const* words) { fine = see(words) && fine; }
  std::uint32_t number(unsigned base = 10) {
    std::uint32_t n = 0;
    char const* const first = at;
    for (;; ++at) {
      bool const is_digit = *at >= '0' && *at <= '9',
                 is_letter = base == 16 && *at >= 'a' && *at <= 'f';
      if (!is_digit && !is_letter) break;
      n = n * base + static_cast<unsigned>(is_digit ? *at - '0' : *at - 'a' + 10);
    }
    fine = fine && at != first;
    return n;
  }
  /// Skips the rest of the line.
  void skip_line() {
    while (*at != '\0' && *at != '\n') ++at;
    if (*at == '\n') ++at;
  }
};

/// One execution of the text's lines. A text with repeats is executed several times.
struct run {
  registers::file const& source;
  registers::file& target;
  std::size_t source_from, target_from;
  std::map<std::uint32_t, lanes> made = {};
  int shuffles = 0, selects = 0, permutes = 0, selectors = 0;

  /// Reads a source word `s3`, a computed value `v4` or a constant `0x5410`.
  lanes value(reader& in) {
    lanes all{};
    if (in.see("0x")) {
      all.fill(in.number(16));
    } else if (in.see("v")) {
      auto const found = made.find(in.number());
      if (found == made.end())
        in.fine = false;
      else
        all = found->second;
    } else {
      in.expect("s");
      std::size_t const word = in.number() + source_from,
                        words = static_cast<std::size_t>(source.words);
      in.fine = in.fine && word < words;
      for (std::size_t l = 0; l < 32 && in.fine; ++l) all[l] = source.word[l * words + word];
    }
    return all;
  }

  /// Reads `lane & 2`, `odd bits of lane & 3` or `lane in 0x0000ffff`: 1 in the lanes described,
  /// else 0.
  static lanes chosen(reader& in) {
    lanes all{};
    if (in.see("lane in 0x")) {
      std::uint32_t const mask = in.number(16);
      for (std::size_t l = 0; l < 32; ++l) all[l] = mask >> l & 1;
      return all;
    }
    if (!in.see("odd bits of lane & ")) in.expect("lane & ");
    std::uint32_t const bits = in.number();
    for (std::uint32_t l = 0; l < 32; ++l)
      for (std::uint32_t b = 0; b < 5; ++b) all[l] ^= (l & bits) >> b & 1;
    return all;
  }

  /// Reads `lane & 2 ? s3 : v4` and returns the chosen word of each lane.
  lanes choice(reader& in) {
    lanes const which = chosen(in);
    in.expect(" ? ");
    lanes const one = value(in);
    in.expect(" : ");
    lanes all = value(in);
    for (std::size_t l = 0; l < 32; ++l)
      if (which[l] != 0) all[l] = one[l];
    return all;
  }

  lanes shuffle(reader& in) {
    lanes const read = value(in);
    lanes all{};
    in.expect(" from lane");
    if (in.see(" ^ ")) {
      std::uint32_t const mask = in.number();
      for (std::uint32_t l = 0; l < 32; ++l) all[l] = read[(l ^ mask) % 32];
      return all;
    }
    for (std::uint32_t& to : all) {
      in.expect(" ");
      std::uint32_t const from = in.number();
      in.fine = in.fine && from < 32;
      to = read[from % 32];
    }
    return all;
  }

  /// Nibble i of the selector is the number of byte i of the result: 0 to 3 name bytes of the first
  /// word, 4 to 7 bytes of the second.
  lanes permute(reader& in) {
    lanes const first = value(in);
    in.expect(", ");
    lanes const second = value(in);
    in.expect(", ");
    lanes const selector = value(in);
    lanes all{};
    for (std::size_t l = 0; l < 32; ++l)
      for (unsigned i = 0; i < 4; ++i) {
        std::uint32_t const nibble = selector[l] >> (4 * i) & 15;
        in.fine = in.fine && nibble < 8;
        std::uint32_t const word = nibble < 4 ? first[l] : second[l];
        all[l] |= (word >> (8 * (nibble & 3)) & 0xff) << (8 * i);
      }
    return all;
  }

  lanes step(reader& in) {
    lanes all{};
    if (in.see("select(")) {
      ++selects;
      all = choice(in);
    } else if (in.see("selector(")) {
      ++selectors;
      all = choice(in);
    } else if (in.see("shuffle(")) {
      ++shuffles;
      all = shuffle(in);
    } else {
      ++permutes;
      in.expect("permute(");
      all = permute(in);
    }
    in.expect(")");
    return all;
  }

  /// Executes all lines up to the end of the text.
  void lines(reader& in) {
    while (in.fine && *in.at != '\0') {
      if (in.see("v")) {
        std::uint32_t const name = in.number();
        in.expect(" = ");
        made[name] = step(in);
      } else {
        in.expect("t");
        std::size_t const word = in.number() + target_from,
                          words = static_cast<std::size_t>(target.words);
        in.expect(" = ");
        lanes const all = value(in);
        in.fine = in.fine && word < words;
        for (std::size_t l = 0; l < 32 && in.fine; ++l) target.word[l * words + word] = all[l];
      }
      if (*in.at != '\0') in.expect("\n");
    }
  }
};

/// True if the first line says that the plan has n steps of the kind `one`.
inline bool counts(std::string const& first_line, int n, char const* one) {
  return first_line.find(" " + std::to_string(n) + " " + one + (n == 1 ? "" : "s")) !=
         std::string::npos;
}

/// True if the first line names these numbers of registers: "2 registers of 8-bit elements into 1".
inline bool names_sizes(std::string const& first_line, int source, int target) {
  std::string const elements = "-bit elements";
  std::size_t const end = first_line.find(elements);
  if (end == std::string::npos || !counts(first_line.substr(0, end), source, "register"))
    return false;
  std::size_t const rest = end + elements.size();
  return first_line.substr(rest, first_line.find(';') - rest) ==
         (target == source ? "" : " into " + std::to_string(target));
}

/// Executes a plan without steps: every register keeps its number.
inline void copy_registers(registers::file const& source, registers::file& target) {
  std::size_t const from = static_cast<std::size_t>(source.words),
                    to = static_cast<std::size_t>(target.words);
  for (std::size_t l = 0; l < 32; ++l)
    for (std::size_t w = 0; w < std::min(from, to); ++w)
      target.word[l * to + w] = source.word[l * from + w];
}

/// The numbers that one execution adds to the source words and to the target words.
using shift = std::pair<std::uint32_t, std::uint32_t>;

/// Reads `2 times, source and target words shifted by 0,0 4,2`, if the text has this line. Empty if
/// the line has another number of shifts than it says.
inline std::vector<shift> read_shifts(reader& in) {
  if (*in.at < '0' || *in.at > '9') return {{0, 0}};
  std::vector<shift> all;
  std::uint32_t const times = in.number();
  in.expect(" times, source and target words shifted by");
  while (in.fine && in.see(" ")) {
    std::uint32_t const from = in.number();
    in.expect(",");
    all.push_back({from, in.number()});
  }
  in.expect("\n");
  if (all.size() != times) all.clear();
  return all;
}

/// True if the first line counts these steps.
inline bool counts_steps(std::string const& first_line, int shuffles, int selects, int permutes,
                         int selectors) {
  return shuffles + selects + permutes + selectors == 0 ||
         (counts(first_line, shuffles, "shuffle") && counts(first_line, selects, "select") &&
          counts(first_line, permutes, "byte permute") &&
          counts(first_line, selectors, "selector"));
}

/// Executes the text on the registers. Returns null, or what is wrong with the text.
inline char const* execute(std::string const& text, registers::file const& source,
                           registers::file& target) {
  std::string const first_line = text.substr(0, text.find('\n'));
  if (first_line.compare(0, 6, "warps:") == 0) return "a plan through shared memory has no lines";
  if (!names_sizes(first_line, source.words, target.words))
    return "the first line has wrong numbers of registers";
  if (first_line.compare(0, 8, "nothing:") == 0) {
    copy_registers(source, target);
    return text == first_line ? nullptr : "the plan moves nothing, but the text has lines";
  }
  reader steps{text.c_str()};
  steps.skip_line();
  std::vector<shift> const shifts = read_shifts(steps);
  if (shifts.empty()) return "the number of shifts is not the number of times";
  int shuffles = 0, selects = 0, permutes = 0, selectors = 0;
  for (auto const& [from, to] : shifts) {
    reader in = steps;
    run one{source, target, from, to};
    one.lines(in);
    if (!in.fine) return "a line is malformed, or names a word that does not exist";
    shuffles += one.shuffles;
    selects += one.selects;
    permutes += one.permutes;
    selectors = one.selectors;  // not a sum: they are computed once for all executions
  }
  return counts_steps(first_line, shuffles, selects, permutes, selectors)
             ? nullptr
             : "the first line counts the steps wrongly";
}

}  // namespace printed
