// Finds the statements to remove or to weaken. A statement ends at ';', a brace or a label;
// comments and .loc are skipped. The removed statements have no braces in their operands.
#include "mutate/mutate.hpp"

#include <algorithm>
#include <string_view>

namespace machine {
namespace {

bool starts_with_any(std::string_view opcode, std::initializer_list<std::string_view> stems) {
  return std::any_of(stems.begin(), stems.end(),
                     [&](auto stem) { return opcode.starts_with(stem); });
}

/// True for statements to remove. Barriers with a vote are excluded, because programs use their
/// result.
bool synchronises(std::string_view opcode) {
  if (opcode.find(".red.") != std::string_view::npos) return false;
  return starts_with_any(opcode, {"bar.",
                                  "barrier.",
                                  "membar",
                                  "fence",
                                  "mbarrier.arrive",
                                  "mbarrier.init",
                                  "mbarrier.expect_tx",
                                  "mbarrier.try_wait",
                                  "mbarrier.test_wait",
                                  "cp.async.wait",
                                  "cp.async.commit_group",
                                  "cp.async.bulk.wait_group",
                                  "cp.async.bulk.commit_group",
                                  "cp.async.mbarrier.arrive",
                                  "wgmma.fence",
                                  "wgmma.commit_group",
                                  "wgmma.wait_group",
                                  "tcgen05.wait",
                                  "tcgen05.fence",
                                  "tcgen05.commit",
                                  "tcgen05.dealloc",
                                  "griddepcontrol.wait"});
}

/// Returns the statement with .relaxed: "st.release.gpu.global.u32 [f], 1" becomes "st.relaxed...".
/// Returns an empty string for a statement without such an order.
std::string weakened(std::string_view opcode, std::string statement) {
  if (!starts_with_any(opcode, {"ld.", "st.", "atom.", "red."})) return "";
  for (std::string_view const order : {".acquire", ".release", ".acq_rel"})
    if (opcode.find(order) != std::string_view::npos) {
      std::replace(statement.begin(), statement.end(), '\n', ' ');
      return statement.replace(statement.find(order), order.size(), ".relaxed");
    }
  return "";
}

bool is_space(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

/// Returns the text with comments replaced by blanks, so that positions stay the same.
std::string without_comments(std::string text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*')) continue;
    bool const line = text[at + 1] == '/';
    std::size_t end = line ? text.find('\n', at) : text.find("*/", at + 2);
    end = end == std::string::npos ? text.size() : line ? end : end + 2;
    for (; at < end; ++at)
      if (text[at] != '\n') text[at] = ' ';
    --at;
  }
  return text;
}

/// Returns the range from the name of an entry to the closing brace of its body, or an empty range.
std::pair<std::size_t, std::size_t> body_of(std::string const& text, std::string const& entry) {
  for (auto at = text.find(".entry"); at != std::string::npos; at = text.find(".entry", at + 1)) {
    auto const name = text.find_first_not_of(" \t\r\n", at + 6);
    auto const behind = name == std::string::npos ? name : text.find_first_of(" \t\r\n(", name);
    if (behind == std::string::npos || text.substr(name, behind - name) != entry) continue;
    int depth = 0;
    for (auto here = text.find('{', behind); here < text.size(); ++here) {
      depth += text[here] == '{';
      depth -= text[here] == '}';
      if (depth == 0) return {at, here + 1};
    }
  }
  return {0, 0};
}

/// Adds a site if the statement at [begin, end) is one to remove or to weaken.
void add_site(std::string const& text, std::size_t begin, std::size_t end, int line,
              std::vector<mutation_site>& list) {
  for (;;) {
    while (begin < end && is_space(text[begin])) line += text[begin++] == '\n';
    if (text.compare(begin, 4, ".loc") != 0) break;  // a directive without ';'
    begin = std::min(text.find('\n', begin), end);
  }
  std::size_t at = begin;
  if (at < end && text[at] == '@') {
    while (at < end && !is_space(text[at])) ++at;
    while (at < end && is_space(text[at])) ++at;
  }
  std::string_view const rest(text.data() + at, end - at);
  auto const opcode = rest.substr(0, std::min(rest.find_first_of(" \t\n\r;"), rest.size()));
  mutation_site site{line, text.substr(begin, end - begin), begin, ""};
  site.replacement = weakened(opcode, site.statement);
  if (!synchronises(opcode) && site.replacement.empty()) return;
  if (opcode.find("_wait") != std::string_view::npos && opcode.starts_with("mbarrier")) {
    auto const first = rest.find_first_not_of(" \t\n\r", opcode.size());
    auto const comma = rest.find(',');
    if (first == std::string_view::npos || comma == std::string_view::npos) return;
    site.replacement = "setp.eq.u32 " + std::string(rest.substr(first, comma - first)) + ", 0, 0";
  }
  list.push_back(std::move(site));
}

}  // namespace

std::vector<mutation_site> mutation_sites(std::string const& ptx, std::string const& entry) {
  std::string text = without_comments(ptx);
  if (!entry.empty()) {  // blank out the rest of the text
    auto const [first, last] = body_of(text, entry);
    for (std::size_t at = 0; at < text.size(); ++at)
      if ((at < first || at >= last) && text[at] != '\n') text[at] = ' ';
  }
  std::vector<mutation_site> list;
  int line = 1, begin_line = 1;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char const letter = text[at];
    if (letter == ';') add_site(text, begin, at, begin_line, list);
    line += letter == '\n';
    bool const label = letter == ':' && (at + 1 == text.size() || is_space(text[at + 1]));
    if (letter == ';' || letter == '{' || letter == '}' || label) {
      begin = at + 1;
      begin_line = line;
    }
  }
  return list;
}

std::string without(std::string const& ptx, mutation_site const& site) {
  std::string text = ptx;
  std::string instead = site.replacement;
  // Keeps the line breaks of the statement. Without a replacement its ';' is removed too.
  for (char const letter : site.statement)
    if (letter == '\n') instead += '\n';
  text.replace(site.begin, site.statement.size() + (site.replacement.empty() ? 1 : 0), instead);
  return text;
}

}  // namespace machine
