// Prints counters as a table or as JSON.
//
//     kernel multiply(float*, float const*, int): 1 launch, 4 blocks, 809 warp instructions, ...
//       integer                    130 warp           4026 thread   16.1 %
//       global load                 32 requests         4000 bytes        125 sectors   ...
//       by line
//         32 requests         4000 bytes   ...   1.00x  program.cu:12 (PTX line 59) ld.global.f32
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <memory>
#include <sstream>
#include <tuple>

#include "count/counts.hpp"
#include "support/json.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

void join(traffic& into, traffic const& from) {
  into.requests += from.requests;
  into.bytes += from.bytes;
  into.pieces.taken += from.pieces.taken;
  into.pieces.least += from.pieces.least;
}

void join(bulk_bytes& into, bulk_bytes const& from) {
  into.loaded += from.loaded;
  into.stored += from.stored;
  into.reduced += from.reduced;
}

void print(std::ostream& out, traffic const& of, char const* unit, std::string const& place = "") {
  out << std::setw(10) << of.requests << " requests " << std::setw(12) << of.bytes << " bytes "
      << std::setw(10) << of.pieces.taken << ' ' << std::left << std::setw(10) << unit << std::right
      << std::setw(10) << of.pieces.least << " at least " << std::setw(7) << std::fixed
      << std::setprecision(2)
      << (of.pieces.least == 0
              ? 0.0
              : static_cast<double>(of.pieces.taken) / static_cast<double>(of.pieces.least))
      << 'x' << (place.empty() ? "" : "  ") << place << '\n';
}

void print_bulk(std::ostream& out, bulk_bytes const& of, std::string const& place = "") {
  if (of.loaded != 0) out << ' ' << of.loaded << " bytes loaded";
  if (of.stored != 0) out << ' ' << of.stored << " bytes stored";
  if (of.reduced != 0) out << ' ' << of.reduced << " bytes reduced";
  out << (place.empty() ? "" : "  ") << place << '\n';
}

void write(text::json& out, traffic const& of, char const* unit) {
  out.object().key("requests").number(of.requests).key("bytes").number(of.bytes);
  out.key(unit).number(of.pieces.taken).key("minimum").number(of.pieces.least).end();
}

void write(text::json& out, bulk_bytes const& of) {
  out.object().key("loaded").number(of.loaded).key("stored").number(of.stored);
  out.key("reduced").number(of.reduced).end();
}

void write(text::json& out, executed const& of) {
  out.object().key("warp").number(of.warp).key("thread").number(of.thread).end();
}

void write(text::json& out, char const* space, traffic const (&of)[uses], char const* unit) {
  out.key(space).object();
  for (int k = 0; k < uses; ++k) {
    if (of[k].requests == 0) continue;
    out.key(name_of(static_cast<use>(k)));
    write(out, of[k], unit);
  }
  out.end();
}

/// Returns "multiply(float*, float const*, int)" for "_Z8multiplyPfPKfi".
std::string readable(std::string const& kernel) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const name(
      abi::__cxa_demangle(kernel.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : kernel;
}

bool any(bulk_bytes const& of) { return of.loaded + of.stored + of.reduced != 0; }

}  // namespace

char const* name_of(use what) {
  switch (what) {
    case use::load: return "load";
    case use::store: return "store";
    case use::atomic: return "atomic";
    case use::matrix: return "matrix";
  }
  return "";
}

void kernel_counts::add(kernel_counts const& other) {
  kernel = other.kernel;
  launches += other.launches;
  blocks += other.blocks;
  all.warp += other.all.warp;
  all.thread += other.all.thread;
  for (auto const& [name, each] : other.kinds) {
    kinds[name].warp += each.warp;
    kinds[name].thread += each.thread;
  }
  for (int k = 0; k < uses; ++k) {
    join(global[k], other.global[k]);
    join(shared[k], other.shared[k]);
  }
  join(bulk, other.bulk);
  tensor_operations += other.tensor_operations;
  auto const key = [](line_counts const& line) { return std::tie(line.ptx_line, line.opcode); };
  for (auto const& each : other.lines) {
    auto const found = std::find_if(lines.begin(), lines.end(), [&](line_counts const& line) {
      return key(line) == key(each);
    });
    if (found == lines.end()) {
      lines.push_back(each);
      continue;
    }
    join(found->global, each.global);
    join(found->shared, each.shared);
    join(found->bulk, each.bulk);
  }
}

namespace {

void print_kinds(std::ostream& out, kernel_counts const& counts) {
  std::vector<std::pair<std::string, executed>> kinds(counts.kinds.begin(), counts.kinds.end());
  std::sort(kinds.begin(), kinds.end(), [](auto const& a, auto const& b) {
    return std::pair(b.second.warp, a.first) <
           std::pair(a.second.warp, b.first);  // by descending count, then by name
  });
  for (auto const& [name, each] : kinds)
    out << "  " << std::left << std::setw(18) << name << std::right << std::setw(12) << each.warp
        << " warp " << std::setw(14) << each.thread << " thread " << std::setw(6) << std::fixed
        << std::setprecision(1)
        << 100.0 * static_cast<double>(each.warp) / static_cast<double>(counts.all.warp) << " %\n";
}

void print_line(std::ostream& out, line_counts const& line) {
  std::string const place = say(line.line > 0 ? say(line.file, ':', line.line, ' ') : std::string(),
                                "(PTX line ", line.ptx_line, ") ", line.opcode);
  if (line.global.requests != 0) {
    out << "    ";
    print(out, line.global, "sectors", place);
  }
  if (line.shared.requests != 0) {
    out << "    ";
    print(out, line.shared, "wavefronts", place);
  }
  if (any(line.bulk)) {
    out << "   ";
    print_bulk(out, line.bulk, place);
  }
}

}  // namespace

std::string to_table(kernel_counts const& counts) {
  std::ostringstream out;
  out << "kernel " << readable(counts.kernel) << ": " << counts.launches
      << (counts.launches == 1 ? " launch, " : " launches, ") << counts.blocks << " blocks, "
      << counts.all.warp << " warp instructions, " << counts.all.thread << " thread instructions\n";
  print_kinds(out, counts);
  for (int k = 0; k < uses; ++k) {
    auto const name = std::string(name_of(static_cast<use>(k)));
    if (counts.global[k].requests != 0) {
      out << "  " << std::left << std::setw(18) << "global " + name << std::right;
      print(out, counts.global[k], "sectors");
    }
    if (counts.shared[k].requests != 0) {
      out << "  " << std::left << std::setw(18) << "shared " + name << std::right;
      print(out, counts.shared[k], "wavefronts");
    }
  }
  if (any(counts.bulk)) {
    out << "  bulk copies       ";
    print_bulk(out, counts.bulk);
  }
  if (counts.tensor_operations != 0)
    out << "  tensor cores       " << counts.tensor_operations << " operations\n";
  if (!counts.lines.empty()) out << "  by line\n";
  for (auto const& line : counts.lines) print_line(out, line);
  return out.str();
}

std::string to_json(kernel_counts const& counts) {
  text::json out;
  out.object().key("kernel").string(counts.kernel).key("launches").number(counts.launches);
  out.key("blocks").number(counts.blocks).key("instructions");
  write(out, counts.all);
  out.key("kinds").object();
  for (auto const& [name, each] : counts.kinds) {
    out.key(name);
    write(out, each);
  }
  out.end();
  write(out, "global", counts.global, "sectors");
  write(out, "shared", counts.shared, "wavefronts");
  out.key("bulk");
  write(out, counts.bulk);
  out.key("tensor_operations").number(counts.tensor_operations).key("lines").array();
  for (auto const& line : counts.lines) {
    out.object().key("file").string(line.file).key("line").number(line.line);
    out.key("ptx_line").number(line.ptx_line).key("opcode").string(line.opcode);
    if (line.global.requests != 0) {
      out.key("global");
      write(out, line.global, "sectors");
    }
    if (line.shared.requests != 0) {
      out.key("shared");
      write(out, line.shared, "wavefronts");
    }
    if (any(line.bulk)) {
      out.key("bulk");
      write(out, line.bulk);
    }
    out.end();
  }
  out.end().end();
  return out.str();
}

}  // namespace machine
