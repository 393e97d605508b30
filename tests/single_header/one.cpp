// Includes the single header twice. two.cpp includes it too, and the two files are linked.
#include <axe_all.hpp>

#include <axe_all.hpp>

using namespace axe::literals;

long long two();

static_assert(axe::size("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)]"_axe) == 128);

int main() {
  long long const one = axe::cosize("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe);
  return one == 4096 && two() == 4096 ? 0 : 1;
}
