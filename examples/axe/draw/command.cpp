// `axe draw`: read everything, compute the whole file, and only then open it.
#include "command.hpp"

#include "options.hpp"
#include "svg_picture.hpp"
#include "text_picture.hpp"

#include <unistd.h>

#include <fstream>
#include <iostream>

namespace draw {

char const* usage() {
  return "usage: axe draw LAYOUT --shape 8,16 [-o FILE.svg]\n"
         "\n"
         "Draws who holds each element (tensor view) and what each owner or place holds (hardware "
         "view).\n"
         "\n"
         "  --shape EXTENTS      how the elements are numbered: 8,16 or ((2,4),16)\n"
         "  -o FILE              the SVG to write, - for standard output (default: layout.svg)\n"
         "  --view WHICH         tensor, hardware or both (default), or banks: lines of shared "
         "memory by "
         "banks\n"
         "  --bits N             the width of an element, for the bank view\n"
         "  --color AXIS         what the colours stand for: an axis, or AXIS/N, AXIS%N, AXIS/N%M\n"
         "                       (default: the coarsest owner; memory where there is none)\n"
         "  --row N              addresses in a line of the memory view (default: the layout's "
         "pitch)\n"
         "  --name TEXT          a title above the layout\n"
         "  --axis NAME:KIND     declares an axis: thread, memory or device\n"
         "  --text               the picture as text on standard output, in colour on a terminal; "
         "no file\n"
         "\n"
         "  axe draw 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp' --shape "
         "8,16 -o "
         "tile.svg\n"
         "  axe draw 'swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)]' --shape 8,64 --view tensor -o - > "
         "swizzled.svg\n"
         "  axe draw 'swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)]' --shape 8,64 --view banks --bits 16 "
         "--text\n";
}

std::string difference_svg(axe::layout const& a, axe::layout const& b, axe::shape const& s) {
  return svg_picture(difference_picture(a, b, s));
}

namespace {

void write_text(options const& o, std::ostream& out) {
  text_options how;
  how.ansi = &out == &std::cout && isatty(STDOUT_FILENO) != 0;
  how.color = o.asked.color;
  how.row = o.asked.row;
  std::string text;
  if (o.asked.tensor) text += tensor_text(o.of, o.seen_as, how);
  if (o.asked.hardware) text += hardware_text(o.of, o.seen_as, how);
  if (o.asked.banks) text += bank_text(o.of, o.seen_as, o.asked.bits, how);
  out << text;
}

int write_svg(options const& o, std::ostream& out, std::ostream& err) {
  std::string const svg = svg_of(o.of, o.seen_as, o.asked);
  if (o.file == "-") {
    out << svg;
    return 0;
  }
  std::ofstream file(o.file, std::ios::binary);
  if (!file.write(svg.data(), static_cast<std::streamsize>(svg.size())).flush()) {
    err << "axe draw: cannot write " << o.file << "\n";
    return 2;
  }
  err << "wrote " << o.file << " (" << (svg.size() + 1023) / 1024 << " KiB)\n";
  return 0;
}

}  // namespace

int command(std::vector<std::string> const& arguments, std::ostream& out, std::ostream& err,
            layout_reader read) {
  try {
    options const o = read_options(arguments, read);
    if (o.help) {
      out << usage();
      return 0;
    }
    if (!o.text) return write_svg(o, out, err);
    write_text(o, out);
    return 0;
  } catch (std::exception const& mistake) { err << "axe draw: " << mistake.what() << "\n"; }
  return 2;
}

}  // namespace draw
