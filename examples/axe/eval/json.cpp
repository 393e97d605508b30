// Writes the JSON of `axe eval --json`: one overload for each kind of value.
#include "eval/json.hpp"

#include "eval/bounded.hpp"
#include "eval/conversion_steps.hpp"
#include "eval/print.hpp"
#include "text/sink.hpp"

namespace calculator {

namespace {

using text::json;
using text::printed;

template <class Iters> void write_iters(json& out, Iters const& iters) {
  out.array();
  for (axe::iter const& i : iters) {
    out.object().key("extent").number(i.extent).key("stride").number(i.stride).key("axis");
    write(out, i.on);
    out.end();
  }
  out.end();
}

int write_node(json& out, axe::tree const& t, int i) {
  if (t.nodes.is_integer(i)) {
    out.number(t.nodes.value(i));
    return i + 1;
  }
  int const entries = t.nodes.entries(i++);
  out.array();
  for (int e = 0; e < entries; ++e) i = write_node(out, t, i);
  out.end();
  return i;
}

void write_swizzle(json& out, axe::swizzle const& w) {
  if (w.none()) {
    out.null();
    return;
  }
  out.object().key("M").number(w.M).key("B").number(w.B).key("S").number(w.S).end();
}

struct writer {
  json& out;

  void operator()(absent const&) const { out.null(); }
  void operator()(axe::integer n) const { out.number(n); }
  void operator()(bool b) const { out.boolean(b); }
  void operator()(axe::swizzle const& w) const { write_swizzle(out, w); }
  template <class T>
    requires requires(json& to, T const& t) { write(to, t); }
  void operator()(T const& t) const {
    write(out, t);
  }
  template <class T> void operator()(shared<T> const& t) const { (*this)(*t); }
  void operator()(axe::region const& r) const {
    out.array();
    for (axe::range const& d : r.ranges) out.array().number(d.begin).number(d.end).end();
    out.end();
  }
  void operator()(axe::cute::layout const& l) const {
    std::string words;
    text::sink to(words);
    axe::cute::print(to, l);
    out.object().key("text").string(words).key("swizzle");
    write_swizzle(out, l.swizzle());
    out.key("offset").number(l.offset()).key("shape");
    write(out, axe::cute::shape_of(l));
    out.key("stride");
    write(out, axe::cute::stride_of(l));
    out.end();
  }
  void operator()(axe::cute::tiler const& t) const {
    if (!t.by_mode()) return (*this)(t.as_layout);
    out.array();
    for (int k = 0; k < t.modes(); ++k) (*this)(t[k]);
    out.end();
  }
  void operator()(pair const& p) const {
    out.array();
    write(out, p.left);
    write(out, p.right);
    out.end();
  }
  void operator()(axe::box_axis const& b) const {
    out.object().key("axis");
    write(out, b.on);
    out.key("extent").number(b.positions).end();
  }
  void operator()(std::vector<axe::shape> const& shapes) const {
    out.array();
    for (axe::shape const& s : shapes) write(out, static_cast<axe::tree const&>(s));
    out.end();
  }
  void operator()(axe::axis_list const& axes) const {
    out.array();
    for (axe::axis a : axes) write(out, a);
    out.end();
  }
  void operator()(axe::axis_composition const& c) const {
    out.object().key("axis");
    write(out, c.whole);
    out.key("sum").object();
    for (axe::term const& part : c.parts) out.key(printed(part.on)).number(part.n);
    out.end().end();
  }
  void operator()(declaration const& d) const {
    out.object().key("axis");
    write(out, d.declared);
    out.key("kind").string(name_of(axe::kind_of(d.declared))).end();
  }
  void write_side(axe::linear_axes const& side) const {
    out.array();
    for (axe::linear_axis const& a : side.axes) {
      out.object().key("axis");
      write(out, a.on);
      out.key("bits").number(a.bits).end();
    }
    out.end();
  }
  void write_components(axe::linear_axes const& side, axe::bit_word word) const {
    out.array();
    for (axe::linear_axis const& a : side.axes)
      out.number(static_cast<axe::integer>(side.on(a.on, word)));
    out.end();
  }
  /// The bases are in the order of the input bits, lowest first.
  void operator()(axe::linear_map const& m) const {
    out.object().key("in");
    write_side(m.in);
    out.key("out");
    write_side(m.out);
    out.key("bases").array();
    for (int c = 0; c < m.matrix.columns; ++c) write_components(m.out, m.matrix.column[c]);
    out.end().key("offset");
    write_components(m.out, m.offset);
    out.end();
  }
  void operator()(matrix const& m) const { (*this)(m.of); }
  void operator()(accessed const& a) const {
    out.object();
    if (a.own) {
      out.key("elements");
      write(out, a.pattern.elements);
      out.key("bits")
          .number(a.pattern.bits)
          .key("values")
          .number(a.pattern.values)
          .key("lanes")
          .number(a.pattern.lanes);
    } else {
      out.key("form")
          .string(print_form(a.form))
          .key("bits")
          .number(a.form.bits)
          .key("values")
          .number(a.form.values);
    }
    out.end();
  }
  void operator()(axe::shared_traffic const& t) const {
    out.object().key("conflicts").number(t.conflicts).key("wavefronts").number(t.wavefronts);
    out.key("phases").number(t.phases).key("instruction").number(t.instruction);
    out.key("phase").number(t.phase).key("bank").number(t.bank).end();
  }
  void operator()(axe::global_traffic const& t) const {
    out.object().key("instructions").number(t.instructions).key("sectors").number(t.sectors);
    out.key("least_sectors").number(t.least_sectors).key("lines").number(t.lines);
    out.key("least_lines").number(t.least_lines).end();
  }
  void operator()(axe::conversion_plan const& p) const {
    out.object().key("kind").string(axe::name_of(p.kind)).key("width").number(p.width);
    out.key("source_words").number(p.source_words).key("target_words").number(p.target_words);
    if (p.kind == axe::conversion_kind::warps) {
      out.key("bytes").number(p.shared.bytes).key("place");
      write(out, p.shared.place);
      out.key("store_bits")
          .number(p.shared.store_bits)
          .key("store_conflict")
          .number(p.shared.store_conflict);
      out.key("load_bits")
          .number(p.shared.load_bits)
          .key("load_conflict")
          .number(p.shared.load_conflict);
    } else {
      out.key("shuffles").number(p.shuffles()).key("shuffle_bound").number(p.shuffle_bound);
      out.key("selects").number(p.selects()).key("permutes").number(p.permutes());
      out.key("selectors").number(p.selectors());
      write_steps(out, p);
    }
    out.end();
  }
  void operator()(axe::element_range const& range) const {
    out.array();
    for (axe::element const& e : range) write(out, static_cast<axe::tree const&>(e.at));
    out.end();
  }
  void operator()(axe::ownership const& pieces) const { write_pieces(pieces); }
  void operator()(axe::unowned_pieces const& pieces) const { write_pieces(pieces); }
  void operator()(axe::coverage_answer const& c) const {
    constexpr char const* names[] = {"once", "copies", "holes", "contested"};
    out.object().key("coverage").string(names[static_cast<int>(c.how)]);
    if (c.how != axe::covered::once) {
      out.key("place");
      write(out, c.at);
    }
    if (c.how == axe::covered::copies) {
      out.key("also_at");
      write(out, c.also_at);
    }
    if (c.how == axe::covered::copies || c.how == axe::covered::contested) {
      out.key("elements").array().number(c.first);
      if (c.how == axe::covered::contested) out.number(c.second);
      out.end();
    }
    out.end();
  }
  void operator()(axe::layout_difference const& d) const {
    out.object().key("found").boolean(d.found);
    if (d.found) {
      out.key("element").number(d.at).key("a");
      side(d.in_a, d.a);
      out.key("b");
      side(d.in_b, d.b);
    }
    out.end();
  }

 private:
  template <class Pieces> void write_pieces(Pieces const& pieces) const {
    out.array();
    for (axe::piece const& part : pieces) write(out, part);
    out.end();
  }
  void side(bool has, axe::placement const& set) const {
    if (has)
      write(out, set);
    else
      out.null();
  }
};

}  // namespace

void write(json& out, axe::axis a) {
  if (a == axe::axis::null)
    out.null();
  else
    out.string(printed(a));
}

void write(json& out, axe::place const& p) {
  out.object();
  for (axe::term const& t : p.terms) out.key(printed(t.on)).number(t.n);
  out.end();
}

void write(json& out, axe::tree const& t) { write_node(out, t, 0); }

void write(json& out, axe::layout const& l) {
  out.object().key("text").string(printed(l)).key("swizzle");
  write_swizzle(out, l.swizzle);
  out.key("D");
  write_iters(out, l.shards);
  out.key("R");
  write_iters(out, l.replicas);
  out.key("O").array();
  for (axe::term const& t : l.offsets) {
    out.object().key("offset").number(t.n).key("axis");
    write(out, t.on);
    out.end();
  }
  out.end().key("blocks");
  if (l.grouped()) {
    out.array();
    for (int b : l.blocks) out.number(b);
    out.end();
  } else {
    out.null();
  }
  out.end();
}

void write(json& out, axe::placement const& set) {
  out.array();
  each_place(set, axe::detail::largest, [&](axe::place const& p) { write(out, p); });
  out.end();
}

void write(json& out, axe::piece const& part) {
  out.object().key("flattened").boolean(part.flattened).key("origin");
  write(out, static_cast<axe::tree const&>(part.origin));
  out.key("shape");
  write(out, static_cast<axe::tree const&>(part.extents));
  out.key("dimensions").array();
  for (int d = 0; d < part.steps.blocks.size(); ++d) {
    out.object()
        .key("begin")
        .number(part.begin(d))
        .key("extent")
        .number(part.extent(d))
        .key("range")
        .boolean(part.contiguous(d))
        .key("steps");
    write_iters(out, part.along(d).shards);
    out.end();
  }
  out.end().key("layout");
  write(out, part.places);
  out.end();
}

void write(json& out, value const& v) { std::visit(writer{out}, v); }

std::string to_json(answer const& a, axe::integer line) {
  constexpr char const* names[] = {"blank", "answered", "refused", "malformed"};
  json out;
  out.object().key("line").number(line).key("status").string(names[static_cast<int>(a.how)]);
  switch (a.how) {
    case outcome_of_line::blank: break;
    case outcome_of_line::answered:
      out.key("kind").string(name_of(kind_of(a.held))).key("text").string(a.words).key("value");
      write(out, a.held);
      break;
    case outcome_of_line::refused:
      out.key("operation")
          .string(a.operation)
          .key("rule")
          .string(axe::name_of(a.why.which))
          .key("text")
          .string(a.words);
      break;
    case outcome_of_line::malformed:
      out.key("position").number(a.position).key("text").string(a.words);
      break;
  }
  out.end();
  return out.str();
}

}  // namespace calculator
