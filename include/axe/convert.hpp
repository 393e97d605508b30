// Register conversion plans: what a warp does to turn one register layout into another, with the
// fewest shuffles.
//
//     #include <axe/convert.hpp>
//
//     constexpr auto plan = axe::plan_convert(accumulator, operand, 8);
//     static_assert(plan.kind == axe::conversion_kind::lanes && plan.shuffles() == plan.shuffle_bound);
//     axe::convert<axe::conversion<from, to, 8>>(source, target);         // in a kernel
//
// Planned in convert/plan_convert.hpp, executed on the host in interpret.hpp, on the device in
// device.hpp, printed in print.hpp; relabel.hpp finds the order of k that needs no exchange. Not
// part of axe/axe.hpp.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/sentence/stop.hpp>  // first: compilers print the way by which it was included

#include <axe/convert/device.hpp>
#include <axe/convert/interpret.hpp>
#include <axe/convert/plan_convert.hpp>
#include <axe/convert/print.hpp>
#include <axe/convert/relabel.hpp>
#include <axe/convert/reorder.hpp>
