// Facts about the arguments of plans: names that are printed can be read back, element widths, and
// the instructions that an architecture has.
#include <axe/atoms/element_type.hpp>
#include <axe/plan/candidate.hpp>

#include "support/catch.hpp"

using namespace axe;

namespace {

template <class Enum, int Count, class Read> constexpr bool reads_its_names(Read read) {
  for (int k = 0; k < Count; ++k) {
    Enum found = static_cast<Enum>((k + 1) % Count);
    if (!read(name_of(static_cast<Enum>(k)), found) || found != static_cast<Enum>(k)) return false;
  }
  Enum unchanged{};
  return !read("", unchanged) && !read("sm", unchanged) && !read("global ", unchanged) &&
         unchanged == Enum{};
}
static_assert(reads_its_names<architecture, 5>([](char const* n, architecture& a) {
  return try_architecture(n, a);
}));
static_assert(reads_its_names<memory_space, 4>([](char const* n, memory_space& s) {
  return try_memory_space(n, s);
}));
static_assert(reads_its_names<execution_scope, 5>([](char const* n, execution_scope& s) {
  return try_execution_scope(n, s);
}));
static_assert(reads_its_names<element_type, static_cast<int>(element_type::count)>(
    [](char const* n, element_type& t) { return try_element_type(n, t); }));

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
    int const named = name[0] == 'e' ? 1 + (name[1] - '0') + (name[3] - '0')
                                     : std::stoi(name.substr(name.find_first_of("0123456789")));
    CHECK(bits_of(t) == (named == 6 ? 8 : named));
  }
}
