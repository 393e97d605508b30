// axe notation: prints a layout as CuTe, TIRx and Triton write it. With --mesh it prints a
// placement as DTensor, JAX, XLA and ScaLAPACK write it.
#include "eval/notation.hpp"
#include "commands/mesh.hpp"
#include "commands/sharding_text.hpp"
#include "eval/json.hpp"
#include "support/json.hpp"
#include "text/shortened.hpp"
#include "text/sink.hpp"

#include <axe/distributed/dtensor.hpp>
#include <axe/distributed/gspmd.hpp>
#include <axe/distributed/partition_spec.hpp>
#include <axe/distributed/scalapack.hpp>

#include <algorithm>
#include <ostream>

namespace program {

namespace {

struct form {
  char const* name;
  std::string text;
  axe::refusal why;
  std::string left_out{};
};

std::vector<form> forms_of(axe::layout const& l, axe::shape const& s) {
  std::vector<form> all;
  for (char const* name : calculator::notations) {
    form f{name, "", {}};
    f.why = calculator::print_as(f.text, l, s, name);
    if (!f.why) f.left_out = calculator::left_out(l, name);
    all.push_back(f);
  }
  return all;
}

template <class Made> form form_of(char const* name, axe::outcome<Made> const& made) {
  return {name, made ? text::printed(made.value) : "", made.why};
}

std::vector<form> forms_of(axe::sharding const& s, axe::step_limit steps) {
  return {{"axe", text::printed(s.places), {}},
          form_of("dtensor", axe::try_to_dtensor(s, steps)),
          form_of("jax", axe::try_to_partition_spec(s, steps)),
          form_of("xla", axe::try_to_gspmd(s, steps)),
          form_of("scalapack", axe::try_to_scalapack(s, steps))};
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// True for a text that is a placement and not a layout.
bool is_placement(std::string const& text) {
  return text.starts_with('[') || text.starts_with("P(") || text.starts_with("{devices");
}

void write_left_out(form const& f, std::ostream& err) {
  if (!f.left_out.empty()) err << "axe notation: LAYOUT has " << f.left_out << '\n';
}

/// Writes the form that --as names, or all forms.
int write(request& r, std::string const& read, std::vector<form> const& all,
          axe::operands const& about, std::ostream& out, std::ostream& err) {
  if (std::optional<std::string> const as = r.given.last("--as")) {
    if (r.json()) return r.fail("--as prints text; leave out --json"), r.report(err);
    std::string names;
    for (form const& f : all) {
      names += (names.empty() ? "" : ", ") + std::string(f.name);
      if (*as != f.name) continue;
      if (f.why) return r.refuse(f.why, about), r.report(err);
      out << f.text << '\n';
      write_left_out(f, err);
      return answered;
    }
    return r.fail("--as is one of " + names + ", not " + text::shortened(*as)), r.report(err);
  }
  if (!r.json()) out << "read as    " << read << '\n';
  text::json json;
  json.object().key("read").string(lower(read)).key("shape");
  calculator::write(json, *about.s);
  for (form const& f : all) {
    std::string sentence;
    text::sink to(sentence);
    axe::print(to, f.why, about);
    json.key(f.name);
    write_left_out(f, err);
    if (f.why)
      json.null();
    else if (std::string_view(f.name) == "axe")
      calculator::write(json, *about.a);
    else
      json.string(f.text);
    if (!r.json())
      out << f.name << std::string(11 - std::string_view(f.name).size(), ' ')
          << (f.why ? "refused: " + sentence : f.text) << '\n';
  }
  if (r.json()) out << json.end().str() << '\n';
  return answered;
}

int run_on_mesh(request& r, std::ostream& out, std::ostream& err) {
  std::vector<std::string> words;
  axe::sharding s;
  sharding_reader reading{r, {}, {}, {}, {}};
  if (!r.read_words({"PLACEMENT"}, "PLACEMENT", words) || !read_mesh(r, reading.devices) ||
      !r.read_shape("--shape", reading.shape) || !r.read_shape("--real", reading.real) ||
      !r.read_shape("--summands", reading.summands))
    return r.report(err);
  if (reading.shape.rank() == 0)
    return r.fail(text::missing("--shape", "the shape of the tensor", "64,64")), r.report(err);
  if (!reading.read("PLACEMENT", words[0], s)) return r.report(err);
  return write(r, reading.notation, forms_of(s, axe::step_limit(r.steps())),
               {&s.places, nullptr, &s.extents}, out, err);
}

}  // namespace

int run_notation(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("notation", with_mesh_axes(given),
            {{"--as", true}, {"--mesh", true}, {"--summands", true}, {"--real", true}});
  if (r.given.has("--mesh")) return run_on_mesh(r, out, err);
  if (!r.given.rest.empty() && is_placement(r.given.rest.front()))
    return r.fail(text::missing("--mesh", "the device axes, slowest first", "y=2,x=4")),
           r.report(err);
  if (!r.read(1, "LAYOUT")) return r.report(err);
  return write(r, r.notations.front(), forms_of(r.layouts.front(), r.shape),
               {&r.layouts.front(), nullptr, &r.shape}, out, err);
}

std::string help_notation() {
  return R"help(usage: axe notation LAYOUT [--shape 8,16] [--as NAME | --json]
       axe notation PLACEMENT --mesh y=2,x=4 --shape 64,64 [--as NAME | --json]

Prints which notation LAYOUT is in, and the same layout in the notations of axe,
CuTe, TIRx and Triton. The modes of CuTe are the dimensions in reversed order; a line
on standard error names an axis that CuTe's notation leaves out. With --mesh it prints
a placement as axe, DTensor, JAX, XLA and ScaLAPACK write it.

  --as NAME          this notation alone: axe, cute, tirx or triton; with --mesh axe,
                     dtensor, jax, xla or scalapack
  --mesh y=2,x=4     the device axes, slowest first
  --shape 8,16       the shape of the tensor, for Triton and for placements
  --real 61,64       of a placement, the extents without padding
  --summands 2       the extents of a layout's leading dimensions, which hold summands
  --json             one line of JSON, null for a notation that cannot express it

examples:
  axe notation '(8,4):(1,8)'
  axe notation 'S[(4,8):(8@lane,1@lane)]' --shape 4,8 --as triton
  axe notation 'tensor<16x8xf16, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>>'
  axe notation '[Shard(0), Replicate()]' --mesh y=2,x=4 --shape 64,64
)help";
}

}  // namespace program
