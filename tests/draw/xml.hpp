// Checks that a text is well-formed XML: a declaration, elements, attributes and character data.
//
//     xml_mistake("<a><b x=\"1\"/></a>") == ""
//     xml_mistake("<a><b></a>")          == "9: </a> closes <b>"
//
// Other entities than the five that XML predefines, comments and CDATA count as mistakes.
#pragma once

#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace axe_test {

class xml_reader {
 public:
  explicit xml_reader(std::string const& text) : text_(text) {}

  std::string mistake() {
    if (text_.rfind("<?xml ", 0) == 0) at_ = text_.find("?>") + 2;
    while (wrong_.empty() && at_ < text_.size()) text_[at_] == '<' ? tag() : data();
    if (wrong_.empty() && !open_.empty()) fail("<" + open_.back() + "> is not closed");
    if (wrong_.empty() && roots_ != 1) fail("there must be one root");
    return wrong_;
  }

 private:
  void fail(std::string const& what) {
    if (wrong_.empty()) wrong_ = std::to_string(at_) + ": " + what;
  }

  void entity() {
    for (char const* known : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
      if (text_.compare(at_, std::strlen(known), known) == 0) return;
    fail("'&' does not start an entity");
  }

  void data() {
    char const c = text_[at_];
    if (c == '&') entity();
    if (open_.empty() && c != '\n' && c != ' ') fail("text outside the root");
    ++at_;
  }

  std::string name() {
    std::size_t const from = at_;
    while (at_ < text_.size() && std::strchr(" \n/>=", text_[at_]) == nullptr) ++at_;
    if (from == at_) fail("a name is missing");
    return text_.substr(from, at_ - from);
  }

  void attributes() {
    std::set<std::string> seen;
    while (wrong_.empty() && at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
      ++at_;
      std::string const key = name();
      if (!seen.insert(key).second) fail("attribute " + key + " twice");
      if (text_.compare(at_, 2, "=\"") != 0) return fail("a quoted value is missing");
      for (at_ += 2; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '<') return fail("'<' in an attribute");
        if (text_[at_] == '&') entity();
      }
      ++at_;
    }
  }

  void tag() {
    ++at_;
    if (at_ < text_.size() && text_[at_] == '/') {
      ++at_;
      std::string const closed = name();
      if (open_.empty() || open_.back() != closed)
        return fail("</" + closed + "> closes " +
                    (open_.empty() ? "nothing" : "<" + open_.back() + ">"));
      open_.pop_back();
    } else {
      std::string const opened = name();
      if (open_.empty()) ++roots_;
      attributes();
      if (at_ < text_.size() && text_[at_] == '/')
        ++at_;
      else
        open_.push_back(opened);
    }
    if (at_ >= text_.size() || text_[at_] != '>') return fail("'>' is missing");
    ++at_;
  }

  std::string text_;
  std::size_t at_ = 0;
  int roots_ = 0;
  std::vector<std::string> open_;
  std::string wrong_;
};

inline std::string xml_mistake(std::string const& text) { return xml_reader(text).mistake(); }

}  // namespace axe_test
