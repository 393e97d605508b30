// Shared by all kinds of `axe plan`: the element type, the architecture, the scope, the output.
//
//     plan_request r("plan copy", given, {{"--from", true}, …});
//     if (!r.read_layouts({"FROM", "TO"}, "FROM TO") || !r.read_type("--type", bf16, type))
//       return r.report(err);
//     return r.answer(out, err, plan, about, for_programs);      words, JSON, or the refusal
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

  /// --arch and --scope.
  bool read_target();
  /// An element type; `otherwise` without the option.
  bool read_type(char const* option, axe::element_type otherwise, axe::element_type& out);
  bool read_space(char const* option, axe::memory_space otherwise, axe::memory_space& out);

  /// Writes the plan in words or as json_of(plan, about), or the refusal.
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
    if (by_hand.empty()) return answered;
    out << "elements by hand:\n";
    for (explain::statement const& s : by_hand)
      out << "  " << s.words << (s.holds ? "; it holds\n" : "; it does not hold\n");
    return answered;
  }

  /// The sentence of a refusal; for `axe explain plan` also the rule, its numbers and elements.
  int refused(std::ostream& out, std::ostream& err, axe::refusal const& why,
              axe::operands const& about);
  /// -o
  int write_picture(std::string const& svg, std::ostream& out, std::ostream& err);

  /// For `axe explain plan`: three elements, checked.
  bool explains() const { return given.has("--elements"); }
  std::vector<explain::statement> by_hand;

  axe::architecture target = axe::architecture::sm_90a;
  axe::integer threads = 1;
};

/// "ldmatrix.x4, ldmatrix.x2, …": all names of an enum.
template <class Enum, int Count> std::string names_of() {
  std::string all;
  for (int k = 0; k < Count; ++k)
    all += (k == 0 ? "" : ", ") + std::string(name_of(static_cast<Enum>(k)));
  return all;
}

/// "candidates":[{"instruction":"ldmatrix.x4","why":"…"},…]; why is null for the chosen one.
template <class Instruction, class Name>
void write_candidates(text::json& out, axe::candidate_list<Instruction> const& all,
                      axe::operands const& about, Name const& name) {
  out.key("candidates").array();
  for (auto const& each : all) {
    out.object().key("instruction").string(name(each.instruction)).key("why");
    if (each.accepted()) {
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

/// The fields of a tensor copy, into an open object.
void write_tensor_copy(text::json& out, axe::tma_plan const& plan, axe::operands const& about);
/// --reduction; none without the option.
bool read_reduction(plan_request& r, axe::tma_reduction& out);

/// `given` is without the name of the kind.
int plan_of_copy(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_tma(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_mma(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_convert(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_reduce(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_reshard(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);

}  // namespace program
