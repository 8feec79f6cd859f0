// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "core/base/process/process_start.h"

namespace wb {

/// On which processors each thread of this process may run, and with which priority. A kernel that moves
/// torch's threads slows the reference and not itself.
class ThreadPlaces {
 public:
  /// Takes the present threads.
  ThreadPlaces();
  /// Puts back the threads that were moved and still exist.
  [[nodiscard]] PutBack putBack() const;

 private:
  struct Place {
    /// One bit for each processor, as the system call takes them.
    std::vector<unsigned long> processors;
    int nice = 0, policy = 0;
    bool operator==(const Place&) const = default;
  };
  static Place placeOf(int thread);
  static bool put(int thread, const Place& place);
  std::map<int, Place> places_;
};

}  // namespace wb
