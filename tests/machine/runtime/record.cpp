// Writes the records into the folder AXE_MACHINE_RECORD, and finds launches to skip
// (AXE_MACHINE_REPEATS).
#include "runtime/record.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "check/strict.hpp"
#include "count/counts.hpp"
#include "support/json.hpp"

namespace machine::runtime {
namespace {

struct recording {
  std::string folder;
  std::FILE* out = nullptr;
  int copies = 0;
  std::string last;             // identity of the last launch
  unsigned long long runs = 0;  // number of launches equal to the last
  unsigned long long limit = 0;
};

/// The object is never destroyed, because destructors of the program may still copy memory.
recording& the_recording() {
  static auto* const one = new recording;
  return *one;
}

void write(text::json const& line) {
  std::FILE* const out = the_recording().out;
  std::fprintf(out, "%s\n", line.str().c_str());
  std::fflush(out);
}

void print_warnings() {
  auto& record = the_recording();
  auto* const list = context::instance().options.warnings;
  if (list == nullptr) return;
  for (auto const& each : list->all()) {
    std::fprintf(stderr, "warning, %llu times: %s\n", static_cast<unsigned long long>(each.times),
                 to_string(each.first).c_str());
    if (record.out == nullptr) continue;
    text::json line;
    line.object().key("warning").string(name_of(each.first.what));
    line.key("kernel").string(each.first.kernel).key("file").string(each.first.source_file);
    line.key("line").number(each.first.source_line);
    line.key("instruction").string(each.first.instruction);
    line.key("times").number(each.times).key("text").string(each.first.sentence).end();
    write(line);
  }
}

}  // namespace

void open_record(context&) {
  auto& record = the_recording();
  if (char const* const repeats = std::getenv("AXE_MACHINE_REPEATS");
      repeats != nullptr && *repeats != 0)
    record.limit = std::strtoull(repeats, nullptr, 10);
  std::atexit(print_warnings);
  char const* const folder = std::getenv("AXE_MACHINE_RECORD");
  if (folder == nullptr || *folder == 0) return;
  record.folder = folder;
  record.out = std::fopen((record.folder + "/record.jsonl").c_str(), "w");
  if (record.out == nullptr)
    std::fprintf(stderr, "machine: cannot write to the folder '%s' (AXE_MACHINE_RECORD)\n", folder);
}

void record_copy(bool to_device, std::uint64_t address, void const* host, std::size_t bytes) {
  auto& record = the_recording();
  if (record.out == nullptr) return;
  std::string const name = say("copy-", ++record.copies, ".bin");
  auto* const file = std::fopen((record.folder + "/" + name).c_str(), "wb");
  bool const complete = file != nullptr && std::fwrite(host, 1, bytes, file) == bytes;
  if (file == nullptr || std::fclose(file) != 0 || !complete)
    std::fprintf(stderr, "machine: cannot write %s/%s\n", record.folder.c_str(), name.c_str());
  text::json line;
  line.object().key("copy").string(to_device ? "in" : "out").key("bytes").number(bytes);
  line.key("address").number(address).key("file").string(name).end();
  write(line);
}

bool is_repeated(std::string identity) {
  auto& record = the_recording();
  if (record.limit == 0) return false;
  if (identity != record.last) {
    record.last = std::move(identity);
    record.runs = 0;
  }
  return ++record.runs > record.limit;
}

void memory_changes() { the_recording().last.clear(); }

void record_launch(recorded_launch const& what) {
  if (the_recording().out == nullptr) return;
  text::json line;
  line.object().key("kernel").string(what.kernel);
  line.key("grid").array().number(what.grid.x).number(what.grid.y).number(what.grid.z).end();
  line.key("block").array().number(what.block.x).number(what.block.y).number(what.block.z).end();
  line.key("instructions").number(what.instructions).key("seconds").real(what.seconds);
  line.key("skipped").boolean(what.skipped).end();
  write(line);
}

}  // namespace machine::runtime
