// A pattern of index code: three forms (by hand, with axe, with CuTe) and the required
// addresses.
//
// Each form is a function template over a *sink*. On the device a sink is the memory instruction
// that takes the address (a register and an immediate). On the host it records the address. So one
// source is counted in PTX and SASS, and is checked for every thread.
#pragma once

#include <axe/axe.hpp>
#include <axe/index/bound_thread_tile.hpp>
#include <axe/index/pointer.hpp>

#include <vector>

#ifdef AXE_WITH_CUTE
#include <cute/tensor.hpp>
#endif

///     struct ldmatrix_128B {
///       struct arguments { word stage; … };                  run-time inputs of the kernel
///       template <class Sink> AXE_FN static void by_hand(arguments const&, thread_index const&,
///                                                        Sink& sink);
///       … by_axe, and with AXE_WITH_CUTE by_cute
///       static void expected(…, std::vector<integer>& bytes);  by definition, in the sink's order
///       static std::vector<launch<arguments>> launches();    checked on the host
///     };
///     AXE_PATTERN(ldmatrix_128B)
namespace pattern {

using axe::integer;
using namespace axe::literals;
using word = std::uint32_t;
using wide = std::uint64_t;

/// The data of one 128-bit access.
struct alignas(16) quad {
  word words[4];
};

/// The thread and block that compute an address, and the base address of shared memory.
struct thread_index {
  word thread, block_x, block_y, block_z;
  word shared;
};

/// The arguments of a launch, and the threads and blocks that are checked with them. Threads below
/// `first_thread` do nothing.
template <class Arguments> struct launch {
  Arguments arguments;
  word threads, blocks_x = 1, blocks_y = 1, blocks_z = 1;
  word first_thread = 0;
};

#ifdef __CUDACC__
/// A sink of memory instructions, which are volatile so that none is removed. A shared address is a
/// register plus an immediate.
struct device_sink {
  word value;
  word* out;  // loads write here, because unused loads could be removed

  template <integer Immediate> __device__ __forceinline__ void shared(word address) {
    asm volatile("st.shared.u32 [%0+%1], %2;" ::"r"(address), "n"(Immediate), "r"(value)
                 : "memory");
  }
  template <integer Immediate> __device__ __forceinline__ void load_shared(word address) {
    word a;
    asm volatile("ld.shared.u32 %0, [%1+%2];" : "=r"(a) : "r"(address), "n"(Immediate) : "memory");
    asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(out), "r"(a) : "memory");
  }
  template <integer Immediate> __device__ __forceinline__ void ldmatrix(word address) {
    word a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4+%5];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(address), "n"(Immediate)
                 : "memory");
    asm volatile("st.volatile.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(out), "r"(a), "r"(b),
                 "r"(c), "r"(d)
                 : "memory");
  }
  template <integer Immediate> __device__ __forceinline__ void stmatrix(word address) {
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0+%1], {%2,%2,%2,%2};" ::"r"(address),
                 "n"(Immediate), "r"(value)
                 : "memory");
#else  // older GPUs have no stmatrix: 16 bytes are stored at the same address
    asm volatile("st.shared.v4.u32 [%0+%1], {%2,%2,%2,%2};" ::"r"(address), "n"(Immediate),
                 "r"(value)
                 : "memory");
#endif
  }
  template <class T> __device__ __forceinline__ void global(T* p) {
    if constexpr (sizeof(T) == 16)
      *reinterpret_cast<uint4*>(p) = make_uint4(value, value, value, value);
    else
      *const_cast<T volatile*>(p) = static_cast<T>(value);
  }
};
#endif

/// Records byte addresses in the order of the accesses.
struct host_sink {
  std::vector<integer> addresses;

  template <integer Immediate> void shared(word address) {
    addresses.push_back(address + static_cast<word>(Immediate));
  }
  template <integer Immediate> void load_shared(word address) { shared<Immediate>(address); }
  template <integer Immediate> void ldmatrix(word address) { shared<Immediate>(address); }
  template <integer Immediate> void stmatrix(word address) { shared<Immediate>(address); }
  template <class T> void global(T* p) {
    addresses.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(p)));
  }
};

/// Passes the base and the immediate of an axe::displaced to a sink.
template <class Sink, class Register, integer Immediate>
AXE_FN void shared(Sink& sink, axe::displaced<Register, Immediate> const& d) {
  sink.template shared<Immediate>(d.base);
}
template <class Sink, class Register, integer Immediate>
AXE_FN void ldmatrix(Sink& sink, axe::displaced<Register, Immediate> const& d) {
  sink.template ldmatrix<Immediate>(d.base);
}
template <class Sink, class Register, integer Immediate>
AXE_FN void stmatrix(Sink& sink, axe::displaced<Register, Immediate> const& d) {
  sink.template stmatrix<Immediate>(d.base);
}

/// The high 32 bits of a * b. Hand-written code divides v by D with it, where b = ceil(2^32 / D)
/// and the quotient is exact for every v that occurs.
AXE_FN constexpr word high_product(word a, word b) {
#if defined(__CUDA_ARCH__)
  return __umulhi(a, b);
#else
  return static_cast<word>(wide{a} * b >> 32);
#endif
}

/// Calls visit with the integral constants 0 … N - 1, unrolled.
template <int N, class Visit> AXE_FORCE_INLINE inline void each(Visit const& visit) {
  axe::for_each_register<N>(visit);
}

#ifdef AXE_WITH_CUTE
/// A row-major matrix with a pitch as CuTe's tensor in global memory. Its strides have 64 bits, as
/// in CuTe's kernels.
template <class T, class Sizes> AXE_FN auto cute_matrix(T* data, Sizes const& sizes) {
  return cute::make_tensor(
      cute::make_gmem_ptr(data),
      cute::make_layout(
          cute::make_shape(sizes.template number<0>(), sizes.template number<1>()),
          cute::make_stride(static_cast<integer>(sizes.template number<2>()), cute::_1{})));
}
/// The offsets of a tile of shared memory as a CuTe tensor. It is partitioned like other tensors,
/// and its elements are added to the address of the tile.
template <class Layout> AXE_FN auto cute_offsets(Layout const& layout) {
  return cute::make_tensor(cute::counting_iterator<int>{}, layout);
}
/// One thread's elements of a layout that is divided into blocks. Returns the offset of the element
/// in the block at (row, column).
template <class Offset, class Layout> struct cute_slice {
  Offset offset;
  Layout layout;
  AXE_FN word operator()(int row, int column) const {
    return static_cast<word>(offset + layout(row, column));
  }
};
/// Element (row, column) of every block of Rows x Columns elements.
template <int Rows, int Columns, class Layout>
AXE_FN auto cute_blocks(Layout const& layout, int row, int column) {
  using namespace cute;
  auto const blocks = zipped_divide(layout, make_shape(Int<Rows>{}, Int<Columns>{}));
  auto const found =
      slice_and_offset(make_coord(make_coord(row, column), make_coord(_, _)), blocks);
  return cute_slice<remove_cvref_t<decltype(get<1>(found))>,
                    remove_cvref_t<decltype(get<0>(found))>>{get<1>(found), get<0>(found)};
}
#endif

#ifdef __CUDACC__
__device__ __forceinline__ thread_index this_thread() {
  extern __shared__ __align__(1024) unsigned char buffer[];
  return {threadIdx.x, blockIdx.x, blockIdx.y, blockIdx.z,
          static_cast<word>(__cvta_generic_to_shared(buffer))};
}
#define AXE_PATTERN_FORM(FORM, NAME)                                                              \
  extern "C" __global__ void FORM##_##NAME(pattern::NAME::arguments const a, pattern::word value, \
                                           pattern::word* out) {                                  \
    pattern::device_sink sink{value, out};                                                        \
    pattern::NAME::by_##FORM(a, pattern::this_thread(), sink);                                    \
  }
#if defined(AXE_ONE_FORM)  // one form only, to measure its compile time
#define AXE_PATTERN_EXPANDED(FORM, NAME) AXE_PATTERN_FORM(FORM, NAME)
#define AXE_PATTERN(NAME) AXE_PATTERN_EXPANDED(AXE_ONE_FORM, NAME)
#elif defined(AXE_WITH_CUTE)
#define AXE_PATTERN(NAME) \
  AXE_PATTERN_FORM(hand, NAME) AXE_PATTERN_FORM(axe, NAME) AXE_PATTERN_FORM(cute, NAME)
#else
#define AXE_PATTERN(NAME) AXE_PATTERN_FORM(hand, NAME) AXE_PATTERN_FORM(axe, NAME)
#endif
#else
/// Runs the forms of a pattern. check.cpp defines it.
template <class Pattern> bool check(char const* name);
#define AXE_PATTERN(NAME) inline bool const checked_##NAME = pattern::check<pattern::NAME>(#NAME);
#endif

}  // namespace pattern
