// SPDX-License-Identifier: MIT
// Register conversions: the moves and shuffles that turn one register layout into another.
//
//     constexpr auto plan = axe::plan_convert(accumulator, operand, 8);
//     axe::convert<axe::conversion<from, to, 8>>(source, target);
//
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/sentence/stop.hpp>  // first: keeps error messages short

#include <axe/convert/device.hpp>
#include <axe/convert/interpret.hpp>
#include <axe/convert/plan_convert.hpp>
#include <axe/convert/print_conversion.hpp>
#include <axe/convert/relabel.hpp>
