// The base has 16 bits, but the addresses of the layout need 32.
// expect: the base must be an address as an integer, at least as wide as the layout's addresses
#include <axe/axe.hpp>
#include <axe/index.hpp>

using namespace axe::literals;
using tile = axe::carrier<"S[(256,256):(256,1)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using base = unsigned short;
#else
using base = unsigned long long;
#endif
unsigned long long address(base start, unsigned row) {
  return axe::bind_address<tile, axe::extents<256, 256>, 4>(axe::below<256>(row),
                                                            axe::constant<5>{})
      .from(start)
      .at<>();
}
