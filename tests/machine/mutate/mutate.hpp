// Programs with one synchronisation missing: every barrier, arrival, wait, commit and fence of a
// PTX text can be taken away.
//
//     for (auto const& site : mutation_sites(ptx)) run(without(ptx, site));
//
// What is taken away becomes blanks, so that lines keep their numbers. A wait that answers with a
// predicate (try_wait, test_wait) answers "done" at once. Of each it must be shown that the machine
// reports it, or that the program does not need it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace machine {

struct mutation_site {
  int line = 0;
  std::string statement;    // as it stands in the text, with its guard
  std::size_t begin = 0;    // of the statement in the text
  std::string replacement;  // usually nothing
};

/// In one entry, or in the whole text.
std::vector<mutation_site> mutation_sites(std::string const& ptx, std::string const& entry = "");
std::string without(std::string const& ptx, mutation_site const& site);

}  // namespace machine
