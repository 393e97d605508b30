// Reads layouts as the public implementation of TIRx prints them, one on each line. Answers with
// the layout in axe's notation, a tab, and TIRx's form written again. `./run peers` runs it.
//
//     T.TileLayout(T.S[8:1 @ Axis.laneid])
//     -> S[8:1@lane] <tab> T.TileLayout(T.S[8:1 @ Axis.laneid])
//
// A line that is not a layout is answered with `error: ` and a sentence.
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
