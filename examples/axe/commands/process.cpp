// run_process: the program on the standard streams. A file of its own, because the explorer has no
// such streams.
#include "commands/command.hpp"

#include <iostream>

namespace program {

int run_process(std::vector<std::string> const& words) {
  std::ios::sync_with_stdio(false);
  int const code = run(words, std::cout, std::cerr);
  std::cout.flush();
  if (std::cout) return code;
  std::cerr << "axe: cannot write the answer to standard output\n";
  return bad_input;
}

}  // namespace program
