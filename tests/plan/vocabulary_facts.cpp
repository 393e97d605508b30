// Facts about the arguments of plans: names that differ, element widths, and the instructions that
// an architecture has.
#include <axe/atoms/element_type.hpp>
#include <axe/plan/cache_hint.hpp>

#include "support/catch.hpp"

#include <string_view>

using namespace axe;

namespace {

template <class Enum, int Count> constexpr bool has_different_names() {
  for (int k = 0; k < Count; ++k)
    for (int j = 0; j < k; ++j)
      if (std::string_view(name_of(static_cast<Enum>(j))) == name_of(static_cast<Enum>(k)))
        return false;
  return true;
}
static_assert(has_different_names<architecture, 5>() && has_different_names<memory_space, 4>());
static_assert(has_different_names<element_type, static_cast<int>(element_type::count)>());
static_assert(has_different_names<cache_hint, 5>());
static_assert(has_different_names<copy_instruction, static_cast<int>(copy_instruction::count)>());

static_assert(element_of<float> == element_type::f32 &&
              element_of<__nv_bfloat16> == element_type::bf16);
static_assert(bits_of(element_type::e2m1) == 4 && bits_of(element_type::e2m3) == 8 &&
              bits_of(element_type::tf32) == 32);
static_assert(has_wgmma(architecture::sm_90a) && !has_wgmma(architecture::sm_90) &&
              !has_wgmma(architecture::sm_100a));
static_assert(has_tma(architecture::sm_90) && !has_tma(architecture::sm_89) &&
              has_tensor_memory(architecture::sm_100a));
static_assert(!has_stmatrix(architecture::sm_89) && has_stmatrix(architecture::sm_90));

}  // namespace

TEST_CASE("the widths of element types are those of their names") {
  for (int k = 0; k < static_cast<int>(element_type::count); ++k) {
    auto const t = static_cast<element_type>(k);
    std::string const name = name_of(t);
    // e2m1 has 1 sign bit, 2 exponent bits and 1 mantissa bit. Other names end in their width.
    // Types of 6 bits are stored in 8.
    int const named = name[0] == 'e' ? 1 + (name[1] - '0') + (name[3] - '0')
                                     : std::stoi(name.substr(name.find_first_of("0123456789")));
    CHECK(bits_of(t) == (named == 6 ? 8 : named));
  }
}
