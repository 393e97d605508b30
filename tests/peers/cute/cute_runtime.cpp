// CuTe's side at run time: layouts whose numbers are ints, one question a line, one answer a line as CuTe prints it.
//
//     composition 2 4 6 1 4 1 3 2          the operation, then each layout: how it is nested, its extents, its strides
//     -> (2):(…)
//
// Nesting: 1 = a leaf, 2 = (a,b), 3 = (a,b,c), 4 = ((a,b),c). Only what CuTe computes for such layouts is asked: complement and what is built on it take a leaf.
#include <cute/layout.hpp>

#include <cstdio>
#include <string>

namespace {

using namespace cute;

int number() {
  int n = 0;
  if (std::scanf("%d", &n) != 1) n = 1;
  return n;
}

template <class Use> void with_leaf(Use const& use) {
  number();
  int const e = number();
  use(make_layout(e, number()));
}

template <class Use> void with_layout(Use const& use) {
  int const nesting = number();
  int e[3] = {1, 1, 1}, d[3] = {0, 0, 0};
  int const leaves = nesting == 4 ? 3 : nesting;
  for (int k = 0; k < leaves; ++k) e[k] = number();
  for (int k = 0; k < leaves; ++k) d[k] = number();
  if (nesting == 1) use(make_layout(e[0], d[0]));
  if (nesting == 2) use(make_layout(make_shape(e[0], e[1]), make_stride(d[0], d[1])));
  if (nesting == 3) use(make_layout(make_shape(e[0], e[1], e[2]), make_stride(d[0], d[1], d[2])));
  if (nesting == 4)
    use(make_layout(make_shape(make_shape(e[0], e[1]), e[2]), make_stride(make_stride(d[0], d[1]), d[2])));
}

template <class Result> void say(Result const& result) {
  print(result);
  std::putchar('\n');
  std::fflush(stdout);  // who dies of the next question leaves the answers before
}

}  // namespace

int main() {
  char name[64];
  while (std::scanf("%63s", name) == 1) {
    std::string const operation = name;
    if (operation == "coalesce") with_layout([](auto a) { say(coalesce(a)); });
    if (operation == "right_inverse") with_layout([](auto a) { say(right_inverse(a)); });
    if (operation == "composition")
      with_layout([](auto a) { with_layout([&](auto b) { say(composition(a, b)); }); });
    if (operation == "max_common_vector")
      with_layout([](auto a) { with_layout([&](auto b) { say(max_common_vector(a, b)); }); });
    if (operation == "complement") with_leaf([](auto a) { say(complement(a, number())); });
    if (operation == "logical_divide")
      with_layout([](auto a) { with_leaf([&](auto b) { say(logical_divide(a, b)); }); });
    if (operation == "zipped_divide")
      with_layout([](auto a) {
        if constexpr (decltype(rank(a))::value == 2) {
          int const m = number();
          say(zipped_divide(a, make_shape(m, number())));
        } else {
          say(zipped_divide(a, make_shape(number())));
        }
      });
    if (operation == "logical_product")
      with_leaf([](auto a) { with_layout([&](auto b) { say(logical_product(a, b)); }); });
    if (operation == "upcast") with_layout([](auto a) { say(upcast<2>(a)); });
    if (operation == "recast") with_layout([](auto a) { say(recast_layout<uint16_t, uint32_t>(a)); });
  }
}
