// Makes mutants of a PTX program. Each lacks one barrier, arrival, wait, commit or fence, or has
// .relaxed in place of the .acquire, .release or .acq_rel of one access.
//
//     for (auto const& site : mutation_sites(ptx)) run(without(ptx, site));
//
// A removed statement becomes blanks, so that lines keep their numbers. try_wait and test_wait
// are replaced by an assignment of true to their result. Either the machine reports the mutant, or
// the program does not need the statement.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace machine {

struct mutation_site {
  int line = 0;
  std::string statement;    // as written, with its guard
  std::size_t begin = 0;    // position in the text
  std::string replacement;  // empty if the statement is only removed
};

/// Finds the sites of one entry, or of the whole text.
std::vector<mutation_site> mutation_sites(std::string const& ptx, std::string const& entry = "");
std::string without(std::string const& ptx, mutation_site const& site);

}  // namespace machine
