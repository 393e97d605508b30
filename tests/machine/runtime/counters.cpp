// Implements counters.hpp. AXE_MACHINE_COUNTERS=json prints to the original standard output; the
// program's output is redirected to standard error.
#include "runtime/counters.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace machine::runtime {
namespace {

int json_descriptor = -1;

void write_all(int to, std::string const& text) {
  for (std::size_t at = 0; at < text.size();) {
    auto const count = ::write(to, text.data() + at, text.size() - at);
    if (count <= 0) return;
    at += static_cast<std::size_t>(count);
  }
}

void print_counters() {
  auto const& all = context::instance();
  std::string text;
  if (json_descriptor < 0) {
    for (auto const& each : all.counts) text += to_table(each);
    std::fflush(stdout);
    write_all(STDERR_FILENO, text);
    return;
  }
  for (auto const& each : all.counts) text += (text.empty() ? "[" : ",\n") + to_json(each);
  write_all(json_descriptor, (text.empty() ? "[" : text) + "]\n");
}

}  // namespace

void open_counters(context& all) {
  char const* const how = std::getenv("AXE_MACHINE_COUNTERS");
  if (how == nullptr || *how == 0) return;
  if (std::strcmp(how, "json") == 0) {
    json_descriptor = ::dup(STDOUT_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  } else if (std::strcmp(how, "table") != 0) {
    std::fprintf(stderr, "machine: AXE_MACHINE_COUNTERS must be table or json, not '%s'\n", how);
    return;
  }
  all.options.count = true;
  std::atexit(print_counters);
}

void add_counts(context& all, kernel_counts const& of_one_launch) {
  auto const found = std::find_if(all.counts.begin(), all.counts.end(), [&](auto const& each) {
    return each.kernel == of_one_launch.kernel;
  });
  if (found == all.counts.end())
    all.counts.push_back(of_one_launch);
  else
    found->add(of_one_launch);
}

void print_fault(char const* text) {
  std::fprintf(stderr, "%s\n", text);
  if (char const* const file = std::getenv("AXE_MACHINE_FAULTS"); file != nullptr && *file != 0)
    if (auto* const out = std::fopen(file, "a")) {
      std::fprintf(out, "%s\n", text);
      std::fclose(out);
    }
}

}  // namespace machine::runtime
