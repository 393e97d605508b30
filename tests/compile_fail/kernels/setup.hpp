// The tensors and layouts that the cases of this folder share.
#pragma once

#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cuda_fp16.h>

using namespace axe::literals;

using input = axe::tensor<float const, axe::row_major<2>>;
using output = axe::tensor<float, axe::row_major<2>>;
using half_input = axe::tensor<__half const, axe::row_major<2>>;
using aligned_input = axe::tensor<float const, axe::row_major<2>, axe::aligned<16>>;
using bytes_of = axe::tensor<unsigned char, axe::row_major<2>>;

using square = axe::carrier<"S[(32,32):(32,1)]"_axe>;
using by_threads = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
