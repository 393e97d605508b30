// axe eval: answers each argument, or each line of standard input, with one line.
//
// It writes all answers before it waits for more input. So a program at the other end of the pipe
// can wait for the answer to each line.
#include "commands/request.hpp"
#include "eval/json.hpp"
#include "eval/notation.hpp"
#include "text/sink.hpp"
#include "text/words.hpp"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ostream>

namespace program {

namespace {

// One more than the longest line that a session accepts, so that the session rejects a longer line.
// The rest of such a line is dropped.
constexpr std::size_t longest_kept = (std::size_t{1} << 24) + 1;

class answers {
 public:
  /// `as` is the notation in which layouts are printed, such as "axe" or "cute".
  answers(calculator::session const& begun, bool as_json, std::string_view as, std::ostream& to,
          std::ostream& notes)
      : session(begun), json(as_json), notation(as), out(to), err(notes) {}

  void line(std::string_view words) {
    if (words.ends_with('\r')) words.remove_suffix(1);
    calculator::answer a = session.evaluate(words);
    translate(a);
    some_malformed = some_malformed || a.how == calculator::outcome_of_line::malformed;
    ++lines;
    for (std::string const& note : a.notes)
      err << "axe eval: line " << lines << " has " << note << '\n';
    written += (json ? calculator::to_json(a, lines) : a.text()) + '\n';
    if (written.size() > enough_to_write) flush();
  }

  void flush() {
    out.write(written.data(), static_cast<std::streamsize>(written.size()));
    out.flush();
    written.clear();
  }

  int exit_code() const { return some_malformed ? malformed : answered; }

 private:
  static constexpr std::size_t enough_to_write = 1 << 16;

  /// Replaces the text of a layout by that in the chosen notation, or by the reason why there is
  /// none.
  void translate(calculator::answer& a) const {
    axe::layout const* const l = std::get_if<axe::layout>(&a.held);
    if (l == nullptr || notation == "axe" || a.how != calculator::outcome_of_line::answered) return;
    axe::shape const s = a.shape ? *a.shape : calculator::dimensions_of(*l);
    std::string words;
    a.why = calculator::print_as(words, *l, s, notation);
    if (a.why) {
      a.how = calculator::outcome_of_line::refused;
      words.clear();
      text::sink to(words);
      axe::print(to, a.why, {l, nullptr, &s});
    } else if (std::string const note = calculator::left_out(*l, notation); !note.empty()) {
      a.notes.push_back(note);
    }
    a.words = words;
  }

  calculator::session session;
  bool json;
  std::string notation;
  std::ostream& out;
  std::ostream& err;
  std::string written;
  bool some_malformed = false;
  axe::integer lines = 0;
};

/// Answers each whole line of a chunk. `begun` keeps the unfinished line for the next chunk.
void answer_lines(std::string_view chunk, std::string& begun, answers& to) {
  for (std::size_t end = chunk.find('\n'); end != chunk.npos; end = chunk.find('\n')) {
    std::string_view const piece = chunk.substr(0, end);
    chunk.remove_prefix(end + 1);
    if (begun.empty()) {
      to.line(piece);
    } else {
      begun.append(piece.substr(0, longest_kept - std::min(longest_kept, begun.size())));
      to.line(begun);
      begun.clear();
    }
  }
  begun.append(chunk.substr(0, longest_kept - std::min(longest_kept, begun.size())));
}

int answer_input(answers& to, std::ostream const& out, std::ostream& err) {
  std::vector<char> buffer(1 << 16);
  std::string begun;
  while (true) {
    ssize_t const got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      err << "axe eval: cannot read standard input: " << std::strerror(errno) << '\n';
      return bad_input;
    }
    if (got == 0) break;
    answer_lines({buffer.data(), static_cast<std::size_t>(got)}, begun, to);
    to.flush();
    if (!out) return bad_input;  // main reports that writing failed
  }
  if (!begun.empty()) to.line(begun);
  to.flush();
  return to.exit_code();
}

}  // namespace

int run_eval(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  text::words const w =
      text::split(given, {{"--json"}, {"--steps", true}, {"--as", true}, {"--axis", true}});
  std::optional<long long> const steps =
      text::positive_number(w.last("--steps").value_or("1000000"));
  if (!w.problem.empty() || !steps) {
    err << "axe eval: "
        << (w.problem.empty() ? "--steps needs a whole number from 1 to 2^63 - 1" : w.problem)
        << "; see axe eval --help\n";
    return bad_input;
  }
  std::string const as = w.last("--as").value_or("axe");
  if (std::find(std::begin(calculator::notations), std::end(calculator::notations), as) ==
      std::end(calculator::notations)) {
    err << "axe eval: --as is axe, cute, tirx or triton, not " << as << '\n';
    return bad_input;
  }
  calculator::session session(*steps);
  if (std::string const why = declare_axes(session, w); !why.empty()) {
    err << "axe eval: " << why << '\n';
    return bad_input;
  }
  answers to(session, w.has("--json"), as, out, err);
  try {
    if (w.rest.empty()) return answer_input(to, out, err);
    for (std::string const& expression : w.rest) to.line(expression);
  } catch (std::exception const&) {  // such as out of memory; run() reports it
    to.flush();
    throw;
  }
  to.flush();
  return to.exit_code();
}

std::string help_eval() {
  std::string text =
      R"(usage: axe eval [--json] [--steps N] [--as NAME] [--axis NAME:KIND] [EXPRESSION ...]

A calculator. Prints one answer for each EXPRESSION, or for each line of standard input.

  layouts      S[(8,4):(4@lane,1@lane)] + R[2:4@warp] + 5@warp
               swizzle(3,3,3) o S[(64,64):(64,1)]
  CuTe, TIRx   (8,4):(1,8)                 T.TileLayout(T.S[(8, 4):(4, 1)])
  Triton       tensor<16x8xf16, #ttg.blocked<{...}>>
  shapes       (8,16)  ((2,4),16)          coordinates  (2,9)
  regions      (2:5, 0:8)                  lists        {(2,8), (4,4)}
  places       8@lane + 6@warp             axes         lane  (lane, warp)  ()
  integers     -3                          boxes        lane: 32, warp: 4
  names        T = S[4:1]                  axis mesh_x : device
               gpuid = 4*mesh_y + mesh_x

An answer is a value, `refused: why` (there is no result, or it is undecided), or
`error: position N: why` (the line is malformed; the exit code is then 1).
--json prints one object for each line. --steps N is the step limit of each search
(default: 1000000). --as cute prints layouts as CuTe does; tirx and triton likewise.
--axis mesh_x:device declares an axis before the first line.

functions:
)";
  for (calculator::function const& f : calculator::functions()) {
    std::string const call = std::string(f.name) + "(" + f.parameters + ")";
    std::size_t const width =
        // The character … takes one column, but three bytes.
        call.size() - (call.find("…") != call.npos ? 2 : 0);
    text += "  " + call + std::string(width < 30 ? 30 - width : 1, ' ') + f.help + "\n";
  }
  return text + R"(
examples:
  axe eval 'T = S[(8,4,2):(4@lane,1@lane,1@reg)]' 'places(T, (8,8), (2,5))'
  axe eval 'canonicalize(S[(2,4):(4,1)])'
  axe eval < session.txt
)";
}

}  // namespace program
