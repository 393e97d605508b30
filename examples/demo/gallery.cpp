#include "gallery.hpp"

#include "draw/options.hpp"

#include <algorithm>
#include <istream>
#include <set>

namespace demo {

namespace {

std::string trimmed(std::string const& text) {
  std::size_t const from = text.find_first_not_of(" \t\r");
  return from == std::string::npos ? ""
                                   : text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

bool is_name(std::string const& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// Calls `read`. If it throws, adds the line number to the message.
template <class Read> auto at_line(int line, Read const& read) {
  try {
    return read();
  } catch (draw::wrong_usage const& mistake) {
    throw bad_gallery(line, mistake.what());
  } catch (axe::refused const& refusal) {
    throw bad_gallery(line, refusal.what());
  } catch (std::invalid_argument const& mistake) { throw bad_gallery(line, mistake.what()); }
}

/// Reads `(0,5,3) = {5@TLane + 3@TCol}`.
printed_value read_value(int line, std::string const& text) {
  axe::reader in{text.c_str(), static_cast<int>(text.size())};
  printed_value v;
  v.line = line;
  axe::tree at;
  auto const refuse = [&] {
    throw bad_gallery(line, std::string("value ") + axe::sentence(in.refusal).c_str());
  };
  auto const require = [&](char c) {
    if (!in.take(c))
      throw bad_gallery(line, "value position " + std::to_string(in.position) + ": expected '" + c +
                                  "', as in (0,1) = {0@lane + 1@reg}");
  };
  if (!read(in, at)) refuse();
  v.at = axe::coordinate(at);
  require('=');
  require('{');
  do {
    axe::place p;
    if (!read(in, p)) refuse();
    v.places.push_back(p);
  } while (in.take(','));
  require('}');
  if (in.next() != '\0')
    throw bad_gallery(
        line, "value position " + std::to_string(in.position) + ": expected the end of the line");
  return v;
}

/// An entry whose lines are still being read.
struct draft {
  entry done;
  std::set<std::string> seen;
  int shape_line = 0;

  void set(int line, std::string const& key, std::string const& value) {
    if (key != "value" && !seen.insert(key).second)
      throw bad_gallery(line, "[" + done.name + "] has a second '" + key + "'");
    if (value.empty()) throw bad_gallery(line, "'" + key + "' has no value");
    if (key == "title") {
      done.title = value;
    } else if (key == "source") {
      done.source = value;
    } else if (key == "about") {
      done.about = value;
    } else if (key == "color") {
      done.color = value;
    } else if (key == "row") {
      done.row = at_line(line, [&] { return draw::read_row("row", value); });
    } else if (key == "bits") {
      done.bits = at_line(line, [&] { return draw::read_bits("bits", value); });
    } else if (key == "layout") {
      done.layout = at_line(line, [&] { return draw::read_layout(value); });
    } else if (key == "shape") {
      shape_line = line;
      done.shape = at_line(line, [&] { return draw::read_shape(value); });
    } else if (key == "value") {
      done.values.push_back(read_value(line, value));
    } else {
      throw bad_gallery(line,
                        "no key is called '" + key +
                            "': title, source, layout, shape, about, color, row, bits or value");
    }
  }

  entry finish() const {
    for (char const* needed : {"title", "source", "layout", "shape", "about"})
      if (seen.count(needed) == 0)
        throw bad_gallery(done.line, "[" + done.name + "] has no '" + needed + "'");
    at_line(shape_line, [&] { return axe::elements(done.layout, done.shape).empty(); });
    at_line(done.line, [&] { return draw::read_color(done.color, done.layout).divide; });
    at_line(done.line, [&] {
      if (done.bits != 0) draw::require_memory(done.layout);
      return true;
    });
    for (printed_value const& v : done.values)
      at_line(v.line, [&] { return axe::places(done.layout, done.shape, v.at).base.terms.size(); });
    return done;
  }
};

}  // namespace

std::vector<entry> read_gallery(std::istream& in) {
  std::vector<entry> entries;
  draft current;
  bool open = false;
  int line = 0;
  auto const close = [&] {
    if (open) entries.push_back(current.finish());
  };
  for (std::string text; std::getline(in, text);) {
    ++line;
    text = trimmed(text);
    if (text.empty() || text[0] == '#') continue;
    if (text[0] == '[') {
      std::string const name = text.back() == ']' ? text.substr(1, text.size() - 2) : "";
      if (!is_name(name))
        throw bad_gallery(
            line,
            "expected a name of letters, digits and hyphens in brackets, as [row-padded-tile]");
      close();
      for (entry const& e : entries)
        if (e.name == name)
          throw bad_gallery(line, "[" + name + "] is already on line " + std::to_string(e.line));
      current = draft();
      current.done.name = name;
      current.done.line = line;
      open = true;
      continue;
    }
    std::size_t const equals = text.find('=');
    if (equals == std::string::npos) throw bad_gallery(line, "expected [name], or key = value");
    if (!open) throw bad_gallery(line, "a key before the first [name]");
    current.set(line, trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1)));
  }
  if (in.bad()) throw bad_gallery(line, "the file cannot be read further");
  close();
  if (entries.empty()) throw bad_gallery(line, "the gallery has no entry");
  return entries;
}

bool agrees(entry const& e, printed_value const& v) {
  axe::placement const where = axe::places(e.layout, e.shape, v.at);
  std::size_t listed = 0;
  for (std::size_t i = 0; i < v.places.size(); ++i) {
    if (!where.contains(v.places[i])) return false;
    listed += std::find(v.places.begin(), v.places.begin() + static_cast<std::ptrdiff_t>(i),
                        v.places[i]) == v.places.begin() + static_cast<std::ptrdiff_t>(i);
  }
  return where.size() == static_cast<axe::integer>(listed);
}

}  // namespace demo
