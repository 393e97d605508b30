# Compiles for WebAssembly with clang 19: packages clang-19, lld-19, wasi-libc,
# libc++-19-dev-wasm32, libc++abi-19-dev-wasm32, libclang-rt-19-dev-wasm32.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_FLAGS_INIT -fwasm-exceptions)
set(CMAKE_CXX_COMPILER_WORKS ON)  # a program needs exceptions.cpp
