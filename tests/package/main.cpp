// The program of every consumer project beside this file: it includes axe as a user would, and
// checks the version.
#include <axe/axe.hpp>

#include <cstdio>

// The consumer passes CMake's version: project(VERSION) is the one source, and the macros must
// agree with it.
static_assert(
    AXE_VERSION_MAJOR == CMAKE_SAW_MAJOR && AXE_VERSION_MINOR == CMAKE_SAW_MINOR &&
        AXE_VERSION_PATCH == CMAKE_SAW_PATCH,
    "AXE_VERSION_* of axe/config.hpp and project(axe VERSION ...) of CMakeLists.txt must agree");

int main() {
  std::printf("axe %d.%d.%d\n", AXE_VERSION_MAJOR, AXE_VERSION_MINOR, AXE_VERSION_PATCH);
}
