// Compares small pictures and texts with golden files, character by character.
//
//     AXE_UPDATE_GOLDEN=1 build/gcc/tests/draw/draw_golden_test      writes the golden files anew
#include "support/catch.hpp"

#include <axe/draw/svg_picture.hpp>
#include <axe/draw/text_picture.hpp>
#include "draw/command.hpp"
#include "draw/options.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

void check_golden(std::string const& name, std::string const& text) {
  std::string const path = AXE_GOLDEN_DIR "/" + name;
  if (std::getenv("AXE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    WARN("wrote " << name);
    return;
  }
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  std::stringstream expected;
  expected << file.rdbuf();
  CAPTURE(name);
  CHECK(text == expected.str());
}

axe::layout const tile =
    draw::read_layout("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp");
axe::layout const corner = draw::read_layout("S[(2,2):(1@lane,1@reg)] + R[2:4@lane] + 1@warp");
axe::layout const swizzled = draw::read_layout("swizzle(M=0,B=1,S=1) o S[(2,4):(4,1)]");
axe::layout const mesh = draw::read_layout("S[(2,2,2,4):(1@gpuid,8@m,2@gpuid,1@m)]");

axe::draw_options banks(int bits) {
  axe::draw_options asked;
  asked.view = axe::draw_view::banks;
  asked.bits = bits;
  return asked;
}

}  // namespace

TEST_CASE("pictures equal their golden files") {
  axe::draw_options named;
  named.name = "a corner";
  check_golden("corner.svg", axe::draw(corner, {2, 2}, named));
  check_golden("swizzled.svg", axe::draw(swizzled, {2, 4}, {}));
  check_golden("banks.svg",
               axe::draw(draw::read_layout("S[(2,18):(20,1)] + R[2:3]"), {2, 18}, banks(16)));
  check_golden("difference.svg",
               axe::draw_difference(swizzled, draw::read_layout("S[(2,4):(4,1)]"), {2, 4}));
}

TEST_CASE("the pictures of the documentation are up to date") {
  std::string const docs = "../../../docs/pictures/";
  check_golden(docs + "tensor-core-tile.svg", axe::draw(tile, {8, 16}, {}));
  axe::layout const sharded = draw::read_layout("S[(2,32,2,64):(1@gpuid,128@m,2@gpuid,1@m)]");
  check_golden(docs + "mesh-sharding.svg", axe::draw(sharded, {64, 128}, {}));
  axe::draw_options tensor;
  tensor.view = axe::draw_view::tensor;
  axe::layout const half = draw::read_layout("swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)]");
  check_golden(docs + "swizzled-half-tile.svg", axe::draw(half, {8, 64}, tensor));
  check_golden(docs + "half-tile-banks.svg",
               axe::draw(draw::read_layout("S[(8,64):(64,1)]"), {8, 64}, banks(16)));
  check_golden(docs + "swizzled-half-tile-banks.svg", axe::draw(half, {8, 64}, banks(16)));
  check_golden(
      docs + "transpose-tile-banks.svg",
      axe::draw(draw::read_layout("swizzle(0,5,5) o S[(32,32):(32,1)]"), {32, 32}, banks(32)));
}

TEST_CASE("texts equal their golden files") {
  check_golden("tile.txt", axe::drawing::tensor_text(tile, {8, 16}) +
                               axe::drawing::hardware_text(tile, {8, 16}));
  check_golden("mesh.txt",
               axe::drawing::tensor_text(mesh, {4, 8}) + axe::drawing::hardware_text(mesh, {4, 8}));
  check_golden("difference.txt", axe::drawing::difference_text(
                                     swizzled, draw::read_layout("S[(2,4):(4,1)]"), {2, 4}));
  axe::drawing::text_options colored;
  colored.ansi = true;
  check_golden("corner_ansi.txt", axe::drawing::tensor_text(corner, {2, 2}, colored));
  check_golden("banks.txt",
               axe::drawing::bank_text(draw::read_layout("swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)]"),
                                       {8, 64}, 16) +
                   axe::drawing::bank_text(draw::read_layout("S[(4,40):(40,1)] + 3"), {4, 40}, 8));
  axe::drawing::text_options narrow;
  narrow.width = 24;
  narrow.rows = 3;
  check_golden("narrow.txt", axe::drawing::tensor_text(tile, {8, 16}, narrow));
}
