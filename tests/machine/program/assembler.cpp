// Lowers one statement to one instruction and the helper instructions that it needs. The
// statement's row in the opcode table lists the operands.
#include "program/assembler.hpp"

#include <algorithm>

#include "execute/lanes.hpp"

namespace machine {
namespace {

/// The handler of every guarded plain instruction. It calls the row's handler for the lanes whose
/// guard holds.
void run_guarded(warp& w, instruction const& i, std::uint32_t mask) {
  std::uint32_t const predicate = predicate_of(w, i.guard);
  mask &= i.guard_negated ? ~predicate : predicate;
  if (mask != 0) i.unguarded(w, i, mask);
}

bool has_cache_hint(std::string_view opcode) {
  return opcode.find(".L2::cache_hint") != std::string_view::npos;
}

bool is_weak(std::string_view opcode) {
  for (char const* strong : {".volatile", ".relaxed", ".acquire", ".release", ".mmio"})
    if (opcode.find(strong) != std::string_view::npos) return false;
  return true;
}

/// True if the address must lie in the block's own memory: .shared means .shared::cta. An opcode
/// with .multicast::cluster is excluded too, because such a copy writes to other blocks.
bool stays_in_block(std::string_view opcode) {
  return opcode.find(".shared") != opcode.npos && opcode.find("::cluster") == opcode.npos;
}

/// True if the instruction accesses its registers only while it executes: it is not asynchronous
/// and is never retried.
bool ends_with_itself(table_row const& row) {
  if (row.kind != control::plain && row.kind != control::member) return false;
  for (char const* other : {"wgmma", "cp.", "mbarrier", "red.async", "st.async", "st.bulk",
                            "multimem", "bar", "setmaxnreg"})
    if (row.name.starts_with(other)) return false;
  return true;
}

/// Returns the suffixes that select the row of a tcgen05.mma by its operands. If operand 1 is an
/// address, A is in tensor memory. If operand 4 (5 with a sparse A) is a vector, it is the mask of
/// disabled lanes.
std::string forms_of_tensor_product(statement const& from, bool is_sparse) {
  std::string forms;
  auto const is = [&](std::size_t at, operand::kind what) {
    return from.operands.size() > at && from.operands[at].what == what;
  };
  if (is(1, operand::kind::address)) forms += ".a_in_tensor_memory";
  if (is(is_sparse ? 5 : 4, operand::kind::vector)) forms += ".some_lanes";
  return forms;
}

/// Returns a reason why an instruction of tcgen05 has no row, or an empty text.
std::string_view reason_of_tensor(std::string_view opcode) {
  auto const has = [&](std::string_view part) { return opcode.find(part) != opcode.npos; };
  if (has(".ashift") && has(".sp."))
    return ": the ISA does not say whether the metadata of sparse A moves with its rows";
  if (has(".ld.red")) return ": sm_101a and sm_103a have it, sm_100a does not";
  if (has(".sp.") || has(".sp::"))
    return ": the machine has these kinds of sparse products: f16, tf32, f8f6f4 and i8, without "
           ".ws";
  return "";
}

constexpr std::uint32_t align_up(std::uint32_t value, std::uint32_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

assembler::assembler(assembly& whole, function const& source, std::uint32_t number)
    : whole_(whole), source_(source), number_(number) {
  whole.registers.resize(std::max<std::size_t>(whole.registers.size(), number + 1));
}

frame_layout& assembler::frame() { return whole_.out->functions[number_]; }

std::uint32_t assembler::allocate(std::uint32_t bytes) {
  auto& layout = frame();
  std::uint32_t const at =
      align_up(layout.bytes, bytes >= 32 ? 64u : 4u);  // 32: one byte for each lane
  if (at > 0xf0000000u) refuse("more registers than the machine can address");
  layout.bytes = at + bytes;
  whole_.registers[number_].push_back({at, bytes});
  return at;
}

void assembler::refuse(std::string sentence) const {
  fail(trouble::unsupported, current_ != nullptr ? current_->line : source_.line,
       std::move(sentence));
}

void assembler::wrong(std::string sentence) const {
  report reported{trouble::text, std::move(sentence)};
  reported.ptx_line = current_ != nullptr ? current_->line : source_.line;
  if (current_ != nullptr) reported.instruction = std::string(current_->opcode);
  throw error(std::move(reported));
}

void assembler::run() {
  frame().name = std::string(source_.name);
  frame().first = static_cast<std::uint32_t>(whole_.out->code.size());
  carry_ = allocate(4);  // offset 0 of every frame is the condition code (add.cc and similar)
  offsets_.reserve(source_.registers.size());
  for (auto const type : source_.registers)
    offsets_.push_back(allocate(type == scalar::pred ? 4 : 32 * width_of(type)));
  if (!source_.is_entry) {
    for (auto const* each : source_.parameters) {
      frame().parameter_offsets.push_back(stack_offset(*each));
      frame().parameter_bytes.push_back(static_cast<std::uint32_t>(each->bytes));
    }
    for (auto const* each : source_.results) {
      frame().result_offsets.push_back(stack_offset(*each));
      frame().result_bytes.push_back(static_cast<std::uint32_t>(each->bytes));
    }
  }
  for (auto const& each : source_.statements) {
    starts_.push_back(static_cast<std::uint32_t>(whole_.out->code.size()));
    current_ = &each;
    whole_.out->places.push_back({each.opcode, each.line, each.source_file, each.source_line});
    scratch_used_.clear();
    widenings_.clear();
    lower(each);
  }
  current_ = nullptr;
  starts_.push_back(static_cast<std::uint32_t>(whole_.out->code.size()));
  whole_.out->places.push_back({"ret", source_.line, 0, 0});
  emit(nullptr, source_.is_entry ? control::exit : control::ret);  // a body may end without ret
  fix_targets();
  frame().stack = align_up(frame().stack, 16);
  frame().bytes = align_up(frame().bytes, 64);
}

instruction& assembler::emit(handler what, control kind) {
  auto& code = whole_.out->code;
  code.emplace_back();
  auto& made = code.back();
  made.run = what;
  made.kind = kind;
  made.statement = static_cast<std::uint32_t>(whole_.out->places.size() - 1);
  whole_.uses.emplace_back();
  return made;
}

instruction& assembler::emit_row(std::string const& name) {
  auto const* row = opcode_table::instance().find(name);
  if (row == nullptr) refuse(say("'", name, "' is not in the opcode table"));
  auto& made = emit(row->run, row->kind);
  auto const equals = row->signature.find('=');
  if (equals != std::string::npos)
    whole_.uses.back() = {static_cast<std::uint16_t>(equals),
                          static_cast<std::uint16_t>(row->signature.size() - 1),
                          ends_with_itself(*row)};
  return made;
}

void assembler::lower(statement const& from) {
  auto const& opcode = from.opcode;
  auto const first = opcode.substr(0, opcode.find('.'));
  auto const begin = whole_.out->code.size();
  if (first == "mov" && opcode != "mov.matrix") {
    lower_move(from);
  } else if (first == "bra") {
    lower_branch(from);
  } else if (first == "brx") {
    lower_table_branch(from);
  } else if (first == "call") {
    lower_call(from);
  } else if (first == "ret" || first == "exit") {
    lower_return(from);
  } else if (opcode == ".branchtargets") {
    return;
  } else if ((first == "ld" || first == "st") && opcode.find(".param") != std::string_view::npos) {
    lower_parameter_access(from);
  } else {
    lower_from_table(from);
  }
  finish_guard(begin);
}

std::string assembler::row_name(statement const& from) const {
  auto const& opcode = from.opcode;
  std::string name = canonical_name(opcode);
  if (!from.operands.empty() && from.operands.front().what == operand::kind::pair) name += '|';
  // Some names have several rows. The operands decide which one.
  if (opcode.substr(0, 15) == "wgmma.mma_async" && from.operands.size() > 1 &&
      from.operands[1].what == operand::kind::vector)
    name += ".a_in_registers";
  if (opcode.starts_with("tcgen05.") && opcode.find(".mma.") != std::string_view::npos)
    name += forms_of_tensor_product(from, name.starts_with("tcgen05.mma.sp."));
  if (opcode.substr(0, 9) == "cp.async." && opcode.find(".shared") == 11 &&
      from.operands.size() == (has_cache_hint(opcode) ? 5u : 4u)) {
    auto const& last = from.operands[3];
    bool const ignores =
        last.what == operand::kind::reg && source_.registers[last.id] == scalar::pred;
    name += ignores ? ".ignore_src" : ".src_size";
  }
  return name;
}

void assembler::lower_from_table(statement const& from) {
  auto const& opcode = from.opcode;
  auto const begin = whole_.out->code.size();
  if (opcode.find(".ashift") != opcode.npos && (opcode.find(".collector::a::use") != opcode.npos ||
                                                opcode.find(".collector::a::fill") != opcode.npos))
    wrong("the ISA does not allow .ashift with .collector::a::use or .collector::a::fill");
  auto const* row = opcode_table::instance().find(row_name(from));
  if (row == nullptr)
    refuse(say("'", opcode, "' is not in the opcode table",
               opcode.starts_with("tcgen05") ? reason_of_tensor(opcode) : ""));
  auto operands = from.operands;
  if (has_cache_hint(opcode) && !operands.empty()) operands.pop_back();  // the cache policy
  bool const votes = (opcode.starts_with("bar.") || opcode.starts_with("barrier.")) &&
                     opcode.find(".red.") != std::string_view::npos;
  // The number of threads is the operand in the middle, and may be missing.
  if (votes && operands.size() == 3) {
    operand all;
    all.what = operand::kind::integer;
    operands.insert(operands.begin() + 2, all);
  }
  lower_by_row(*row, operands);
  for (auto at = begin; at < whole_.out->code.size(); ++at) {
    whole_.out->code[at].is_weak = is_weak(opcode);
    whole_.out->code[at].in_own_block = stays_in_block(opcode);
  }
  if (votes) {  // reads the result after the barrier has completed
    auto const to = whole_.out->code.back().at[0];
    char const* const kind = opcode.find(".and") != std::string_view::npos  ? "and"
                             : opcode.find(".or") != std::string_view::npos ? "or"
                                                                            : "popc";
    emit_row(std::string("barrier.collect.") + kind).at[0] = to;
  }
}

void assembler::finish_guard(std::size_t first) {
  auto& code = whole_.out->code;
  // Widenings follow their instruction, under the same guard.
  for (auto const& each : widenings_) {
    auto& made =
        emit_row(say("resize.", each.from_width, '.', each.to_width, each.is_signed ? ".s" : ".u"));
    made.at[0] = each.to_offset;
    made.at[1] = each.from_offset;
  }
  if (!current_->when.present) return;
  for (std::size_t i = first; i < code.size(); ++i) {
    auto& each = code[i];
    each.has_guard = true;
    each.guard = offsets_[current_->when.id];
    each.guard_negated = current_->when.negated;
    if (each.kind == control::plain) {
      each.unguarded = each.run;
      each.run = run_guarded;
    }
  }
}

void assembler::lower_address(lowered& to, char letter, std::size_t count, operand const& from) {
  std::int64_t displacement = 0;
  std::uint32_t base = address(from, letter == 'S', displacement);
  if (to.has_address && displacement != 0) {  // only the first address keeps its displacement
    std::uint32_t const width = letter == 'S' ? 4 : 8;
    std::uint32_t const sum = scratch(width);
    std::uint32_t const amount = constant(static_cast<std::uint64_t>(displacement), width);
    auto& add = emit_row(letter == 'S' ? "add.u32" : "add.u64");
    add.at[0] = sum;
    add.at[1] = base;
    add.at[2] = amount;
    base = sum;
  } else if (!to.has_address) {
    to.offset = displacement;
  }
  to.has_address = true;
  to.list.push_back(base);
  if (letter == 'T') {
    if (from.parts.size() != 2 || from.parts[1].what != operand::kind::vector ||
        from.parts[1].parts.size() != count)
      wrong(say("a tensor address is [map, {", count, " coordinates}]"));
    for (auto const& coordinate : from.parts[1].parts)
      to.list.push_back(source(coordinate, 'w', false));
  } else if (from.what == operand::kind::address && from.parts.size() != 1) {
    wrong("expected one address in brackets, without coordinates");
  }
}

std::int64_t assembler::literal_of(table_row const& row, operand const& from) const {
  if (from.what != operand::kind::integer) wrong("a literal integer is expected");
  auto const value = static_cast<std::int64_t>(from.bits);
  if (row.name.starts_with("setmaxnreg") && (value < 24 || value > 256 || value % 8 != 0))
    wrong(say("setmaxnreg of ", value, "; multiples of 8 from 24 to 256 are possible"));
  return value;
}

void assembler::lower_operand(lowered& to, table_row const& row, char letter, std::size_t count,
                              operand const& from) {
  auto const one = [&](operand const& part) {
    if (to.is_result)
      to.list.push_back(result(part.what == operand::kind::pair ? part.parts[0] : part, letter));
    else
      to.list.push_back(source(part, letter, row.sign_extends));
  };
  if (letter == 'A' || letter == 'S' || letter == 'T') {
    lower_address(to, letter, count, from);
  } else if (letter == 'm') {
    to.members = source(from, 'w', false);
  } else if (letter == 'i') {
    to.offset = literal_of(row, from);
  } else if (count > 0) {
    if (from.what != operand::kind::vector || from.parts.size() != count)
      wrong(say("a vector of ", count, " is expected"));
    for (auto const& part : from.parts) one(part);
  } else if (from.what == operand::kind::vector && from.parts.size() == 1) {
    one(from.parts[0]);  // Triton writes "ld.global.b16 { %rs1 }, [%rd1]", and ptxas accepts it
  } else {
    one(from);
  }
}

void assembler::lower_by_row(table_row const& row, std::vector<operand> const& operands) {
  lowered all;
  bool optional = false;
  std::size_t next = 0;
  std::string_view const signature = row.signature;
  for (std::size_t at = 0; at < signature.size(); ++at) {
    char const letter = signature[at];
    if (letter == '=') {
      all.is_result = false;
      all.results = all.list.size();
      continue;
    }
    if (letter == '?') {
      optional = true;
      continue;
    }
    std::size_t count = 0;
    while (at + 1 < signature.size() && signature[at + 1] >= '0' && signature[at + 1] <= '9')
      count = count * 10 + static_cast<std::size_t>(signature[++at] - '0');
    if (letter == '|') {  // the second result of a pair
      all.list.push_back(result(operands[0].parts[1], signature[++at]));
      continue;
    }
    if (next >= operands.size()) {
      if (!optional) wrong(say("too few operands: the table says ", row.signature));
      // An arrival without a count counts once.
      bool const arrives = row.name.starts_with("mbarrier.arrive");
      all.list.push_back(constant(arrives ? 1 : 0, letter == 'l' ? 8 : 4));
      continue;
    }
    lower_operand(all, row, letter, count, operands[next++]);
  }
  if (next < operands.size()) wrong(say("too many operands: the table says ", row.signature));
  auto& made = emit(row.run, row.kind);
  for (std::size_t i = 0; i < all.list.size() && i < 6; ++i) made.at[i] = all.list[i];
  if (all.list.size() > 6) made.many = whole_.out->operand_lists.emplace_back(all.list);
  made.offset = all.offset;
  made.members = all.members;
  made.is_aligned = row.aligned;
  made.target = row.payload;
  made.slot = ++whole_.out->slots;
  whole_.uses.back() = {static_cast<std::uint16_t>(all.results),
                        static_cast<std::uint16_t>(all.list.size()), ends_with_itself(row)};
}

}  // namespace machine
