// Includes version 2 (Debian; one header) or version 3 of Catch2.
//
//     #include "support/catch.hpp"
//     CHECK_THAT(message, axe_test::contains_text("extent 0"));
//
// Names that differ between the two versions have one name here.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
using Catch::Approx;
#endif

namespace axe_test {

inline auto contains_text(std::string const& text) {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::Matchers::ContainsSubstring(text);
#else
  return Catch::Matchers::Contains(text);
#endif
}

}  // namespace axe_test
