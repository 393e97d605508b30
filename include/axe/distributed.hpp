// SPDX-License-Identifier: MIT
// Tensors on a mesh of devices: any resharding as a plan with its messages, bytes and bounds.
//
//     constexpr auto p = axe::plan_reshard(src, dst);
//     axe::volume(p)
//
// Definition: docs/distributed.md.
#pragma once

#include <axe/distributed/reshard_plan.hpp>  // first: keeps error messages short

#include <axe/distributed/check_sharding.hpp>
#include <axe/distributed/collective.hpp>
#include <axe/distributed/dtensor.hpp>
#include <axe/distributed/enclosures.hpp>
#include <axe/distributed/gspmd.hpp>
#include <axe/distributed/largest_send.hpp>
#include <axe/distributed/mesh.hpp>
#include <axe/distributed/messages.hpp>
#include <axe/distributed/partition_spec.hpp>
#include <axe/distributed/print_messages.hpp>
#include <axe/distributed/print_plan.hpp>
#include <axe/distributed/runs.hpp>
#include <axe/distributed/scalapack.hpp>
#include <axe/distributed/sharding.hpp>
#include <axe/distributed/sharding_difference.hpp>
#include <axe/distributed/volume.hpp>
