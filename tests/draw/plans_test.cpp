// Tests the cells in pictures of operations, banks, bank conflicts, conversions, reshardings and
// copies.
#include "draw/xml.hpp"
#include "support/catch.hpp"

#include <axe/axe.hpp>
#include <axe/convert.hpp>
#include <axe/distributed/reshard_plan.hpp>
#include <axe/draw/conflict_picture.hpp>
#include <axe/draw/conversion_picture.hpp>
#include <axe/draw/copy_picture.hpp>
#include <axe/draw/operation_picture.hpp>
#include <axe/draw/resharding_picture.hpp>
#include <axe/draw/text_picture.hpp>
#include <axe/plan/plan_copy.hpp>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace axe::literals;
using axe::integer;
namespace drawing = axe::drawing;

std::string first_word(drawing::cell const& c) { return c.words.empty() ? "" : c.words[0]; }

/// Compares with a picture of the documentation. AXE_UPDATE_GOLDEN=1 writes this picture anew.
void check_picture(std::string const& name, std::string const& svg) {
  std::string const path = AXE_GOLDEN_DIR "/../../../docs/pictures/" + name;
  if (std::getenv("AXE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << svg;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  std::stringstream stored;
  stored << file.rdbuf();
  CAPTURE(name);
  CHECK(svg == stored.str());
}

template <class Visit> void each_held(drawing::view const& v, Visit const& visit) {
  for (drawing::grid const& g : v.grids)
    for (drawing::cell const& c : g.cells)
      if (c.kind == drawing::cell::held) visit(c);
}

/// The number of an element's block, and the number of the element in this block.
struct split_number {
  integer outer = 0, inner = 0;

  /// `inner_extents` are those of a block. Each divides the extent of its dimension.
  split_number(integer x, std::vector<integer> const& extents,
               std::vector<integer> const& inner_extents) {
    integer outer_scale = 1, inner_scale = 1;
    for (std::size_t d = extents.size(); d-- > 0;) {
      integer const at = x % extents[d];
      x /= extents[d];
      outer += at / inner_extents[d] * outer_scale;
      inner += at % inner_extents[d] * inner_scale;
      outer_scale *= extents[d] / inner_extents[d];
      inner_scale *= inner_extents[d];
    }
  }
};

}  // namespace

TEST_CASE("in the picture of tile, blocks have the colours of the outer operand") {
  axe::layout const a = "S[(2,3):(3@lane,1@lane)]"_axe, b = "S[(4,2):(1@reg,4@reg)]"_axe;
  axe::layout const t = axe::tile(a, {2, 3}, b, {4, 2});
  std::vector<integer> const extents{8, 6}, inner{4, 2};
  auto const split = [&](integer x) { return split_number(x, extents, inner); };
  std::vector<axe::drawn_operand> const operands{
      {"A", a, {2, 3}, [&](integer x) { return split(x).outer; }},
      {"B", b, {4, 2}, [&](integer x) { return split(x).inner; }}};
  drawing::picture const p = drawing::operation_picture("tile", operands, t, {8, 6});
  REQUIRE(p.views.size() == 3);
  integer element = 0;
  each_held(p.views[0], [&](drawing::cell const& c) { CHECK(c.color == element++); });
  each_held(p.views[1], [](drawing::cell const& c) { CHECK(c.plain); });
  element = 0;
  each_held(p.views[2], [&](drawing::cell const& c) {
    integer const i = element / 6, j = element % 6;
    CHECK(c.color == i / 4 * 3 + j / 2);
    // The lane of the result is that of A, and its register is that of B.
    axe::place const at = axe::places(t, {8, 6}, {i, j}).first();
    CHECK(at[axe::axis::lane] == axe::places(a, {2, 3}, {i / 4, j / 2}).first()[axe::axis::lane]);
    CHECK(at[axe::axis::reg] == axe::places(b, {4, 2}, {i % 4, j % 2}).first()[axe::axis::reg]);
    ++element;
  });
  std::string const svg = axe::draw_operation("tile", operands, t, {8, 6});
  CHECK(axe_test::xml_mistake(svg) == "");
  CHECK(svg.find("<title>element (5,3): {4@lane + 5@reg}, from A(1,1), from B(1,1)</title>") !=
        std::string::npos);
}

TEST_CASE("the picture of tile in the documentation is up to date") {
  axe::layout const a = "S[(2,3):(3,1)]"_axe, b = "S[(4,4):(4,1)]"_axe;
  auto const split = [](integer x) { return split_number(x, {8, 12}, {4, 4}); };
  check_picture("tile-operation.svg",
                axe::draw_operation("tile(A, (2,3), B, (4,4))",
                                    {{"A", a, {2, 3}, [&](integer x) { return split(x).outer; }},
                                     {"B", b, {4, 4}, [&](integer x) { return split(x).inner; }}},
                                    axe::tile(a, {2, 3}, b, {4, 4}), {8, 12}));
}

TEST_CASE("the picture of an operation needs operands, and its legend mentions their replicas") {
  CHECK_THROWS_WITH(axe::draw_operation("x", {}, "S[8:1]"_axe, {8}),
                    "draw_operation: the picture of an operation colours the elements of its first "
                    "operand, but there is no operand; pass one");
  axe::drawn_operand const eight{"A", "S[8:1]"_axe, {8}, [](integer x) { return x; }};
  CHECK_THROWS_WITH(
      drawing::operation_picture("x", {eight, eight}, {{"x", eight.of, {8}, {eight.element_of}}}),
      "draw_operation: element_of of a result has 1 function, but the operation has 2 operands; "
      "pass one function for each");
  axe::layout const twice = "S[8:1@lane] + R[2:8@lane]"_axe;
  std::string const svg =
      axe::draw_operation("L", {{"L", twice, {8}, [](integer x) { return x; }}}, twice, {8});
  CHECK(svg.find("lies at 1 places") == std::string::npos);
  CHECK(svg.find("lies at several places") != std::string::npos);
  CHECK(drawing::svg_writer::escaped("a\x01<\n") == "a?&lt;\n");
}

TEST_CASE("several results and a large result keep the colours of the first operand") {
  axe::layout const whole = "S[(2,4):(4,1)]"_axe, half = "S[4:1]"_axe;
  std::vector<axe::drawn_operand> const operands{{"L", whole, {2, 4}, {}}};
  std::vector<axe::drawn_result> results;
  for (integer const row : {0, 1})
    results.push_back({"row", half, {4}, {[row](integer x) { return 4 * row + x; }}});
  drawing::picture const p = drawing::operation_picture("rows", operands, results);
  REQUIRE(p.views.size() == 3);
  for (std::size_t row : {0u, 1u})
    for (integer j = 0; j < 4; ++j)
      CHECK(p.views[row + 1].grids[0].at(0, j).color == 4 * static_cast<integer>(row) + j);

  axe::layout const a = "S[(16,16):(16,1)]"_axe;
  axe::layout const t = axe::tile(a, {16, 16}, a, {16, 16});
  auto const outer = [](integer x) { return split_number(x, {256, 256}, {16, 16}).outer; };
  drawing::picture const large =
      drawing::operation_picture("tile", {{"A", a, {16, 16}, outer}}, t, {256, 256});
  REQUIRE(!large.blocks.empty());
  drawing::view const& block = large.blocks[0].views[0];
  CHECK(block.heading.find("of the result, repeated ") != std::string::npos);
  for (integer i = 0; i < block.grids[0].rows; ++i)
    for (integer j = 0; j < block.grids[0].columns; ++j)
      CHECK(block.grids[0].at(i, j).color == large.views[1].grids[0].at(i, j).color);
  CHECK(axe_test::xml_mistake(drawing::svg_picture(large)) == "");
}

TEST_CASE("in the bank view, the block drawn with words has the words of the first lines") {
  for (axe::layout const& l :
       {"S[(64,64):(64,1)]"_axe, "swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)]"_axe}) {
    axe::draw_options asked;
    asked.view = axe::draw_view::banks;
    asked.bits = 16;
    drawing::picture const p = drawing::make_picture(l, {64, 64}, asked);
    REQUIRE(!p.blocks.empty());
    drawing::view const& block = p.blocks[0].views[0];
    CHECK(block.heading.find(", repeated ") != std::string::npos);
    drawing::grid const &part = block.grids[0], &whole = p.views[0].grids[0];
    for (integer r = 0; r < part.rows; ++r)
      for (integer c = 0; c < 32; ++c) CHECK(part.at(r, c).words == whole.at(r, c).words);
    std::string const svg = drawing::svg_picture(p, asked);
    CHECK(svg.find("the banks of the first block (") != std::string::npos);
  }
}

TEST_CASE("the picture of conflicts marks the lanes whose bank also serves another word") {
  struct sample {
    axe::layout of;
    axe::access_form access;
    int bits;
  };
  for (sample const& s :
       {sample{"S[(64,64):(64,1)]"_axe, axe::ldmatrix_rows<16>, 16},
        sample{"swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)]"_axe, axe::ldmatrix_rows<16>, 16},
        sample{"S[(32,32):(32,1)]"_axe, axe::columns_of_elements<32>, 32},
        sample{"S[(32,32):(33,1)]"_axe, axe::columns_of_elements<32>, 32},
        sample{"S[(32,32):(36,1)]"_axe, axe::columns_of_128_bits<32>, 32},
        sample{"S[(64,64):(72,1)]"_axe, axe::columns_of_elements<16>, 16}}) {
    axe::shape const shape = axe::detail::written_shape(s.of);
    CAPTURE(axe::to_text(s.of).c_str());
    axe::shared_traffic const traffic = axe::shared_memory(s.of, shape, s.access);
    axe::access_pattern const a = *axe::try_access(s.access, shape);
    drawing::picture const p = drawing::conflict_picture(s.of, shape, a, traffic);
    integer worst = 0, lanes_drawn = 0;
    for (drawing::grid const& g : p.views[0].grids)
      for (integer c = 0; c < g.columns; ++c) {
        integer words = 0;
        for (integer r = 0; r < g.rows; ++r) words += g.at(r, c).kind == drawing::cell::held;
        worst = std::max(worst, words);
        for (integer r = 0; r < g.rows; ++r) {
          drawing::cell const& here = g.at(r, c);
          CHECK(here.marked == (words > 1 && here.kind == drawing::cell::held));
          if (here.kind != drawing::cell::held || here.words[0].find(',') != std::string::npos)
            continue;
          ++lanes_drawn;
          // Compute the line and the bank of the lane's first element from its address in bits.
          integer const vector = traffic.instruction * 32 + std::stoll(here.words[0]);
          integer const x = axe::places(a.elements, vector * a.values).first()[axe::axis::m];
          integer const bit = axe::places(s.of, x).first()[axe::axis::m] * s.bits;
          CHECK(std::to_string(bit / 1024) == g.row_names[static_cast<std::size_t>(r)]);
          integer const bank = bit / 32 % 32, step = 32 / g.columns;
          CHECK(std::to_string(bank / step * step) == g.column_names[static_cast<std::size_t>(c)]);
        }
      }
    CHECK(worst == traffic.conflicts);
    CHECK(lanes_drawn > 0);
    CHECK(axe_test::xml_mistake(axe::draw_conflicts(s.of, shape, s.access)) == "");
  }
  check_picture("half-tile-conflicts.svg",
                axe::draw_conflicts("S[(64,64):(64,1)]"_axe, {64, 64}, axe::ldmatrix_rows<16>));
}

TEST_CASE("a title counts the equal phases, and how many of them are in other lines") {
  auto const title = [](axe::layout const& l) {
    axe::shape const shape = axe::detail::written_shape(l);
    axe::access_form const form = axe::rows_of_128_bits<32>;
    drawing::picture const p = drawing::conflict_picture(l, shape, *axe::try_access(form, shape),
                                                         axe::shared_memory(l, shape, form));
    return p.views[0].grids[0].title;
  };
  CHECK(title("S[(4,32):(32,1)]"_axe) ==
        "phase 0: 1 wavefront, repeated 4 times, 3 of them in other lines");
  CHECK(title("S[(2,2,32):(0,32,1)]"_axe) ==
        "phase 0: 1 wavefront, repeated 4 times, 2 of them in other lines");
  CHECK(title("S[(4,32):(0,1)]"_axe) == "phase 0: 1 wavefront, repeated 4 times");
}

TEST_CASE("the picture of a conversion colours each word by the lane from which the plan gets it") {
  axe::layout const from = "S[(4,32):(1@reg,1@lane)]"_axe, to = "S[(32,4):(1@lane,1@reg)]"_axe;
  axe::conversion_plan const plan = axe::plan_convert(from, to, 32);
  drawing::picture const p = drawing::conversion_picture(from, to, plan);
  REQUIRE(p.views.size() == 3);
  CHECK(p.views[1].grids[0].rows == plan.shuffles());
  std::vector<axe::detail::register_word> source(32u * 4), target(32u * 4);
  for (std::size_t k = 0; k < source.size(); ++k)
    source[k] = static_cast<axe::detail::register_word>(k / 4);
  axe::interpret(plan, source.data(), target.data());
  drawing::grid const& after = p.views[2].grids[0];
  REQUIRE((after.rows == 4 && after.columns == 32));
  for (integer r = 0; r < 4; ++r)
    for (integer lane = 0; lane < 32; ++lane)
      CHECK(after.at(r, lane).color == target[static_cast<std::size_t>(4 * lane + r)]);
  CHECK(axe_test::xml_mistake(axe::draw_conversion(from, to, plan)) == "");
  axe::layout const rows = "S[(4,8):(1@reg,1@lane)]"_axe, columns = "S[(8,4):(1@lane,1@reg)]"_axe;
  check_picture("conversion.svg",
                axe::draw_conversion(rows, columns, axe::plan_convert(rows, columns, 32)));
}

TEST_CASE("bad layouts, widths, shapes and colour keys are rejected") {
  for (int const bits : {0, -16, 24, 256})
    CHECK_THROWS_AS(drawing::bank_text("S[8:1]"_axe, {8}, bits), axe::refused);
  CHECK_THROWS_AS(drawing::bank_text("S[8:1@lane]"_axe, {8}, 16), axe::refused);
  CHECK_NOTHROW(drawing::bank_text("S[8:1] + R[2:8]"_axe, {8}, 16));
  CHECK_THROWS_WITH(drawing::make_picture("S[4:1]"_axe, {5}, {}),
                    "draw: the shape (5) has 5 elements, but the layout S[4:1] has 4");
  CHECK_THROWS_WITH(drawing::make_picture("S[8:1]"_axe, {8}, {.color = {axe::axis::m, 0}}),
                    "draw: the colour key is m/0%0, but its divisor must be at least 1 and its "
                    "modulus at least 0");
  CHECK(drawing::bank_text("S[8:1] + 2305843009213693952"_axe, {8}, 16).find("0:2 2:4 4:6 6:8") !=
        std::string::npos);
}

TEST_CASE("the links in the picture of a resharding carry the volume of the plan") {
  constexpr axe::axis y = axe::detail::pack_axis("y", 1, axe::kind::device);
  constexpr axe::axis x = axe::detail::pack_axis("x", 1, axe::kind::device);
  axe::mesh const devices{{y, 2}, {x, 4}};
  axe::sharding const rows{
      axe::S({2, 4, 8}, {1 * y, 8 * axe::axes::m, 1 * axe::axes::m}), {8, 8}, devices};
  axe::sharding const columns{
      axe::S({8, 4, 2}, {2 * axe::axes::m, 1 * x, 1 * axe::axes::m}), {8, 8}, devices};
  for (auto const& [src, dst] : {std::pair{rows, columns}, std::pair{columns, rows}}) {
    axe::reshard_plan const plan = axe::plan_reshard(src, dst);
    integer elements = 0;
    for (auto const& [link, count] : drawing::links_of(plan)) {
      CHECK(link.first != link.second);
      elements += count;
    }
    CHECK(elements == axe::volume(plan));
    drawing::picture const p = drawing::resharding_picture(plan, 32);
    REQUIRE(p.views.size() == 3);
    integer bytes = 0;
    each_held(p.views[2], [&](drawing::cell const& c) { bytes += std::stoll(c.words[0]); });
    CHECK(bytes == 4 * axe::volume(plan));
    CHECK(axe_test::xml_mistake(axe::draw_resharding(plan, 32)) == "");
  }
  drawing::picture const p = drawing::resharding_picture(axe::plan_reshard(rows, columns), 32);
  // Rows 0 to 3 are on y = 0, whose first device is 0.
  CHECK(first_word(p.views[0].grids[0].at(3, 7)) == "0");
  CHECK(first_word(p.views[0].grids[0].at(4, 0)) == "4");
  CHECK(first_word(p.views[1].grids[0].at(0, 5)) == "2");
  check_picture("resharding.svg", axe::draw_resharding(axe::plan_reshard(rows, columns), 32));
  CHECK(drawing::bytes_text(8 * 5000) == "4.9 Ki");
}

TEST_CASE("the picture of a resharding has no padding, and says that one byte moves") {
  axe::mesh const devices{{axe::axis::gpuid, 4}};
  axe::sharding const padded{"S[(4,2):(1@gpuid,1)]"_axe, {8}, devices, 0, {6}};
  axe::sharding const whole{"S[6:1]"_axe, {6}, devices};
  drawing::picture const p = drawing::resharding_picture(axe::plan_reshard(padded, whole), 32);
  CHECK(first_word(p.views[0].grids[0].at(0, 5)) == "2");
  CHECK(p.views[0].grids[0].at(0, 6).kind == drawing::cell::outside);
  axe::sharding const here{"S[1:1]"_axe, {1}, devices}, there{"S[1:1] + 1@gpuid"_axe, {1}, devices};
  drawing::picture const one = drawing::resharding_picture(axe::plan_reshard(here, there), 8);
  CHECK(one.summary == "1 byte moves between ranks; no plan needs less than 1");
  CHECK_THROWS_WITH(drawing::resharding_picture(axe::plan_reshard(here, there), 0),
                    "draw_resharding: the picture is of elements of 0 bits, but an element has at "
                    "least 1");
  CHECK(one.views[2].grids[0].at(0, 1).hint == "rank 0 sends 1 element to rank 1");
}

TEST_CASE("the picture of a copy has every element once, in its thread and access") {
  axe::copy_request r;
  r.from = "S[(16,16):(4096,1)]"_axe;
  r.to = "S[(16,16):(16,1)]"_axe;
  r.tile = {16, 16};
  r.bits = 32;
  r.scope = 32;
  r.from_space = axe::memory_space::global;
  r.to_space = axe::memory_space::shared;
  r.options.type = axe::element_type::f32;
  r.options.from_alignment = 16;
  r.options.to_alignment = 128;
  axe::copy_plan const plan = *axe::try_plan_copy(r);
  drawing::picture const p = drawing::copy_picture(plan, r.tile);
  REQUIRE(p.views.size() == 2);
  std::set<std::pair<std::string, integer>> accesses;
  each_held(p.views[0], [&](drawing::cell const& c) {
    // The coordinates of the element on the modes of the plan. The modes are in row-major order.
    axe::shape extents;
    axe::coordinate at;
    for (axe::copy_mode const& m : plan.modes) {
      extents.append(m.extent);
      at.append(c.element / m.step % m.extent);
    }
    axe::place const where = axe::places(plan.partition, extents, at).first();
    CHECK(c.words[0] == std::to_string(where[plan.thread]));
    CHECK(c.color == where[axe::axis::reg] / plan.values);
    accesses.insert({c.words[0], c.color});
  });
  CHECK(static_cast<integer>(accesses.size()) == plan.threads * plan.issues);
  integer moved = 0;
  each_held(p.views[1], [&](drawing::cell const& c) {
    moved += 1 + std::stoll(c.words[0].substr(c.words[0].find('+') + 1));
  });
  CHECK(moved == 256);
  CHECK(axe_test::xml_mistake(axe::draw_copy(plan, r.tile)) == "");
  check_picture("copy-plan.svg", axe::draw_copy(plan, r.tile));
}

TEST_CASE("the picture of a tensor copy has every element in the box that covers its coordinates") {
  axe::copy_request r;
  r.from = "S[(128,64):(4096,1)]"_axe;
  r.to = "swizzle(M=3,B=3,S=3) o S[(2,64,64):(8192,64,1)]"_axe;
  r.tile = {128, 64};
  r.bits = 16;
  r.scope = 128;
  r.from_space = axe::memory_space::global;
  r.to_space = axe::memory_space::shared;
  r.options.type = axe::element_type::bf16;
  r.options.asynchronous = true;
  r.options.from_alignment = 16;
  r.options.to_alignment = 1024;
  r.options.force = axe::copy_instruction::tma;
  axe::copy_plan const plan = *axe::try_plan_copy(r);
  REQUIRE(plan.instruction == axe::copy_instruction::tma);
  axe::tma_plan const& boxes = plan.tensor;
  REQUIRE((boxes.rank() == 2 && boxes.issues == 2));
  drawing::picture const p = drawing::copy_picture(plan, r.tile);
  REQUIRE(p.views.size() == 2);
  std::vector<axe::tma_box> const all = drawing::boxes_of(boxes);
  each_held(p.views[0], [&](drawing::cell const& c) {
    // Dimension 0 of the tensor map is the contiguous one.
    integer const at[2] = {c.element % 64, c.element / 64};
    integer found = -1;
    for (std::size_t k = 0; k < all.size(); ++k) {
      bool inside = true;
      for (int d = 0; d < 2; ++d) {
        integer const first = all[k].coordinates[d];
        inside = inside && first <= at[d] && at[d] < first + boxes.dimensions[d].box;
      }
      if (inside) found = static_cast<integer>(k);
    }
    if (c.color != found) FAIL_CHECK("element " << c.element << " is drawn in box " << c.color);
  });
  drawing::grid const& table = p.views[1].grids[0];
  REQUIRE((table.rows == 2 && table.columns == 3));
  CHECK(table.at(1, 1).words[0] == "64");
  CHECK(table.at(1, 2).words[0] == "byte 16384");
  CHECK(axe_test::xml_mistake(axe::draw_copy(plan, r.tile)) == "");
}

TEST_CASE("the picture of a copy of 4-bit elements has both elements of a byte in one thread") {
  axe::copy_request r;
  r.from = "S[(64,64):(4096,1)]"_axe;
  r.to = "S[(64,64):(64,1)]"_axe;
  r.tile = {64, 64};
  r.bits = 4;
  r.scope = 128;
  r.from_space = axe::memory_space::global;
  r.to_space = axe::memory_space::shared;
  r.options.type = axe::element_type::e2m1;
  r.options.from_alignment = 16;
  r.options.to_alignment = 128;
  axe::copy_plan const plan = *axe::try_plan_copy(r);
  REQUIRE((plan.packed == 2 && plan.values == 16 && plan.threads == 128));
  drawing::picture const p = drawing::copy_picture(plan, r.tile);
  int cells = 0;
  each_held(p.views[0], [&](drawing::cell const& c) {
    ++cells;
    integer const thread = 2 * (c.element / 64) + c.element % 64 / 32;
    if (c.words[0] != std::to_string(thread))
      FAIL_CHECK("element " << c.element << ": " << c.words[0]);
  });
  CHECK(cells == 64 * 64);
  CHECK(p.views[1].grids[0].at(0, 1).words[0] == "0,32 +31");
}
