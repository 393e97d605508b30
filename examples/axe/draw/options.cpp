#include "options.hpp"

#include "text/parentheses.hpp"
#include "text/shortened.hpp"
#include "text/words.hpp"

#include <algorithm>

namespace draw {

using axe::axis;
using axe::integer;

namespace {

/// Reads a declaration such as `mesh_x:device`.
axis read_declaration(std::string const& text) {
  std::size_t const colon = text.find(':');
  std::string const name = text.substr(0, colon);
  std::string const kind = colon == std::string::npos ? "" : text.substr(colon + 1);
  axe::kind const kinds[] = {axe::kind::thread, axe::kind::memory, axe::kind::device};
  char const* const names[] = {"thread", "memory", "device"};
  bool spelled = !name.empty() && name.size() <= 9 && axe::detail::is_letter(name[0]);
  for (char c : name) spelled = spelled && axe::detail::pack_character(c) != 0;
  for (int k = 0; k < 3 && spelled; ++k)
    if (kind == names[k])
      return axe::detail::pack_axis(name.c_str(), static_cast<int>(name.size()), kinds[k]);
  throw wrong_usage(
      "--axis " + text::shortened(text) +
      ": expected NAME:thread, NAME:memory or NAME:device, with a name of one to nine letters, "
      "digits or '_'");
}

integer read_factor(std::string const& text, std::size_t& at) {
  char const sign = text[at];
  std::size_t const start = ++at;
  integer n = 0;
  while (at < text.size() && axe::detail::is_digit(text[at]) && n < 1'000'000'000'000)
    n = 10 * n + (text[at++] - '0');
  if (at == start || n < 1)
    throw wrong_usage("--color " + text::shortened(text) +
                      ": expected a number of at least 1 after '" + sign + "'");
  return n;
}

}  // namespace

axe::drawing::color_key read_color(std::string const& text, axe::layout const& l) {
  if (text.empty()) return {};
  axe::axis_list const named = axe::axes_of(l);
  axe::reader in{text.c_str(), static_cast<int>(text.size()), 0, {named.begin(), named.size()}};
  axe::drawing::color_key key;
  if (!in.read_axis(key.on))
    throw wrong_usage("--color " + text::shortened(text) + ": " +
                      axe::sentence(in.refusal).c_str());
  auto at = static_cast<std::size_t>(in.position);
  if (at < text.size() && text[at] == '/') key.divide = read_factor(text, at);
  if (at < text.size() && text[at] == '%') key.modulo = read_factor(text, at);
  if (at < text.size())
    throw wrong_usage("--color " + text::shortened(text) +
                      ": expected AXIS, AXIS/N, AXIS%N or AXIS/N%M");
  for (axis a : named)
    if (a == key.on) return key;
  throw wrong_usage("--color " + text::shortened(text) + ": the layout does not name " +
                    axe::drawing::name_of_axis(key.on));
}

integer read_row(std::string const& option, std::string const& text) {
  integer n = 0;
  bool digits = true;
  for (char c : text) {
    digits = digits && axe::detail::is_digit(c);
    n = std::min<integer>(10 * n + (c - '0'), axe::drawing::most_lines + 1);
  }
  if (!digits || n < 1 || n > axe::drawing::most_lines)
    throw wrong_usage(option + " needs a number from 1 to " +
                      std::to_string(axe::drawing::most_lines) + ", not '" + text::shortened(text) +
                      "'");
  return n;
}

int read_bits(std::string const& option, std::string const& text) {
  for (int bits = 1; bits <= 128; bits *= 2)
    if (text == std::to_string(bits)) return bits;
  throw wrong_usage(option + " is the width of an element, a power of two from 1 to 128, not '" +
                    text::shortened(text) + "'");
}

void require_memory(axe::layout const& l) {
  if (axis const other = axe::detail::axis_beside_memory(l); other != axis::null)
    throw wrong_usage("the bank view needs a layout on m, and this one also names " +
                      axe::drawing::name_of_axis(other));
}

axe::layout read_layout(std::string const& text, std::vector<std::string> const& declared,
                        std::string const&) {
  std::vector<axis> known;
  for (std::string const& one : declared) known.push_back(read_declaration(one));
  auto const read = axe::try_parse(text, {known.data(), static_cast<int>(known.size())});
  if (!read) throw wrong_usage(text + ": " + axe::sentence(read.why).c_str());
  return *read;
}

axe::shape read_shape(std::string const& text) {
  if (text.size() > 1'000)
    throw wrong_usage("--shape has " + std::to_string(text.size()) +
                      " characters: expected extents, as 8,16");
  std::string const whole =
      text.empty() || text[0] != '(' || text.find(')') + 1 != text.size() ? "(" + text + ")" : text;
  axe::outcome<axe::tree> const read = axe::detail::read_all<axe::tree>(whole, {});
  if (!read) {
    // Positions are counted without the parenthesis that may have been added. A stray ')' would
    // close this parenthesis, so the mistake is not after the stray ')'.
    integer const at = std::clamp<integer>(
        read.why.numbers[0] - (whole == text ? 0 : 1), 0,
        static_cast<integer>(std::min(text.size(), text::stray_parenthesis(text))));
    throw wrong_usage("--shape: position " + std::to_string(at) + ": expected extents, as 8,16");
  }
  // A text such as "((2,4),16)" has parentheses of its own, so the added pair is removed.
  axe::tree t = *read;
  if (t.rank() == 1 && !t[0].is_integer() && whole != text) t = t[0];
  return axe::shape(t);
}

namespace {

void read_view(std::string const& which, axe::draw_options& asked) {
  if (which != "tensor" && which != "hardware" && which != "both" && which != "banks")
    throw wrong_usage("--view is tensor, hardware, both or banks, not '" + text::shortened(which) +
                      "'");
  asked.view = which == "tensor"     ? axe::draw_view::tensor
               : which == "hardware" ? axe::draw_view::hardware
               : which == "banks"    ? axe::draw_view::banks
                                     : axe::draw_view::both;
}

void check_banks(options const& o, std::string const& color) {
  bool const banks = o.asked.view == axe::draw_view::banks;
  if (banks && o.asked.bits == 0)
    throw wrong_usage("--view banks needs the width of an element: --bits 16");
  if (!banks && o.asked.bits != 0) throw wrong_usage("--bits needs --view banks");
  if (banks && !color.empty())
    throw wrong_usage("--color is not for --view banks, whose colours are columns of the tensor");
}

}  // namespace

options read_options(std::vector<std::string> const& given, layout_reader const& read) {
  text::words const w = text::split(given, {{"--shape", true},
                                            {"-o", true},
                                            {"--color", true},
                                            {"--row", true},
                                            {"--name", true},
                                            {"--axis", true},
                                            {"--view", true},
                                            {"--bits", true},
                                            {"--text"},
                                            {"--help"},
                                            {"-h"}});
  options o;
  if (o.help = w.has("--help") || w.has("-h"); o.help) return o;
  if (!w.problem.empty()) throw wrong_usage(w.problem);
  if (w.rest.empty()) throw wrong_usage("a layout is missing: axe draw LAYOUT --shape 8,16");
  if (w.rest.size() > 1)
    throw wrong_usage("expected one layout; '" + text::shortened(w.rest[1]) +
                      "' is a second one: write the layout in quotes");
  std::string shape, color;
  for (auto const& [name, value] : w.options) {
    if (name == "--shape") shape = value;
    if (name == "-o") o.file = value;
    if (name == "--color") color = value;
    if (name == "--row") o.asked.row = read_row(name, value);
    if (name == "--name") o.asked.name = value;
    if (name == "--view") read_view(value, o.asked);
    if (name == "--bits") o.asked.bits = read_bits(name, value);
    if (name == "--text") o.text = true;
  }
  if (o.text && w.has("-o")) throw wrong_usage("--text prints to standard output; leave out -o");
  o.of = read(w.rest.front(), w.all("--axis"), shape);
  if (shape.empty()) throw wrong_usage(text::missing("--shape", "the shape of the tensor", "8,16"));
  check_banks(o, color);
  if (o.asked.view == axe::draw_view::banks) require_memory(o.of);
  o.asked.color = read_color(color, o.of);
  o.seen_as = read_shape(shape);
  if (auto const admitted = axe::try_elements(o.of, o.seen_as); !admitted)
    throw wrong_usage(axe::sentence(admitted.why, {&o.of, nullptr, &o.seen_as}).c_str());
  return o;
}

}  // namespace draw
