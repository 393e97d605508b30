// Tests fragment_access element by element: vector n of lane l consists of the elements that the
// fragment's layout puts into the registers of vector n.
#include "support/catch.hpp"

#include <axe/analysis/fragment_access.hpp>
#include <axe/construct/literal.hpp>
#include <axe/map/measures.hpp>
#include <axe/map/places.hpp>

#include <map>
#include <vector>

using namespace axe;
using namespace axe::literals;

namespace {

struct sample {
  char const* fragment;
  shape tile, tensor;
  int values;
};

// Fragments of mma and wgmma (PTX ISA, "Matrix Fragments for mma"), of two warps, with replicas on
// lanes, and in tiles of odd shapes.
std::vector<sample> const samples = {
    {"S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]", {16, 8}, {32, 24}, 2},
    {"S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]", {16, 16}, {16, 48}, 2},
    {"S[(2,4,2,8):(2@reg,1@lane,1@reg,4@lane)]", {16, 8}, {16, 8}, 1},
    {"S[(2,8,2,4,4):(4@reg,4@lane,8@reg,1@lane,1@reg)]", {16, 32}, {32, 32}, 4},
    {"S[(4,2,8,4,4,2):(1@wid_in_wg,2@reg,4@lane,4@reg,1@lane,1@reg)]", {64, 32}, {64, 64}, 2},
    {"S[(3,8,4):(4@reg,1@lane,1@reg)]", {24, 4}, {48, 12}, 4},
    {"S[(8,2):(1@lane,1@reg)] + R[4:8@lane]", {16}, {48}, 2},
    {"S[(5,7):(7@lane,1@lane)]", {5, 7}, {5, 7}, 1},
    {"S[(5,6):(6@lane,1@lane)]", {5, 6}, {10, 12}, 1},
    {"S[(2,32):(-1@warp,1@lane)] + 1@warp", {2, 32}, {4, 32}, 1},
};

/// The element of the tensor at each (tile, position on other thread axes, lane, register), found
/// from the places of all elements.
std::map<std::vector<integer>, integer> held(layout const& f, sample const& s) {
  std::map<std::vector<integer>, integer> out;
  integer const rows = s.tile.rank() == 2 ? s.tile[0].nodes.value(0) : 1,
                columns = s.tile[s.tile.rank() - 1].nodes.value(0);
  integer const wide = s.tensor[s.tensor.rank() - 1].nodes.value(0);
  integer const high = s.tensor.rank() == 2 ? s.tensor[0].nodes.value(0) : 1;
  for (integer r = 0; r < high; ++r)
    for (integer c = 0; c < wide; ++c) {
      integer const tile = r / rows * (wide / columns) + c / columns;
      for (place const& p : places(f, r % rows * columns + c % columns)) {
        integer other = 0;
        for (axis a : axes_of(f))
          if (a != axis::lane && kind_of(a) != kind::memory)
            other = other * span(f, a) + p[a] - (min)(f, a);
        integer slot = 0;
        for (axis a : axes_of(f))
          if (kind_of(a) == kind::memory) slot = slot * span(f, a) + p[a] - (min)(f, a);
        out[{tile, other, p[axis::lane], slot}] = r * wide + c;
      }
    }
  return out;
}

}  // namespace

TEST_CASE("the access of a fragment has the elements of its lanes") {
  for (sample const& s : samples) {
    INFO(s.fragment);
    layout const f = parse(s.fragment);
    integer slots = 1, others = 1;
    for (axis a : axes_of(f)) {
      if (kind_of(a) == kind::memory) slots *= span(f, a);
      if (a != axis::lane && kind_of(a) != kind::memory) others *= span(f, a);
    }
    outcome<access_pattern> const found =
        try_fragment_access(f, s.tile, s.tensor, 32 / s.values, s.values);
    if (span(f, axis::lane) > 32) {
      CHECK(found.why == refusal{rule::access_lanes, {span(f, axis::lane)}});
      continue;
    }
    REQUIRE(found);
    integer const lanes = found->lanes, vectors = slots / s.values;
    CHECK(lanes == span(f, axis::lane));
    auto const expected = held(f, s);
    CHECK(static_cast<integer>(expected.size()) == size(found->elements));
    for (auto const& [where, element] : expected) {
      integer const vector = where[3] / s.values, value = where[3] % s.values;
      integer const i =
          (((where[0] * others + where[1]) * vectors + vector) * lanes + where[2]) * s.values +
          value;
      if (places(found->elements, i).first()[axis::m] != element)
        FAIL("number " << i << " should be element " << element << ", not "
                       << places(found->elements, i).first()[axis::m]);
    }
  }
}
