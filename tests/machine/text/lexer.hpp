// Splits PTX text into tokens (PTX ISA, "Lexical Elements"): words, dotted words, numbers, strings,
// punctuation.
//
//     ld.global.u32 %r1, [%rd2+4];   ->   ld  .global  .u32  %r1  ,  [  %rd2  +  4  ]  ;
//
// Tokens are views into the text, so adjacent pieces of an opcode can be joined into one view.
// A state space with two colons (".shared::cta") is one dotted word.
#pragma once

#include <cstdint>
#include <string_view>

namespace machine {

struct token {
  // `single` is a float in hexadecimal, 0f3f800000. `real` is a double, 0d3ff0000000000000 or 1.5.
  enum class kind : std::uint8_t { end, word, dotted, integer, single, real, string, punctuation };
  kind what = kind::end;
  int line = 0;
  std::string_view text;
  std::uint64_t bits = 0;  // value of an integer, bit pattern of a float

  [[nodiscard]] bool is(char punctuation) const {
    return what == kind::punctuation && text.front() == punctuation;
  }
  [[nodiscard]] bool is(std::string_view word) const {
    return (what == kind::word || what == kind::dotted) && text == word;
  }
  /// True if `next` follows without white space in between.
  [[nodiscard]] bool touches(token const& next) const {
    return text.data() + text.size() == next.text.data();
  }
};

class lexer {
 public:
  explicit lexer(std::string_view text) : text_(text) { advance(); }

  [[nodiscard]] token const& peek() const { return ahead_; }
  token next();
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  void advance();
  void skip_blanks_and_comments();
  void take_number();
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  token ahead_;
};

}  // namespace machine
