// Plans of tile primitives: which instruction carries one out, how often, who addresses what; with
// every other candidate and the reason why it was declined.
//
//     #include <axe/plan.hpp>
//
//     constexpr axe::copy_plan plan = axe::plan_copy({from, global, to, shared, {64, 64}, 16, 128, axe::architecture::sm_90a, {}});
//     axe::text<4000> words;  print(words, plan);
//
// Host code and constants; what executes plans on a device is axe/cuda.hpp. Not part of
// axe/axe.hpp.
// Definition: docs/plans.md.
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/atoms/target.hpp>
#include <axe/plan/candidate.hpp>
#include <axe/plan/copy_traffic.hpp>
#include <axe/plan/plan_copy.hpp>
#include <axe/plan/plan_mma.hpp>
#include <axe/plan/plan_reduce.hpp>
#include <axe/plan/plan_tma.hpp>
#include <axe/plan/plan_trainium.hpp>
#include <axe/plan/print/print_copy.hpp>
#include <axe/plan/print/print_mma.hpp>
#include <axe/plan/print/print_reduce.hpp>
#include <axe/plan/print/print_tma.hpp>
#include <axe/plan/register_match.hpp>
#include <axe/plan/tma_arguments.hpp>
