// Tests vectors of thread tiles: the widest vector that is proved is the widest that exists, and
// the proof says whether an edge may cut a vector. The oracle adds up iters: element x of a tile is
// at one (thread, register) of the partition P and at one address of the layout L. A width is legal
// if one grouping of the registers gives vectors in every thread, for a sample of the pitches and
// extents that the declarations allow.
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/cuda/tensor.hpp>
#include <axe/notation/print.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace {

using namespace axe;
using namespace axe::literals;

/// The place of element x of a layout on one axis. Digits with stride 0 are on the null axis.
integer sum_of(layout const& l, axis on, integer x) {
  integer at = l.offset(on);
  for (int k = l.shards.size() - 1; k >= 0; --k) {
    if (l.shards[k].on == on) at += x % l.shards[k].extent * l.shards[k].stride;
    x /= l.shards[k].extent;
  }
  return at;
}

/// The address in bytes of each register of each thread.
using table = std::map<integer, std::map<integer, integer>>;
table addresses(layout const& p, axis threads, layout const& l, integer bytes) {
  table out;
  integer const size = detail::product_of_extents(p.shards);
  for (integer x = 0; x < size; ++x) {
    integer const plain = sum_of(l, axis::m, x);
    integer const place = l.swizzle.none() ? plain : l.swizzle(plain);
    out[sum_of(p, threads, x)][sum_of(p, axis::reg, x)] = place * bytes;
  }
  return out;
}

/// The registers grouped into vectors of `width`, or nothing if threads would need different
/// groups.
std::vector<integer> vectors_of(table const& threads, integer bytes, int width) {
  std::vector<integer> groups;
  for (auto const& [thread, registers] : threads) {
    std::vector<std::pair<integer, integer>> sorted;  // (address, register)
    for (auto const& [r, address] : registers) sorted.push_back({address, r});
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::vector<integer>> here;
    for (std::size_t i = 0; i < sorted.size(); i += static_cast<std::size_t>(width)) {
      here.emplace_back();
      for (std::size_t k = 0; k < static_cast<std::size_t>(width); ++k) {
        if (i + k >= sorted.size() || sorted[i].first % (bytes * width) != 0 ||
            sorted[i + k].first != sorted[i].first + static_cast<integer>(k) * bytes)
          return {};
        here.back().push_back(sorted[i + k].second);
      }
    }
    std::sort(here.begin(), here.end(), [](auto const& a, auto const& b) {
      return *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end());
    });
    std::vector<integer> flat;
    for (auto const& v : here) flat.insert(flat.end(), v.begin(), v.end());
    if (groups.empty()) groups = flat;
    if (groups != flat) return {};
  }
  return groups;
}
int widest_of(std::vector<table> const& cases, integer bytes) {
  for (int width = static_cast<int>(16 / bytes); width > 1; width /= 2) {
    bool legal = true;
    for (table const& threads : cases) legal = legal && !vectors_of(threads, bytes, width).empty();
    if (legal) return width;
  }
  return 1;
}

/// The proof of vectors of a tile in shared memory with an aligned base, as for a shared_tile.
template <class P, class L, class S, integer Bytes, int... D>
auto shared_proof(detail::indices<D...>) {
  using owning = partition<P, S>;
  return detail::vector_proof<detail::layout_question<
      owning, L, S, Bytes, 128, decltype(owning::template coordinate_of<D>(0u))...>>{};
}
template <integer Bytes, class P, class L, class S> void check_shared(int expected) {
  using proof = decltype(shared_proof<P, L, S, Bytes>(detail::indices_to<partition<P, S>::rank>{}));
  INFO(to_text(P::value).c_str() << " of " << to_text(L::value).c_str());
  REQUIRE(partition<P, S>::value.why.which == rule::none);
  table const threads = addresses(P::value, partition<P, S>::thread_axis, L::value, Bytes);
  CHECK(widest_of({threads}, Bytes) == expected);
  constexpr int widest = detail::widest_of<proof>;
  CHECK(widest == expected);
  if constexpr (widest > 1) {
    std::vector<integer> const groups = vectors_of(threads, Bytes, widest);
    for (std::size_t r = 0; r < groups.size(); ++r)
      CHECK(groups[r] == proof::template plan<widest>.registers[r]);
  }
}

using by_fours = carrier<"S[(4,8,8,4):(4@reg,8@tid,1@tid,1@reg)]"_axe>;
using by_columns = carrier<"S[(8,4,4,8):(1@tid,4@reg,1@reg,8@tid)]"_axe>;
using apart = carrier<"S[(32,4,8):(1@tid,1@reg,4@reg)]"_axe>;
using downwards = carrier<"S[(32,4,8):(1@tid,8@reg,1@reg)]"_axe>;
using atom = carrier<"S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
using odd = carrier<"S[(7,3,6):(3@tid,1@tid,1@reg)]"_axe>;
using tile = extents<32, 32>;

TEST_CASE("the widest vector of shared tiles is the widest that exists") {
  check_shared<4, by_fours, carrier<"S[1024:1]"_axe>, tile>(4);
  check_shared<2, by_fours, carrier<"S[1024:1]"_axe>, tile>(4);
  check_shared<1, by_fours, carrier<"S[1024:1]"_axe>, tile>(4);
  check_shared<8, by_fours, carrier<"S[1024:1]"_axe>, tile>(2);
  check_shared<4, by_fours, carrier<"S[(32,32):(33,1)]"_axe>, tile>(1);
  check_shared<4, by_fours, carrier<"S[(32,32):(34,1)]"_axe>, tile>(2);
  check_shared<4, by_fours, carrier<"S[(32,32):(36,1)]"_axe>, tile>(4);
  check_shared<4, by_fours, carrier<"S[(32,32):(1,32)]"_axe>, tile>(1);
  check_shared<4, by_columns, carrier<"S[(32,32):(1,32)]"_axe>, tile>(4);
  check_shared<4, by_fours, carrier<"S[1024:1] + 2"_axe>, tile>(2);
  check_shared<2, apart, carrier<"S[1024:1]"_axe>, tile>(8);
  check_shared<2, downwards, carrier<"S[1024:1]"_axe>, tile>(8);
  check_shared<2, downwards, carrier<"S[(32,32):(1,32)]"_axe>, tile>(1);
  // Tiles in blocks of four or two columns, and rows of 18 elements in vectors of two.
  check_shared<4, by_fours, carrier<"S[(32,8,4):(4,160,1)]"_axe>, tile>(4);
  check_shared<4, by_fours, carrier<"S[(32,16,2):(4,130,1)]"_axe>, tile>(2);
  check_shared<4, odd, carrier<"S[(7,18):(18,1)]"_axe>, extents<7, 18>>(2);
  check_shared<2, atom, carrier<"S[(16,16):(16,1)]"_axe>, extents<16, 16>>(2);
  check_shared<2, atom, carrier<"S[(16,16):(17,1)]"_axe>, extents<16, 16>>(1);
}

TEST_CASE("a swizzle keeps its chunks contiguous, but nothing larger") {
  check_shared<4, by_fours, carrier<"swizzle(2,3,3) o S[1024:1]"_axe>, tile>(4);
  check_shared<4, by_fours, carrier<"swizzle(1,3,3) o S[1024:1]"_axe>, tile>(2);
  check_shared<4, by_fours, carrier<"swizzle(0,5,5) o S[1024:1]"_axe>, tile>(1);
  check_shared<2, downwards, carrier<"swizzle(3,3,3) o S[1024:1]"_axe>, tile>(8);
  check_shared<2, downwards, carrier<"swizzle(3,2,-3) o S[1024:1]"_axe>, tile>(8);
  check_shared<2, downwards, carrier<"swizzle(2,3,3) o S[1024:1]"_axe>, tile>(4);
  // This swizzle reads address bits from 2^10 up, which are 0 for every element.
  check_shared<4, by_fours, carrier<"swizzle(1,3,9) o S[1024:1]"_axe>, tile>(4);
}

/// The proof of vectors of a tile of a tensor, as for a global tile.
template <class P, class Sizes, class S, class T, integer Base, class... Origins, int... D>
auto tensor_proof(detail::indices<D...>, Origins const&...) {
  using owning = partition<P, S>;
  return detail::vector_proof<detail::tensor_question<
      owning, Base, T, Sizes,
      decltype(as_sum(Origins{}) + owning::template coordinate_of<D>(0u))...>>{};
}
template <class P, class Sizes, class S, integer Base, class... Origins>
using proof_of = decltype(tensor_proof<P, Sizes, S, float, Base>(
    detail::indices_to<partition<P, S>::rank>{}, Origins{}...));

template <int Rows> using from_tile = decltype(constant<Rows>{} * any(0));

TEST_CASE("declared pitch, pointer alignment and tile origin decide the width") {
  using plain = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
  using even = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).multiple_of(2)>;
  using fours = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).multiple_of(4)>;
  using known = dynamic_matrix<dynamic(0), dynamic(1), 100>;
  auto const legal = [](integer multiple) {
    std::vector<table> cases;
    for (integer n : {8, 9, 11, 16}) {
      layout l;
      l.shards.push({32, n * multiple, axis::m});
      l.shards.push({32, 1, axis::m});
      cases.push_back(addresses(by_fours::value, axis::tid, l, 4));
    }
    return widest_of(cases, 4);
  };
  CHECK(legal(1) == 1);
  CHECK(legal(2) == 2);
  CHECK(legal(4) == 4);
  using t32 = from_tile<32>;
  CHECK(detail::widest_of<proof_of<by_fours, plain, tile, 16, t32, t32>> == 1);
  CHECK(detail::widest_of<proof_of<by_fours, even, tile, 16, t32, t32>> == 2);
  CHECK(detail::widest_of<proof_of<by_fours, fours, tile, 16, t32, t32>> == 4);
  CHECK(detail::widest_of<proof_of<by_fours, known, tile, 16, t32, t32>> == 4);
  CHECK(detail::widest_of<proof_of<by_fours, fours, tile, 8, t32, t32>> == 2);
  CHECK(detail::widest_of<proof_of<by_fours, fours, tile, 4, t32, t32>> == 1);
  // Tiles that begin at any column, at any multiple of 6 columns, and at any row.
  CHECK(detail::widest_of<proof_of<by_fours, fours, tile, 16, t32, from_tile<1>>> == 1);
  CHECK(detail::widest_of<proof_of<by_fours, fours, tile, 16, t32, from_tile<6>>> == 2);
  CHECK(detail::widest_of<proof_of<by_fours, fours, tile, 16, from_tile<1>, t32>> == 4);
  // Two dynamic strides, and columns in blocks whose extent is not a power of two.
  using strided = dynamic_layout<dimension<digit<dynamic(0), dynamic(1).multiple_of(8)>>,
                                 dimension<digit<dynamic(2), dynamic(3)>>>;
  CHECK(detail::widest_of<proof_of<by_fours, strided, tile, 16, t32, t32>> == 1);
  using blocks_of_12 =
      dynamic_layout<dimension<digit<dynamic(0), 12>>,
                     dimension<digit<dynamic(1), dynamic(2).multiple_of(4)>, digit<12, 1>>>;
  CHECK(detail::widest_of<proof_of<by_fours, blocks_of_12, tile, 16, t32, t32>> == 4);
  using blocks_of_6 =
      dynamic_layout<dimension<digit<dynamic(0), 6>>,
                     dimension<digit<dynamic(1), dynamic(2).multiple_of(4)>, digit<6, 1>>>;
  CHECK(detail::widest_of<proof_of<by_fours, blocks_of_6, tile, 16, t32, t32>> == 2);
}

/// True if the edge cuts a vector for some extent and tile origin that the declarations allow.
bool edge_cuts_vector(integer multiple, integer tile_origin, integer width, integer extent) {
  for (integer origin = 0; origin < 200; origin += tile_origin)
    for (integer n = multiple; n < 120; n += multiple)
      for (integer column = 0; column < extent; column += width)
        if (origin + column < n && origin + column + width > n) return true;
  return false;
}
template <int Multiple, int Origin> void check_edge() {
  using sizes =
      dynamic_matrix<dynamic(0), dynamic(1).multiple_of(Multiple), dynamic(2).multiple_of(4)>;
  using proof = proof_of<by_fours, sizes, tile, 16, from_tile<32>, from_tile<Origin>>;
  CAPTURE(Multiple, Origin);
  bool const may_be_cut = edge_cuts_vector(Multiple, Origin, 4, 32);
  CHECK((proof::template plan<4>.edge.which != rule::none) == may_be_cut);
}

TEST_CASE("a vector may be cut exactly when the declarations allow it") {
  check_edge<1, 32>();
  check_edge<2, 32>();
  check_edge<4, 32>();
  check_edge<12, 32>();
  check_edge<8, 4>();
  check_edge<6, 12>();
  using columns_of_30 = dynamic_matrix<dynamic(0), 30, 32>;
  using columns_of_60 = dynamic_matrix<dynamic(0), 60, 64>;
  using of_30 = proof_of<by_fours, columns_of_30, tile, 16, from_tile<32>, from_tile<32>>;
  using of_60 = proof_of<by_fours, columns_of_60, tile, 16, from_tile<32>, from_tile<32>>;
  CHECK(of_30::plan<4>.edge.which == rule::vector_leaves_a_known_extent);
  CHECK(of_60::plan<4>.edge.which == rule::none);
}

}  // namespace
