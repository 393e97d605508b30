// Every project of this test builds this program. It includes axe as a user's program does, and
// checks the version.
#include <axe/axe.hpp>

#include <cstdio>

// CMake passes the version of project(axe VERSION ...) as CMAKE_SAW_*. The macros must equal it.
static_assert(
    AXE_VERSION_MAJOR == CMAKE_SAW_MAJOR && AXE_VERSION_MINOR == CMAKE_SAW_MINOR &&
        AXE_VERSION_PATCH == CMAKE_SAW_PATCH,
    "AXE_VERSION_* of axe/config.hpp and project(axe VERSION ...) of CMakeLists.txt must agree");

int main() {
  std::printf("axe %d.%d.%d\n", AXE_VERSION_MAJOR, AXE_VERSION_MINOR, AXE_VERSION_PATCH);
}
