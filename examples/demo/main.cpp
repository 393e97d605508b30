// demo --gallery FILE ... --out FOLDER: draws every layout of the galleries, compares it with the
// values that its published source prints, and writes a page of all pictures, FOLDER/index.html.
//
//     tensor-core-tile     7 of 7 values printed in the source agree
//
// The first layout is also printed as text. Exit code 1: a value differs or a file cannot be
// written. 2: a gallery cannot be read.
#include "page.hpp"

#include "draw/options.hpp"
#include "text/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

namespace demo {

namespace {

constexpr int first_elements = 4;

struct wrong_usage : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct not_written : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class T> std::string text_of(T const& value) {
  auto const text = axe::to_text(value);
  return {text.begin(), text.end()};
}

std::string text_of(axe::placement const& where) {
  axe::text<1023> text;
  print(text, where);
  return {text.begin(), text.end()};
}

void print_map(entry const& e) {
  axe::integer shown = 0;
  for (axe::element const& x : axe::elements(e.layout, e.shape)) {
    if (shown++ == first_elements) break;
    std::cout << "  " << text_of(x.at) << " -> " << text_of(x.where) << "\n";
  }
  axe::integer const rest = axe::size(e.layout) - std::min<axe::integer>(shown, first_elements);
  if (rest > 0) std::cout << "  … and " << rest << " more\n";
}

struct checked_values {
  int differing = 0;
  std::string words;  // "" if the source prints no values
};

/// Compares the values that the source prints with those of the library.
checked_values check_values(entry const& e) {
  checked_values out;
  for (printed_value const& v : e.values) {
    if (agrees(e, v)) continue;
    ++out.differing;
    std::cout << "  DIFFERS (line " << v.line << "): " << text_of(v.at) << " lies at "
              << text_of(axe::places(e.layout, e.shape, v.at)) << "\n";
  }
  if (!e.values.empty())
    out.words = std::to_string(e.values.size() - static_cast<std::size_t>(out.differing)) + " of " +
                std::to_string(e.values.size()) + " values printed in the source agree";
  return out;
}

void write_file(std::string const& content, std::filesystem::path const& path) {
  if (std::string const why = text::write_whole_file(path.string(), content); !why.empty())
    throw not_written(why);
}

/// Writes the pictures of an entry and returns their file names.
std::vector<std::string> write_pictures(entry const& e, std::filesystem::path const& folder) {
  std::vector<std::string> names{e.name + ".svg"};
  axe::draw_options asked;
  asked.name = e.title;
  asked.color = draw::read_color(e.color, e.layout);
  asked.row = e.row;
  write_file(axe::draw(e.layout, e.shape, asked), folder / names.back());
  if (e.bits == 0) return names;
  axe::draw_options banks;
  banks.name = e.title;
  banks.view = axe::draw_view::banks;
  banks.bits = e.bits;
  names.push_back(e.name + "-banks.svg");
  write_file(axe::draw(e.layout, e.shape, banks), folder / names.back());
  return names;
}

void print_text(entry const& e) {
  axe::drawing::text_options how;
  how.width = 150;
  how.rows = 8;
  how.grids = 4;
  how.color = draw::read_color(e.color, e.layout);
  how.row = e.row;
  std::cout << axe::drawing::tensor_text(e.layout, e.shape, how)
            << axe::drawing::hardware_text(e.layout, e.shape, how);
  if (e.bits != 0) std::cout << axe::drawing::bank_text(e.layout, e.shape, e.bits, how);
}

void print_whole(entry const& e) {
  std::cout << e.name << ": " << e.title << "\n  " << text_of(e.layout) << "\n  " << e.about
            << "\n  source: " << e.source << "\n";
  print_map(e);
  print_text(e);
}

std::vector<entry> entries_of(std::string const& gallery) {
  std::ifstream file(gallery);
  if (!file) throw wrong_usage("cannot read " + gallery + ": " + std::strerror(errno));
  try {
    return read_gallery(file);
  } catch (bad_gallery const& mistake) { throw wrong_usage(gallery + ", " + mistake.what()); }
}

struct read_file {
  std::string gallery;
  std::vector<entry> entries;
};

/// Rejects a name that occurs twice, because names are file names of pictures.
std::vector<read_file> read_all(std::vector<std::string> const& galleries) {
  std::vector<read_file> out;
  std::map<std::string, std::string> gallery_of;
  for (std::string const& gallery : galleries) {
    out.push_back({gallery, entries_of(gallery)});
    for (entry const& e : out.back().entries)
      if (auto const [at, added] = gallery_of.emplace(e.name, gallery); !added)
        throw wrong_usage(gallery + ", line " + std::to_string(e.line) + ": [" + e.name +
                          "] is already in " + at->second);
  }
  return out;
}

int run(std::vector<std::string> const& galleries, std::filesystem::path const& folder) {
  std::vector<read_file> const files = read_all(galleries);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw wrong_usage("cannot make the folder " + folder.string() + ": " + failed.message());

  page all("axe: a gallery of layouts");
  int differing = 0;
  std::size_t layouts = 0, checked = 0;
  for (auto const& [gallery, entries] : files) {
    all.section(std::filesystem::path(gallery).stem().string());
    for (entry const& e : entries) {
      if (layouts++ == 0) print_whole(e);
      checked_values const values = check_values(e);
      std::cout << "  " << e.name << std::string(e.name.size() < 24 ? 24 - e.name.size() : 1, ' ')
                << (values.words.empty() ? "drawn" : values.words) << std::endl;
      differing += values.differing;
      checked += e.values.size();
      all.add(e, write_pictures(e, folder), values.words);
    }
  }
  write_file(all.html(), folder / "index.html");
  std::cout << layouts << " layouts drawn into " << folder.string() << "; " << checked
            << " values of the sources checked, " << differing << " differ\n";
  return differing == 0 ? 0 : 1;
}

}  // namespace

}  // namespace demo

int main(int argc, char** argv) {
  std::vector<std::string> galleries;
  std::string folder;
  try {
    for (int i = 1; i < argc; i += 2) {
      std::string const option = argv[i];
      if (option != "--gallery" && option != "--out")
        throw demo::wrong_usage("there is no option " + option +
                                "; the options are --gallery and --out");
      if (i + 1 == argc) throw demo::wrong_usage(option + " needs a value");
      if (option == "--out")
        folder = argv[i + 1];
      else
        galleries.push_back(argv[i + 1]);
    }
    if (galleries.empty() || folder.empty())
      throw demo::wrong_usage("usage: demo --gallery examples/gallery.axe --out FOLDER");
    return demo::run(galleries, folder);
  } catch (demo::not_written const& failure) {
    std::cerr << "demo: " << failure.what() << "\n";
    return 1;
  } catch (std::exception const& mistake) { std::cerr << "demo: " << mistake.what() << "\n"; }
  return 2;
}
