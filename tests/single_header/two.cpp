// The second file of the program: the single header must not define anything twice.
#include <axe_all.hpp>

long long two() { return axe::size(axe::parse("S[(64,64):(64,1)]")); }
