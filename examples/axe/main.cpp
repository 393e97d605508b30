// axe: the command-line program. `axe --help` lists the commands.
#include "commands/command.hpp"

int main(int count, char** words) {
  return program::run_process(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
}
