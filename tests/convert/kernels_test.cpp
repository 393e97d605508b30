// Tests the kernels of kernels.cu, which nvcc compiled for two targets. They have exactly the
// plan's shuffles, selects and byte permutes. On the PTX machine (tests/machine) they compute the
// registers that interpret() computes.
#include "convert/registers.hpp"
#include "machine.hpp"
#include "support/catch.hpp"
#include "support/ptx.hpp"
#include "support/targets.hpp"

#include <map>
#include <set>
#include <sstream>

#include <axe/construct/literal.hpp>
#include <axe/convert/interpret.hpp>
#include <axe/convert/plan_convert.hpp>
#include <axe/map/measures.hpp>
#include <axe/map/places.hpp>

namespace {

struct conversion {
  char const* name;
  int width;
  char const *from, *to;
  // The plan comes from a constant expression, as in the kernel. The search has a lower step limit
  // there than at run time, so the plans can differ.
  axe::conversion_plan const* plan;
};
using namespace axe::literals;
constexpr conversion conversions[] = {
#define AXE_CONVERSION(NAME, WIDTH, FROM, TO) \
  {#NAME, WIDTH, FROM, TO,                    \
   &axe::conversion<axe::carrier<FROM##_axe>, axe::carrier<TO##_axe>, WIDTH>::plan},
#include "conversions.def"
#undef AXE_CONVERSION
};

std::string text_of(char const* target) {
  return axe_test::ptx_of(AXE_CONVERT_PTX, "kernels", target);
}

/// Counts the instructions of an entry by opcode, up to the opcode's first dot.
std::map<std::string, int> instructions(std::string const& ptx, std::string const& entry) {
  std::map<std::string, int> count;
  std::istringstream lines(ptx.substr(ptx.find(".entry " + entry + "(")));
  std::string line;
  while (std::getline(lines, line) && line.find("ret;") == std::string::npos)
    if (line.size() > 1 && line[0] == '\t' && line[1] >= 'a' && line[1] <= 'z')
      ++count[line.substr(1, line.find_first_of(". \t;", 1) - 1)];
  return count;
}

/// Writes an element of `width` bits at its place in the registers.
void put(std::vector<std::uint32_t>& words, int of_lane, axe::place const& p, int width,
         std::uint64_t value) {
  int const bit = static_cast<int>(p[axe::axis::reg]) * width;
  std::size_t const at =
      static_cast<std::size_t>(static_cast<int>(p[axe::axis::lane]) * of_lane + bit / 32);
  if (width == 64) words[at + 1] = static_cast<std::uint32_t>(value >> 32);
  std::uint32_t const mask = width >= 32 ? ~0u : ((1u << width) - 1) << (bit % 32);
  words[at] = (words[at] & ~mask) | (static_cast<std::uint32_t>(value) << (bit % 32) & mask);
}

}  // namespace

TEST_CASE("kernels have the instructions of their plans and no others") {
  // Opcodes that load, store, and compute addresses, source lanes and the conditions of selects.
  std::set<std::string> const harness = {"ld",   "st",  "cvta", "mov", "mul", "mad", "add", "and",
                                         "setp", "shl", "shr",  "xor", "or",  "bfi", "cvt"};
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    std::string const ptx = text_of(target);
    for (conversion const& c : conversions) {
      axe::conversion_plan const& plan = *c.plan;
      std::map<std::string, int> count = instructions(ptx, c.name);
      CAPTURE(target, c.name, plan.shuffles(), plan.selects(), plan.permutes(), plan.selectors());
      CHECK(count["shfl"] == plan.shuffles());
      CHECK(count["selp"] == plan.selects() + plan.selectors());
      CHECK(count["prmt"] == plan.permutes());
      for (auto const& [name, times] : count)
        CHECK((times == 0 || harness.count(name) == 1 || name == "shfl" || name == "selp" ||
               name == "prmt"));
    }
  }
}

TEST_CASE("kernels on the machine move every element to its place") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    machine::device device;
    machine::module program = machine::load(text_of(target), device);
    for (conversion const& c : conversions) {
      axe::layout const from = axe::parse(c.from), to = axe::parse(c.to);
      axe::conversion_plan const& plan = *c.plan;
      std::size_t const in_words = static_cast<std::size_t>(32 * plan.source_words);
      std::size_t const out_words = static_cast<std::size_t>(32 * plan.target_words);
      std::vector<std::uint32_t> source(in_words), expected(out_words, 0), result(out_words);
      // Places of replicas have equal values, and empty places have arbitrary ones.
      for (std::size_t i = 0; i < in_words; ++i)
        source[i] = static_cast<std::uint32_t>(0x9e3779b9u * (i + 1));
      for (axe::integer x = 0; x < axe::size(from); ++x)
        for (axe::place const& p : axe::places(from, x))
          put(source, plan.source_words, p, c.width,
              0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(x + 1));
      axe::interpret(plan, source.data(), expected.data());
      std::uint64_t const in = device.allocate(4 * in_words), out = device.allocate(4 * out_words);
      device.copy_in(in, source.data(), 4 * in_words);
      program.launch(c.name, {1}, {32}, {}, 0, {in, out});
      device.copy_out(result.data(), out, 4 * out_words);
      CAPTURE(target, c.name);
      CHECK(result == expected);
      // Independently of interpret(), every place of an element must hold the element.
      std::uint64_t const mask =
          c.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << c.width) - 1;
      auto const element = [&](std::vector<std::uint32_t> const& words, int of_lane,
                               axe::place const& p) {
        std::uint64_t const bit =
            static_cast<std::uint64_t>(p[axe::axis::reg]) * static_cast<unsigned>(c.width);
        std::size_t const at = static_cast<std::size_t>(p[axe::axis::lane] * of_lane) + bit / 32;
        std::uint64_t const low = words[at] >> (bit % 32);
        return (c.width == 64 ? low | std::uint64_t{words[at + 1]} << 32 : low) & mask;
      };
      int wrong = 0;
      for (axe::integer x = 0; x < axe::size(from); ++x)
        for (axe::place const& p : axe::places(to, x))
          wrong += element(result, plan.target_words, p) !=
                   element(source, plan.source_words, *axe::places(from, x).begin());
      CHECK(wrong == 0);
    }
  }
}
