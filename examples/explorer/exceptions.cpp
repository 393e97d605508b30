// Implements C++ exceptions for WebAssembly, by which `axe` reports mistakes. Debian's libc++abi
// for wasm32 has none.
//
// Clang (-fwasm-exceptions) unwinds by itself. At a handler it calls _Unwind_CallPersonality, which
// searches a table of the function for the clause that catches the exception. Only one exception
// can be in flight. A handler catches a class by its type or, with single inheritance, its bases.
// Source: WebAssembly/tool-conventions, "Exception Handling"; Itanium C++ ABI, "Exception
// Handling".
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <typeinfo>

namespace __cxxabiv1 {

/// The type of a class with one base, as libc++abi defines it.
class __si_class_type_info : public std::type_info {
 public:
  ~__si_class_type_info() override;
  std::type_info const* base;
};

}  // namespace __cxxabiv1

namespace {

struct in_flight {
  std::type_info const* type = nullptr;
  void* (*destroy)(void*) = nullptr;  // WebAssembly's destructors return their argument
  void* object = nullptr;
  bool thrown_again = false;  // true: the handler that ends must not destroy it
};

in_flight last;

std::intptr_t read_leb128(std::uint8_t const*& at, bool is_signed) {
  std::uintptr_t value = 0;
  unsigned shift = 0;
  std::uint8_t byte = 0;
  do {
    byte = *at++;
    value |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    shift += 7;
  } while ((byte & 0x80) != 0);
  if (is_signed && (byte & 0x40) != 0 && shift < 8 * sizeof value)
    value |= ~std::uintptr_t{0} << shift;
  return static_cast<std::intptr_t>(value);
}

/// True if a handler for the type `wanted` catches the exception. A null type stands for `catch
/// (...)`.
bool catches(std::type_info const* wanted) {
  if (wanted == nullptr) return true;
  for (std::type_info const* type = last.type; type != nullptr;) {
    if (*type == *wanted) return true;
    auto const* derived = dynamic_cast<__cxxabiv1::__si_class_type_info const*>(type);
    type = derived == nullptr ? nullptr : derived->base;
  }
  return false;
}

constexpr std::uint8_t none = 0xff;  // DW_EH_PE_omit

/// Returns the number of the clause that catches the exception at handler `index`, or 0 if none
/// does.
std::intptr_t clause_of(std::uint8_t const* table, std::uintptr_t index) {
  if (*table++ != none) std::abort();  // a base for landing pads, which WebAssembly does not have
  bool const has_types = *table++ != none;
  std::intptr_t const length = has_types ? read_leb128(table, false) : 0;
  auto const* const types = reinterpret_cast<std::type_info const* const*>(table + length);
  ++table;  // skips the encoding of the handlers
  std::intptr_t const bytes = read_leb128(table, false);
  std::uint8_t const* const actions = table + bytes;
  for (std::uintptr_t k = 0; table < actions; ++k) {
    read_leb128(table, false);
    std::intptr_t const first = read_leb128(table, false);
    if (k != index || first == 0) continue;
    for (std::uint8_t const* action = actions + first - 1;;) {
      std::intptr_t const clause = read_leb128(action, true);
      if (clause > 0 && catches(types[-clause])) return clause;
      std::uint8_t const* const here = action;
      std::intptr_t const next = read_leb128(action, true);
      if (next == 0) return 0;
      action = here + next;
    }
  }
  return 0;
}

}  // namespace

extern "C" {

/// The interface to clang's code in functions with handlers. It writes handler and table and reads
/// clause.
struct {
  std::uintptr_t handler;
  std::uint8_t const* table;
  std::uintptr_t clause;
} __wasm_lpad_context;

int _Unwind_CallPersonality(void*) {
  auto& at = __wasm_lpad_context;
  at.clause = static_cast<std::uintptr_t>(clause_of(at.table, at.handler));
  return 0;
}

void* __cxa_allocate_exception(std::size_t bytes) noexcept { return std::malloc(bytes); }
void __cxa_free_exception(void* object) noexcept { std::free(object); }

void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  last = {type, destroy, object, false};
  __builtin_wasm_throw(0, object);
}
void* __cxa_begin_catch(void* object) noexcept { return object; }
void __cxa_rethrow() {
  last.thrown_again = true;
  __builtin_wasm_throw(0, last.object);
}
void __cxa_end_catch() {
  if (last.thrown_again) {
    last.thrown_again = false;
    return;
  }
  if (last.destroy != nullptr) last.destroy(last.object);
  std::free(last.object);
  last = {};
}
int __gxx_personality_wasm0(...) { std::abort(); }  // the tables name it, nothing calls it
}
