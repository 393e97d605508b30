// The second unit of the program: nothing of the one header may be defined twice.
#include <axe_all.hpp>

long long two() { return axe::size(axe::parse("S[(64,64):(64,1)]")); }
