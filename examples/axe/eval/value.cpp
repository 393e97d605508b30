// Gives each kind of value a name and a description.
#include "eval/value.hpp"

namespace calculator {

namespace {

struct kind_words {
  char const* name;
  char const* described;
};

constexpr kind_words words[] = {
    {"nothing", "nothing"},
    {"layout", "a layout"},
    {"integer", "an integer"},
    {"shape", "a shape or coordinate"},
    {"word", "true or false"},
    {"axis", "an axis"},
    {"place", "a place"},
    {"region", "a region"},
    {"pair", "a pair a:b"},
    {"box_axis", "one axis of a box"},
    {"shapes", "a list of shapes"},
    {"axes", "a tuple of axes"},
    {"swizzle", "a swizzle"},
    {"composition", "a composition of axes"},
    {"declaration", "the declaration of an axis"},
    {"places", "a set of places"},
    {"elements", "a list of elements"},
    {"owned_by", "a list of pieces"},
    {"coverage", "an answer of coverage"},
    {"difference", "an answer of difference"},
    {"not_owned_by", "a list of pieces"},
    {"linear", "a linear map"},
    {"matrix", "a matrix"},
    {"cute_layout", "a CuTe layout"},
    {"tiler", "a tuple of CuTe layouts"},
    {"access", "an access, such as ldmatrix_rows(16)"},
    {"shared_traffic", "an answer of shared_memory"},
    {"global_traffic", "an answer of global_memory"},
    {"conversion", "a conversion plan"},
};
static_assert(std::size(words) == std::variant_size_v<value>);

}  // namespace

char const* describe(kind k) { return words[static_cast<std::size_t>(k)].described; }
char const* name_of(kind k) { return words[static_cast<std::size_t>(k)].name; }

}  // namespace calculator
