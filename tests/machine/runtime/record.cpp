// Writes the folder of AXE_MACHINE_RECORD and skips repeated launches.
#include "runtime/record.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "check/strict.hpp"
#include "count/counts.hpp"

namespace machine::runtime {
namespace {

struct recording {
  std::string folder;
  std::FILE* out = nullptr;
  int copies = 0;
  std::string last;             // identity of the last launch
  unsigned long long runs = 0;  // number of launches equal to it
  unsigned long long limit = 0;
};

/// Never destroyed, because destructors of programs may copy.
recording& all_of_it() {
  static auto* const one = new recording;
  return *one;
}

void print_warnings() {
  auto& mine = all_of_it();
  auto* const list = context::instance().options.warnings;
  if (list == nullptr) return;
  for (auto const& each : list->all()) {
    std::fprintf(stderr, "warning, %llu times: %s\n", static_cast<unsigned long long>(each.times),
                 to_string(each.first).c_str());
    if (mine.out == nullptr) continue;
    std::fprintf(mine.out,
                 "{\"warning\": %s, \"kernel\": %s, \"file\": %s, \"line\": %d, \"instruction\": "
                 "%s, \"times\": %llu, "
                 "\"text\": %s}\n",
                 json_text(name_of(each.first.what)).c_str(), json_text(each.first.kernel).c_str(),
                 json_text(each.first.source_file).c_str(), each.first.source_line,
                 json_text(each.first.instruction).c_str(),
                 static_cast<unsigned long long>(each.times),
                 json_text(each.first.sentence).c_str());
  }
  if (mine.out != nullptr) std::fflush(mine.out);
}

}  // namespace

void open_record(context&) {
  auto& mine = all_of_it();
  if (char const* const repeats = std::getenv("AXE_MACHINE_REPEATS");
      repeats != nullptr && *repeats != 0)
    mine.limit = std::strtoull(repeats, nullptr, 10);
  std::atexit(print_warnings);
  char const* const folder = std::getenv("AXE_MACHINE_RECORD");
  if (folder == nullptr || *folder == 0) return;
  mine.folder = folder;
  mine.out = std::fopen((mine.folder + "/record.jsonl").c_str(), "w");
  if (mine.out == nullptr)
    std::fprintf(stderr, "machine: AXE_MACHINE_RECORD names '%s', where nothing can be written\n",
                 folder);
}

void record_copy(bool to_device, std::uint64_t address, void const* host, std::size_t bytes) {
  auto& mine = all_of_it();
  if (mine.out == nullptr) return;
  std::string const name = say("copy-", ++mine.copies, ".bin");
  auto* const file = std::fopen((mine.folder + "/" + name).c_str(), "wb");
  bool const complete = file != nullptr && std::fwrite(host, 1, bytes, file) == bytes;
  if (file == nullptr || std::fclose(file) != 0 || !complete)
    std::fprintf(stderr, "machine: %s/%s cannot be written\n", mine.folder.c_str(), name.c_str());
  std::fprintf(
      mine.out, "{\"copy\": \"%s\", \"bytes\": %zu, \"address\": %llu, \"file\": \"%s\"}\n",
      to_device ? "in" : "out", bytes, static_cast<unsigned long long>(address), name.c_str());
  std::fflush(mine.out);
}

bool is_repeated(std::string identity) {
  auto& mine = all_of_it();
  if (mine.limit == 0) return false;
  if (identity != mine.last) {
    mine.last = std::move(identity);
    mine.runs = 0;
  }
  return ++mine.runs > mine.limit;
}

void memory_changes() { all_of_it().last.clear(); }

void record_launch(recorded_launch const& what) {
  auto& mine = all_of_it();
  if (mine.out == nullptr) return;
  std::fprintf(
      mine.out,
      "{\"kernel\": %s, \"grid\": [%u,%u,%u], \"block\": [%u,%u,%u], \"instructions\": %llu, "
      "\"seconds\": %.6f, \"skipped\": %s}\n",
      json_text(what.kernel).c_str(), what.grid.x, what.grid.y, what.grid.z, what.block.x,
      what.block.y, what.block.z, static_cast<unsigned long long>(what.instructions), what.seconds,
      what.skipped ? "true" : "false");
  std::fflush(mine.out);
}

}  // namespace machine::runtime
