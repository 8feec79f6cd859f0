// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "core/engine/call_elsewhere.h"
#include "core/engine/guest/waiting/kept_guests.h"

namespace wb {

/// Whether what is known of a kernel that comes again is found out again all the same, as it is now and then.
[[nodiscard]] bool asksAgain();

/// What this process has found out about the kernels that it has run, for those that come again.
class KnownKernels {
 public:
  /// What is known of the case with this number.
  [[nodiscard]] KnownOfCase& of(const ServedKernel& kernel, std::uint32_t index);

 private:
  struct Known {
    ServedKernel kernel;
    std::map<std::uint32_t, KnownOfCase> cases;
  };
  /// The one that was asked for last stands last.
  std::deque<Known> all_;
};

}  // namespace wb
