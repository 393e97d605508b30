// SPDX-License-Identifier: MIT
// type_list: the derived datatype of a transfer, with nested hvectors for the digits of a run.
#pragma once

#include <axe/mpi/error.hpp>
#include <axe/mpi/schedule.hpp>

#include <utility>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

class datatype {
 public:
  datatype() = default;
  explicit datatype(MPI_Datatype owned) : held(owned) {}
  datatype(datatype&& other) noexcept : held(std::exchange(other.held, MPI_DATATYPE_NULL)) {}
  datatype& operator=(datatype&& other) noexcept {
    std::swap(held, other.held);
    return *this;
  }
  ~datatype() {
    if (held != MPI_DATATYPE_NULL) MPI_Type_free(&held);
  }
  MPI_Datatype get() const { return held; }

 private:
  MPI_Datatype held = MPI_DATATYPE_NULL;
};

/// `count` elements, `stride` bytes apart. MPI counts are int: larger ones are split.
inline datatype repeated(datatype const& one, integer count, integer stride) {
  constexpr integer most = integer{1} << 30;
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Aint const step = static_cast<MPI_Aint>(stride);
  if (count <= most) {
    require(MPI_Type_create_hvector(static_cast<int>(count), 1, step, one.get(), &made),
            "MPI_Type_create_hvector");
    return datatype(made);
  }
  datatype const full = repeated(one, most, stride);
  datatype const parts = repeated(full, count / most, stride * most);
  if (count % most == 0) return repeated(parts, 1, 0);
  datatype const rest = repeated(one, count % most, stride);
  int const ones[2] = {1, 1};
  MPI_Aint const begins[2] = {0, static_cast<MPI_Aint>(count / most * most * stride)};
  MPI_Datatype const both[2] = {parts.get(), rest.get()};
  require(MPI_Type_create_struct(2, ones, begins, both, &made), "MPI_Type_create_struct");
  return datatype(made);
}

inline datatype contiguous(integer count, integer bytes) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  bool const fits = count * bytes <= integer{1} << 30;
  integer const size = fits ? count * bytes : bytes;
  require(MPI_Type_contiguous(static_cast<int>(size), MPI_BYTE, &made), "MPI_Type_contiguous");
  datatype one(made);
  return fits ? std::move(one) : repeated(one, count, bytes);
}

/// The datatype of a run, in packing order and relative to the run's first element.
inline datatype type_of(copy_run const& r, integer bytes, bool at_sender) {
  run_digits const& digits = r.side(at_sender);
  std::size_t count = digits.size();
  bool const dense =
      count > 0 && digits[count - 1].from_stride == 1 && digits[count - 1].to_stride == 1;
  if (dense) --count;
  datatype type = contiguous(dense ? digits[count].extent : 1, bytes);
  while (count-- > 0) {
    run_digit const& d = digits[count];
    type = repeated(type, d.extent, (at_sender ? d.from_stride : d.to_stride) * bytes);
  }
  return type;
}

class type_list {
 public:
  void add(datatype type, integer begin) {
    types.push_back(std::move(type));
    begins.push_back(static_cast<MPI_Aint>(begin));
  }
  void add(transfer const& t, integer bytes, bool at_sender) {
    for (copy_run const& r : t.runs) add(type_of(r, bytes, at_sender), r.begin(at_sender) * bytes);
  }
  bool empty() const { return types.empty(); }
  datatype commit() const {
    std::vector<MPI_Datatype> all;
    for (datatype const& type : types) all.push_back(type.get());
    std::vector<int> const ones(types.size(), 1);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    require(MPI_Type_create_struct(static_cast<int>(types.size()), ones.data(), begins.data(),
                                   all.data(), &made),
            "MPI_Type_create_struct");
    datatype out(made);
    require(MPI_Type_commit(&made), "MPI_Type_commit");
    return out;
  }

 private:
  std::vector<datatype> types;
  std::vector<MPI_Aint> begins;
};

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
