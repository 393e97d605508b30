// Fuzzes `axe eval` with any lines as a session. No line may stop the program, and the text of an
// answered layout must evaluate to the same layout.
#include "eval/json.hpp"
#include "eval/session.hpp"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  constexpr axe::integer steps = 300;
  constexpr int most_lines = 8;
  std::string_view text(reinterpret_cast<char const*>(data), size);
  calculator::session session(steps);
  for (int line = 0; line < most_lines && !text.empty(); ++line) {
    std::size_t const end = text.find('\n');
    calculator::answer const a = session.evaluate(text.substr(0, end));
    calculator::to_json(a, line);
    if (a.how == calculator::outcome_of_line::answered &&
        calculator::kind_of(a.held) == calculator::kind::layout &&
        session.evaluate(a.words).words != a.words)
      __builtin_trap();
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  return 0;
}
