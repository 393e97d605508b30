// Repeats some facts of conflicts_facts.cpp and vectors_facts.cpp at run time.
#include "support/catch.hpp"

#include <axe/algebra/compose.hpp>
#include <axe/analysis.hpp>
#include <axe/construct/literal.hpp>

using namespace axe;
using namespace axe::literals;

TEST_CASE("conflicts and sectors are the same at run time") {
  constexpr auto plain = "S[(64,64):(64,1)]"_axe;
  layout const l = plain;
  CHECK(conflicts(l, ldmatrix_rows<16>) == 8);
  CHECK(conflicts(compose(swizzle_128B<16>, l), ldmatrix_rows<16>) == 1);
  CHECK(conflicts(carry<plain>(), ldmatrix_rows<16>) == 8);
  CHECK(shared_memory("S[(32,32):(32,1)]"_axe, {32, 32}, columns_of_elements<32>) ==
        shared_traffic{32, 32 * 32, 32, 0, 0, 0});
}

TEST_CASE("vectors are the same at run time") {
  CHECK(contiguity("S[(64,64):(72,1)]"_axe) == 64);
  CHECK(widest_vector("swizzle(2,3,3) o S[(64,64):(64,1)]"_axe, 16) == 4);
}
