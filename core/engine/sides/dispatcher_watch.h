// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

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
  /// The same for `op` alone, which is cheap enough to be called after every case.
  [[nodiscard]] std::string replacedOwn() const;

 private:
  std::string op_;
  /// What is registered for an operator, by its name.
  std::map<std::string, std::string> before_;
};

}  // namespace wb
