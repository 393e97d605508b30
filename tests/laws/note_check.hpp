// Declares note_check, which `check` calls in the copied headers (checked_once_test.cpp).
// This file is included before them.
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
struct layout;
struct linear_map;
namespace cute {
struct layout;
}
}  // namespace AXE_NAMESPACE
}  // namespace axe

void note_check(axe::layout const&);
void note_check(axe::linear_map const&);
void note_check(axe::cute::layout const&);
