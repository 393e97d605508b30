// 19: What moves when a 2D block-cyclic matrix is distributed by rows? A 64 x 64 matrix of doubles
// lies in blocks of 8 x 8 on a grid of 2 x 2 devices, column-major on each, as ScaLAPACK stores it.
// The program prints how many bytes each device sends. It then moves the elements' numbers instead
// of doubles, and checks every one.
#include <axe/axe.hpp>
#include <axe/distributed.hpp>

#include <cstdio>
#include <vector>

constexpr axe::axis row = axe::device_axis("row");
constexpr axe::axis col = axe::device_axis("col");
constexpr axe::notation on_grid{row, col};
constexpr axe::mesh grid{{row, 2}, {col, 2}};

constexpr axe::sharding blocks{
    on_grid("S[(4,2,8,4,2,8):(8,1@row,1,256,1@col,32)]"), {64, 64}, grid};
constexpr axe::sharding rows{on_grid("S[(2,2,16,64):(1@row,1@col,64,1)]"), {64, 64}, grid};
constexpr axe::reshard_plan plan = axe::plan_reshard(blocks, rows);

static_assert(axe::volume(plan) == axe::least_volume(plan) && axe::rounds(plan) == 1);

using buffers = std::vector<std::vector<int>>;

/// The address of an element on a device, or -1 if it is not there.
axe::integer address_of(axe::sharding const& s, axe::integer i, axe::integer j, int device) {
  for (axe::place const& p : axe::places(s.places, s.extents, {i, j}))
    if (2 * p[row] + p[col] == device) return p[axe::axis::m];
  return -1;
}

void picture(axe::sharding const& s) {
  for (int i = 0; i < 64; i += 8) {
    for (int j = 0; j < 64; j += 8)
      for (int d = 0; d < 4; ++d)
        if (address_of(s, i, j, d) >= 0) std::printf(" %d", d);
    std::printf("\n");
  }
}

/// Copies the elements of one message, run by run, from the addresses of src to those of dst.
void move(axe::message const& m, buffers const& src, buffers& dst) {
  for (axe::strided_run const& r : axe::runs(plan, m))
    for (axe::integer x = 0; x < r.size(); ++x) {
      axe::integer from = r.begin_from, to = r.begin_to, rest = x;
      for (int k = r.digits.size() - 1; k >= 0; --k) {
        from += rest % r.digits[k].extent * r.digits[k].from_stride;
        to += rest % r.digits[k].extent * r.digits[k].to_stride;
        rest /= r.digits[k].extent;
      }
      dst[m.to][to] = src[m.from][from];
    }
}

int main() {
  std::printf("the device of each block of 8 x 8, before:\n");
  picture(blocks);
  std::printf("and after:\n");
  picture(rows);
  buffers src(4, std::vector<int>(1024, -1)), dst = src;
  for (int x = 0; x < 4096; ++x)
    for (int d = 0; d < 4; ++d)
      if (axe::integer const at = address_of(blocks, x / 64, x % 64, d); at >= 0) src[d][at] = x;
  for (int d = 0; d < 4; ++d) {
    axe::traffic const t = axe::traffic_of(plan, d);
    std::printf("device %d sends %lld bytes and receives %lld (minimum %lld)\n", d, 8LL * t.sent,
                8LL * t.received, 8LL * axe::missing(plan, d));
    for (axe::message const& m : axe::messages(plan, d)) move(m, src, dst);
  }
  std::printf("total: %lld bytes; an all-gather first would move %lld\n", 8LL * axe::volume(plan),
              8LL * axe::volume_of_gathering(plan));
  int wrong = 0;
  for (int x = 0; x < 4096; ++x)
    for (int d = 0; d < 4; ++d)
      if (axe::integer const at = address_of(rows, x / 64, x % 64, d); at >= 0)
        wrong += dst[d][at] != x;
  std::printf("%d elements are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
