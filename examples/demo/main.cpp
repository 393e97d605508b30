// demo --gallery FILE --out FOLDER: prints and draws every layout of a gallery, and checks the
// values that its source prints.
//
//     tensor-core-tile: tensor-core tile on 2 x 2 warps
//       (0,0) -> {0@lane + 5@warp + 0@reg, 0@lane + 9@warp + 0@reg}
//       7 of 7 values printed in the source agree
//
// Exit code 1 if a value differs or a file cannot be written, 2 if the gallery cannot be read.
#include "gallery.hpp"

#include "draw/options.hpp"
#include "text/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

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

/// The number of values of the source that the library answers differently.
int check_values(entry const& e) {
  int differing = 0;
  for (printed_value const& v : e.values) {
    if (agrees(e, v)) continue;
    ++differing;
    std::cout << "  DIFFERS (line " << v.line << "): " << text_of(v.at) << " lies at "
              << text_of(axe::places(e.layout, e.shape, v.at)) << "\n";
  }
  if (!e.values.empty())
    std::cout << "  " << e.values.size() - static_cast<std::size_t>(differing) << " of "
              << e.values.size() << " values printed in the source agree\n";
  return differing;
}

void write_svg(entry const& e, axe::draw_options const& asked, std::filesystem::path const& path) {
  std::string const svg = axe::draw(e.layout, e.shape, asked);
  if (std::string const why = text::write_whole_file(path.string(), svg); !why.empty())
    throw not_written(why);
  std::cout << "  drawn: " << path.string() << " (" << (svg.size() + 1023) / 1024 << " KiB)\n";
}

void write_pictures(entry const& e, std::filesystem::path const& folder) {
  axe::draw_options asked;
  asked.name = e.title;
  asked.color = draw::read_color(e.color, e.layout);
  asked.row = e.row;
  write_svg(e, asked, folder / (e.name + ".svg"));
  if (e.bits == 0) return;
  axe::draw_options banks;
  banks.name = e.title;
  banks.view = axe::draw_view::banks;
  banks.bits = e.bits;
  write_svg(e, banks, folder / (e.name + "-banks.svg"));
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

int run(std::string const& gallery, std::filesystem::path const& folder) {
  std::ifstream file(gallery);
  if (!file) throw wrong_usage("cannot read " + gallery + ": " + std::strerror(errno));
  std::vector<entry> const entries = read_gallery(file);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw wrong_usage("cannot make the folder " + folder.string() + ": " + failed.message());

  int differing = 0;
  std::size_t checked = 0;
  for (entry const& e : entries) {
    std::cout << e.name << ": " << e.title << "\n  " << text_of(e.layout) << "\n  " << e.about
              << "\n  source: " << e.source << "\n";
    print_map(e);
    print_text(e);
    differing += check_values(e);
    checked += e.values.size();
    write_pictures(e, folder);
    std::cout << std::endl;
  }
  std::cout << entries.size() << " layouts drawn into " << folder.string() << "; " << checked
            << " values of the sources checked, " << differing << " differ\n";
  return differing == 0 ? 0 : 1;
}

}  // namespace

}  // namespace demo

int main(int argc, char** argv) {
  std::string gallery, folder;
  try {
    for (int i = 1; i < argc; i += 2) {
      std::string const option = argv[i];
      if (option != "--gallery" && option != "--out")
        throw demo::wrong_usage("there is no option " + option +
                                "; the options are --gallery and --out");
      if (i + 1 == argc) throw demo::wrong_usage(option + " needs a value");
      (option == "--out" ? folder : gallery) = argv[i + 1];
    }
    if (gallery.empty() || folder.empty())
      throw demo::wrong_usage("usage: demo --gallery examples/gallery.axe --out FOLDER");
    return demo::run(gallery, folder);
  } catch (demo::bad_gallery const& mistake) {
    std::cerr << "demo: " << gallery << ", " << mistake.what() << "\n";
  } catch (demo::not_written const& failure) {
    std::cerr << "demo: " << failure.what() << "\n";
    return 1;
  } catch (std::exception const& mistake) { std::cerr << "demo: " << mistake.what() << "\n"; }
  return 2;
}
