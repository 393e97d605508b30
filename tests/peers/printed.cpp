// Reads lines of TIRx's printed form. Answers each with the layout in axe's notation, a tab, and
// TIRx's form written again.
//
//     T.TileLayout(T.S[8:1 @ Axis.laneid])
//     -> S[8:1@lane] <tab> T.TileLayout(T.S[8:1 @ Axis.laneid])
//
// An unreadable line is answered with `error: ` and a sentence. `./run peers` sends it what the
// public implementation of TIRx prints.
#include <axe/axe.hpp>
#include <axe/bridge/tirx.hpp>

#include <iostream>
#include <string>

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    axe::outcome<axe::layout> const l =
        axe::try_parse_tirx(line.data(), static_cast<int>(line.size()));
    if (l)
      std::cout << axe::to_text(*l).c_str() << '\t' << axe::to_tirx(*l).c_str() << '\n';
    else
      std::cout << "error: " << axe::sentence(l.why).c_str() << '\n';
  }
}
