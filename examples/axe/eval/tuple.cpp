// Reads expressions in parentheses, angle brackets or braces, and pairs `a:b`.
//
//     (8,16)  ((2,4),16)     shape or coordinate     (2:5, 0:8)   region     (lane, warp)   axes
//     {(2,8),(4,4)}          shapes                     lane: 32     one axis of a box
#include "eval/expression.hpp"

#include <axe/linear/read_map.hpp>

#include <algorithm>

namespace calculator {

namespace {

// Every function has fewer arguments, and every shape has fewer entries.
constexpr std::size_t most_entries = 64;

bool is_tree(kind k) { return k == kind::integer || k == kind::tree; }

/// True if the pair can be a range of a region. Then both sides are integers.
bool is_range(pair const& p) { return p.left.is_integer() && p.right.is_integer(); }

}  // namespace

/// Reads `expression { ',' expression } closing`. The opening bracket has been read.
bool expression::arguments(char closing, std::vector<argument>& out) {
  if (in.take(closing)) return true;
  do {
    in.skip_spaces();
    if (out.size() == most_entries)
      return fail(in.position, "more than " + std::to_string(most_entries) + " entries");
    out.push_back({{}, in.position});
    if (!read(out.back().held)) return false;
  } while (in.take(','));
  return in.take(closing) || fail_unexpected(std::string("',' or '") + closing + "'");
}

bool expression::tuple(value& out) {
  bool const angles = in.next() == '<';
  in.take(angles ? '<' : '(');
  std::vector<argument> entries;
  if (!arguments(angles ? '>' : ')', entries)) return false;
  bool const layouts = std::any_of(entries.begin(), entries.end(), [](argument const& entry) {
    pair const* p = std::get_if<pair>(&entry.held);
    kind const k = kind_of(entry.held);
    return (p != nullptr && !is_range(*p)) || k == kind::cute_layout || k == kind::tiler;
  });
  if (angles || layouts) return tiles(entries, out);
  kind const first = entries.empty() ? kind::tree : kind_of(entries.front().held);
  axe::tree tree = axe::tree::group();
  axe::region region;
  axe::axis_list axes;
  for (argument const& entry : entries) {
    kind const k = kind_of(entry.held);
    if (!is_tree(k) && k != kind::pair && k != kind::axis)
      return fail(
          entry.position,
          std::string("a tuple holds integers, tuples of them, begin:end pairs or axes, not ") +
              describe(k));
    if (is_tree(first) ? !is_tree(k) : k != first)
      return fail(entry.position,
                  std::string("the entries of a tuple must be of one kind: the first is ") +
                      describe(first) + ", this one is " + describe(k));
    if (std::holds_alternative<absent>(entry.held)) {
      out = absent{is_tree(first) ? kind::tree : first == kind::pair ? kind::region : kind::axes};
      return true;
    }
    if (is_tree(k)) {
      tree.append(parameter<axe::tree>::take(entry.held));
    } else if (pair const* p = std::get_if<pair>(&entry.held)) {
      if (!is_range(*p)) return fail(entry.position, "a region holds pairs of integers, begin:end");
      if (!region.ranges.push({p->left.nodes.value(0), p->right.nodes.value(0)}))
        region.overflowed = true;
    } else if (!axes.push(std::get<axe::axis>(entry.held))) {
      return fail(entry.position, "a tuple holds at most 16 axes");
    }
  }
  if (tree.overflowed || region.overflowed) {
    refuse("", {axe::rule::shape_is_too_large_a_tree}, {});
    out = absent{tree.overflowed ? kind::tree : kind::region};
  } else if (is_tree(first)) {
    out = tree;
  } else if (first == kind::pair) {
    out = region;
  } else {
    out = axes;
  }
  return true;
}

/// Reads a tiler such as `<3:3, (2,4):(1,8)>`: CuTe layouts, shapes or integers, one for each mode.
bool expression::tiles(std::vector<argument> const& entries, value& out) {
  using tile = parameter<axe::cute::tiler>;
  axe::cute::tiler all;
  axe::cute::detail::add_group(all.as_layout, -2 - static_cast<int>(entries.size()));
  for (argument const& entry : entries) {
    kind const k = kind_of(entry.held);
    if (!tile::accepts(k))
      return fail(entry.position,
                  std::string("a tuple of CuTe layouts holds layouts, shapes and integers, not ") +
                      describe(k));
    if (std::holds_alternative<absent>(entry.held)) {
      out = absent{kind::tiler};
      return true;
    }
    axe::cute::tiler const one = tile::take(entry.held);
    if (!one.as_layout.plain())
      return fail(entry.position, "a swizzled layout cannot be the tile of a mode");
    axe::cute::detail::add_part(all.as_layout, one.as_layout);
  }
  if (axe::refusal const bad = axe::cute::detail::check_tiler(all); bad.which != axe::rule::none) {
    refuse("", bad, {});
    out = absent{kind::tiler};
    return true;
  }
  out = std::make_shared<axe::cute::tiler const>(all);
  return true;
}

/// Reads a swizzled layout of CuTe, `Sw<3,4,3> o 0 o (8,128):(128,1)`.
bool expression::cute_layout(value& out) {
  axe::cute::layout l;
  if (!axe::cute::read(in, l)) return reader_failed();
  out = std::make_shared<axe::cute::layout const>(l);
  return true;
}

bool expression::shape_list(value& out) {
  in.take('{');
  std::vector<argument> entries;
  if (!arguments('}', entries)) return false;
  if (entries.empty()) return fail(in.position - 1, "braces hold at least one shape");
  std::vector<axe::shape> shapes;
  for (argument const& entry : entries) {
    if (!is_tree(kind_of(entry.held)))
      return fail(entry.position,
                  std::string("braces hold shapes, not ") + describe(kind_of(entry.held)));
    if (!refused()) shapes.push_back(parameter<axe::shape>::take(entry.held));
  }
  if (refused())
    out = absent{kind::shapes};
  else
    out = shapes;
  return true;
}

/// True if a linear map follows, which begins with `{lane:` or `{} to`. Other braces are lists of
/// shapes.
bool expression::sees_linear_map() const {
  axe::reader ahead = in;
  ahead.take('{');
  if (ahead.take('}')) return ahead.take_word("to");
  ahead.position += ahead.name_length();
  return ahead.position > 0 && ahead.characters[ahead.position - 1] != '{' && ahead.next() == ':';
}

bool expression::linear_map(value& out) {
  axe::linear_map m;
  if (!axe::read(in, m)) return reader_failed();
  out = std::make_shared<axe::linear_map const>(m);
  return true;
}

bool expression::combine(value const& left, value const& right, int position, value& out) {
  kind const a = kind_of(left);
  kind const b = kind_of(right);
  bool const in_box = a == kind::axis && b == kind::integer;
  if (!in_box && !(is_tree(a) && is_tree(b)))
    return fail(
        position,
        std::string(
            "':' stands between two shapes or integers, or an axis and its extent, not between ") +
            describe(a) + " and " + describe(b));
  if (refused())
    out = absent{in_box ? kind::box_axis : kind::pair};
  else if (in_box)
    out = axe::box_axis{std::get<axe::axis>(left), std::get<axe::integer>(right)};
  else
    out = pair{parameter<axe::tree>::take(left), parameter<axe::tree>::take(right)};
  return true;
}

}  // namespace calculator
