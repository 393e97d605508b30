// Implements the lexer: each branch of advance() reads one kind of token.
#include "text/lexer.hpp"

#include <bit>
#include <charconv>

#include "text/error.hpp"

namespace machine {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool starts_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
constexpr bool continues_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

template <class Number> std::uint64_t digits(std::string_view text, int base, int line) {
  Number value{};
  auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc{} || end != text.data() + text.size() || text.empty())
    fail(trouble::text, line, say("'", text, "' is not a number that fits its width"));
  return value;
}

}  // namespace

token lexer::next() {
  token const taken = ahead_;
  advance();
  return taken;
}

void lexer::skip_blanks_and_comments() {
  while (at_ < text_.size()) {
    char const c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
      auto const end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos)
        fail(trouble::text, line_, "a comment is opened and never closed");
      for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n';
    } else {
      return;
    }
  }
}

void lexer::take_number() {
  std::size_t const start = at_;
  auto const rest = [&] { return at_ < text_.size() ? text_[at_] : '\0'; };
  ahead_.what = token::kind::integer;
  if (text_[at_] == '0' && at_ + 1 < text_.size()) {
    char const mark = text_[at_ + 1];
    std::size_t const width = mark == 'f' || mark == 'F' ? 8 : mark == 'd' || mark == 'D' ? 16 : 0;
    if (width != 0) {  // 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX: exact bit patterns
      ahead_.what = width == 8 ? token::kind::single : token::kind::real;
      ahead_.bits = digits<std::uint64_t>(text_.substr(at_ + 2, width), 16, line_);
      if (text_.size() - at_ < 2 + width)
        fail(trouble::text, line_, "a floating-point literal is cut short");
      at_ += 2 + width;
      ahead_.text = text_.substr(start, at_ - start);
      return;
    }
  }
  while (continues_word(rest())) ++at_;
  if (rest() == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {  // 1.5, 2.0e3
    ++at_;
    while (continues_word(rest())) ++at_;
    if ((rest() == '-' || rest() == '+') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E')) {
      ++at_;
      while (is_digit(rest())) ++at_;
    }
    double value = 0;
    auto const [end, code] = std::from_chars(text_.data() + start, text_.data() + at_, value);
    if (code != std::errc{} || end != text_.data() + at_)
      fail(trouble::text, line_, say("'", text_.substr(start, at_ - start), "' is not a number"));
    ahead_.what = token::kind::real;
    ahead_.bits = std::bit_cast<std::uint64_t>(value);
  } else {
    std::string_view body = text_.substr(start, at_ - start);
    if (body.size() > 1 && body.back() == 'U') body.remove_suffix(1);
    int base = 10;
    if (body.size() > 1 && body[0] == '0') {
      char const mark = body[1];
      base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
      body.remove_prefix(base == 8 ? 1 : 2);
    }
    ahead_.bits = digits<std::uint64_t>(body, base, line_);
  }
  ahead_.text = text_.substr(start, at_ - start);
}

void lexer::advance() {
  skip_blanks_and_comments();
  ahead_ = token{token::kind::end, line_, text_.substr(at_, 0), 0};
  if (at_ >= text_.size()) return;
  std::size_t const start = at_;
  char const c = text_[at_];
  char const after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (starts_word(c)) {
    ++at_;
    while (at_ < text_.size() && continues_word(text_[at_])) ++at_;
    ahead_.what = token::kind::word;
  } else if (c == '.' && (continues_word(after) || after == '_')) {
    ++at_;
    while (at_ < text_.size()) {
      if (continues_word(text_[at_])) {
        ++at_;
      } else if (text_.compare(at_, 2, "::") == 0) {
        at_ += 2;
      } else {
        break;
      }
    }
    ahead_.what = token::kind::dotted;
  } else if (is_digit(c)) {
    take_number();
    return;
  } else if (c == '"') {
    auto const end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos)
      fail(trouble::text, line_, "a string is opened and never closed");
    ahead_.what = token::kind::string;
    ahead_.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return;
  } else if (std::string_view(",;:()[]{}<>+-*/=!|@&~^?").find(c) != std::string_view::npos) {
    ++at_;
    ahead_.what = token::kind::punctuation;
  } else {
    fail(trouble::text, line_,
         say("unexpected character with code ", static_cast<int>(static_cast<unsigned char>(c)),
             "; this does not look like PTX"));
  }
  ahead_.text = text_.substr(start, at_ - start);
}

}  // namespace machine
