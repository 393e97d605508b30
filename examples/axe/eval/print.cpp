#include "eval/print.hpp"

#include "eval/bounded.hpp"
#include "text/sink.hpp"

#include <axe/linear/print_map.hpp>

namespace calculator {

namespace {

using text::sink;

/// Prints the rows in one line, the lowest output bit first:
/// `lane|reg to dim0: 001|0, 000|1; dim1: 100|0, 010|0`.
void print_rows(sink& out, axe::linear_map const& m) {
  using axe::detail::print_all;
  for (int i = 0; i < m.in.axes.size(); ++i) print_all(out, i > 0 ? "|" : "", m.in.axes[i].on);
  out.put(m.in.axes.empty() ? "to" : " to");
  int row = 0;
  for (int i = 0; i < m.out.axes.size(); ++i) {
    print_all(out, i == 0 ? " " : "; ", m.out.axes[i].on, ':');
    for (int k = 0; k < m.out.axes[i].bits; ++k, ++row) {
      out.put(k == 0 ? " " : ", ");
      int c = 0;
      for (int j = 0; j < m.in.axes.size(); ++j) {
        if (j > 0) out.put('|');
        for (int b = 0; b < m.in.axes[j].bits; ++b) out.put(m.matrix.at(row, c++) ? '1' : '0');
      }
      if (m.offset != 0) out.put((m.offset >> row & 1) != 0 ? "^1" : "^0");
    }
  }
}

struct printer {
  std::string& to;
  axe::integer steps;

  axe::refusal operator()(absent const&) const { return {}; }
  axe::refusal operator()(axe::integer n) const { return put(n); }
  axe::refusal operator()(bool b) const { return words(b ? "true" : "false"); }
  template <class T>
    requires requires(sink& out, T const& t) { axe::print(out, t); }
  axe::refusal operator()(T const& t) const {
    sink out(to);
    axe::print(out, t);
    return {};
  }

  axe::refusal operator()(shared<axe::cute::layout> const& l) const {
    sink out(to);
    axe::cute::print(out, *l);
    return {};
  }
  axe::refusal operator()(shared<axe::cute::tiler> const& t) const {
    if (!t->by_mode()) return (*this)(std::make_shared<axe::cute::layout const>(t->as_layout));
    to += '<';
    for (int k = 0; k < t->modes(); ++k) {
      if (k > 0) to += ", ";
      (*this)(std::make_shared<axe::cute::tiler const>((*t)[k]));
    }
    return words(">");
  }
  axe::refusal operator()(pair const& p) const {
    (*this)(p.left);
    to += ':';
    return (*this)(p.right);
  }
  axe::refusal operator()(axe::box_axis const& b) const {
    (*this)(b.on);
    to += ": ";
    return put(b.positions);
  }
  axe::refusal operator()(std::vector<axe::shape> const& shapes) const {
    return list(shapes, '{', '}');
  }
  axe::refusal operator()(axe::axis_list const& axes) const { return list(axes, '(', ')'); }
  axe::refusal operator()(axe::swizzle const& w) const {
    to += "swizzle(M=";
    put(w.M);
    to += ",B=";
    put(w.B);
    to += ",S=";
    put(w.S);
    return words(")");
  }
  axe::refusal operator()(axe::axis_composition const& c) const {
    (*this)(c.whole);
    to += " = ";
    for (int i = 0; i < c.parts.size(); ++i) {
      if (i > 0) to += " + ";
      if (c.parts[i].n != 1) {
        put(c.parts[i].n);
        to += '*';
      }
      (*this)(c.parts[i].on);
    }
    return {};
  }
  axe::refusal operator()(declaration const& d) const {
    to += "axis ";
    (*this)(d.declared);
    to += " : ";
    return words(name_of(axe::kind_of(d.declared)));
  }

  axe::refusal operator()(shared<axe::placement> const& set) const {
    return print_places(to, *set, steps) ? axe::refusal{} : undecided();
  }
  axe::refusal operator()(shared<axe::element_range> const& range) const {
    to += '{';
    bool first = true;
    bool const whole = each(*range, steps, [&](axe::element const& e) {
      if (!first) to += ", ";
      first = false;
      (*this)(static_cast<axe::tree const&>(e.at));
    });
    to += '}';
    return whole ? axe::refusal{} : undecided();
  }
  axe::refusal operator()(shared<axe::ownership> const& pieces) const {
    return list_pieces(*pieces);
  }
  axe::refusal operator()(shared<axe::unowned_pieces> const& pieces) const {
    return list_pieces(*pieces);
  }
  axe::refusal operator()(shared<axe::layout_difference> const& d) const {
    sink out(to);
    axe::refusal why;
    axe::detail::print_difference(out, *d, [&](axe::placement const& set) {
      if (why.which == axe::rule::none && !print_places(to, set, steps)) why = undecided();
    });
    return why;
  }

  axe::refusal operator()(shared<axe::linear_map> const& m) const { return (*this)(*m); }
  axe::refusal operator()(shared<matrix> const& m) const {
    sink out(to);
    print_rows(out, m->of);
    return {};
  }

  axe::refusal operator()(shared<accessed> const& a) const {
    if (!a->own) return words(print_form(a->form).c_str());
    to += "access(";
    (*this)(a->pattern.elements);
    for (axe::integer n : {a->pattern.bits, a->pattern.values, a->pattern.lanes}) {
      to += ", ";
      put(n);
    }
    return words(")");
  }
  axe::refusal operator()(axe::shared_traffic const& t) const {
    to += "conflicts ";
    put(t.conflicts);
    to += ": ";
    put(t.wavefronts);
    to += t.wavefronts == 1 ? " wavefront for " : " wavefronts for ";
    put(t.phases);
    to += t.phases == 1 ? " phase" : " phases";
    if (t.conflicts == 1) return {};
    to += ", first at bank ";
    put(t.bank);
    to += " in phase ";
    put(t.phase);
    to += " of instruction ";
    return put(t.instruction);
  }
  axe::refusal operator()(axe::global_traffic const& t) const {
    put(t.sectors);
    to += t.sectors == 1 ? " sector (least " : " sectors (least ";
    put(t.least_sectors);
    to += ") in ";
    put(t.lines);
    to += t.lines == 1 ? " line (least " : " lines (least ";
    put(t.least_lines);
    to += "), ";
    put(t.instructions);
    return words(t.instructions == 1 ? " instruction" : " instructions");
  }
  axe::refusal operator()(shared<axe::conversion_plan> const& plan) const {
    std::string lines;
    sink out(lines);
    axe::print(out, *plan);
    for (char c : lines)
      if (c == '\n')
        to += "; ";
      else
        to += c;
    return {};
  }

 private:
  axe::refusal put(axe::integer n) const {
    sink(to).put(n);
    return {};
  }
  axe::refusal words(char const* w) const {
    to += w;
    return {};
  }
  template <class List> axe::refusal list(List const& items, char open, char close) const {
    to += open;
    bool first = true;
    for (auto const& item : items) {
      if (!first) to += ", ";
      first = false;
      sink out(to);
      axe::print(out, item);
    }
    to += close;
    return {};
  }
  template <class Pieces> axe::refusal list_pieces(Pieces const& pieces) const {
    bool first = true;
    bool const whole = each(pieces, steps, [&](axe::piece const& part) {
      if (!first) to += "; ";
      first = false;
      sink out(to);
      axe::print(out, part);
    });
    if (first) to += "nothing";
    return whole ? axe::refusal{} : undecided();
  }
  axe::refusal undecided() const { return axe::step_limit(steps).refusal(); }
};

}  // namespace

axe::refusal print(std::string& to, value const& v, axe::integer steps) {
  return std::visit(printer{to, steps}, v);
}

bool print_places(std::string& to, axe::placement const& set, axe::integer limit) {
  sink out(to);
  to += '{';
  bool first = true;
  bool const whole = each_place(set, limit, [&](axe::place const& p) {
    if (!first) to += ", ";
    first = false;
    axe::print(out, p);
  });
  to += '}';
  return whole;
}

}  // namespace calculator
