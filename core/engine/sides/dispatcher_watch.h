// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace wb {

/// Notices when user code puts kernels of its own into the place of torch's, as torch.library can: the
/// reference, or what compares with it, would then be the candidate's.
class DispatcherWatch {
 public:
  /// As it is now: of `op` ("aten::relu"; "" for none) and of the operators that making inputs and comparing
  /// call.
  explicit DispatcherWatch(const std::string& op);

  /// "the kernel of aten::relu for CPU (registered at relu.py:4)"; "" as long as all are what they were.
  [[nodiscard]] std::string replaced() const;
  /// The same of `op` alone, which is cheap enough to be asked after every case.
  [[nodiscard]] std::string replacedOwn() const;

 private:
  std::string op_;
  std::map<std::string, std::string> before_;  ///< what is registered for an operator, by its name
};

}  // namespace wb
