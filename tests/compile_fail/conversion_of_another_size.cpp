// The source of a conversion has 64 elements, the target 32.
// expect-gcc: plan_convert: S\[\(2,32\):\(1@reg,1@lane\)\] has 64 elements, but S\[32:1@lane\] has
// expect-gcc: 32
// expect-clang: plan_convert:.*S\[\(2,32\):\(1@reg,1@lane\)\] has.*64 elements, but S\[32:1@lane\]
// expect-nvcc: sizes_differ.*Facts=<64L?, 32L?>
#include <axe/construct/literal.hpp>
#include <axe/convert/plan_convert.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using exchange = axe::conversion<axe::carrier<"S[(2,32):(1@reg,1@lane)]"_axe>,
                                 axe::carrier<"S[32:1@lane]"_axe>, 32>;
#else
using exchange = axe::conversion<axe::carrier<"S[(2,32):(1@reg,1@lane)]"_axe>,
                                 axe::carrier<"S[(2,32):(2@reg,1@lane)]"_axe>, 32>;
#endif
constexpr int words = exchange::source_words;
