// Small pictures and texts, compared character by character.
//
//     AXE_UPDATE_GOLDEN=1 build/gcc/tests/draw/draw_golden_test      writes them again
#include "support/catch.hpp"

#include "draw/command.hpp"
#include "draw/options.hpp"
#include "draw/svg_picture.hpp"
#include "draw/text_picture.hpp"

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

draw::request banks(int bits) {
  draw::request asked;
  asked.tensor = asked.hardware = false;
  asked.banks = true;
  asked.bits = bits;
  return asked;
}

}  // namespace

TEST_CASE("pictures are as stored") {
  draw::request named;
  named.name = "a corner";
  check_golden("corner.svg", draw::svg_of(corner, {2, 2}, named));
  check_golden("swizzled.svg", draw::svg_of(swizzled, {2, 4}, {}));
  check_golden("banks.svg",
               draw::svg_of(draw::read_layout("S[(2,18):(20,1)] + R[2:3]"), {2, 18}, banks(16)));
  check_golden("difference.svg",
               draw::difference_svg(swizzled, draw::read_layout("S[(2,4):(4,1)]"), {2, 4}));
}

TEST_CASE("the pictures of the documentation are up to date") {
  std::string const docs = "../../../docs/pictures/";
  check_golden(docs + "tensor-core-tile.svg", draw::svg_of(tile, {8, 16}, {}));
  axe::layout const sharded = draw::read_layout("S[(2,32,2,64):(1@gpuid,128@m,2@gpuid,1@m)]");
  check_golden(docs + "mesh-sharding.svg", draw::svg_of(sharded, {64, 128}, {}));
  draw::request tensor;
  tensor.hardware = false;
  axe::layout const half = draw::read_layout("swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)]");
  check_golden(docs + "swizzled-half-tile.svg", draw::svg_of(half, {8, 64}, tensor));
  check_golden(docs + "half-tile-banks.svg",
               draw::svg_of(draw::read_layout("S[(8,64):(64,1)]"), {8, 64}, banks(16)));
  check_golden(docs + "swizzled-half-tile-banks.svg", draw::svg_of(half, {8, 64}, banks(16)));
  check_golden(
      docs + "transpose-tile-banks.svg",
      draw::svg_of(draw::read_layout("swizzle(0,5,5) o S[(32,32):(32,1)]"), {32, 32}, banks(32)));
}

TEST_CASE("texts are as stored") {
  check_golden("tile.txt", draw::tensor_text(tile, {8, 16}) + draw::hardware_text(tile, {8, 16}));
  check_golden("mesh.txt", draw::tensor_text(mesh, {4, 8}) + draw::hardware_text(mesh, {4, 8}));
  check_golden("difference.txt",
               draw::difference_text(swizzled, draw::read_layout("S[(2,4):(4,1)]"), {2, 4}));
  draw::text_options colored;
  colored.ansi = true;
  check_golden("corner_ansi.txt", draw::tensor_text(corner, {2, 2}, colored));
  check_golden(
      "banks.txt",
      draw::bank_text(draw::read_layout("swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)]"), {8, 64}, 16) +
          draw::bank_text(draw::read_layout("S[(4,40):(40,1)] + 3"), {4, 40}, 8));
  draw::text_options narrow;
  narrow.width = 24;
  narrow.rows = 3;
  check_golden("narrow.txt", draw::tensor_text(tile, {8, 16}, narrow));
}
