// SPDX-License-Identifier: MIT
// peer_messages: executes a round by one packed message for each pair of ranks.
//
//     between nodes     pack, MPI_Isend, MPI_Irecv, unpack; dense elements are sent in place
//     inside a node     pack into the shared window, notify, unpack from there, acknowledge
//
// A source or tmp0 in the window is read in place.
#pragma once

#include <axe/mpi/shared_window.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

template <class T> class peer_messages {
 public:
  peer_messages(MPI_Comm on, int own, shared_window<T> const* in_node)
      : comm(on), rank(own), window(in_node) {}

  void begin(round const& r, buffers<T> const& b) {
    wait_all(acknowledgements);
    in_place = false;
    post_receives(r, b);
    post_sends(r, b);
    if (!r.adds) b.copy_all_local(r, rank);
  }
  void end(round const& r, buffers<T> const& b) {
    for (std::size_t k = 0; k < r.arrivals.size(); ++k) {
      transfer const& t = r.arrivals[k];
      if (t.peer == rank) {
        if (r.adds) b.copy_local(t);
        continue;
      }
      auto const [first, last] = requests_of[k];
      require(MPI_Waitall(last - first, receives.data() + first, MPI_STATUSES_IGNORE),
              "MPI_Waitall");
      if (T const* const memory = neighbour(t.peer))
        read_window(t, memory, notices[k], b);
      else if (!arrives_in_place(t))
        t.unpack(arrives_at[k], b.writes(t.write));
    }
    receives.clear();
    wait_all(sends);
    // After the move, the caller may write to a source in the window.
    if (in_place) wait_all(acknowledgements);
  }
  /// Waits until no other rank reads this rank's window.
  void finish() { wait_all(acknowledgements); }

  static integer packed_in_window(round const& r, node const& inside) {
    integer sum = 0;
    for (transfer const& t : r.sends)
      if (inside.index_of(t.peer) >= 0) sum += t.elements;
    return sum;
  }

 private:
  enum tags { data_tag, notice_tag, acknowledgement_tag };
  static constexpr integer longest_message = integer{1} << 30;  // bytes

  struct notice {
    integer at;      // in the sender's window
    integer packed;  // 0 or 1
  };

  T const* neighbour(int peer) const { return window == nullptr ? nullptr : window->of(peer); }

  static bool arrives_in_place(transfer const& t) { return !t.adds && t.dense(false); }

  void post_receives(round const& r, buffers<T> const& b) {
    std::size_t const count = r.arrivals.size();
    requests_of.assign(count, {0, 0});
    arrives_at.assign(count, nullptr);
    notices.assign(count, {});
    integer size = 0;
    for (std::size_t k = 0; k < count; ++k) {
      transfer const& t = r.arrivals[k];
      if (t.peer != rank && neighbour(t.peer) == nullptr && !arrives_in_place(t))
        size += t.elements;
    }
    T* next = incoming.at_least(size);
    for (std::size_t k = 0; k < count; ++k) {
      transfer const& t = r.arrivals[k];
      if (t.peer == rank) continue;
      int const first = static_cast<int>(receives.size());
      if (neighbour(t.peer) != nullptr)
        receive(&notices[k], sizeof(notice), t.peer, notice_tag);
      else
        receive(arrives_at[k] = arrival_of(t, b, next), bytes_of(t), t.peer, data_tag);
      requests_of[k] = {first, static_cast<int>(receives.size())};
    }
  }
  static T* arrival_of(transfer const& t, buffers<T> const& b, T*& next) {
    if (arrives_in_place(t)) return b.writes(t.write) + t.begin(false);
    T* const at = next;
    next += t.elements;
    return at;
  }
  void post_sends(round const& r, buffers<T> const& b) {
    std::size_t const count = r.sends.size();
    integer size = 0;
    for (transfer const& t : r.sends) size += t.elements;
    if (window == nullptr || !all_neighbours(r)) outgoing.at_least(size);
    own_notices.assign(count, {});
    std::vector<T const*> packed[2];  // [0]: messages, [1]: in the window
    packed[0].assign(count, nullptr);
    packed[1].assign(count, nullptr);
    T* next[2] = {outgoing.data(), window == nullptr ? nullptr : window->packed()};
    for (std::size_t k = 0; k < count; ++k) {
      transfer const& t = r.sends[k];
      bool const shared = neighbour(t.peer) != nullptr;
      T const* const from = b.reads(t.read);
      std::size_t const same = t.packed_as < 0 ? k : static_cast<std::size_t>(t.packed_as);
      T const*& at = packed[shared ? 1 : 0][same];
      integer const in_window = shared ? window->offset_of(from) : -1;
      if (in_window >= 0) {
        own_notices[k] = {in_window, 0};
        in_place = true;
      } else if (!shared && t.dense(true)) {
        at = from + t.begin(true);
      } else if (at == nullptr) {
        T*& to = next[shared ? 1 : 0];
        t.pack(from, to);
        at = to;
        to += t.elements;
      }
      if (!shared) {
        send(at, bytes_of(t), t.peer, data_tag);
        continue;
      }
      if (in_window < 0) own_notices[k] = {at - window->source(), 1};
      send_notice(t.peer, own_notices[k]);
    }
  }
  void send_notice(int peer, notice const& own) {
    window->sync();
    send(&own, sizeof(notice), peer, notice_tag);
    MPI_Request request = MPI_REQUEST_NULL;
    require(MPI_Irecv(nullptr, 0, MPI_BYTE, peer, acknowledgement_tag, comm, &request),
            "MPI_Irecv");
    acknowledgements.push_back(request);
  }
  bool all_neighbours(round const& r) const {
    for (transfer const& t : r.sends)
      if (neighbour(t.peer) == nullptr) return false;
    return true;
  }
  void read_window(transfer const& t, T const* memory, notice const& n, buffers<T> const& b) {
    window->sync();
    if (n.packed != 0)
      t.unpack(memory + n.at, b.writes(t.write));
    else
      t.copy(memory + n.at, b.writes(t.write));
    window->sync();
    send(nullptr, 0, t.peer, acknowledgement_tag);
  }

  static integer bytes_of(transfer const& t) {
    return t.elements * static_cast<integer>(sizeof(T));
  }
  /// Posts long messages in parts, in order: counts of MPI are int.
  static void in_pieces(integer size, auto const& post) {
    integer done = 0;
    do {
      integer const length = std::min(longest_message, size - done);
      post(done, static_cast<int>(length));
      done += length;
    } while (done < size);
  }
  void send(void const* from, integer size, int peer, int tag) {
    in_pieces(size, [&](integer done, int length) {
      sends.push_back(MPI_REQUEST_NULL);
      require(MPI_Isend(static_cast<char const*>(from) + done, length, MPI_BYTE, peer, tag, comm,
                        &sends.back()),
              "MPI_Isend");
    });
  }
  void receive(void* to, integer size, int peer, int tag) {
    in_pieces(size, [&](integer done, int length) {
      receives.push_back(MPI_REQUEST_NULL);
      require(MPI_Irecv(static_cast<char*>(to) + done, length, MPI_BYTE, peer, tag, comm,
                        &receives.back()),
              "MPI_Irecv");
    });
  }

  MPI_Comm comm;
  int rank;
  shared_window<T> const* window;
  bool in_place = false;
  scratch<T> incoming, outgoing;
  std::vector<T*> arrives_at;
  std::vector<std::pair<int, int>> requests_of;  // of `receives`, by arrival
  std::vector<notice> notices, own_notices;
  std::vector<MPI_Request> receives, sends, acknowledgements;
};

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
