// Tests `axe draw` from its command line to its exit code.
#include "draw/xml.hpp"
#include "support/catch.hpp"

#include "draw/command.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using axe_test::contains_text;
namespace fs = std::filesystem;

struct outcome {
  int code = 0;
  std::string out, err;
};

outcome run(std::vector<std::string> const& words) {
  std::ostringstream out, err;
  outcome o;
  o.code = draw::command(words, out, err);
  o.out = out.str();
  o.err = err.str();
  return o;
}

std::string const tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp";

fs::path fresh(char const* name) {
  fs::path const path = fs::temp_directory_path() / (std::string("axe-draw-") + name);
  fs::remove(path);
  return path;
}

}  // namespace

TEST_CASE("axe draw writes a file or standard output") {
  fs::path const path = fresh("tile.svg");
  outcome const file = run({tile, "--shape", "8,16", "-o", path.string()});
  CHECK(file.code == 0);
  CHECK(file.out.empty());
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  CHECK(axe_test::xml_mistake(written.str()) == "");
  outcome const stream = run({tile, "--shape=(8,16)", "-o", "-"});
  CHECK(stream.code == 0);
  CHECK(stream.out == written.str());
  CHECK(stream.err.empty());
  fs::remove(path);
}

TEST_CASE("bad input gives one sentence and exit code 2, and axe draw writes no file") {
  struct mistake {
    std::vector<std::string> words;
    char const* sentence;
  };
  for (mistake const& m : std::vector<mistake>{
           {{}, "a layout is missing"},
           {{tile}, "--shape is missing"},
           {{"S[(8,16)", "--shape", "8,16"}, "position"},
           {{"S[(8,4):(1,8]"}, "position 12: expected ',' or ')'"},
           {{"S[8:1@lnae]", "--shape", "8"}, "there is no axis lnae"},
           {{tile, "--shape", "8,15"}, "120"},
           {{tile, "--shape", "8;16"}, "expected extents"},
           {{tile, "--shape", "8,16)"}, "--shape: position 4: expected extents"},
           {{tile, "--shape", "(8,16"}, "--shape: position 5: expected extents"},
           {{tile, "--shape", ""}, "--shape"},
           {{tile, "--shape", "8,-16"}, "-16"},
           {{tile, "--shape", std::string(100'000, '(')}, "100000 characters"},
           {{tile, "--shape", "8,16", "--color", "gpuid"}, "does not name gpuid"},
           {{tile, "--shape", "8,16", "--color", "lane%0"}, "at least 1"},
           {{tile, "--shape", "8,16", "--color", "lane%"}, "at least 1"},
           {{tile, "--shape", "8,16", "--color", "lane+1"}, "AXIS/N"},
           {{tile, "--shape", "8,16", "--row", "0"}, "1 to 1024"},
           {{tile, "--shape", "8,16", "--row", "many"}, "'many'"},
           {{tile, "--shape", "8,16", "--view", "side"}, "tensor, hardware, both or banks"},
           {{"S[4:1]", "--shape", "4", "--view", "banks"}, "--bits 16"},
           {{"S[4:1]", "--shape", "4", "--bits", "16"}, "--bits needs --view banks"},
           {{"S[4:1]", "--shape", "4", "--view", "banks", "--bits", "24"},
            "a power of two from 1 to 128, not '24'"},
           {{"S[4:1]", "--shape", "4", "--view", "banks", "--bits", "16", "--color", "m"},
            "--color is not for --view banks"},
           {{tile, "--shape", "8,16", "--view", "banks", "--bits", "16"},
            "this one also names lane"},
           {{tile, "--shape", "8,16", "--axis", "x:thing"}, "NAME:thread"},
           {{tile, "--shape", "8,16", "--colours"}, "no option --colours; did you mean --color"},
           {{tile, "--shape", "8,16", "-o"}, "-o needs a value"},
           {{tile, tile, "--shape", "8,16"}, "second one"},
           {{"S[(4294967296,4294967296):(0,1)]", "--shape", "8"}, "64 bits"},
           {{"S[4:1] + R[(1009,1013,1019,1021):(10007,10009,10037,10039)]", "--shape", "4"},
            "undecided"},
       }) {
    CAPTURE(m.sentence);
    fs::path const path = fresh("never.svg");
    std::vector<std::string> words = m.words;
    if (words.empty() || words.back() != "-o") words.insert(words.begin(), {"-o", path.string()});
    outcome const o = run(words);
    CHECK(o.code == 2);
    CHECK(o.out.empty());
    CHECK_THAT(o.err, contains_text(m.sentence));
    CHECK(o.err.find('\n') == o.err.size() - 1);
    CHECK_FALSE(fs::exists(path));
  }
}

TEST_CASE("a file that cannot be written gives exit code 1 and the error of the system") {
  outcome const nowhere = run({tile, "--shape", "8,16", "-o", "/no/such/folder/x.svg"});
  CHECK(nowhere.code == 1);
  CHECK_THAT(nowhere.err,
             contains_text("cannot write /no/such/folder/x.svg: No such file or directory"));
}

TEST_CASE("axe draw accepts views, declared axes, nested shapes and --text") {
  outcome const tensor = run({tile, "--shape", "8,16", "--view", "tensor", "-o", "-"});
  CHECK_THAT(tensor.out, contains_text("tensor view"));
  CHECK(tensor.out.find("hardware view") == std::string::npos);
  outcome const hardware = run({tile, "--shape", "8,16", "--view=hardware", "-o", "-"});
  CHECK(hardware.out.find("tensor view") == std::string::npos);
  outcome const banks =
      run({"S[(8,64):(64,1)]", "--shape", "8,64", "--view", "banks", "--bits", "16", "-o", "-"});
  CHECK_THAT(banks.out, contains_text("bank view"));
  CHECK_THAT(banks.out, contains_text(">columns 8:16<"));
  CHECK_THAT(banks.out, contains_text(">7,62:64<"));
  outcome const mesh = run({"S[(2,4):(4@mesh_y,1@mesh_x)]", "--shape", "((2,2),2)", "--axis",
                            "mesh_x:device", "--axis", "mesh_y:device", "-o", "-"});
  CHECK(mesh.code == 0);
  CHECK_THAT(mesh.out, contains_text("mesh_x"));
  outcome const text = run({tile, "--shape", "8,16", "--text"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, contains_text("tensor view"));
  CHECK_THAT(text.out, contains_text("hardware view"));
  CHECK(text.out.find('\x1b') == std::string::npos);  // without a terminal there are no colours
  outcome const lines = run({"S[(4,8):(8,1)]", "--shape", "4,8", "--row", "16", "-o", "-"});
  CHECK_THAT(lines.out, contains_text("16 in a line"));
  CHECK(run({"--help"}).code == 0);
  CHECK_THAT(run({"--help"}).out, contains_text("--color AXIS"));
}
