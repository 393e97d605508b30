#include "rows/matrices.hpp"

#include <cstdio>

namespace machine_rows::matrices {

shape shape_of(std::string const& modifier) {
  shape made;
  std::sscanf(modifier.c_str(), "m%un%uk%u", &made.m, &made.n, &made.k);
  return made;
}

unsigned element_width(std::string const& type) {
  if (type == "tf32") return 32;
  if (type == "e4m3" || type == "e5m2") return 8;
  return width_of(type);
}

unsigned elements_of_a_register(std::string const& type) {
  unsigned const width = element_width(type);
  return width >= 32 ? 1 : 32 / width;
}

std::int64_t number_of(std::uint64_t noise, std::string const& type) {
  if (type == "b1") return static_cast<std::int64_t>(noise & 1);
  if (type[0] == 'u') return static_cast<std::int64_t>(noise % 4);
  return static_cast<std::int64_t>(noise % 5) - 2;
}

std::uint64_t bits_of(std::int64_t number, std::string const& type) {
  if (type == "tf32") return encoded(static_cast<quad>(number), *format_named("f32"), "rn", false);
  if (auto const f = format_named(type)) return encoded(static_cast<quad>(number), *f, "rn", false);
  return cut(number, width_of(type));
}

unsigned registers_in(std::string const& signature, std::size_t which) {
  constexpr char const* digits = "0123456789";
  std::size_t at = signature.find_first_of(digits);
  for (; which > 0; --which)
    at = signature.find_first_of(digits, signature.find_first_not_of(digits, at));
  return static_cast<unsigned>(std::stoul(signature.substr(at)));
}

std::string frame(std::string const& declarations, std::string const& body) {
  return filled(R"(
.version 9.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 dynamic[];
.visible .entry t(.param .u64 in, .param .u64 out) {
  .reg .b64 %in, %out, %s;
  .reg .b32 %i, %x;
  .reg .pred %p;
  $DECLARATIONS
  mov.u32 %i, %tid.x;
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mul.wide.u32 %s, %i, $BYTES;
  add.u64 %out, %out, %s;
  $BODY
  ret;
}
)",
                {{"$BYTES", 4 * out_words}, {"$DECLARATIONS", declarations}, {"$BODY", body}});
}

std::vector<std::uint32_t> run(std::string const& ptx, std::vector<std::uint32_t> const& in,
                               unsigned threads, unsigned shared) {
  static machine::device on;
  std::uint64_t const from = on.allocate(in.size() * 4), to = on.allocate(threads * out_words * 4);
  on.copy_in(from, in.data(), in.size() * 4);
  machine::load(ptx, on).launch("t", {1}, {threads}, {}, shared, {from, to});
  std::vector<std::uint32_t> out(threads * out_words);
  on.copy_out(out.data(), to, out.size() * 4);
  on.free(from);
  on.free(to);
  return out;
}

}  // namespace machine_rows::matrices
