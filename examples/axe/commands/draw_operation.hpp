// axe draw OPERATION --operation: draws the operands beside the result.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace program {

int draw_operation(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);

}  // namespace program
