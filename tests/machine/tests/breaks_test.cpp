// Each kernel of breaks/ is legal and copies `in` to `out`; its mistakes are comments (breaks.hpp).
// The legal kernel runs under 100 schedules without a report. Each mistake is reported under one of
// the schedules.
#include "breaks.hpp"

using namespace machine_test::breaks;
using machine_test::schedule;

namespace {

bool says(std::string const& sentence, std::vector<std::string> const& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](auto const& each) { return sentence.find(each) != std::string::npos; });
}

}  // namespace

TEST_CASE("the legal kernels copy, without a report under 100 schedules", "[breaks]") {
  for (auto const& each : kernels())
    for (std::uint64_t number = 0; number < 100; ++number) {
      INFO(each.name << ", schedule " << number);
      std::string told;
      try {
        CHECK(run(each, text_of(each, nullptr), schedule(number)));
      } catch (machine::error const& wrong) { told = wrong.what(); }
      REQUIRE(told == "");
    }
}

TEST_CASE("each mistake is reported with its sentence", "[breaks]") {
  std::size_t count = 0;
  for (auto const& each : kernels())
    for (auto const& wrong : each.mistakes) {
      ++count;
      bool reported = false;
      std::string others;
      for (std::uint64_t number = 0; number < 12 && !reported; ++number) {
        try {
          run(each, text_of(each, &wrong), schedule(number));
        } catch (machine::error const& told) {
          auto const& report = told.details();
          bool const right = std::find(wrong.kinds.begin(), wrong.kinds.end(),
                                       name_of(report.what)) != wrong.kinds.end() &&
                             says(report.sentence, wrong.words);
          reported = right;
          if (!right && others.empty())
            others = "schedule " + std::to_string(number) + ": " + told.what();
        }
      }
      INFO(each.name << ": " << wrong.name << "\n" << others);
      CHECK((reported && others.empty()));
    }
  CHECK(count >= 100);
}
