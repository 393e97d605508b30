// Values as text: see print.hpp for the forms.
#include "eval/print.hpp"

#include "eval/bounded.hpp"
#include "eval/pieces.hpp"
#include "text/sink.hpp"

namespace calculator {

namespace {

using text::sink;

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

  axe::refusal operator()(axe::region const& r) const {
    to += '(';
    for (int d = 0; d < r.ranges.size(); ++d) {
      if (d > 0) to += ", ";
      put(r.ranges[d].begin);
      to += ':';
      put(r.ranges[d].end);
    }
    return words(")");
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
  axe::refusal operator()(std::vector<axe::shape> const& shapes) const { return list(shapes, '{', '}'); }
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
    axe::kind const k = axe::kind_of(d.declared);
    return words(k == axe::kind::thread ? " : thread" : k == axe::kind::memory ? " : memory" : " : device");
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
  axe::refusal operator()(shared<axe::ownership> const& pieces) const { return list_pieces(*pieces); }
  axe::refusal operator()(shared<axe::other_ownership> const& pieces) const { return list_pieces(*pieces); }
  axe::refusal operator()(axe::coverage_answer const& c) const {
    switch (c.how) {
      case axe::covered::once: return words("once");
      case axe::covered::holes: to += "holes: nothing at "; return (*this)(c.at);
      case axe::covered::copies:
        to += "copies: element ";
        put(c.first);
        to += " at ";
        (*this)(c.at);
        to += " and ";
        return (*this)(c.also_at);
      case axe::covered::contested: break;
    }
    to += "contested: elements ";
    put(c.first);
    to += " and ";
    put(c.second);
    to += " at ";
    return (*this)(c.at);
  }
  axe::refusal operator()(shared<axe::layout_difference> const& d) const {
    if (!d->found) return words("none");
    to += "element ";
    put(d->at);
    to += ": ";
    if (axe::refusal const why = side(d->in_a, d->a); why.which != axe::rule::none) return why;
    to += " and ";
    return side(d->in_b, d->b);
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
  axe::refusal side(bool has, axe::placement const& set) const {
    if (!has) return words("nothing");
    return print_places(to, set, steps) ? axe::refusal{} : undecided();
  }
  template <class Pieces> axe::refusal list_pieces(Pieces const& pieces) const {
    bool first = true;
    bool const whole = each(pieces, steps, [&](axe::piece const& part) {
      if (!first) to += "; ";
      first = false;
      print_covered(to, part);
      to += " holds ";
      (*this)(part.held);
    });
    if (first) to += "nothing";
    return whole ? axe::refusal{} : undecided();
  }
  axe::refusal undecided() const { return axe::step_budget(steps).refusal(); }
};

}  // namespace

axe::refusal print(std::string& to, value const& v, axe::integer steps) {
  return std::visit(printer{to, steps}, v);
}

bool print_places(std::string& to, axe::placement const& set, axe::integer most) {
  sink out(to);
  to += '{';
  bool first = true;
  bool const whole = each_place(set, most, [&](axe::place const& p) {
    if (!first) to += ", ";
    first = false;
    axe::print(out, p);
  });
  to += '}';
  return whole;
}

void print_covered(std::string& to, axe::piece const& part) {
  sink out(to);
  bool first = true;
  if (part.flattened) to += "elements ";
  if (!part.flattened) to += '(';
  for (covered_dimension const& d : dimensions_of(part)) {
    if (!first) to += ", ";
    first = false;
    out.put(d.begin);
    if (d.is_range) {
      out.put(':');
      out.put(d.begin + d.extent);
    } else {
      out.put(" + ");
      axe::print(out, d.steps);
    }
  }
  if (!part.flattened) to += ')';
}

}  // namespace calculator
