#include "eval/conversion_steps.hpp"

#include "text/sink.hpp"

#include <axe/convert/print_conversion.hpp>

namespace calculator {

namespace {

struct steps_writer {
  text::json& out;
  axe::conversion_plan const& plan;

  template <class Print> void name(Print const& print) const {
    std::string words;
    text::sink to(words);
    print(to);
    out.string(words);
  }
  void value(int v) const {
    name([&](text::sink& to) { print(to, axe::detail::printed_value{plan, v}); });
  }
  void bytes(axe::detail::register_word selector) const {
    name([&](text::sink& to) { axe::detail::print_hexadecimal(to, selector, 4); });
  }
  void lanes(axe::detail::register_word mask) const {
    out.key("lanes").array();
    for (int l = 0; l < axe::detail::warp_lanes; ++l)
      if ((mask >> l & 1) != 0) out.number(l);
    out.end();
  }

  void operator()(axe::conversion_step const& s) const {
    constexpr char const* names[] = {"select", "shuffle", "permute", "selector"};
    out.key("do").string(names[static_cast<int>(s.op)]);
    switch (s.op) {
      case axe::conversion_op::select:
        lanes(s.lanes);
        out.key("there");
        value(s.a);
        out.key("elsewhere");
        value(s.b);
        break;
      case axe::conversion_op::shuffle:
        out.key("of");
        value(s.a);
        out.key("from").array();
        for (int l = 0; l < axe::detail::warp_lanes; ++l) out.number(plan.maps[s.map](l));
        out.end();
        break;
      case axe::conversion_op::permute:
        out.key("of").array();
        value(s.a);
        value(s.b);
        out.end().key("bytes");
        s.by > 0 ? value(s.by) : bytes(s.first);
        break;
      case axe::conversion_op::selector:
        lanes(s.lanes);
        out.key("there");
        bytes(s.first);
        out.key("elsewhere");
        s.b > 0 ? value(s.b) : bytes(s.second);
        break;
    }
  }
};

}  // namespace

void write_steps(text::json& out, axe::conversion_plan const& plan) {
  steps_writer const write{out, plan};
  // If the steps run once, the names of words include the offsets of this run, and `runs` lists
  // offsets of 0.
  axe::conversion_repeat const named = axe::detail::printed_offsets(plan);
  out.key("runs").array();
  for (axe::conversion_repeat const& r : plan.repeats)
    out.object()
        .key("source")
        .number(r.source - named.source)
        .key("target")
        .number(r.target - named.target)
        .end();
  out.end().key("steps").array();
  int made = plan.inputs.size();
  for (axe::conversion_step const s : plan.steps) {
    out.object().key("value");
    write.value(made++);
    write(s);
    out.end();
  }
  out.end().key("filled").array();
  for (axe::conversion_output const& o : plan.outputs) {
    out.object().key("word");
    write.name([&](text::sink& to) { axe::detail::print_all(to, 't', o.word + named.target); });
    out.key("with");
    write.value(o.value);
    out.end();
  }
  out.end();
}

}  // namespace calculator
