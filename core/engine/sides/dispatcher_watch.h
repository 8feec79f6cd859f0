// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/engine/sides/registrations.h"

namespace wb {

/// Notices when user code puts kernels of its own in the place of torch's, as torch.library can. Otherwise
/// the candidate would itself be the reference, or what compares with it.
class DispatcherWatch {
 public:
  /// Remembers the present registrations of `op` ("aten::relu"; "" for none) and of the helpers, which must
  /// outlive it.
  DispatcherWatch(std::vector<Registrations>& helpers, const std::string& op);
  DispatcherWatch(const DispatcherWatch&) = delete;
  DispatcherWatch& operator=(const DispatcherWatch&) = delete;

  /// What was replaced, "the kernel of aten::relu for CPU (registered at relu.py:4)"; "" as long as nothing
  /// was. Where nothing was, it takes a few dozen microseconds, so that it can be asked after every case.
  [[nodiscard]] std::string replaced() const;

 private:
  struct Watched {
    Registrations* registrations;
    Registrations::Lines before;
  };
  Registrations own_;
  std::vector<Watched> watched_;
};

}  // namespace wb
