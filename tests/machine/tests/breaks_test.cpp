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

TEST_CASE("legal kernels copy their data under 100 schedules, without a report", "[breaks]") {
  for (auto const& each : kernels())
    for (std::uint64_t number = 0; number < 100; ++number) {
      INFO(each.name << ", schedule " << number);
      std::string caught;
      try {
        CHECK(run(each, text_of(each, nullptr), schedule(number)));
      } catch (machine::error const& wrong) { caught = wrong.what(); }
      REQUIRE(caught == "");
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
        } catch (machine::error const& caught) {
          auto const& report = caught.details();
          bool const right = std::find(wrong.kinds.begin(), wrong.kinds.end(),
                                       name_of(report.what)) != wrong.kinds.end() &&
                             says(report.sentence, wrong.words);
          reported = right;
          if (!right && others.empty())
            others = "schedule " + std::to_string(number) + ": " + caught.what();
        }
      }
      INFO(each.name << ": " << wrong.name << "\n" << others);
      CHECK((reported && others.empty()));
    }
  CHECK(count >= 241);
}

TEST_CASE("a commit does not publish what its warp stores after it", "[breaks]") {
  auto const& list = kernels();
  auto const found = std::find_if(list.begin(), list.end(),
                                  [](auto const& each) { return each.name == "tensor_core"; });
  auto const store_at = [&](std::string const& wait) {
    std::string text = text_of(*found, nullptr);
    auto const insert = [&](std::string const& behind, std::string const& what) {
      auto const at = text.find(behind);
      REQUIRE(at != std::string::npos);
      text.insert(text.find('\n', at) + 1, what);
    };
    insert("tcgen05.commit.", "st.shared.u32 [s+4], %r1;\n");
    insert("@!%p5 bra WAIT;", wait + "ld.shared.u32 %r16, [s+4];\n");
    return text;
  };
  for (std::uint64_t number = 0; number < 12; ++number) {
    INFO("schedule " << number);
    CHECK(run(*found, store_at("bar.sync 0;\n"), schedule(number)));
    auto const caught =
        machine_test::thrown_by([&] { run(*found, store_at(""), schedule(number)); });
    CHECK(
        (caught.what == machine::trouble::race || caught.what == machine::trouble::never_written));
    if (number < 2) CHECK(caught.what == machine::trouble::race);
  }
}

TEST_CASE("strict mode reports a register that is used before wait::ld, but not in code of nvcc -G",
          "[breaks]") {
  auto const& list = kernels();
  auto const found = std::find_if(list.begin(), list.end(),
                                  [](auto const& each) { return each.name == "columns"; });
  std::string text = text_of(*found, nullptr);
  auto const replace = [&](std::string const& before, std::string const& after) {
    auto const at = text.find(before);
    REQUIRE(at != std::string::npos);
    text.replace(at, before.size(), after);
  };
  replace("mov.b32 %r14, %r13;", "sub.u32 %r14, %r13, 0;");
  auto how = schedule(0);
  CHECK(machine_test::thrown_by([&] { run(*found, text, how); }).what ==
        machine::trouble::in_flight);
  how.strict = false;
  CHECK(run(*found, text, how));
  how.strict = true;
  replace("sm_100a", "sm_100a, debug");
  CHECK(run(*found, text, how));
}
