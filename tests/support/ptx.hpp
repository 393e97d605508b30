// Reads the PTX that axe_add_machine_test made of a kernel file for one target, and counts words of
// a kernel.
//
//     std::string const text = axe_test::ptx_of(AXE_PLAN_PTX, "copy_kernels", "sm_90a");
#pragma once

#include "support/catch.hpp"

#include <fstream>
#include <iterator>
#include <string>

namespace axe_test {

inline std::string ptx_of(std::string const& folder, std::string const& kernels,
                          std::string const& target) {
  std::ifstream file(folder + "/" + kernels + "_" + target + ".ptx");
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// How often `word` occurs in the PTX of a kernel.
inline int times(std::string const& ptx, std::string const& entry, std::string const& word) {
  std::size_t const begin = ptx.find(".entry " + entry + "("), end = ptx.find("\n}", begin);
  REQUIRE(begin != std::string::npos);
  int n = 0;
  for (std::size_t at = ptx.find(word, begin); at < end; at = ptx.find(word, at + 1)) ++n;
  return n;
}

}  // namespace axe_test
