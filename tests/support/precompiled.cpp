// CMake precompiles the header of Catch2 with this source. The tests of the presets compile it
// alone.
#include "catch.hpp"
