// Compile-time facts about vectors, and about the addresses that a swizzle changes.
#include <axe/index/plan_address.hpp>
#include <axe/index/vector_of.hpp>

namespace {

using namespace axe;
using namespace axe::detail;

// A swizzle with S > 0 reads address bits from 2^(M + S) on, and one with S < 0 from 2^M on.
static_assert(swizzle_acts({4, 3, 3}, 128) && !swizzle_acts({4, 3, 3}, 127) &&
              swizzle_acts({4, 3, -3}, 16) && !swizzle_acts({4, 3, -3}, 15) &&
              !swizzle_acts({}, 1 << 20));

// load_vector and store_vector keep the order of the elements.
constexpr short eight[]{1, 2, 3, 4, 5, 6, 7, 8};
static_assert(load_vector<8>(&eight[0])[constant<5>{}] == 6 && load_vector<8>(&eight[0])[5] == 6 &&
              load_vector<2>(&eight[2])[constant<1>{}] == 4);
static_assert(sizeof(vector_of<short, 8>) == 16 && alignof(vector_of<short, 8>) == 16 &&
              alignof(vector_of<int, 1>) == 4);
constexpr int stored() {
  int to[4]{};
  store_vector(&to[0], vector_of<int, 4>{{1, 2, 3, 4}});
  return to[0] * 1000 + to[1] * 100 + to[2] * 10 + to[3];
}
static_assert(stored() == 1234);

}  // namespace
