// Formats a report: first the place, as compilers print it, then the kind, then the sentence.
#include "text/error.hpp"

namespace machine {

char const* name_of(trouble what) {
  switch (what) {
    case trouble::text: return "PTX text";
    case trouble::unsupported: return "unsupported";
    case trouble::launch: return "launch";
    case trouble::out_of_bounds: return "out of bounds";
    case trouble::misaligned: return "misaligned";
    case trouble::never_written: return "never written";
    case trouble::barrier: return "barrier";
    case trouble::mbarrier: return "mbarrier";
    case trouble::in_flight: return "in flight";
    case trouble::race: return "race";
    case trouble::proxy: return "proxy";
    case trouble::members: return "members";
    case trouble::descriptor: return "descriptor";
    case trouble::allocation: return "allocation";
    case trouble::deadlock: return "deadlock";
    case trouble::trap: return "trap";
  }
  return "trouble";
}

namespace {
std::string coordinates(extent3 const& at) { return say('(', at.x, ',', at.y, ',', at.z, ')'); }
}  // namespace

std::string to_string(report const& what) {
  std::ostringstream out;
  if (what.source_line > 0) out << what.source_file << ':' << what.source_line << ' ';
  if (what.ptx_line > 0) out << "(PTX line " << what.ptx_line << ") ";
  if (!what.kernel.empty()) out << "kernel " << what.kernel << ' ';
  if (what.has_thread)
    out << "block " << coordinates(what.block) << " thread " << coordinates(what.thread) << ' ';
  out << name_of(what.what) << ": " << what.sentence;
  if (!what.instruction.empty()) out << " [" << what.instruction << ']';
  return out.str();
}

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << value;
  return out.str();
}

void fail(trouble what, int ptx_line, std::string sentence) {
  report reported{what, std::move(sentence)};
  reported.ptx_line = ptx_line;
  throw error(std::move(reported));
}

}  // namespace machine
