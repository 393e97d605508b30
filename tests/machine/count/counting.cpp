// Chooses the instructions whose handlers count, and sums the counts of a launch.
#include "count/counting.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "count/kinds.hpp"
#include "count/observers.hpp"
#include "execute/lanes.hpp"
#include "state/grid.hpp"

namespace machine {
namespace {

void run_counted(warp& w, instruction const& i, std::uint32_t mask) {
  counting& all = *w.run->counts;
  auto const index = static_cast<std::size_t>(&i - all.copy.code.data());
  auto const& recipe = all.recipes[index];
  if (recipe.observe != nullptr) recipe.observe(w, i, mask, all, index);
  recipe.original(w, i, mask);
  if (recipe.counts_execution && !w.retry) {
    ++all.of[index].done.warp;
    all.of[index].done.thread += static_cast<unsigned>(std::popcount(mask));
  }
}

void join(traffic& into, traffic const& from) {
  into.requests += from.requests;
  into.bytes += from.bytes;
  into.pieces.taken += from.pieces.taken;
  into.pieces.least += from.pieces.least;
}

/// Returns the bytes of one element. The last part of the opcode names the type: "f32" has 4.
unsigned element_bytes(std::string_view opcode) {
  auto type = opcode.substr(opcode.rfind('.') + 1);
  bool const packed = type.ends_with("x2");
  if (packed) type.remove_suffix(2);
  auto const digit = type.find_first_of("0123456789");
  unsigned bits = 0;
  if (digit != std::string_view::npos)
    std::from_chars(type.data() + digit, type.data() + type.size(), bits);
  return bits / 8 * (packed ? 2 : 1);
}

/// Returns 2 m n k for "...m64n128k16...". Each of a warpgroup's four warps counts a quarter of it.
std::uint64_t operations_of(std::string_view opcode) {
  std::uint64_t product = 2;
  auto at = opcode.find(".m");
  while (at != std::string_view::npos &&
         !(at + 2 < opcode.size() && opcode[at + 2] >= '0' && opcode[at + 2] <= '9'))
    at = opcode.find(".m", at + 1);
  if (at == std::string_view::npos) return 0;
  char const* next = opcode.data() + at + 1;
  char const* const end = opcode.data() + opcode.size();
  for (char const letter : {'m', 'n', 'k'}) {
    std::uint64_t extent = 0;
    if (next == end || *next != letter) return 0;
    next = std::from_chars(next + 1, end, extent).ptr;
    product *= extent;
  }
  return opcode.starts_with("wgmma") ? product / 4 : product;
}

/// Returns K of one tcgen05.mma.
std::uint64_t depth_of(std::string_view opcode) {
  if (opcode.find("kind::f16") != std::string_view::npos) return 16;
  if (opcode.find("kind::tf32") != std::string_view::npos) return 8;
  return opcode.find("kind::mxf4") != std::string_view::npos ? 64 : 32;
}

unsigned vector_length(std::string_view opcode) {
  return has_part(opcode, "v2") ? 2 : has_part(opcode, "v4") ? 4 : has_part(opcode, "v8") ? 8 : 1;
}

/// Chooses the observer of a bulk or tensor copy.
void add_bulk_observer(counting::recipe& recipe, std::string_view opcode, bool reduces) {
  bool const multicasts = has_part(opcode, "multicast");
  if (has_part(opcode, "tensor")) {
    for (std::uint8_t rank = 1; rank <= 5; ++rank)
      if (has_part(opcode, std::string{static_cast<char>('0' + rank), 'd'})) recipe.count = rank;
    bool const loads = opcode.find(".shared") < opcode.find(".global");
    recipe.observe = reduces      ? observe_tensor<bulk_kind::reduced>
                     : !loads     ? observe_tensor<bulk_kind::stored>
                     : multicasts ? observe_tensor<bulk_kind::multicast>
                                  : observe_tensor<bulk_kind::loaded>;
  } else if (has_part(opcode, "shared") || has_part(opcode, "global")) {
    bool const stores = opcode.find(".global") < opcode.find(".shared");
    recipe.observe = reduces      ? observe_bulk<bulk_kind::reduced>
                     : stores     ? observe_bulk<bulk_kind::stored>
                     : multicasts ? observe_bulk<bulk_kind::multicast>
                                  : observe_bulk<bulk_kind::loaded>;
  }
}

counting::recipe recipe_of(std::string_view opcode) {
  counting::recipe recipe;
  auto const first = opcode.substr(0, opcode.find('.'));
  recipe.narrow_address = has_part(opcode, "shared");
  if (first == "ld" || first == "ldu" || first == "st") {
    if (has_part(opcode, "local") || has_part(opcode, "param") || has_part(opcode, "const"))
      return recipe;
    unsigned const count = vector_length(opcode);
    recipe.observe = observe_access;
    recipe.what = first == "st" ? use::store : use::load;
    recipe.address_at = static_cast<std::uint8_t>(first == "st" ? 0 : count);
    recipe.bytes = static_cast<std::uint8_t>(count * element_bytes(opcode));
  } else if (first == "atom" || first == "red") {
    recipe.observe = observe_access;
    recipe.what = use::atomic;
    recipe.address_at = first == "atom" ? 1 : 0;
    recipe.bytes = static_cast<std::uint8_t>(element_bytes(opcode));
  } else if (first == "ldmatrix" || first == "stmatrix") {
    recipe.observe = observe_matrix_rows;
    recipe.what = use::matrix;
    recipe.count = has_part(opcode, "x4") ? 4 : has_part(opcode, "x2") ? 2 : 1;
    recipe.address_at = first == "ldmatrix" ? recipe.count : std::uint8_t{0};
  } else if (first == "mma" || opcode.starts_with("wgmma.mma_async")) {
    recipe.observe = observe_product;
    recipe.operations = operations_of(opcode);
  } else if (first == "tcgen05" && has_part(opcode, "mma")) {
    recipe.observe = observe_tcgen05_product;
    recipe.has_scales = has_part(opcode, "block_scale");
    recipe.operations = 2 * depth_of(opcode);
  } else if (opcode.starts_with("cp.async.ca.") || opcode.starts_with("cp.async.cg.")) {
    recipe.observe = observe_small_copy;
  } else if (has_part(opcode, "bulk") && !has_part(opcode, "prefetch")) {
    bool const reduces = opcode.starts_with("cp.reduce.async.bulk");
    if (!reduces && !opcode.starts_with("cp.async.bulk.")) return recipe;
    add_bulk_observer(recipe, opcode, reduces);
  }
  return recipe;
}

}  // namespace

counting::counting(program const& code)
    : copy(code), recipes(code.code.size()), of(code.code.size()) {
  for (std::size_t index = 0; index < copy.code.size(); ++index) {
    auto& each = copy.code[index];
    auto& own = recipes[index];
    if (each.slot != 0) own = recipe_of(copy.places[each.statement].opcode);
    own.counts_execution = each.kind == control::member || each.kind == control::blocking ||
                           each.kind == control::single;
    if (own.observe == nullptr && !own.counts_execution) continue;
    auto& entry = each.unguarded != nullptr ? each.unguarded : each.run;
    own.original = entry;
    entry = run_counted;
  }
}

std::unique_ptr<counting> counting::with_zero_counts() const {
  return std::unique_ptr<counting>(new counting(copy, recipes));
}

void counting::add(counting const& more) {
  for (std::size_t index = 0; index < of.size(); ++index) {
    auto& into = of[index];
    auto const& from = more.of[index];
    into.done.warp += from.done.warp;
    into.done.thread += from.done.thread;
    join(into.global, from.global);
    join(into.shared, from.shared);
    into.bulk.loaded += from.bulk.loaded;
    into.bulk.stored += from.bulk.stored;
    into.bulk.reduced += from.bulk.reduced;
    into.tensor_operations += from.tensor_operations;
  }
}

namespace {

/// Returns how often each instruction was executed.
std::vector<executed> executions(running const& run, counting const& counted) {
  auto const& code = counted.copy.code;
  std::vector<executed> done(code.size());
  for (std::size_t first = 0; first < code.size(); ++first) {
    if (counted.recipes[first].counts_execution) {
      done[first] = counted.of[first].done;
      continue;
    }
    // runs[first] also counts the plain instructions that run with it.
    std::size_t const end = first + std::max<std::size_t>(1, code[first].length);
    for (std::size_t index = first; index < end; ++index) {
      done[index].warp += run.warp_runs[first];
      done[index].thread += run.runs[first];
    }
  }
  return done;
}

}  // namespace

kernel_counts summary(running const& run, counting const& counted) {
  auto const& code = counted.copy;
  kernel_counts counts;
  counts.kernel = code.name;
  counts.launches = 1;
  counts.blocks = std::uint64_t{run.grid.x} * run.grid.y * run.grid.z;
  auto const done = executions(run, counted);
  for (std::size_t index = 0; index < code.code.size(); ++index) {
    if (done[index].warp == 0) continue;
    auto const& place = code.places[code.code[index].statement];
    counts.all.warp += done[index].warp;
    counts.all.thread += done[index].thread;
    auto& kind = counts.kinds[std::string(kind_of(place.opcode))];
    kind.warp += done[index].warp;
    kind.thread += done[index].thread;
    auto const& here = counted.of[index];
    counts.tensor_operations += here.tensor_operations;
    counts.bulk.loaded += here.bulk.loaded;
    counts.bulk.stored += here.bulk.stored;
    counts.bulk.reduced += here.bulk.reduced;
    bool const copies = here.bulk.loaded + here.bulk.stored + here.bulk.reduced != 0;
    if (here.global.requests == 0 && here.shared.requests == 0 && !copies) continue;
    bool const small_copy = counted.recipes[index].observe == observe_small_copy;
    auto const row = static_cast<std::size_t>(counted.recipes[index].what);
    join(counts.global[row], here.global);
    join(counts.shared[small_copy ? static_cast<std::size_t>(use::store) : row], here.shared);
    line_counts line;
    auto const file = static_cast<std::size_t>(place.source_file);
    if (place.source_line > 0 && file < code.source->files.size())
      line.file = code.source->files[file];
    line.line = place.source_line;
    line.ptx_line = place.ptx_line;
    line.opcode = std::string(place.opcode);
    line.global = here.global;
    line.shared = here.shared;
    line.bulk = here.bulk;
    counts.lines.push_back(std::move(line));
  }
  return counts;
}

}  // namespace machine
