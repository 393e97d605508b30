// Names the architectures for which the kernels of a PTX machine test were compiled.
//
//     for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) ...
//
// `./run test` compiles for one of them, sm_90a if it is listed, and `./run test --all` for all.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace axe_test {

inline std::vector<char const*> compiled_for(std::initializer_list<char const*> targets) {
  constexpr std::string_view compiled[]{AXE_MACHINE_TARGETS};
  std::vector<char const*> result;
  std::copy_if(
      std::begin(targets), std::end(targets), std::back_inserter(result), [&](char const* target) {
        return std::find(std::begin(compiled), std::end(compiled), target) != std::end(compiled);
      });
  if (result.empty()) throw std::logic_error("the kernels are compiled for none of the targets");
  return result;
}

}  // namespace axe_test
