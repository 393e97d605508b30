// 16-byte accesses are forced, but rows 68 elements apart are only 8-byte aligned.
// expect: copy_step_not_aligned
#include <axe/axe.hpp>
#include <axe/plan/plan_copy.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto pitched = "S[(64,64):(68,1)]"_axe;
#else
constexpr auto pitched = "S[(64,64):(72,1)]"_axe;
#endif

constexpr axe::copy_request wide{"S[(64,64):(4096,1)]"_axe,
                                 axe::memory_space::global,
                                 pitched,
                                 axe::memory_space::shared,
                                 {64, 64},
                                 16,
                                 128,
                                 axe::architecture::sm_90a,
                                 {axe::copy_instruction::vector_16}};
constexpr auto plan = axe::plan_copy(wide);
