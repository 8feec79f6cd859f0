// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "core/engine/call.h"
#include "core/engine/reference/exception_text.h"

namespace wb {

/// A call that takes a stack of values and leaves one. What it throws is an error of the check.
class StackCall : public PreparedCall {
 public:
  Result<void> run() final {
    try {
      call();
      return {};
    } catch (...) {
      results_.clear();
      return Error{Stage::check, exceptionText()};
    }
  }
  Result<Stack> outputs() final { return results_; }

 protected:
  explicit StackCall(Stack arguments) : arguments_(std::move(arguments)) {}
  /// Calls with `arguments_`, which stay, and leaves what comes back in `results_`.
  virtual void call() = 0;

  Stack arguments_, results_;
};

}  // namespace wb
