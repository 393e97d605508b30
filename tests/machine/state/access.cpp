// Implements the slow path of memory accesses, with all error messages.
#include "state/access.hpp"

#include "check/strict.hpp"

namespace machine {
namespace {

char const* name_of(space where) {
  switch (where) {
    case space::global: return "global memory";
    case space::constant: return "constant memory";
    case space::shared: return "shared memory";
    case space::local: return "local memory";
    case space::parameter: return "the kernel's parameters";
    default: return "memory";
  }
}

char const* verb(access how) {
  return how == access::read ? "reads" : how == access::write ? "writes" : "updates";
}

reached reach_global(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                     std::uint32_t size, access how) {
  auto const found = w.run->memory->find(address);
  if (!found || size > found->end - address)
    fault(w, i, lane, trouble::out_of_bounds, address,
          say(verb(how), ' ', size, " bytes of global memory at ", hexadecimal(address), ", ",
              w.run->memory->describe(found ? found->end : address)));
  if (found->read_only && how != access::read)
    fault(w, i, lane, trouble::out_of_bounds, address,
          say("writes constant memory at ", hexadecimal(address)));
  auto* const bytes = reinterpret_cast<std::byte*>(address);
  return {bytes, bytes + w.run->shadow_distance};
}

reached reach_shared(warp& w, instruction const& i, unsigned lane, std::uint32_t address,
                     std::uint32_t size, access how) {
  block& owner = block_of(w, i, lane, address);
  std::uint32_t const offset = address & shared_offset_mask;
  if (offset < shared_begin || size > owner.shared_end || offset > owner.shared_end - size)
    fault(w, i, lane, trouble::out_of_bounds, address,
          say(verb(how), ' ', size, " bytes of shared memory at ", hexadecimal(offset),
              "; the block has ", owner.shared_end - shared_begin, " bytes from ",
              hexadecimal(shared_begin), " to ", hexadecimal(owner.shared_end)));
  return {owner.shared.get() + offset, owner.shared_written.get() + offset};
}

reached reach_local(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                    std::uint32_t size, access how) {
  std::uint64_t const top = w.calls[w.lanes[lane].depth].stack_top[lane];
  if (address > top || size > top - address)
    fault(w, i, lane, trouble::out_of_bounds, address,
          say(verb(how), ' ', size, " bytes of local memory at ", hexadecimal(address),
              "; the thread's stack ends at ", hexadecimal(top)));
  std::size_t const at = std::size_t{lane} * stack_stride + address;
  return {w.stack + at, w.stack_written + at};
}

}  // namespace

extent3 thread_index(running const& run, std::uint32_t linear) {
  auto const& extent = run.block_extent;
  return {linear % extent.x, linear / extent.x % extent.y, linear / extent.x / extent.y};
}

std::string place_of_statement(running const& run, std::uint32_t statement) {
  auto const& where = run.code->places[statement];
  std::string text;
  auto const file = static_cast<std::size_t>(where.source_file);
  if (where.source_line > 0 && file < run.code->source->files.size())
    text = say(run.code->source->files[file], ':', where.source_line, ' ');
  return say(text, "(PTX line ", where.ptx_line, ") ", where.opcode);
}

report report_of(warp const& w, instruction const& i, unsigned lane, trouble what,
                 std::uint64_t address, std::string sentence) {
  auto const& code = *w.run->code;
  auto const& at = code.places[i.statement];
  report reported{what, std::move(sentence)};
  reported.kernel = code.name;
  reported.instruction = std::string(at.opcode);
  reported.ptx_line = at.ptx_line;
  reported.source_line = at.source_line;
  auto const file = static_cast<std::size_t>(at.source_file);
  if (file < code.source->files.size()) reported.source_file = code.source->files[file];
  reported.has_thread = true;
  reported.block = w.home->index;
  reported.thread = thread_index(*w.run, w.number * 32 + lane);
  reported.address = address;
  return reported;
}

void fault(warp const& w, instruction const& i, unsigned lane, trouble what, std::uint64_t address,
           std::string sentence) {
  throw error(report_of(w, i, lane, what, address, std::move(sentence)));
}

block& block_of(warp& w, instruction const& i, unsigned lane, std::uint32_t address) {
  std::uint32_t const rank = address >> shared_rank_shift;
  if (rank == w.home->rank) return *w.home;
  if (i.in_own_block)
    fault(w, i, lane, trouble::out_of_bounds, address,
          say("shared address ", hexadecimal(address), " names block ", rank,
              " of the cluster; .shared and .shared::cta reach only block ", w.home->rank,
              ", that of the thread"));
  auto& blocks = w.home->home->blocks;
  if (rank >= blocks.size())
    fault(w, i, lane, trouble::out_of_bounds, address,
          say("shared address ", hexadecimal(address), " names block ", rank, " of a cluster of ",
              blocks.size()));
  block& owner = *blocks[rank];
  if (owner.live_threads == 0)
    fault(w, i, lane, trouble::out_of_bounds, address,
          say("shared memory of block ", rank, " of the cluster, whose threads have all exited"));
  return owner;
}

reached reach(warp& w, instruction const& i, unsigned lane, space where, std::uint64_t address,
              std::uint32_t size, access how, std::uint32_t alignment) {
  if (where == space::generic) {
    switch (address & window_mask) {
      case 0: where = space::global; break;
      case shared_window:
        where = space::shared;
        address &= ~window_mask;
        if (address >> 32 != 0)
          fault(w, i, lane, trouble::out_of_bounds, address,
                say(verb(how), " the address ", hexadecimal(address | shared_window),
                    ", past the end of shared memory"));
        break;
      case local_window:
        where = space::local;
        address &= ~window_mask;
        break;
      case parameter_window:
        where = space::parameter;
        address &= ~window_mask;
        break;
      default:
        fault(w, i, lane, trouble::out_of_bounds, address,
              say(verb(how), " the address ", hexadecimal(address),
                  ", which lies in no state space"));
    }
  }
  if (address % alignment != 0)
    fault(w, i, lane, trouble::misaligned, address,
          say(verb(how), ' ', size, " bytes of ", name_of(where), " at ", hexadecimal(address),
              ", which is not a multiple of ", alignment));
  switch (where) {
    case space::global:
    case space::constant: return reach_global(w, i, lane, address, size, how);
    case space::shared:
      return reach_shared(w, i, lane, static_cast<std::uint32_t>(address), size, how);
    case space::local: return reach_local(w, i, lane, address, size, how);
    case space::parameter: {
      auto& parameters = w.run->parameters;
      if (how != access::read || address > parameters.size() || size > parameters.size() - address)
        fault(w, i, lane, trouble::out_of_bounds, address,
              say(verb(how), ' ', size, " bytes at ", hexadecimal(address), " of the kernel's ",
                  parameters.size(), " bytes of parameters"));
      return {parameters.data() + address, nullptr};
    }
    default: fault(w, i, lane, trouble::out_of_bounds, address, "an address without a state space");
  }
}

void require_written(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                     reached const& at, std::uint32_t size) {
  if (at.written == nullptr || !w.run->check_written) return;
  for (std::uint32_t k = 0; k < size; ++k)
    if (at.written[k] != std::byte{0xff}) {
      bool const in_flight = at.written[k] == is_in_flight;
      auto const sentence = [&] {
        return say("reads ", size, " bytes at ", hexadecimal(address), "; byte ", k,
                   " has never been written",
                   in_flight ? ", or a copy to it has not been waited for" : "");
      };
      if (in_flight) fault(w, i, lane, trouble::never_written, address + k, sentence());
      fault_or_warn(w, i, lane, trouble::never_written, address + k, sentence);
      return;
    }
}

}  // namespace machine
