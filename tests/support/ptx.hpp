// Reads the PTX that axe_add_machine_test made of a kernel file for one target.
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

}  // namespace axe_test
