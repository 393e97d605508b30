// Writes JSON on one line, for the program `axe`, figures of examples, and the PTX machine.
//
//     json out;
//     out.object().key("size").number(128).key("axis").string("lane").end();
//     out.str()    {"size":128,"axis":"lane"}
//
// With a stream, `json out(stream)`, long answers are written while they grow. flush() writes the
// rest.
#pragma once

#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace text {

class json {
 public:
  json() = default;
  explicit json(std::ostream& out) : to(&out) {}

  json& object() { return open('{', '}'); }
  json& array() { return open('[', ']'); }
  json& end() {
    written.push_back(open_until.back());
    open_until.pop_back();
    return fresh(false);
  }
  json& key(std::string_view name) {
    string(name);
    written.push_back(':');
    return fresh(true);
  }
  template <class Integer> json& number(Integer n) { return raw(std::to_string(n)); }
  /// Writes a number with six digits.
  json& real(double n) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.6g", n);
    return raw(digits);
  }
  json& boolean(bool b) { return raw(b ? "true" : "false"); }
  json& null() { return raw("null"); }
  json& string(std::string_view characters);

  std::string const& str() const { return written; }
  void flush() {
    to->write(written.data(), static_cast<std::streamsize>(written.size()));
    written.clear();
  }

 private:
  json& raw(std::string_view token) {
    separate();
    written += token;
    return fresh(false);
  }
  json& open(char opening, char closing) {
    separate();
    written.push_back(opening);
    open_until.push_back(closing);
    return fresh(true);
  }
  json& fresh(bool is_first) {
    first = is_first;
    if (to != nullptr && written.size() > enough_to_write) flush();
    return *this;
  }
  void separate() {
    if (!first) written.push_back(',');
  }

  static constexpr std::size_t enough_to_write = 1 << 16;

  std::ostream* to = nullptr;
  std::string written;
  std::vector<char> open_until;
  bool first = true;  // true: the next token needs no comma before it
};

/// Escapes quotes, backslashes and control characters. The text must be UTF-8.
inline json& json::string(std::string_view characters) {
  separate();
  written.push_back('"');
  for (char const c : characters) {
    constexpr char const* hex = "0123456789abcdef";
    auto const byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      written.push_back('\\');
      written.push_back(c);
    } else if (byte < 0x20 || byte == 0x7f) {
      written += "\\u00";
      written.push_back(hex[byte >> 4]);
      written.push_back(hex[byte & 15]);
    } else {
      written.push_back(c);
    }
  }
  written.push_back('"');
  return fresh(false);
}

}  // namespace text
