// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/engine/sides/registrations.h"

namespace wb {

/// Notices when user code puts kernels of its own in the place of torch's, as torch.library can. Otherwise
/// the candidate would itself be the reference, or what compares with it.
class DispatcherWatch {
 public:
  /// Remembers the present registrations of `op` ("aten::relu"; "" for none). `all` are those of all, from
  /// before any user code ran, and must outlive it.
  DispatcherWatch(const AllRegistrations& all, const std::string& op);
  DispatcherWatch(const DispatcherWatch&) = delete;
  DispatcherWatch& operator=(const DispatcherWatch&) = delete;

  /// What was replaced, "the kernel of aten::relu for CPU (registered at relu.py:4)"; "" as long as nothing
  /// was.
  [[nodiscard]] std::string replaced();
  /// The same after one case of many: all operators are looked at so seldom that it takes no tenth of the
  /// time.
  [[nodiscard]] std::string replacedSoFar();

 private:
  [[nodiscard]] std::string ownReplaced();
  const AllRegistrations& all_;
  Registrations own_;
  Registrations::Lines before_;
  /// When all were looked at, and for how long.
  std::optional<std::chrono::steady_clock::time_point> looked_;
  std::chrono::steady_clock::duration took_{};
};

}  // namespace wb
