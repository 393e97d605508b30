// Appendix E of the Axe paper, slices of one block: Algorithm 4 as printed and with the corrected
// condition `has_room`, on every region of every canonical block of up to 3 digits with extents 2
// to 4 and strides -2, 1, 2, 7 on one axis. The oracle (tests/oracle) decides which slices are
// right, and the library must find all that the corrected algorithm finds. paper_test.cpp lists all
// claims.
#include "oracle/convert.hpp"
#include "oracle/samples.hpp"
#include "support/catch.hpp"

#include <axe/axe.hpp>

using namespace axe;
using namespace axe_test;
using namespace axe::literals;

namespace {

using oracle::number;
using digits = std::vector<oracle::digit>;
using places_of_elements = std::vector<oracle::place>;

enum class form { none, no_wrap, one_wrap };

struct slice_found {
  form how = form::none;
  std::size_t peeled = 0;
  bool has_room = true;  // the carry does not overflow the digit above the pivot
  digits d;              // the slice's digits; its offset is the place of its first element
};

/// Algorithm 4 for the elements [begin, begin + length) of a block. It takes whole digits from the
/// fast end (peeled) up to the pivot, the first digit that the region does not contain whole.
slice_found algorithm_4(digits const& block, number begin, number length) {
  std::vector<number> start(block.size());
  number rest = begin;
  for (std::size_t j = block.size(); j-- > 0;) {
    start[j] = rest % block[j].extent;
    rest /= block[j].extent;
  }
  slice_found out;
  std::size_t pivot = block.size();
  for (; pivot > 0 && start[pivot - 1] == 0 && length % block[pivot - 1].extent == 0; --pivot) {
    out.d.insert(out.d.begin(), block[pivot - 1]);
    length /= block[pivot - 1].extent;
    ++out.peeled;
  }
  if (pivot == 0) {  // every digit is peeled
    out.how = form::no_wrap;
    return out;
  }
  oracle::digit const at = block[--pivot];
  if (start[pivot] + length <= at.extent) {
    out.how = form::no_wrap;
    out.d.insert(out.d.begin(), {length, at.stride, at.on});
  } else if (length % 2 == 0 && start[pivot] + length / 2 == at.extent && pivot > 0) {
    out.how = form::one_wrap;
    out.has_room = start[pivot - 1] + 1 < block[pivot - 1].extent;
    out.d.insert(out.d.begin(), {length / 2, at.stride, at.on});
    out.d.insert(out.d.begin(), {2, block[pivot - 1].stride - start[pivot] * at.stride, at.on});
  }
  return out;
}

bool is_right(digits const& slice, places_of_elements const& block, number begin, number length) {
  places_of_elements const found = oracle::walk(slice);
  if (static_cast<number>(found.size()) != length) return false;
  for (std::size_t x = 0; x < found.size(); ++x)
    if (found[x][0] !=
        block[static_cast<std::size_t>(begin) + x][0] - block[static_cast<std::size_t>(begin)][0])
      return false;
  return true;
}

/// True if the library's slice is the one that Algorithm 4 found.
bool library_agrees(layout const& block, region const& r, slice_found const& found,
                    number first_place) {
  outcome<layout> const ours = try_slice(block, size(block), r);
  layout expected;
  for (oracle::digit const& d : found.d) expected.shards.push({d.extent, d.stride, axis::m});
  return ours && equivalent(*ours, expected + first_place * axes::m);
}

/// Calls visit(found, right) for every region for which Algorithm 4 finds a slice. `right` is true
/// if the oracle confirms that slice.
template <class Visit> void every_region(Visit visit) {
  constexpr number strides[]{-2, 1, 2, 7};
  auto const look = [&](std::vector<int> const& picked) {
    digits block;
    layout l;
    for (int n : picked) {
      block.push_back({n % 3 + 2, strides[n / 3], 0});
      l.shards.push({block.back().extent, block.back().stride, axis::m});
    }
    if (!(canonicalize(l) == l)) return true;
    places_of_elements const map = oracle::walk(block);
    auto const size = static_cast<number>(map.size());
    for (number begin = 0; begin < size; ++begin)
      for (number length = 1; begin + length <= size; ++length) {
        slice_found const found = algorithm_4(block, begin, length);
        if (found.how == form::none) continue;
        bool const right = is_right(found.d, map, begin, length);
        if (char const* wrong = visit(found, right))
          FAIL(to_text(l).c_str() << ", " << length << " from " << begin << ": " << wrong);
        if (!found.has_room) continue;
        number const first_place = map[static_cast<std::size_t>(begin)][0];
        if (!library_agrees(l, {{begin, begin + length}}, found, first_place))
          FAIL(to_text(l).c_str() << ": the library returns another slice");
      }
    return true;
  };
  for (int length = 1; length <= 3; ++length) for_each_list(length, 12, look);
}

}  // namespace

TEST_CASE(
    "E.1, no wrap at the pivot: the slice is the pivot's shortened digit and the peeled digits") {
  long looked = 0, with_peeled = 0;
  every_region([&](slice_found const& found, bool right) -> char const* {
    if (found.how != form::no_wrap) return nullptr;
    ++looked;
    with_peeled += found.peeled > 0;
    return right ? nullptr : "wrong";
  });
  CHECK((looked > 100'000 && with_peeled > 10'000));
}

TEST_CASE("E.2 fails as printed: one wrap needs room for its carry, d + 1 < e, not d + 1 <= e") {
  long right_ones = 0, wrong_as_printed = 0;
  every_region([&](slice_found const& found, bool right) -> char const* {
    if (found.how != form::one_wrap) return nullptr;
    if (found.has_room)
      ++right_ones;
    else
      wrong_as_printed += !right;
    return right || !found.has_room ? nullptr : "wrong, with room";
  });
  CHECK((right_ones > 1000 && wrong_as_printed > 1000));
  CHECK(to_text(slice("S[(8,8):(100,1)]"_axe, 64, {{5, 11}})) == "S[(2,3):(95,1)] + 5");
  // Without room the printed step, 10 - 2*1 = 8, is wrong: the carry reaches the digit of stride
  // 100.
  CHECK(to_text(slice("S[(2,2,4):(100,10,1)]"_axe, 16, {{6, 10}})) == "S[(2,2):(88,1)] + 12");
  // The printed step, 1@lane - 2@m, lies on two axes, so it is not a stride.
  CHECK_FALSE(try_slice("S[(4,4):(1@lane,1)]"_axe, 16, {{2, 6}}));
}

TEST_CASE(
    "E.3: with has_room, every result of Algorithm 4 is a slice, but it does not find all slices") {
  long with_peeled = 0;
  every_region([&](slice_found const& found, bool right) -> char const* {
    with_peeled += found.how == form::one_wrap && found.peeled > 0;
    return right || !found.has_room ? nullptr : "wrong";
  });
  CHECK(with_peeled > 100);
  // The pivot wraps twice. The algorithm has no form for this, but the slice exists.
  CHECK(algorithm_4({{8, 100, 0}, {8, 1, 0}}, 4, 16).how == form::none);
  CHECK(to_text(slice("S[(8,8):(100,1)]"_axe, 64, {{4, 20}})) == "S[(2,2,4):(100,96,1)] + 4");
}
