// Tests which conversions would move elements out of a CTA: known cases, and all pairs of small
// layouts on lane, reg and gpuid, compared with sets of places.
#include "support/catch.hpp"

#include <axe/construct/build.hpp>
#include <axe/construct/literal.hpp>
#include <axe/convert/plan_convert.hpp>
#include <axe/map/places.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr refusal refusal_of(layout const& from, layout const& to) {
  return try_plan_convert(from, to, 32).why;
}
constexpr refusal leaves(integer element, integer needed, axis on) {
  return {rule::conversion_leaves_the_cta, {element, needed}, {on}};
}
static_assert(refusal_of("S[8:1@gpuid]"_axe, "S[8:1@reg]"_axe) == leaves(1, 0, axis::gpuid));
static_assert(refusal_of("S[8:1@reg]"_axe, "S[8:1@pid]"_axe) == leaves(1, 1, axis::pid));
static_assert(refusal_of("S[8:1@cta_x]"_axe, "S[8:1@reg]"_axe) == leaves(1, 0, axis::cta_x));
static_assert(refusal_of("S[8:1@reg]"_axe, "S[8:1@cluster_cta_y]"_axe) ==
              leaves(1, 1, axis::cluster_cta_y));
static_assert(refusal_of("S[2:1@reg] + 1@gpuid"_axe, "S[2:1@reg]"_axe) ==
              leaves(0, 0, axis::gpuid));
static_assert(refusal_of("S[2:1@reg] + R[2:1@gpuid]"_axe, "S[2:1@reg] + R[3:1@gpuid]"_axe) ==
              leaves(0, 2, axis::gpuid));
constexpr axis mesh = device_axis("mesh");
static_assert(refusal_of("S[2:1@reg]"_axe, S({2}, {1 * mesh})) == leaves(1, 1, mesh));
// Elements may move within their CTA, so these conversions are accepted.
static_assert(refusal_of("S[(2,32):(1@cta_x,1@lane)]"_axe,
                         "S[(2,32):(1@cta_x,-1@lane)] + 31@lane"_axe) == refusal{});
static_assert(refusal_of("S[2:1@reg] + R[2:1@gpuid]"_axe, "S[2:1@lane] + 1@gpuid"_axe) ==
              refusal{});

// The bytes of shared memory are counted for one CTA.
static_assert(plan_convert("S[(2,2,4):(1@cta_x,1@warp,1@lane)]"_axe,
                           "S[(2,4,2):(1@cta_x,1@lane,1@warp)]"_axe, 32)
                  .shared.bytes == 32);

enum { on_lane, on_reg, on_device };

struct digit {
  int extent, stride, on;
};
struct side {
  std::vector<digit> digits, replicas;
  int device = 0;  // the device that holds element 0

  std::string text() const {
    char const* const names[] = {"@lane", "@reg", "@gpuid"};
    std::string extents, strides;
    for (digit const& d : digits) {
      extents += (extents.empty() ? "" : ",") + std::to_string(d.extent);
      strides += (strides.empty() ? "" : ",") + std::to_string(d.stride) + names[d.on];
    }
    std::string all = "S[(" + extents + "):(" + strides + ")]";
    for (digit const& d : replicas)
      all +=
          " + R[" + std::to_string(d.extent) + ":" + std::to_string(d.stride) + names[d.on] + "]";
    return device == 0 ? all : all + " + " + std::to_string(device) + "@gpuid";
  }
  /// The devices that hold element x.
  std::set<int> devices(int x) const {
    int first = device;
    for (std::size_t k = digits.size(); k-- > 0;) {
      if (digits[k].on == on_device) first += x % digits[k].extent * digits[k].stride;
      x /= digits[k].extent;
    }
    std::set<int> all{first};
    for (digit const& d : replicas) {
      if (d.on != on_device) continue;
      std::set<int> more;
      for (int at : all)
        for (int j = 0; j < d.extent; ++j) more.insert(at + j * d.stride);
      all = more;
    }
    return all;
  }
};

/// Layouts of six elements: the digits 6, (2,3) and (3,2), each on any of the axes, with replicas
/// and an offset on the device axis.
std::vector<side> sides() {
  std::vector<side> all;
  for (std::vector<int> const& extents : {std::vector<int>{6}, {2, 3}, {3, 2}})
    for (int axes = 0; axes < (extents.size() == 1 ? 3 : 9); ++axes)
      for (int turn = 0; turn < 2; ++turn)
        for (int replicas : {1, 2, 3})
          for (int device : {0, 1}) {
            int const on[2] = {axes % 3, axes / 3}, first = turn == 0 ? 0 : 1;
            side s;
            int step[3] = {1, 1, 1};
            s.digits.resize(extents.size());
            for (std::size_t k = 0; k < extents.size(); ++k) {
              std::size_t const at = (k + static_cast<std::size_t>(first)) % extents.size();
              s.digits[at] = {extents[at], step[on[at]], on[at]};
              step[on[at]] *= extents[at];
            }
            if (extents.size() == 1 && turn == 1) continue;
            if (replicas > 1) s.replicas.push_back({replicas, step[on_device], on_device});
            s.device = device;
            all.push_back(s);
          }
  return all;
}

/// True if the elements of each device have different addresses within the bytes of the step.
bool is_apart_in_each_cta(side const& from, shared_step const& step) {
  std::set<std::pair<int, integer>> used;
  for (int x = 0; x < 6; ++x)
    for (int device : from.devices(x)) {
      integer const at = (*places(step.place, integer{x}).begin())[axis::m];
      if (at < 0 || 4 * at >= step.bytes || !used.insert({device, at}).second) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("the shared memory of a conversion holds the elements of one CTA") {
  conversion_plan const one =
      plan_convert("S[(4,32):(1@warp,1@lane)]"_axe, "S[(32,4):(1@lane,1@warp)]"_axe, 32);
  conversion_plan const two = plan_convert("S[(2,4,32):(1@cta_x,1@warp,1@lane)]"_axe,
                                           "S[(2,32,4):(1@cta_x,1@lane,1@warp)]"_axe, 32);
  conversion_plan const middle =
      plan_convert("S[(4,2,32):(1@warp,1@gpuid,1@lane)]"_axe,
                   "S[(4,2,8,4):(8@lane,1@gpuid,1@lane,1@warp)]"_axe, 32);
  CHECK(one.shared.bytes == 512);
  CHECK(two.shared.bytes == 512);
  CHECK(two.shared.place == parse("swizzle(0,2,5) o S[(2,128):(0,1)]"));
  CHECK(middle.kind == conversion_kind::warps);
  CHECK(middle.shared.bytes == 512);
}

TEST_CASE("a conversion is rejected if and only if it needs an element in a CTA that lacks it") {
  std::vector<side> const all = sides();
  int refusals = 0, plans = 0, shared = 0;
  for (side const& from : all)
    for (side const& to : all) {
      bool stays = true;
      for (int x = 0; x < 6; ++x) {
        std::set<int> const held = from.devices(x), needed = to.devices(x);
        stays = stays && std::includes(held.begin(), held.end(), needed.begin(), needed.end());
      }
      layout const a = parse(from.text().c_str()), b = parse(to.text().c_str());
      outcome<conversion_plan> const plan = try_plan_convert(a, b, 32);
      ++(stays ? plans : refusals);
      if (plan && plan->kind == conversion_kind::warps) {
        ++shared;
        CHECK(is_apart_in_each_cta(from, plan->shared));
      }
      if ((plan.why.which == rule::none) == stays &&
          (stays || plan.why.which == rule::conversion_leaves_the_cta))
        continue;
      CAPTURE(from.text(), to.text(), sentence(plan.why, {&a, &b}).c_str());
      CHECK(plan.why.which == (stays ? rule::none : rule::conversion_leaves_the_cta));
    }
  CHECK(shared > 100);
  CHECK(plans > 1000);
  CHECK(refusals > 1000);
}
