// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/engine/guest/guest.h"

namespace wb {

/// So many seconds a guest may take until it greets. What it does before that is nobody's fault.
inline constexpr double guestStartSeconds = 120;

/// Guests that have been forked for kernels to come, since what a guest does first takes it a while, above
/// all on a GPU.
class SpareGuests {
 public:
  /// A guest that was started so, or a new one.
  Result<std::unique_ptr<Guest>> take(const Guest::Start& start);
  /// Starts as many more as make up `count`; they are not waited for.
  void prepare(const Guest::Start& start, std::size_t count);
  /// Ends all of them.
  void end() { spares_.clear(); }
  /// Waits until those that were started are ready, so that none of them disturbs what comes.
  void settle();

 private:
  struct Spare {
    Guest::Start start;
    std::unique_ptr<Guest> guest;
  };
  std::vector<Spare> spares_;
};

}  // namespace wb
