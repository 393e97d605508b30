// Tests axes: the table of docs/algebra.md with one line for each axis, declared axes, and places
// as sums of terms.
#include <axe/base/axis.hpp>
#include <axe/layout/place.hpp>

namespace {

using namespace axe;
using namespace axe::axes;

constexpr bool is(axis a, kind k, scope unit, scope in, integer fixed) {
  return kind_of(a) == k && unit_of(a) == unit && scope_of(a) == in && places_in_scope(a) == fixed;
}

static_assert(is(lane, kind::thread, scope::thread, scope::warp, 32));
static_assert(is(warp, kind::thread, scope::warp, scope::cta, 0));
static_assert(is(wid_in_wg, kind::thread, scope::warp, scope::warpgroup, 4));
static_assert(is(wg, kind::thread, scope::warpgroup, scope::cta, 0));
static_assert(is(tid_in_wg, kind::thread, scope::thread, scope::warpgroup, 128));
static_assert(is(tid, kind::thread, scope::thread, scope::cta, 0));
static_assert(is(cta_x, kind::thread, scope::cta, scope::grid, 0));
static_assert(is(cta_y, kind::thread, scope::cta, scope::grid, 0));
static_assert(is(cta_z, kind::thread, scope::cta, scope::grid, 0));
static_assert(is(cluster_cta_x, kind::thread, scope::cta, scope::cluster, 0));
static_assert(is(cluster_cta_y, kind::thread, scope::cta, scope::cluster, 0));
static_assert(is(cluster_cta_z, kind::thread, scope::cta, scope::cluster, 0));
static_assert(is(m, kind::memory, scope::none, scope::none, 0));
static_assert(is(reg, kind::memory, scope::none, scope::none, 0));
static_assert(is(TLane, kind::memory, scope::none, scope::none, 0));
static_assert(is(TCol, kind::memory, scope::none, scope::none, 0));
static_assert(is(P, kind::memory, scope::none, scope::none, 0));
static_assert(is(F, kind::memory, scope::none, scope::none, 0));
static_assert(is(Bank, kind::memory, scope::none, scope::none, 0));
static_assert(is(gpuid, kind::device, scope::none, scope::none, 0));
static_assert(is(pid, kind::device, scope::none, scope::none, 0));
static_assert(kind_of(axis::null) == kind::memory, "the null axis counts as a memory axis");

constexpr axis mesh_x = device_axis("mesh_x");
static_assert(is(mesh_x, kind::device, scope::none, scope::none, 0));
static_assert(mesh_x == device_axis("mesh_x"), "an axis that two files declare is one axis");
static_assert(mesh_x != device_axis("mesh_y") && mesh_x != device_axis("mesh_") &&
              mesh_x != device_axis("mesh_X"));
static_assert(mesh_x != thread_axis("mesh_x") && mesh_x != memory_axis("mesh_x"),
              "axes of one name but of two kinds differ");
static_assert(kind_of(thread_axis("w9_")) == kind::thread &&
              kind_of(memory_axis("_")) == kind::memory);
static_assert(device_axis("zzzzzzzzz") != device_axis("zzzzzzzz_"), "all nine characters count");
static_assert(memory_axis("A0") != memory_axis("A9") && memory_axis("a") != memory_axis("A"));
static_assert(kind_of(device_axis("_________")) == kind::device,
              "the largest codes of all characters do not change the kind");
static_assert(kind_of(thread_axis("_________")) == kind::thread &&
              kind_of(memory_axis("_________")) == kind::memory);

// A place has one number on every axis, which is 0 on an axis that the sum does not name.
static_assert(8 * lane + 6 * warp == 6 * warp + 8 * lane);
static_assert(8 * lane == 8 * lane + 0 * warp);
static_assert(8 * lane != 8 * warp && place(8 * lane) != place());
static_assert((8 * lane + 6 * warp - 2 * lane)[lane] == 6 && (8 * lane - 1 * warp)[warp] == -1);
static_assert(place(8 * lane)[reg] == 0 && !place(8 * lane).names(reg) &&
              (8 * lane + 0 * reg).names(reg));
static_assert(place{3 * m, 4 * m} == place(7 * m), "terms on one axis add up");
static_assert(place(term(5, axis::null)) == place(), "a place does not name the null axis");
static_assert(term(4) == 4 * m && term(0) == term(0, axis::null),
              "a number without an axis is on m, and 0 without an axis is on no axis");
static_assert(-(4 * lane) == -4 * lane && lane * 4 == 4 * lane);

constexpr bool a_17th_axis_is_rejected() {
  place p;
  for (int i = 1; i <= capacity::axes; ++i)
    if (!p.add({1, static_cast<axis>(i)})) return false;
  return !p.add({1, static_cast<axis>(capacity::axes + 1)}) && p.add({1, static_cast<axis>(3)}) &&
         p.add({9, axis::null});
}
static_assert(a_17th_axis_is_rejected());

}  // namespace
