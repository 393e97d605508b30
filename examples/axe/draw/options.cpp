// One loop over the words; what is refused is refused here, or by `make_picture` before a byte is
// written.
#include "options.hpp"

#include <algorithm>

namespace draw {

namespace {

/// `mesh_x:device`
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
      "--axis " + text +
      ": expected NAME:thread, NAME:memory or NAME:device, with a name of one to nine letters, "
      "digits or '_'");
}

}  // namespace

integer read_row(std::string const& option, std::string const& text) {
  integer n = 0;
  bool digits = true;
  for (char c : text) {
    digits = digits && axe::detail::is_digit(c);
    n = std::min<integer>(10 * n + (c - '0'), most_lines + 1);
  }
  if (!digits || n < 1 || n > most_lines)
    throw wrong_usage(option + " needs a number from 1 to " + std::to_string(most_lines) +
                      ", not '" + text + "'");
  return n;
}

int read_bits(std::string const& option, std::string const& text) {
  for (int bits = 1; bits <= 128; bits *= 2)
    if (text == std::to_string(bits)) return bits;
  throw wrong_usage(option + " is the width of an element, a power of two from 1 to 128, not '" +
                    text + "'");
}

void require_memory(axe::layout const& l) {
  if (axis const other = axe::detail::moves_beside_memory(l); other != axis::null)
    throw wrong_usage("the bank view shows memory, and the layout names " + name_of_axis(other));
}

axe::layout read_layout(std::string const& text, std::vector<std::string> const& declared) {
  std::vector<axis> known;
  for (std::string const& one : declared) known.push_back(read_declaration(one));
  auto const read = axe::try_parse(text.c_str(), static_cast<int>(text.size()),
                                   {known.data(), static_cast<int>(known.size())});
  if (!read) throw wrong_usage(text + ": " + axe::sentence(read.why).c_str());
  return *read;
}

axe::shape read_shape(std::string const& text) {
  if (text.size() > 1'000)
    throw wrong_usage("--shape has " + std::to_string(text.size()) +
                      " characters: expected extents, as 8,16");
  std::string const whole =
      text.empty() || text[0] != '(' || text.find(')') + 1 != text.size() ? "(" + text + ")" : text;
  axe::outcome<axe::tree> const read =
      axe::detail::read_all<axe::tree>(whole.c_str(), static_cast<int>(whole.size()), {});
  if (!read) throw wrong_usage("--shape " + text + ": expected extents, as 8,16");
  // "((2,4),16)" is wrapped once too often: a root of one group is that group.
  axe::tree t = *read;
  if (t.rank() == 1 && !t[0].is_integer() && whole != text) t = t[0];
  return axe::shape(t);
}

options read_options(std::vector<std::string> const& words, layout_reader read) {
  options o;
  std::string layout, shape;
  std::vector<std::string> declared;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    std::string value;
    bool has_value = false;
    if (std::size_t const equals = word.find('=');
        word.rfind("--", 0) == 0 && equals != std::string::npos) {
      value = word.substr(equals + 1);
      word.erase(equals);
      has_value = true;
    }
    auto const argument = [&]() -> std::string const& {
      if (!has_value && ++i >= words.size()) throw wrong_usage(word + " needs a value");
      return has_value ? value : value = words[i];
    };
    if (word == "--help" || word == "-h") {
      o.help = true;
      return o;
    } else if (word == "--shape") {
      shape = argument();
    } else if (word == "-o" || word == "--output") {
      o.file = argument();
    } else if (word == "--color" || word == "--colour") {
      o.asked.color = argument();
    } else if (word == "--row") {
      o.asked.row = read_row("--row", argument());
    } else if (word == "--name") {
      o.asked.name = argument();
    } else if (word == "--axis") {
      declared.push_back(argument());
    } else if (word == "--view") {
      std::string const& which = argument();
      if (which != "tensor" && which != "hardware" && which != "both" && which != "banks")
        throw wrong_usage("--view is tensor, hardware, both or banks, not '" + which + "'");
      o.asked.tensor = which == "tensor" || which == "both";
      o.asked.hardware = which == "hardware" || which == "both";
      o.asked.banks = which == "banks";
    } else if (word == "--bits") {
      o.asked.bits = read_bits("--bits", argument());
    } else if (word == "--text" && !has_value) {
      o.text = true;
    } else if (word.size() > 1 && word[0] == '-') {
      throw wrong_usage("axe draw has no option '" + word + "': axe draw --help");
    } else if (layout.empty()) {
      layout = word;
    } else {
      throw wrong_usage("one layout at a time, and '" + word +
                        "' is a second one: write the layout in quotes");
    }
  }
  if (layout.empty()) throw wrong_usage("no layout to draw: axe draw LAYOUT --shape 8,16");
  if (shape.empty()) throw wrong_usage("no shape to draw the layout over: --shape 8,16");
  if (o.asked.banks && o.asked.bits == 0)
    throw wrong_usage("--view banks needs the width of an element: --bits 16");
  if (!o.asked.banks && o.asked.bits != 0) throw wrong_usage("--bits is for --view banks");
  if (o.asked.banks && !o.asked.color.empty())
    throw wrong_usage(
        "--view banks is coloured by the columns of the tensor, and --color would be another");
  o.of = read(layout, declared);
  if (o.asked.banks) require_memory(o.of);
  o.seen_as = read_shape(shape);
  return o;
}

}  // namespace draw
