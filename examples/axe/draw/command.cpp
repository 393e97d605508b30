// Runs `axe draw`. It computes the whole picture before it opens the file.
#include "command.hpp"

#include "options.hpp"
#include "terminal.hpp"
#include "text/whole_file.hpp"

#include <new>
#include <ostream>

namespace draw {

char const* usage() {
  return R"(usage: axe draw LAYOUT --shape 8,16 [-o FILE.svg]
       axe draw LAYOUT --access FORM [--shape 64,64] [-o FILE.svg]
       axe draw OPERATION --operation [-o FILE.svg]
       axe draw copy|tma|convert|reshard … [-o FILE.svg]

Draws the place of each element (tensor view) and the elements of each owner or place
(hardware view). --access draws the banks of an access of shared memory, with the lanes
that collide. --operation draws the operands of an operation beside the result. An element
has the same colour in all of them. copy, tma, convert and reshard take the arguments of
axe plan and draw the plan.

  --shape EXTENTS   the shape of the tensor: 8,16 or ((2,4),16)
  -o FILE           the SVG to write (default: layout.svg), - for standard output
  --view WHICH      tensor, hardware, both (default), or banks: shared memory in lines
                    of 32 banks
  --bits N          the width of an element, for --view banks
  --color AXIS      colours by position on an axis, or by AXIS/N, AXIS%N, AXIS/N%M
                    (default: the thread or device axis with the fewest positions, else memory)
  --row N           addresses in a line of the memory view (default: the layout's pitch)
  --name TEXT       a title
  --axis NAME:KIND  declares an axis: thread, memory or device
  --text            prints the picture as text instead, coloured on a terminal

examples:
  axe draw 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)]' --shape 8,16 -o tile.svg
  axe draw 'swizzle(3,3,3) o S[(8,64):(64,1)]' --shape 8,64 --view tensor -o - > swizzled.svg
  axe draw 'swizzle(3,3,3) o S[(8,64):(64,1)]' --shape 8,64 --view banks --bits 16 --text
  axe draw 'S[(64,64):(64,1)]' --shape 64,64 --access 'ldmatrix_rows(16)' -o conflicts.svg
  axe draw 'tile(S[(2,3):(3,1)], (2,3), S[(4,4):(4,1)], (4,4))' --operation -o tile.svg
  axe draw convert 'S[(4,8):(1@reg,1@lane)]' 'S[(8,4):(1@lane,1@reg)]' -o convert.svg
)";
}

namespace {

void write_text(options const& o, std::ostream& out) {
  axe::drawing::text_options how = picture_options(out);
  how.color = o.asked.color;
  how.row = o.asked.row;
  std::string views;
  axe::draw_view const view = o.asked.view;
  if (view == axe::draw_view::both || view == axe::draw_view::tensor)
    views += axe::drawing::tensor_text(o.of, o.seen_as, how);
  if (view == axe::draw_view::both || view == axe::draw_view::hardware)
    views += axe::drawing::hardware_text(o.of, o.seen_as, how);
  if (view == axe::draw_view::banks)
    views += axe::drawing::bank_text(o.of, o.seen_as, o.asked.bits, how);
  out << views;
}

}  // namespace

int write_svg(std::string const& file, std::string const& svg, std::ostream& out,
              std::ostream& err) {
  if (file == "-") {
    out << svg;
    return 0;
  }
  if (std::string const why = text::write_whole_file(file, svg); !why.empty()) {
    err << "axe draw: " << why << "\n";
    return 1;
  }
  err << "wrote " << file << " (" << (svg.size() + 1023) / 1024 << " KiB)\n";
  return 0;
}

int command(std::vector<std::string> const& arguments, std::ostream& out, std::ostream& err,
            layout_reader const& read) {
  try {
    options const o = read_options(arguments, read);
    if (o.help) {
      out << usage();
      return 0;
    }
    if (!o.text) return write_svg(o.file, axe::draw(o.of, o.seen_as, o.asked), out, err);
    write_text(o, out);
    return 0;
  } catch (std::bad_alloc const&) {
    throw;  // the caller reports it
  } catch (std::exception const& mistake) { err << "axe draw: " << mistake.what() << "\n"; }
  return 2;
}

}  // namespace draw
