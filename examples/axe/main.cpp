// axe: the command-line program. `axe --help` lists the commands.
#include "commands/command.hpp"

#include <iostream>

int main(int count, char** words) {
  std::ios::sync_with_stdio(false);
  int const code = program::run(
      std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count), std::cout, std::cerr);
  std::cout.flush();
  if (std::cout) return code;
  std::cerr << "axe: cannot write the answer to standard output\n";
  return program::bad_input;
}
