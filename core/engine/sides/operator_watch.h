// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// Sees, while it lives, whether this thread calls an operator of ATen in any of its variants: "aten::relu"
/// is also relu_ and relu.out. This tells a kernel that hands its work to ATen from one that does it. There
/// may be one per thread at a time; calls from threads that a kernel starts itself are not seen.
class OperatorWatch {
 public:
  explicit OperatorWatch(const std::string& op);
  ~OperatorWatch();
  OperatorWatch(const OperatorWatch&) = delete;
  OperatorWatch& operator=(const OperatorWatch&) = delete;
  /// The operator as it was called, "aten::relu_"; "" when it was not called.
  [[nodiscard]] const std::string& called() const { return called_; }

  /// Called by torch's observer.
  void see(const char* name);

 private:
  std::string base_, called_;
  unsigned long handle_ = 0;
};

}  // namespace wb
