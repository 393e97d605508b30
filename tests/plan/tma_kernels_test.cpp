// Tests kernels with planned tensor copies, compiled by nvcc, on the PTX machine (tests/machine)
// with strict checks: one to five dimensions, odd sizes, elements out of bounds, reductions, a
// multicast and a ring of stages.
#include "tma_kernels.hpp"

#include "on_the_machine.hpp"
#include "tma_oracle.hpp"

#include <array>
#include <cstring>

namespace {

using namespace on_the_machine;
using tma_oracle::number;

/// The sizes of a tensor for a case of tma_kernels.hpp.
struct extents_and_pitches {
  std::vector<number> extents, pitches;  // in elements; the pitch of the last dimension is 1
};

/// The place of an element in the tile's shared memory, before the swizzle, and in the tensor. Both
/// count elements.
struct element_place {
  number shared = 0, global = 0;
  bool in_bounds = true;
};

/// The place of element e of the tile with the indices `tile_indices`.
element_place place_of(number e, axe::layout const& shared, extents_and_pitches const& tensor,
                       std::vector<number> const& tile, std::vector<number> const& tile_indices) {
  element_place found;
  number rest = e;
  for (std::size_t d = tile.size(); d-- > 0;) {
    number const c = tile_indices[d] * tile[d] + rest % tile[d];
    rest /= tile[d];
    found.in_bounds = found.in_bounds && c < tensor.extents[d];
    found.global += c * tensor.pitches[d];
  }
  for (int k = shared.shards.size() - 1; k >= 0; --k) {
    found.shared += e % shared.shards[k].extent * shared.shards[k].stride;
    e /= shared.shards[k].extent;
  }
  return found;
}

/// Runs the kernel through_NAME, and checks every byte of the tiles in shared memory and of the
/// output tensor.
template <class Case> void check_through(char const* name, extents_and_pitches const& tensor) {
  constexpr axe::layout shared = Case::shared::value;
  constexpr axe::shape tile_shape = Case::tile::value;
  std::size_t const rank = tensor.extents.size();
  number const bytes = axe::bits_of(Case::element) / 8;
  std::vector<axe::integer> numbers(tensor.extents.begin(), tensor.extents.end());
  numbers.insert(numbers.end(), tensor.pitches.begin(), tensor.pitches.end() - 1);
  // A store takes whole 16 bytes: its map has the padding of the rows.
  extents_and_pitches padded = tensor;
  padded.extents.back() = (padded.extents.back() * bytes + 15) / 16 * 16 / bytes;
  std::vector<axe::integer> numbers_out = numbers;
  numbers_out[rank - 1] = padded.extents.back();
  number all = tensor.extents[0] * tensor.pitches[0] * bytes;
  if (rank == 1) all = padded.extents[0] * bytes;
  std::vector<unsigned char> in(static_cast<std::size_t>(all)), out(in.size(), 0xcd);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 7 + i / 251);
  std::vector<number> tile(rank), counts(rank);
  tensors::tiles t{{1, 1, 1, 1, 1}};
  number blocks = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    tile[d] = tile_shape.nodes.value(static_cast<int>(d) + 1);
    counts[d] = (tensor.extents[d] + tile[d] - 1) / tile[d];
    t.counts[d] = static_cast<unsigned>(counts[d]);
    blocks *= counts[d];
  }
  for (int round = 0; round < 3; ++round) {
    CAPTURE(name, round, tensor.extents);
    machine::device device;
    machine::module program = machine::load(text_of("tma_kernels", "sm_90a"), device);
    memory from(device, in), to(device, out);
    memory image(device, std::vector<unsigned char>(
                             static_cast<std::size_t>(blocks) * Case::load::bytes, 0xee));
    program.launch(std::string("through_") + name, {static_cast<std::uint32_t>(blocks), 1, 1}, {64},
                   {}, 0,
                   {map_of(Case::load::boxes, from.address, numbers),
                    map_of(Case::store::boxes, to.address, numbers_out), image.address, t},
                   options_for(round));
    auto const stored = to.bytes(), images = image.bytes();
    int wrong = 0, wrong_images = 0;
    std::vector<unsigned char> expected = out;
    for (number b = 0; b < blocks; ++b) {
      std::vector<number> n(rank);
      number left = b;
      for (std::size_t d = rank; d-- > 0;) n[d] = left % counts[d], left /= counts[d];
      number elements = 1;
      for (number x : tile) elements *= x;
      for (number e = 0; e < elements; ++e) {
        element_place const at = place_of(e, shared, tensor, tile, n);
        for (number x = 0; x < bytes; ++x) {
          auto const in_image = static_cast<std::size_t>(
              b * Case::load::bytes +
              tma_oracle::swizzled(at.shared * bytes + x,
                                   static_cast<int>(Case::load::boxes.swizzle)));
          auto const source = static_cast<std::size_t>(at.global * bytes + x);
          unsigned char const loaded = at.in_bounds ? in[source] : 0;
          wrong_images += images[in_image] != loaded;
          if (place_of(e, shared, padded, tile, n).in_bounds) expected[source] = loaded;
        }
      }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) wrong += expected[i] != stored[i];
    CHECK(wrong_images == 0);
    CHECK(wrong == 0);
  }
}

template <class T> T operation(std::string const& how, T a, T b) {
  if (how == "add") return static_cast<T>(a + b);
  if (how == "min") return std::min(a, b);
  if (how == "max") return std::max(a, b);
  if (how == "inc") return static_cast<T>(a >= b ? 0 : a + 1);
  if (how == "dec") return static_cast<T>(a == 0 || a > b ? b : a - 1);
  if (how == "bit_and") return static_cast<T>(a & b);
  if (how == "bit_or") return static_cast<T>(a | b);
  return static_cast<T>(a ^ b);
}

template <class T> std::vector<unsigned char> bytes_of(std::vector<T> const& values) {
  std::vector<unsigned char> out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

}  // namespace

TEST_CASE("tiles of one to five dimensions are loaded and stored, with elements out of bounds") {
  check_through<tensors::line>("line", {{1000}, {1}});
  check_through<tensors::line>("line", {{5}, {1}});
  for (auto const& [rows, columns, pitch] :
       {std::array<number, 3>{136, 200, 208}, {129, 257, 264}, {1, 8, 8}}) {
    check_through<tensors::plane>("plane", {{rows, columns}, {pitch, 1}});
    check_through<tensors::strided>("strided", {{rows, columns}, {pitch, 1}});
    check_through<tensors::split>("split", {{rows / 4 * 4 + 4, columns}, {pitch, 1}});
    check_through<tensors::bytes>("bytes", {{rows, columns}, {pitch * 2, 1}});
  }
  check_through<tensors::block>("block", {{3, 7, 13}, {200, 14, 1}});
  check_through<tensors::nhwc>("nhwc", {{2, 3, 11, 21}, {800, 264, 24, 1}});
  check_through<tensors::five>("five", {{3, 2, 5, 6, 9}, {1440, 720, 144, 12, 1}});
}

TEST_CASE("reductions change only elements in bounds") {
  int const rows = 11, columns = 52, pitch = 56;
  for (std::string const how :
       {"add", "min", "max", "inc", "dec", "bit_and", "bit_or", "bit_xor"}) {
    std::vector<unsigned> values(256), initial(static_cast<std::size_t>(rows * pitch));
    for (std::size_t k = 0; k < 256; ++k) values[k] = static_cast<unsigned>(k * 2654435761u >> 20);
    for (std::size_t k = 0; k < initial.size(); ++k)
      initial[k] = static_cast<unsigned>(k * 40503u >> 4);
    machine::device device;
    machine::module program = machine::load(text_of("tma_kernels", "sm_90a"), device);
    memory from(device, bytes_of(values)), to(device, bytes_of(initial));
    program.launch(
        "reduce_" + how, {2, 2, 1}, {64}, {}, 0,
        {map_of(tensors::words::load::boxes, to.address, {rows, columns, pitch}), from.address},
        options_for(2));
    int wrong = 0;
    auto const bytes = to.bytes();
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < pitch; ++c) {
        unsigned found = 0;
        auto const at = static_cast<std::size_t>(r * pitch + c);
        std::memcpy(&found, bytes.data() + 4 * at, 4);
        wrong +=
            found != (c < columns ? operation(how, initial[at],
                                              values[static_cast<std::size_t>(r % 8 * 32 + c % 32)])
                                  : initial[at]);
      }
    CAPTURE(how);
    CHECK(wrong == 0);
  }
  // The sum of 1 and 2 in bf16. The bits of a bf16 are the upper half of those of a float.
  machine::device device;
  machine::module program = machine::load(text_of("tma_kernels", "sm_90a"), device);
  memory from(device, bytes_of(std::vector<unsigned short>(256, 0x3f80))),
      to(device, bytes_of(std::vector<unsigned short>(8 * 32, 0x4000)));
  program.launch("reduce_bf16", {1, 1, 1}, {64}, {}, 0,
                 {map_of(tensors::halves::load::boxes, to.address, {8, 32, 32}), from.address},
                 options_for(1));
  CHECK(to.bytes() == bytes_of(std::vector<unsigned short>(8 * 32, 0x4040)));
}

TEST_CASE("a multicast writes the same tile in both CTAs") {
  int const rows = 70, columns = 300, pitch = 304;
  std::vector<unsigned short> in(static_cast<std::size_t>(rows * pitch));
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<unsigned short>(k + 1);
  std::vector<axe::integer> const numbers{rows, columns, pitch};
  for (int round = 0; round < 3; ++round) {
    machine::device device;
    machine::module program = machine::load(text_of("tma_kernels", "sm_90a"), device);
    constexpr std::size_t tile = tensors::twice::bytes;
    memory from(device, bytes_of(in)),
        image(device, std::vector<unsigned char>(2 * 6 * tile, 0xee));
    program.launch("multicast", {6, 2, 1}, {64}, {2, 1, 1}, 0,
                   {map_of(tensors::twice::boxes, from.address, numbers), image.address},
                   options_for(round));
    auto const found = image.bytes();
    int wrong = 0;
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 6; ++x)
        for (int r = 0; r < 64; ++r)
          for (int c = 0; c < 128; ++c) {
            int const row = y * 64 + r, column = x / 2 * 128 + c;
            unsigned short value = 0;
            auto const place = static_cast<std::size_t>(
                tma_oracle::swizzled(2 * (c / 64 * 4096 + r * 64 + c % 64), 128));
            std::memcpy(&value, found.data() + static_cast<std::size_t>(y * 6 + x) * tile + place,
                        2);
            wrong += value != (row < rows && column < columns
                                   ? in[static_cast<std::size_t>(row * pitch + column)]
                                   : 0);
          }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a ring of stages passes tiles from a producer to two consumer warps") {
  int const rows = 13, columns = 230, pitch = 232, tiles = 8;
  std::vector<unsigned> in(static_cast<std::size_t>(rows * pitch));
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<unsigned>(k * 2654435761u);
  for (int round = 0; round < 6; ++round) {
    machine::device device;
    machine::module program = machine::load(text_of("tma_kernels", "sm_90a"), device);
    memory from(device, bytes_of(in)), sums(device, std::vector<unsigned char>(2 * 64 * 4, 0xee));
    program.launch("ring", {2, 1, 1}, {96}, {}, 0,
                   {map_of(tensors::words::load::boxes, from.address, {rows, columns, pitch}),
                    sums.address, tiles},
                   options_for(round));
    auto const bytes = sums.bytes();
    for (int b = 0; b < 2; ++b)
      for (int thread = 0; thread < 64; ++thread) {
        unsigned found = 0, expected = 0;
        std::memcpy(&found, bytes.data() + 4 * (b * 64 + thread), 4);
        for (int k = 0; k < tiles; ++k)
          for (int j = thread; j < 256; j += 64) {
            int const r = b * 8 + j / 32, c = k * 32 + j % 32;
            if (r < rows && c < columns) expected += in[static_cast<std::size_t>(r * pitch + c)];
          }
        CHECK(found == expected);
      }
  }
}

TEST_CASE("expect_tx may precede an arrival, and another CTA may arrive") {
  int const rows = 13, columns = 30, pitch = 32;
  std::vector<unsigned> in(static_cast<std::size_t>(rows * pitch));
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<unsigned>(k + 1);
  for (int round = 0; round < 6; ++round) {
    machine::device device;
    machine::module program = machine::load(text_of("tma_kernels", "sm_90a"), device);
    memory from(device, bytes_of(in)), out(device, std::vector<unsigned char>(2 * 256 * 4, 0xee));
    program.launch(
        "barriers_of_a_pair", {2, 1, 1}, {64}, {2, 1, 1}, 0,
        {map_of(tensors::words::load::boxes, from.address, {rows, columns, pitch}), out.address},
        options_for(round));
    std::vector<unsigned> expected(2 * 256);
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < 32; ++c)
        expected[static_cast<std::size_t>(r * 32 + c)] =
            r < rows && c < columns ? in[static_cast<std::size_t>(r * pitch + c)] : 0;
    CHECK(out.bytes() == bytes_of(expected));
  }
}
