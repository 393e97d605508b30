// machine_rows: tests rows of the opcode table, or lists them.
//
//     machine_rows --check fma add ...    tests every row of these opcodes
//     machine_rows --table                prints the table, one opcode per paragraph (opcodes.txt)
//     machine_rows --complete FILE a b..  compares the table with FILE, and its opcodes with a b..
//     machine_rows --flips TESTS [a b..]  makes each row wrong in turn; fails if its test passes
//
// TESTS is the program of the test files, which cover some rows.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "rows/flip.hpp"
#include "rows/harness.hpp"
#include "rows/products.hpp"
#include "text/error.hpp"

namespace machine_rows {

verdict (*tester_of(machine::table_row const& row))(machine::table_row const&) {
  auto const name = split(row.name);
  std::string const& op = name.opcode;
  if (is_asynchronous(row)) return test_asynchronous;
  if (op == "tensormap") return test_tensormap;
  if (op == "tcgen05" && name.has("cp")) return test_tensor_copy;
  if (op == "tcgen05" && name.has("shift")) return test_tensor_shift;
  if (op == "tcgen05" && name.has("block_scale")) return test_scaled_product;
  if (op == "tcgen05" && name.has("sp")) return test_sparse_product;
  if (op == "tcgen05" && name.has("mma")) return test_tensor_product;
  if (op == "tcgen05" && (name.has("ld") || name.has("st"))) return test_tensor_memory;
  if ((op == "st" || op == "red") && name.has("async")) return test_remote;
  if (op == "ld" || op == "ldu" || op == "st") return test_memory;
  if (op == "atom" || op == "red")
    return name.has("v2") || name.has("v4") || name.has("v8") ? test_atomic_vector : test_atomic;
  if (op == "shfl" || op == "vote" || op == "match" || op == "redux" || op == "elect")
    return test_collective;
  if (op == "mma") return test_mma;
  if (op == "wgmma" && name.has("mma_async")) return test_wgmma;
  if (op == "ldmatrix" || op == "stmatrix" || op == "movmatrix") return test_matrix_move;
  if (op == "resize" || (op == "mov" && (name.modifiers.size() > 1 || name.last() == "b128")))
    return test_move;
  if (op == "addc" || op == "subc" || op == "madc" || name.has("cc")) return test_carry;
  if (!covering_test(row).empty()) return nullptr;
  return test_lanes;
}

std::string covering_test(machine::table_row const& row) {
  static std::map<std::string, char const*> const files = {
      {"bar", "barrier_test"},         {"barrier", "barrier_test"},
      {"activemask", "schedule_test"}, {"nanosleep", "schedule_test"},
      {"trap", "fault_test"},          {"brkpt", "fault_test"},
      {"cvta", "address_test"},        {"isspacep", "address_test"},
      {"mapa", "address_test"},        {"getctarank", "address_test"},
      {"read", "system_test"},         {"membar", "system_test"},
      {"fence", "system_test"},        {"griddepcontrol", "system_test"},
      {"pmevent", "system_test"},      {"prefetch", "system_test"},
      {"prefetchu", "system_test"},    {"createpolicy", "system_test"},
      {"discard", "system_test"},      {"applypriority", "system_test"},
      {"mbarrier", "async_test"},      {"cp", "async_test"},
      {"wgmma", "gemm_test"},          {"setmaxnreg", "breaks_test"},
      {"tcgen05", "tcgen05_test"},     {"clusterlaunchcontrol", "launch_control_test"}};
  auto const found = files.find(split(row.name).opcode);
  return found == files.end() ? "" : found->second;
}

namespace {

int check(std::set<std::string> const& opcodes) {
  int failures = 0, tested = 0;
  for (auto const* row : machine::opcode_table::instance().rows()) {
    if (!opcodes.contains(split(row->name).opcode)) continue;
    auto const tester = tester_of(*row);
    if (tester == nullptr) continue;
    ++tested;
    std::string failure;
    try {
      failure = tester(*row);
    } catch (machine::error const& error) { failure = row->name + ": " + error.what(); }
    if (!failure.empty() && ++failures <= 20) std::printf("%s\n", failure.c_str());
  }
  std::printf("%d rows tested, %d fail\n", tested, failures);
  return failures == 0 && tested > 0 ? 0 : 1;
}

/// Runs the covering test file in another process. True if a comparison fails or the file does not
/// end; false if the program is missing or crashes.
bool fails_elsewhere(std::string const& tests, machine::table_row const& row) {
  std::string tag = covering_test(row);
  tag.erase(tag.find("_test"));
  std::string const command = "AXE_MACHINE_FLIP='" + row.name + "' timeout 10 '" + tests +
                              "' --abort '[" + tag + "]' >/dev/null 2>&1";
  int const status = std::system(command.c_str());
  // After --abort, Catch2 exits with 1, or 42 since version 3.7.1. `timeout` exits with 124.
  int const code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return code == 1 || code == 42 || code == 124;
}

int flips(std::string const& tests, std::set<std::string> const& opcodes) {
  int failures = 0, flipped = 0, nothing = 0;
  for (auto const* row : machine::opcode_table::instance().rows()) {
    if (!opcodes.empty() && !opcodes.contains(split(row->name).opcode)) continue;
    if (flippable_result(*row) == flippable::nothing) {
      ++nothing;
      continue;
    }
    ++flipped;
    auto const tester = tester_of(*row);
    bool noticed = false;
    if (tester == nullptr) {
      noticed = fails_elsewhere(tests, *row);
    } else {
      flip_row(row->name);
      try {
        noticed = !tester(*row).empty();
      } catch (machine::error const&) { noticed = true; }
    }
    if (!noticed && ++failures <= 200)
      std::printf("the test of %s does not notice a wrong result\n", row->name.c_str());
  }
  std::printf("%d rows flipped, %d unnoticed; %d have no result\n", flipped, failures, nothing);
  return failures == 0 && flipped > 0 ? 0 : 1;
}

std::string table() {
  std::map<std::string, std::vector<machine::table_row const*>> opcodes;
  for (auto const* row : machine::opcode_table::instance().rows())
    opcodes[split(row->name).opcode].push_back(row);
  std::ostringstream out;
  out << "# All instructions of the machine. machine_rows --table writes this file, and ctest "
         "compares it.\n"
         "# opcode  number of rows  its test, then the modifiers and signatures (see "
         "program/table.hpp)\n";
  for (auto const& [opcode, rows] : opcodes) {
    std::string const elsewhere =
        tester_of(*rows.front()) == nullptr ? covering_test(*rows.front()) : "";
    out << '\n'
        << opcode << "  " << rows.size() << "  "
        << (elsewhere.empty() ? "machine.rows." + opcode : elsewhere) << '\n';
    std::string line = "   ";
    for (auto const* row : rows) {
      std::string const entry =
          machine::say(" ", row->name.substr(opcode.size()), "(", row->signature, ")");
      if (line.size() + entry.size() > 110) {
        out << line << '\n';
        line = "   ";
      }
      line += entry;
    }
    out << line << '\n';
  }
  return out.str();
}

int complete(std::string const& file, std::set<std::string> const& named) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  if (text.str() != table()) {
    std::printf("%s is not the table of this build: write it again with machine_rows --table\n",
                file.c_str());
    return 1;
  }
  for (auto const* row : machine::opcode_table::instance().rows())
    if (tester_of(*row) != nullptr && !named.contains(split(row->name).opcode)) {
      std::printf("the rows of '%s' have no ctest entry\n", split(row->name).opcode.c_str());
      return 1;
    }
  return 0;
}

}  // namespace
}  // namespace machine_rows

int main(int count, char** arguments) {
  std::vector<std::string> const list(arguments + 1, arguments + count);
  if (!list.empty() && list[0] == "--check")
    return machine_rows::check({list.begin() + 1, list.end()});
  if (list.size() > 1 && list[0] == "--flips")
    return machine_rows::flips(list[1], {list.begin() + 2, list.end()});
  if (list.size() > 1 && list[0] == "--complete")
    return machine_rows::complete(list[1], {list.begin() + 2, list.end()});
  if (list.size() == 1 && list[0] == "--table") {
    std::fputs(machine_rows::table().c_str(), stdout);
    return 0;
  }
  std::fputs(
      "machine_rows --check OPCODE... | --table | --complete FILE OPCODE... | --flips TESTS "
      "[OPCODE...]\n",
      stderr);
  return 2;
}
