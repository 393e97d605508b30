// The name of a declared axis has ten characters. Nine are the limit.
// expect: an_axis_name_is_one_to_nine_letters_digits_or_underscores
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::axis mesh = axe::device_axis("mesh_rows_");
#else
constexpr axe::axis mesh = axe::device_axis("mesh_rows");
#endif
