// Tests that pictures are well-formed XML, small, readable in light and dark mode, and explained by
// a legend.
#include "draw/xml.hpp"
#include "support/catch.hpp"

#include <axe/draw/page.hpp>
#include <axe/draw/svg_picture.hpp>
#include "draw/command.hpp"
#include "draw/options.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

namespace {

using axe_test::contains_text;

struct sample {
  char const* layout;
  char const* shape;
};

// Layouts like those of examples/gallery.axe, and extreme ones.
sample const samples[] = {
    {"S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp", "8,16"},
    {"S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]", "16,16"},
    {"S[(128,256):(1@TLane,1@TCol)]", "128,256"},
    {"S[(2,32,2,64):(1@gpuid,128@m,2@gpuid,1@m)]", "64,128"},
    {"S[(2,32,128):(1@gpuid,128@m,1@m)] + R[2:2@gpuid]", "64,128"},
    {"S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane]", "32,4"},
    {"S[(2,128,512):(512@F,1@P,1@F)]", "2,128,512"},
    {"S[(7,48,100):(4800,100,1)]", "7,48,100"},
    {"swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)]", "8,64"},
    {"swizzle(M=3,B=3,S=3) o S[(128,64):(64,1)]", "(2,64),64"},
    {"S[(4,2,8,32,4,2):(1@wid_in_wg,2@reg,4@lane,4@reg,1@lane,1@reg)]", "64,256"},
    {"S[(4,4):(2,1)] + R[2:1]", "4,4"},
    {"S[(8,16):(-16,-1)] - 5", "128"},
    {"S[4:0]", "4"},
    {"S[]", "1"},
    {"S[(65536,65536):(65536,1)]", "65536,65536"},
    {"S[(4,1000000007):(1@tid,1000000007@m)]", "4,1000000007"},
    {"S[(3,5):(1@P,1@Bank)] + R[2:7@F] + 9@gpuid", "3,5"},
};

axe::drawing::picture const& picture_of(sample const& s) {
  static std::map<std::string, axe::drawing::picture> made;
  auto const [at, fresh] = made.try_emplace(std::string(s.layout) + s.shape);
  if (fresh)
    at->second =
        axe::drawing::make_picture(draw::read_layout(s.layout), draw::read_shape(s.shape), {});
  return at->second;
}

/// The text of a sample's picture, written once because several test cases read it.
std::string const& draw_sample(sample const& s) {
  static std::map<std::string, std::string> drawn;
  auto const [at, fresh] = drawn.try_emplace(std::string(s.layout) + s.shape);
  if (fresh) at->second = axe::drawing::svg_picture(picture_of(s));
  return at->second;
}

/// All font sizes of the picture's style sheet.
std::vector<double> font_sizes(std::string const& svg) {
  std::vector<double> sizes;
  for (std::size_t at = svg.find("font-size:"); at != std::string::npos;
       at = svg.find("font-size:", at + 1))
    sizes.push_back(std::atof(svg.c_str() + at + 10));
  return sizes;
}

/// The rules of the style sheet for light mode (first) and for dark mode (second).
std::pair<std::string, std::string> modes(std::string const& svg) {
  std::size_t const from = svg.find("<style>");
  std::size_t const media = svg.find("@media (prefers-color-scheme:dark)");
  std::size_t const to = svg.find("</style>");
  REQUIRE((from < media && media < to));
  return {svg.substr(from, media - from), svg.substr(media, to - media)};
}

bool has_rule(std::string const& css, std::string const& selector) {
  return css.find(selector + "{") != std::string::npos;
}

std::size_t count_of(std::string const& text, std::string const& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// The relative luminance of `#rrggbb` (WCAG 2.1, "Contrast ratio").
double luminance(std::string const& color) {
  double sum = 0;
  double const weights[3] = {0.2126, 0.7152, 0.0722};
  for (int i = 0; i < 3; ++i) {
    auto const byte = static_cast<double>(
        std::strtol(color.substr(static_cast<std::size_t>(1 + 2 * i), 2).c_str(), nullptr, 16));
    double const c = byte / 255;
    sum += weights[i] * (c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}
double contrast(std::string const& a, std::string const& b) {
  double const x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

std::string fill_of(std::string const& css, std::string const& selector) {
  std::size_t const at = css.find(selector + "{fill:");
  REQUIRE(at != std::string::npos);
  return css.substr(at + selector.size() + 6, 7);
}

}  // namespace

TEST_CASE("the XML check finds mistakes") {
  CHECK(axe_test::xml_mistake("<a><b x=\"1\"/>t &amp; u</a>\n").empty());
  for (char const* wrong : {"<a><b></a>", "<a x=1/>", "<a>&nbsp;</a>", "<a/><b/>",
                            "<a x=\"1\" x=\"2\"/>", "<a x=\"<\"/>", "<a>", "a", "<a"})
    CHECK_FALSE(axe_test::xml_mistake(wrong).empty());
}

TEST_CASE(
    "every picture is well-formed, at most 3 MB, titled by its layout, and explains its colours") {
  for (sample const& s : samples) {
    CAPTURE(s.layout, s.shape);
    std::string const& svg = draw_sample(s);
    CHECK(axe_test::xml_mistake(svg) == "");
    CHECK(svg.size() <= 3'000'000);
    CHECK_THAT(svg, contains_text("<title>"));
    CHECK(count_of(svg, "class=\"title\"") >= 1);
    axe::drawing::picture const& p = picture_of(s);
    CHECK(p.views.size() == 2);
    // The legend has a name for each colour if there are few, and one ramp if there are many.
    if (p.scale.few())
      CHECK(count_of(svg, "width=\"13\" height=\"13\"") >= p.scale.values().size());
    else
      CHECK(count_of(svg, "class=\"ramp c") == 32);
  }
}

TEST_CASE(
    "a picture has at most 1,200 x 990 px, and its text has at least 11 px and fits its cell") {
  for (sample const& s : samples) {
    CAPTURE(s.layout, s.shape);
    std::string const& svg = draw_sample(s);
    CHECK(std::atof(svg.c_str() + svg.find(" width=\"") + 8) <= 1200);
    CHECK(std::atof(svg.c_str() + svg.find(" height=\"") + 9) <= 990);
    std::vector<double> const sizes = font_sizes(svg);
    REQUIRE(sizes.size() > 5);
    CHECK(*std::min_element(sizes.begin(), sizes.end()) >= 11);
    for (std::size_t at = svg.find("<g "); at != std::string::npos; at = svg.find("<g ", at + 1))
      CHECK(svg.substr(at, svg.find("</g>", at) - at).find("<text") == std::string::npos);
    axe::drawing::page const page = axe::drawing::arrange_page(picture_of(s), 1160, 740);
    for (axe::drawing::placed_view const& v : page.views) {
      if (v.size.level == axe::drawing::detail_level::color) continue;
      bool const names = v.size.level == axe::drawing::detail_level::names;
      for (axe::drawing::grid const& g : v.shown.grids)
        for (axe::drawing::cell const& c : g.cells)
          for (std::size_t i = 0; i < c.words.size(); ++i) {
            std::string const unit =
                names && !v.shown.units[i].empty() ? "@" + v.shown.units[i] : "";
            CHECK(axe::drawing::mono_width(c.words[i] + unit, axe::drawing::font::cells) <=
                  v.size.cell_width);
          }
    }
  }
}

TEST_CASE("16 x 16 elements have words; 128 x 256 elements have colours and one block with words") {
  std::string const small = draw_sample(samples[1]);
  // Each of the 256 elements has two numbers, reg and lane, in one view, and its coordinate in the
  // other.
  CHECK(count_of(small, "class=\"num\"") == 3 * 256);
  CHECK(small.find("class=\"outline") == std::string::npos);
  CHECK_THAT(small, contains_text("<title>element (9,2): {2@reg + 5@lane}</title>"));
  CHECK_THAT(small, contains_text("<title>2@reg + 5@lane: element (9,2)</title>"));
  std::string const large = draw_sample(samples[2]);
  CHECK(count_of(large, "class=\"runs\"") == 2);
  CHECK_THAT(large, contains_text("class=\"outline"));
  CHECK_THAT(large, contains_text("the first block (8,16), repeated 256 times"));
  CHECK_THAT(large, contains_text("repeated 16 times along i, each + 8@TLane"));
  CHECK_THAT(large, contains_text("repeated 16 times along j, each + 16@TCol"));
  CHECK_THAT(large, contains_text("<title>element (7,5): {7@TLane + 5@TCol}</title>"));
}

TEST_CASE("replicas have a corner or a hatch, and the legend explains both") {
  std::string const svg = draw_sample(samples[0]);
  CHECK_THAT(svg, contains_text("lies at 2 places"));
  CHECK_THAT(svg, contains_text("a replica: the first place of the element is elsewhere"));
  CHECK_THAT(svg, contains_text(">6,10<tspan class=\"unit\">@warp</tspan>"));
  CHECK(count_of(svg, "class=\"replica k\"") ==
        128 + 1);  // all 128 elements on warps 9 and 10, and one cell of the legend
  CHECK_THAT(svg, contains_text("warp 9 holds (0:8, 0:8)"));
  CHECK_THAT(svg, contains_text("warp 7 holds nothing"));
  std::string const large = draw_sample(samples[4]);
  CHECK_THAT(large, contains_text("class=\"replica\" d="));
  std::string const plain = draw_sample(samples[1]);
  CHECK(plain.find("class=\"replica") == std::string::npos);
  CHECK(plain.find("lies at") == std::string::npos);
}

TEST_CASE("holes are empty cells, and two elements at one place are shown") {
  std::string const holes = draw_sample(samples[3]);
  CHECK_THAT(holes, contains_text("no element here"));
  CHECK_THAT(holes, contains_text("class=\"se\""));
  CHECK_THAT(draw_sample(samples[11]), contains_text("several elements at one place"));
  CHECK_THAT(draw_sample(samples[11]), contains_text("0,0 +1"));
}

TEST_CASE("every colour has a light and a dark form with enough contrast") {
  for (sample const& s : samples) {
    CAPTURE(s.layout);
    auto const [light, dark] = modes(draw_sample(s));
    axe::drawing::picture const& p = picture_of(s);
    for (auto const& css : {light, dark}) {
      for (char const* selector : {".page", "text", ".e", ".n", ".x", ".hatch,.outline"})
        CHECK(has_rule(css, selector));
      std::string const ink = fill_of(css, "text");
      CHECK(contrast(ink, fill_of(css, ".page")) >= 7);
      for (int i = 0; i < p.scale.classes(); ++i) {
        CAPTURE(i);
        CHECK(contrast(ink, fill_of(css, ".c" + std::to_string(i))) >= 4.5);
        CHECK(has_rule(css, ".sc" + std::to_string(i)));
      }
    }
    CHECK(fill_of(light, ".page") != fill_of(dark, ".page"));
  }
}

TEST_CASE("a sentence says how many rows and columns are drawn, if not all are") {
  CHECK_THAT(draw_sample(samples[15]),
             contains_text("drawn: 128 of 65,536 rows, 1,024 of 65,536 columns"));
  CHECK_THAT(draw_sample(samples[16]), contains_text("1,024 of 1,000,000,007 columns"));
  CHECK(draw_sample(samples[6]).find("drawn:") ==
        std::string::npos);  // all 131,072 elements are drawn
}

TEST_CASE("a picture that is too large shows less and says so") {
  // The picture has no long runs of one colour: colours alternate from cell to cell in both views,
  // and every second place is a replica.
  std::string const svg =
      axe::draw(draw::read_layout("S[(256,256):(1@TLane,1@TCol)] + R[2:256@TLane]"),
                draw::read_shape("256,256"), [] {
                  axe::draw_options asked;
                  asked.color = {axe::axis::TCol, 1, 2};
                  return asked;
                }());
  CHECK(svg.size() <= 3'000'000);
  CHECK_THAT(svg, contains_text("drawn:"));
}

TEST_CASE("the option color chooses an axis, a divisor and a modulus") {
  axe::draw_options asked;
  asked.color = {axe::axis::lane};
  axe::drawing::picture const p = axe::drawing::make_picture(draw::read_layout(samples[0].layout),
                                                             draw::read_shape("8,16"), asked);
  CHECK(p.scale.values().size() == 32);
  CHECK(p.views[0].grids[0].at(2, 9).color == 8);
  asked.color = {axe::axis::warp};
  axe::drawing::picture const q = axe::drawing::make_picture(draw::read_layout(samples[0].layout),
                                                             draw::read_shape("8,16"), asked);
  CHECK(q.scale.values() == std::map<axe::integer, std::string>{{5, "5,9"}, {6, "6,10"}});
  CHECK(q.views[0].grids[0].at(2, 9).color == 6);
  asked.color = {axe::axis::lane, 4, 2};
  CHECK(axe::drawing::make_picture(draw::read_layout(samples[0].layout), draw::read_shape("8,16"),
                                   asked)
            .scale.values()
            .size() == 2);
}

TEST_CASE("markup in a name is escaped") {
  axe::draw_options asked;
  asked.name = "<b>\"A & B\"</b>";
  std::string const svg = axe::draw(draw::read_layout("S[4:1]"), draw::read_shape("4"), asked);
  CHECK(axe_test::xml_mistake(svg) == "");
  CHECK_THAT(svg, contains_text("&lt;b&gt;&quot;A &amp; B&quot;&lt;/b&gt;"));
}

TEST_CASE("bytes of a name that are not in XML become question marks") {
  using axe::drawing::svg_writer;
  for (char const* kept : {"a\tb\n", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xef\xbf\xbd", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    CHECK(svg_writer::escaped(kept) == kept);
  CHECK(svg_writer::escaped("\1\x1f?") == "???");
  CHECK(svg_writer::escaped("a\xff\xc3z\xe2\x82<") == "a??z??&lt;");
  CHECK(svg_writer::escaped("\x80\xc0\x80\xe0\x9f\x80") == "??????");
  CHECK(svg_writer::escaped("\xed\xa0\x80\xef\xbf\xbe") == "??????");
  CHECK(svg_writer::escaped("\xf0\x8f\xbf\xbf\xf4\x90\x80\x80\xf8") == "?????????");
  CHECK(svg_writer::escaped("\xf0\x90\x80") == "???");
  CHECK(svg_writer::escaped("\xc0\x89\xe0\x80\x8a\xf0\x80\x80\x8d") == "?????????");
}

TEST_CASE("sizes, lines and cells that no picture can have are rejected") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const drawn = [](axe::draw_options const& asked) {
    return axe::draw(draw::read_layout("S[(8,16):(16,1)]"), {8, 16}, asked);
  };
  for (double size : {nan, -nan, -1.0, 0.0, -1e300, 1e300}) {
    CHECK_THROWS_WITH(drawn({.width = size}), contains_text("a picture has a width and a height"));
    CHECK_THROWS_WITH(drawn({.height = size}), contains_text("a picture has a width and a height"));
  }
  for (axe::integer n : {axe::integer{-1}, std::numeric_limits<axe::integer>::min()}) {
    CHECK_THROWS_WITH(drawn({.row = n}), contains_text("addresses in a line"));
    CHECK_THROWS_WITH(drawn({.cells = n}), contains_text("at least 1 cell"));
  }
  CHECK_THROWS_WITH(drawn({.cells = 0}), contains_text("at least 1 cell"));
  CHECK(axe_test::xml_mistake(drawn({.width = 1, .height = 1, .cells = 1})) == "");
}

TEST_CASE("the heading of the bank view says '1 bit' and '2 bits'") {
  axe::layout const l = draw::read_layout("S[32:1]");
  CHECK_THAT(axe::drawing::bank_text(l, {32}, 1), contains_text("the elements of 1 bit in each"));
  CHECK_THAT(axe::drawing::bank_text(l, {32}, 2), contains_text("the elements of 2 bits in each"));
}

TEST_CASE("the tooltip of an element lists its first 64 places") {
  axe::draw_options options;
  options.view = axe::draw_view::tensor;
  std::string const svg = axe::draw(axe::parse("S[] + R[1099511627776:1]"), {1}, options);
  CHECK(svg.find("62@m, 63@m, …}") != svg.npos);
  CHECK(svg.find("64@m") == svg.npos);
}
