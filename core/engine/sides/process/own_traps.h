// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace wb {

/// Traps (code_traps.h) for this process itself. A fork of it sets them from outside, so that it does not
/// matter which thread comes to a place, how seldom it runs, and whom torch or the system tells of it.
class OwnTraps {
 public:
  /// Is told how many seconds of a processor a fork of ours has worked.
  using Worked = std::function<void(double seconds)>;
  /// Makes the fork, which takes some milliseconds. Null where there can be none. `worked` is told when it
  /// has ended; it may be empty.
  [[nodiscard]] static std::unique_ptr<OwnTraps> at(std::vector<std::uint64_t> places, Worked worked = {});
  /// Ends the fork.
  ~OwnTraps();
  OwnTraps(const OwnTraps&) = delete;
  OwnTraps& operator=(const OwnTraps&) = delete;

  /// Does `work` between traps, and gives the places to which some thread has come meanwhile. Nothing, and
  /// nothing is done, where no traps can be set: somebody traces this process already, the system does not
  /// allow it, or this machine has no such registers.
  [[nodiscard]] std::optional<std::set<std::uint64_t>> during(const std::function<void()>& work);

 private:
  OwnTraps(pid_t fork, int socket, Worked worked)
      : fork_(fork), socket_(socket), worked_(std::move(worked)) {}
  pid_t fork_;
  int socket_;
  Worked worked_;
};

}  // namespace wb
