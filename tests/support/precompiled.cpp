// An empty source. CMake compiles the precompiled header of Catch2 with it.
