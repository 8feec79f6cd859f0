// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/check/compare/element_errors.h"
#include "core/model/measurement.h"

namespace wb {

/// Gathers the errors of a case's outputs into its figures.
class ErrorGatherer {
 public:
  /// Adds an output, which is counted from 0; both tensors are those that were compared.
  void add(const ElementErrors& errors, const at::Tensor& candidate, const at::Tensor& expected,
           std::size_t output, bool oracle);
  /// How many elements are over tolerance and right all the same, how many of these by their room for
  /// rounding, and how much of it they used.
  [[nodiscard]] std::int64_t forgiven() const { return figures_.forgiven; }
  [[nodiscard]] std::int64_t forgivenByRoom() const { return forgivenByRoom_; }
  [[nodiscard]] double roomUsed() const { return roomUsed_; }
  /// The message "3 of 20 elements differ, the first at [2, 3]: expected 13, got 13.5".
  [[nodiscard]] std::string mismatchText() const;
  [[nodiscard]] ErrorFigures figures() &&;

 private:
  ErrorFigures figures_;
  DifferenceSample differences_;
  std::int64_t forgivenByRoom_ = 0;
  double roomUsed_ = 0;
};

}  // namespace wb
