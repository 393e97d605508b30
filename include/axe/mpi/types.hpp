// Derived datatypes of a transfer: nested hvectors, one for each digit of a run.
//
//     datatype t = type_of(transfer, sizeof(T), true, base);       what the sender reads
//
// The type holds absolute addresses and is used with MPI_BOTTOM. Its size may exceed 2^31 bytes.
#pragma once

#include <axe/mpi/error.hpp>
#include <axe/mpi/schedule.hpp>

#include <utility>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

/// A datatype that is freed at the end of its scope.
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

/// Elements of `bytes` bytes at the addresses of a run, from its begin on.
inline datatype type_of(strided_run const& r, integer bytes, bool from) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  require(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &made), "MPI_Type_contiguous");
  datatype type(made);
  for (int k = r.digits.size() - 1; k >= 0; --k) {
    run_digit const& d = r.digits[k];
    MPI_Aint const stride = static_cast<MPI_Aint>((from ? d.from_stride : d.to_stride) * bytes);
    // Counts are int: a longer digit is split in two.
    integer const inner = d.extent <= (integer{1} << 30) ? d.extent : integer{1} << 30;
    if (d.extent % inner != 0) throw error("a digit of a run has more than 2^30 elements");
    require(MPI_Type_create_hvector(static_cast<int>(inner), 1, stride, type.get(), &made),
            "MPI_Type_create_hvector");
    type = datatype(made);
    if (inner == d.extent) continue;
    require(MPI_Type_create_hvector(static_cast<int>(d.extent / inner), 1,
                                    stride * static_cast<MPI_Aint>(inner), type.get(), &made),
            "MPI_Type_create_hvector");
    type = datatype(made);
  }
  return type;
}

/// Types at absolute addresses as one type, ready for use.
inline datatype joined(std::vector<datatype> const& parts, std::vector<MPI_Aint> begins = {}) {
  begins.resize(parts.size(), 0);
  std::vector<MPI_Datatype> types;
  for (datatype const& part : parts) types.push_back(part.get());
  std::vector<int> const ones(parts.size(), 1);
  MPI_Datatype made = MPI_DATATYPE_NULL;
  require(MPI_Type_create_struct(static_cast<int>(parts.size()), ones.data(), begins.data(),
                                 types.data(), &made),
          "MPI_Type_create_struct");
  require(MPI_Type_commit(&made), "MPI_Type_commit");
  return datatype(made);
}

/// All runs of a transfer, on the side that reads or on the one that writes; `base` is its buffer.
inline datatype type_of(transfer const& t, integer bytes, bool from, void const* base) {
  std::vector<datatype> parts;
  std::vector<MPI_Aint> begins;
  MPI_Aint start = 0;
  require(MPI_Get_address(base, &start), "MPI_Get_address");
  for (strided_run const& r : t.runs) {
    parts.push_back(type_of(r, bytes, from));
    begins.push_back(start + static_cast<MPI_Aint>((from ? r.begin_from : r.begin_to) * bytes));
  }
  return joined(parts, begins);
}

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
