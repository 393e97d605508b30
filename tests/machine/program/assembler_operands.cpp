// Turns operands into offsets into the register file. Literals, special registers and addresses of
// variables become registers that are filled before the kernel starts.
#include <bit>

#include "program/assembler.hpp"
#include "state/address_map.hpp"

namespace machine {
namespace {

constexpr std::uint32_t width_of_letter(char letter) {
  switch (letter) {
    case 'b':
    case 'B': return 1;
    case 'h':
    case 'H': return 2;
    case 'w':
    case 'W':
    case 'f':
    case 'p': return 4;
    case 'l':
    case 'L':
    case 'g': return 8;
    case 'q':
    case 'Q': return 16;
    default: return 0;
  }
}

constexpr bool may_be_wider(char letter) { return letter >= 'A' && letter <= 'Z'; }

/// The type of an instruction's result: of ld.global.s8 it is s8, of cvt.s16.f32 it is s16.
constexpr std::optional<scalar> result_type(std::string_view opcode) {
  auto const last = opcode.rfind('.');
  if (!opcode.starts_with("cvt.")) return scalar_named(opcode.substr(last + 1));
  auto const before_source = opcode.substr(0, last);
  return scalar_named(before_source.substr(before_source.rfind('.') + 1));
}

struct named_special {
  std::string_view name;
  special which;
};

constexpr named_special special_names[] = {{"%tid.x", special::tid_x},
                                           {"%tid.y", special::tid_y},
                                           {"%tid.z", special::tid_z},
                                           {"%ntid.x", special::ntid_x},
                                           {"%ntid.y", special::ntid_y},
                                           {"%ntid.z", special::ntid_z},
                                           {"%ctaid.x", special::ctaid_x},
                                           {"%ctaid.y", special::ctaid_y},
                                           {"%ctaid.z", special::ctaid_z},
                                           {"%nctaid.x", special::nctaid_x},
                                           {"%nctaid.y", special::nctaid_y},
                                           {"%nctaid.z", special::nctaid_z},
                                           {"%laneid", special::laneid},
                                           {"%warpid", special::warpid},
                                           {"%nwarpid", special::nwarpid},
                                           {"%smid", special::smid},
                                           {"%nsmid", special::nsmid},
                                           {"%gridid", special::gridid},
                                           {"%cluster_ctaid.x", special::cluster_ctaid_x},
                                           {"%cluster_ctaid.y", special::cluster_ctaid_y},
                                           {"%cluster_ctaid.z", special::cluster_ctaid_z},
                                           {"%cluster_nctaid.x", special::cluster_nctaid_x},
                                           {"%cluster_nctaid.y", special::cluster_nctaid_y},
                                           {"%cluster_nctaid.z", special::cluster_nctaid_z},
                                           {"%clusterid.x", special::clusterid_x},
                                           {"%clusterid.y", special::clusterid_y},
                                           {"%clusterid.z", special::clusterid_z},
                                           {"%nclusterid.x", special::nclusterid_x},
                                           {"%nclusterid.y", special::nclusterid_y},
                                           {"%nclusterid.z", special::nclusterid_z},
                                           {"%cluster_ctarank", special::cluster_ctarank},
                                           {"%cluster_nctarank", special::cluster_nctarank},
                                           {"%is_explicit_cluster", special::is_explicit_cluster},
                                           {"%lanemask_eq", special::lanemask_eq},
                                           {"%lanemask_lt", special::lanemask_lt},
                                           {"%lanemask_le", special::lanemask_le},
                                           {"%lanemask_gt", special::lanemask_gt},
                                           {"%lanemask_ge", special::lanemask_ge},
                                           {"%dynamic_smem_size", special::dynamic_smem_size},
                                           {"%total_smem_size", special::total_smem_size},
                                           {"%aggr_smem_size", special::total_smem_size},
                                           {"%envreg1", special::zero},
                                           {"%envreg2", special::zero}};

}  // namespace

std::uint32_t assembler::register_width(std::uint32_t id) const {
  return width_of(source_.registers[id]);
}

std::uint32_t assembler::scratch(std::uint32_t width) {
  auto const nth = scratch_used_[width]++;
  auto const [found, fresh] = scratch_.try_emplace({width, nth}, 0);
  if (fresh) found->second = allocate(width == 0 ? 4 : 32 * width);  // a width of 0 is a predicate
  return found->second;
}

std::uint32_t assembler::constant(std::uint64_t bits, std::uint32_t width) {
  auto const key = say(width, ':', bits);
  auto const [found, fresh] = constants_.try_emplace(key, 0);
  if (fresh) {
    found->second = allocate(width == 0 ? 4 : 32 * width);
    frame().constants.push_back({bits, width, found->second});
  }
  return found->second;
}

std::uint32_t assembler::shared_address(std::uint64_t bits, std::uint32_t width) {
  auto const [found, fresh] = shared_.try_emplace({bits, width}, 0);
  if (fresh) {
    found->second = allocate(32 * width);
    frame().shared.push_back({bits, width, found->second});
  }
  return found->second;
}

std::uint32_t assembler::resized(std::uint32_t offset, std::uint32_t from, std::uint32_t to,
                                 bool is_signed) {
  if (from == to) return offset;
  std::uint32_t const made = scratch(to);
  auto& resize = emit_row(say("resize.", from, '.', to, is_signed && to > from ? ".s" : ".u"));
  resize.at[0] = made;
  resize.at[1] = offset;
  return made;
}

std::uint32_t assembler::result(operand const& from, char letter) {
  bool const is_predicate = letter == 'p';
  std::uint32_t const width = width_of_letter(letter);
  if (from.what == operand::kind::sink) return scratch(is_predicate ? 0 : width);
  if (from.what != operand::kind::reg) wrong("a result must be a register");
  if ((source_.registers[from.id] == scalar::pred) != is_predicate)
    wrong(say("result '", from.name,
              is_predicate ? "' must be a predicate" : "' must not be a predicate"));
  std::uint32_t const declared = register_width(from.id);
  if (is_predicate || declared == width) return offsets_[from.id];
  if (!may_be_wider(letter) || declared < width)
    wrong(say("result '", from.name, "' has ", declared * 8, " bits where ", width * 8,
              " are expected"));
  std::uint32_t const narrow = scratch(width);
  // The type's sign decides how ld and cvt fill a wider register (ISA, "Operand Size Exceeding
  // Instruction-Type Size").
  auto const type = result_type(current_->opcode);
  widenings_.push_back({narrow, width, offsets_[from.id], declared, type && is_signed(*type)});
  return narrow;
}

std::uint64_t assembler::literal(operand const& from, char letter) const {
  if (letter == 'f') {
    if (from.what == operand::kind::real)
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(from.bits)));
    if (from.what == operand::kind::integer) wrong("an integer literal where a float is expected");
    return from.bits;
  }
  if (letter == 'g') {
    if (from.what == operand::kind::single)
      return std::bit_cast<std::uint64_t>(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(from.bits))));
    if (from.what == operand::kind::integer) wrong("an integer literal where a float is expected");
    return from.bits;
  }
  if (letter == 'p') return from.bits != 0 ? 0xffffffffu : 0;
  return from.bits;
}

std::uint32_t assembler::source(operand const& from, char letter, bool sign_extends) {
  bool const is_predicate = letter == 'p';
  std::uint32_t const width = width_of_letter(letter);
  switch (from.what) {
    case operand::kind::reg: {
      if ((source_.registers[from.id] == scalar::pred) != is_predicate)
        wrong(say("operand '", from.name,
                  is_predicate ? "' must be a predicate" : "' must not be a predicate"));
      if (from.negated) {
        if (!is_predicate) wrong("'!' negates predicates only");
        std::uint32_t const made = scratch(0);
        std::uint32_t const before = offsets_[from.id];
        auto& negate = emit_row("not.pred");
        negate.at[0] = made;
        negate.at[1] = before;
        return made;
      }
      std::uint32_t const declared = register_width(from.id);
      if (is_predicate || declared == width) return offsets_[from.id];
      if (!may_be_wider(letter) || declared < width)
        wrong(say("operand '", from.name, "' has ", declared * 8, " bits where ", width * 8,
                  " are expected"));
      return resized(offsets_[from.id], declared, width, sign_extends);
    }
    case operand::kind::integer:
    case operand::kind::single:
    case operand::kind::real: return constant(literal(from, letter), is_predicate ? 0 : width);
    case operand::kind::special: return special_source(from, width);
    case operand::kind::symbol:
    case operand::kind::function:
    case operand::kind::label: return symbol_address(from, width);
    case operand::kind::sink: return constant(0, is_predicate ? 0 : width);
    default: wrong("a register, a literal or a variable is expected");
  }
}

std::uint32_t assembler::special_source(operand const& from, std::uint32_t width) {
  for (auto const* clock :
       {"%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"})
    if (from.name == clock) {
      bool const wide = from.name == "%clock64" || from.name == "%globaltimer";
      std::uint32_t const made = scratch(wide ? 8 : 4);
      emit_row(say("read.", clock + 1)).at[0] = made;
      return resized(made, wide ? 8 : 4, width, false);
    }
  for (auto const& each : special_names)
    if (each.name == from.name) {
      auto const [found, fresh] = specials_.try_emplace(each.which, 0);
      if (fresh) {
        found->second = allocate(128);
        frame().specials.push_back({each.which, found->second});
      }
      return resized(found->second, 4, width, false);
    }
  refuse(say("the special register '", from.name, "'"));
}

std::uint32_t assembler::stack_offset(variable const& of) {
  auto const [found, fresh] = stack_offsets_.try_emplace(&of, 0);
  if (fresh) {
    auto& used = frame().stack;
    used = (used + of.alignment - 1) / of.alignment * of.alignment;
    found->second = used;
    if (of.bytes > (1u << 30) || used + of.bytes > (1u << 30))
      refuse("a stack frame of more than 1 GiB");
    used += static_cast<std::uint32_t>(of.bytes);
  }
  return found->second;
}

std::uint32_t assembler::stack_address(variable const& of, std::uint64_t offset,
                                       std::uint32_t width) {
  std::uint64_t const within = stack_offset(of) + offset;
  auto const [found, fresh] = depots_.try_emplace(within, 0);
  if (fresh) {
    found->second = allocate(256);
    frame().stack_addresses.push_back({static_cast<std::uint32_t>(within), found->second});
  }
  return resized(found->second, 8, width, false);
}

std::uint32_t assembler::symbol_address(operand const& from, std::uint32_t width) {
  if (from.what == operand::kind::function) {
    auto const number = whole_.links->function_numbers.find(from.name);
    if (number == whole_.links->function_numbers.end())
      wrong(say("function '", from.name, "' has no address"));
    return constant(function_window + 16 * number->second, width);
  }
  if (from.symbol == nullptr) wrong(say("'", from.name, "' has no address"));
  variable const& symbol = *from.symbol;
  switch (symbol.where) {
    case space::global:
    case space::constant:
      if (auto const found = whole_.links->addresses.find(&symbol);
          found != whole_.links->addresses.end())
        return constant(found->second + from.bits, width);
      wrong(say("variable '", symbol.name,
                "' has no memory: it is .extern and no module defines it"));
    case space::shared:
      return shared_address(whole_.shared_addresses.at(&symbol) + from.bits, width);
    case space::parameter: {
      for (auto const& each : whole_.out->parameters)
        if (each.name == symbol.name) return constant(each.offset + from.bits, width);
      wrong(say("'", symbol.name, "' is not a parameter of this kernel"));
    }
    case space::local: return stack_address(symbol, from.bits, width);
    default: wrong(say("'", symbol.name, "' has no address"));
  }
}

std::uint32_t assembler::address(operand const& from, bool narrow, std::int64_t& offset) {
  if (from.what != operand::kind::address || from.parts.empty())
    wrong("an address in brackets is expected");
  operand const& base = from.parts.front();
  std::uint32_t const wanted = narrow ? 4 : 8;
  offset = static_cast<std::int64_t>(from.bits);
  if (base.what == operand::kind::reg) {
    std::uint32_t const declared = register_width(base.id);
    if (source_.registers[base.id] == scalar::pred || declared < 4)
      wrong(say("'", base.name, "' cannot hold an address"));
    return resized(offsets_[base.id], declared, wanted, false);
  }
  if (base.what == operand::kind::symbol) return symbol_address(base, wanted);
  if (base.what == operand::kind::integer) return constant(base.bits, wanted);
  wrong("an address is a register, a variable or a number");
}

}  // namespace machine
