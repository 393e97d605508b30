// Index code: addresses computed from layouts, in the instructions that an expert would write.
//
//     #include <axe/index.hpp>
//
// Parts of coordinates (part), addresses fixed once and moved by constants (fix), tensors with
// sizes known at run time (leaf, sized, pointer), what a thread owns of a tile (partition, owned),
// how much of it moves at once (vectors) and what of it exists (limits). Host code, device code and
// NVRTC. Not part of axe/axe.hpp.
#pragma once

// What compilers point into, first: with each error they print the way to its file.
#include <axe/index/dimension.hpp>
#include <axe/index/part.hpp>
#include <axe/index/sized.hpp>

#include <axe/index/fix.hpp>
#include <axe/index/limits.hpp>
#include <axe/index/owned.hpp>
#include <axe/index/partition.hpp>
#include <axe/index/pointer.hpp>
#include <axe/index/tensor_of.hpp>
#include <axe/index/vectors.hpp>
#include <axe/index/walk.hpp>
