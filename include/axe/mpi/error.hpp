// SPDX-License-Identifier: MIT
// axe::mpi::error: the MPI call that failed or the argument that is wrong, in a sentence.
//
// A failed call throws only on its rank.
#pragma once

#include <axe/config.hpp>

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {

struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {

inline void require(int code, char const* call) {
  if (code == MPI_SUCCESS) return;
  char words[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, words, &length);
  throw error(std::string(call) + ": " + std::string(words, static_cast<std::size_t>(length)));
}

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
