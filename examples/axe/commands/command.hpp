// The commands of `axe`. Each writes an answer on `out` or a sentence on `err`, and returns a code:
//
//     0   answered
//     1   eval: a malformed line; diff and check-sharding with --exit-code: A and B differ;
//         explain: an element is not as defined (a bug); a file could not be written
//     2   bad input: nothing on `out`, no file; diff --exit-code: a file could not be written;
//         memory is exhausted, or `out` fails: a part of the answer may have been written
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace program {

struct command {
  char const* name;
  char const* summary;  // the line about the command in `axe --help`
  int (*run)(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
  std::string (*help)();
  /// Returns the help of one kind, such as `axe plan copy --help`. Null if a command has no kinds.
  std::string (*help_of_kind)(std::string const& kind) = nullptr;
};

std::vector<command> const& commands();

int run_map(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_table(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_owner(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_diff(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_check_sharding(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_notation(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_draw(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_plan(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_explain(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_eval(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int run_completion(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);

std::string help_map();
std::string help_table();
std::string help_owner();
std::string help_diff();
std::string help_check_sharding();
std::string help_notation();
std::string help_draw();
std::string help_plan();
std::string help_plan_of_kind(std::string const& kind);
std::string help_explain();
std::string help_eval();
std::string help_completion();

/// Returns the text of `axe --help`.
std::string help();

/// Runs `axe WORDS`. Returns the exit code.
int run(std::vector<std::string> const& words, std::ostream& out, std::ostream& err);

/// Runs `axe WORDS` on standard output and standard error, and reports if writing failed. Returns
/// the exit code of the process.
int run_process(std::vector<std::string> const& words);

inline constexpr int answered = 0;
inline constexpr int malformed = 1;
inline constexpr int differ = 1;
inline constexpr int disagrees = 1;
inline constexpr int not_written = 1;
inline constexpr int bad_input = 2;

}  // namespace program
