// Reads the options that several kinds of `axe plan` have, and writes their output.
//
//     plan_request r("plan copy", given, {{"--from", true}, …});
//     if (!r.read_layouts({"FROM", "TO"}, "FROM TO") || !r.read_type("--type", bf16, type))
//       return r.report(err);
//     return r.answer(out, err, plan, about, json_of);      words, JSON, or the refusal
#pragma once

#include "commands/request.hpp"
#include "explain/explain.hpp"
#include "support/json.hpp"
#include "text/sink.hpp"

#include <axe/atoms/element_type.hpp>
#include <axe/plan/candidate.hpp>
#include <axe/plan/tma_plan.hpp>

#include <ostream>

namespace program {

class plan_request : public request {
 public:
  plan_request(char const* command, std::vector<std::string> const& given,
               std::vector<option> more);

  /// Reads --arch and --scope.
  bool read_target();
  /// Reads an element type. Without the option it is `otherwise`.
  bool read_type(char const* option, axe::element_type otherwise, axe::element_type& out);
  bool read_space(char const* option, axe::memory_space otherwise, axe::memory_space& out);

  /// Writes the plan in words, or json_of(plan, about) for --json, or the refusal.
  template <class Plan, class Json>
  int answer(std::ostream& out, std::ostream& err, axe::outcome<Plan> const& plan,
             axe::operands const& about, Json const& json_of) {
    if (!plan) return refused(out, err, plan.why, about);
    write_notes(err);
    if (json()) {
      out << json_of(*plan, about);
      return answered;
    }
    std::string words;
    text::sink to(words);
    if constexpr (requires { print(to, *plan, about); })
      print(to, *plan, about);
    else
      print(to, *plan);
    out << words << (words.back() == '\n' ? "" : "\n");
    if (checked.empty()) return answered;
    out << "elements computed from the operands:\n";
    for (explain::statement const& s : checked)
      out << "  " << s.words << (s.holds ? "; true\n" : "; false\n");
    return answered;
  }

  /// Writes the sentence of a refusal. `axe explain plan` also writes its rule, its numbers and
  /// elements.
  int refused(std::ostream& out, std::ostream& err, axe::refusal const& why,
              axe::operands const& about);
  /// Writes the picture of the plan to the file of the option -o.
  int write_picture(std::string const& svg, std::ostream& out, std::ostream& err);

  /// True for `axe explain plan`, which checks three elements.
  bool explains() const { return given.has("--elements"); }
  std::vector<explain::statement> checked;

  axe::architecture target = axe::architecture::sm_90a;
  axe::integer threads = 1;
};

/// All names of an enum, such as "ldmatrix.x4, ldmatrix.x2, …".
template <class Enum, int Count> std::string names_of() {
  std::string all;
  for (int k = 0; k < Count; ++k)
    all += (k == 0 ? "" : ", ") + std::string(name_of(static_cast<Enum>(k)));
  return all;
}

/// Finds an enumerator by its name. False, without a change of `found`, if there is none.
template <class Enum, int Count> bool find(std::string const& name, Enum& found) {
  for (int k = 0; k < Count; ++k) {
    if (name != name_of(static_cast<Enum>(k))) continue;
    found = static_cast<Enum>(k);
    return true;
  }
  return false;
}

/// Writes "candidates":[{"instruction":"ldmatrix.x4","why":"…"},…]. `why` is null for the chosen
/// one.
template <class Instruction, class Name>
void write_candidates(text::json& out, axe::candidate_list<Instruction> const& all,
                      axe::operands const& about, Name const& name) {
  out.key("candidates").array();
  for (auto const& each : all) {
    out.object().key("instruction").string(name(each.instruction)).key("why");
    if (!each.why) {
      out.null();
    } else {
      std::string sentence;
      text::sink to(sentence);
      axe::print(to, each.why, about);
      out.string(sentence);
    }
    out.end();
  }
  out.end();
}

/// Writes the fields of a tensor copy into an open JSON object.
void write_tensor_copy(text::json& out, axe::tma_plan const& plan, axe::operands const& about);
/// Reads --reduction. Without the option there is none.
bool read_reduction(plan_request& r, axe::tma_reduction& out);

/// Each kind of plan has a function. `given` has the words after the name of the kind.
int plan_of_copy(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_tma(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_mma(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_convert(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_reduce(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_reshard(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);

}  // namespace program
