// Tests the reader of galleries, and the comparison of the values of a gallery with the library.
#include "support/catch.hpp"

#include "demo/gallery.hpp"

#include <sstream>

namespace {

using axe_test::contains_text;

std::string const good =
    "# a comment\n"
    "[tile]\n"
    "title  = a tile\n"
    "source = here\n"
    "layout = S[(2,2):(1@lane,1@reg)] + R[2:4@lane]\n"
    "shape  = 2,2\n"
    "about  = two lanes, twice\n"
    "value  = (1,0) = {5@lane + 0@reg, 1@lane}\n";

std::vector<demo::entry> read(std::string const& text) {
  std::istringstream in(text);
  return demo::read_gallery(in);
}

std::string mistake_in(std::string const& text) {
  try {
    read(text);
  } catch (demo::bad_gallery const& mistake) { return mistake.what(); }
  return "";
}

std::string replaced(std::string const& from, std::string const& to) {
  std::string text = good;
  std::size_t const at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("the reader reads an entry, and a value is compared as a set") {
  std::vector<demo::entry> const entries = read(good);
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].name == "tile");
  CHECK(entries[0].values.size() == 1);
  CHECK(demo::agrees(entries[0], entries[0].values[0]));
}

TEST_CASE("a value with a wrong, missing or additional place is rejected") {
  for (char const* wrong : {"{5@lane, 2@lane}", "{1@lane}", "{5@lane, 1@lane, 9@lane}",
                            "{5@lane, 5@lane}", "{5@lane, 1@lane + 1@warp}"}) {
    CAPTURE(wrong);
    demo::entry const e = read(replaced("{5@lane + 0@reg, 1@lane}", wrong))[0];
    CHECK_FALSE(demo::agrees(e, e.values[0]));
  }
}

TEST_CASE("a mistake is reported with its line") {
  struct {
    std::string text;
    char const *line, *sentence;
  } const cases[] = {
      {"", "line 0", "no entry"},
      {"title = x\n", "line 1", "before the first"},
      {"[a b]\n", "line 1", "letters, digits and hyphens"},
      {"[tile\n", "line 1", "in brackets"},
      {good + good, "line 10", "already on line 2"},
      {replaced("layout =", "layuot ="), "line 5", "no key is called 'layuot'"},
      {replaced("1@reg)]", "1@rge)]"), "line 5", "there is no axis rge"},
      {replaced("2,2\n", "2,3\n"), "line 6", "6 elements"},
      {replaced("2,2\n", "2;2\n"), "line 6", "expected extents"},
      {replaced("shape  = 2,2\n", ""), "line 2", "has no 'shape'"},
      {replaced("about  = two lanes, twice", "about  ="), "line 7", "has no value"},
      {replaced("about  = two", "title  = two"), "line 7", "a second 'title'"},
      {replaced("(1,0) =", "(2,0) ="), "line 8", "(0 to 1)"},
      {replaced("(1,0) =", "(1,0,0) ="), "line 8", "entries"},
      {replaced("{5@lane", "5@lane"), "line 8", "expected '{'"},
      {replaced("1@lane}", "1@lane"), "line 8", "expected '}'"},
      {replaced("1@lane}", "1@lane} x"), "line 8", "end of the line"},
      {good + "row = 0\n", "line 9", "1 to 1024"},
      {good + "color = gpuid\n", "line 2", "does not name gpuid"},
      {good + "nothing\n", "line 9", "key = value"},
  };
  for (auto const& c : cases) {
    CAPTURE(c.text);
    std::string const mistake = mistake_in(c.text);
    CHECK_THAT(mistake, contains_text(std::string(c.line) + ":"));
    CHECK_THAT(mistake, contains_text(c.sentence));
  }
}
