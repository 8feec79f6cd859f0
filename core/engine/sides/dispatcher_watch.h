// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <map>
#include <string>
#include <vector>

namespace wb {

/// Notices when user code puts kernels of its own in the place of torch's, as torch.library can. Otherwise
/// the candidate would itself be the reference, or what compares with it.
class DispatcherWatch {
 public:
  /// Remembers the present registrations of `op` ("aten::relu"; "" for none) and of the operators that are
  /// called to make inputs and to compare.
  explicit DispatcherWatch(const std::string& op);

  /// What was replaced, "the kernel of aten::relu for CPU (registered at relu.py:4)"; "" as long as nothing
  /// was.
  [[nodiscard]] std::string replaced() const;
  /// The same, found at the cost of a few dozen microseconds where nothing was replaced, so that it can be
  /// asked after every case: it looks at those kernels only that a call on plain tensors meets.
  [[nodiscard]] std::string replacedInCall() const;

 private:
  std::string op_;
  /// What is registered for an operator, by its name.
  std::map<std::string, std::string> before_;
  /// An operator, and where the kernels were registered that its calls met.
  struct Met {
    c10::OperatorHandle op;
    std::string places;
  };
  std::vector<Met> met_;
};

}  // namespace wb
