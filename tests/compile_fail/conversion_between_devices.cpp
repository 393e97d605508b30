// A conversion moves an element to another device. It may move elements only inside a CTA.
// expect-gcc: plan_convert: element 1 is needed at 0@gpuid, where the source does not have it
// expect-clang: plan_convert: element 1 is.*needed at 0@gpuid, where the
// expect-nvcc: conversion_leaves_the_cta.*Facts=<1L?, 0L?
#include <axe/construct/literal.hpp>
#include <axe/convert/plan_convert.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using gathered =
    axe::conversion<axe::carrier<"S[8:1@gpuid]"_axe>, axe::carrier<"S[8:1@reg]"_axe>, 32>;
#else
using gathered =
    axe::conversion<axe::carrier<"S[8:1@lane]"_axe>, axe::carrier<"S[8:1@reg]"_axe>, 32>;
#endif
constexpr int words = gathered::source_words;
