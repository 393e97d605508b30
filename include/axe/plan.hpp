// SPDX-License-Identifier: MIT
// Plans of copies, matrix products and reductions: instructions, addresses, and why other
// instructions were declined.
//
//     constexpr axe::copy_plan plan = axe::plan_copy({from, axe::memory_space::global, …});
//
// axe/cuda.hpp executes plans. Definition: docs/plans.md.
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/atoms/target.hpp>
#include <axe/plan/candidate.hpp>
#include <axe/plan/copy_traffic.hpp>
#include <axe/plan/engine/register_match.hpp>
#include <axe/plan/plan_copy.hpp>
#include <axe/plan/plan_mma.hpp>
#include <axe/plan/plan_reduce.hpp>
#include <axe/plan/plan_tensor_memory.hpp>
#include <axe/plan/plan_tma.hpp>
#include <axe/plan/plan_trainium.hpp>
#include <axe/plan/print/print_copy.hpp>
#include <axe/plan/print/print_mma.hpp>
#include <axe/plan/print/print_reduce.hpp>
#include <axe/plan/print/print_tma.hpp>
#include <axe/plan/tma_arguments.hpp>
