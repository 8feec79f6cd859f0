// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace wb {

/// The kernels that are registered for one of torch's operators.
class Registrations {
 public:
  using Lines = std::shared_ptr<const std::string>;
  /// `op` is the operator's name, "aten::relu".
  explicit Registrations(std::string op) : op_(std::move(op)) {}
  [[nodiscard]] const std::string& op() const { return op_; }
  /// A line for each registration that a call without gradients and modes can meet, as torch words it: "CPU:
  /// registered at relu.py:4 :: (none) [ boxed ]". As long as these are the same, so is the object. Torch
  /// takes 0.1 ms to put them into words, so that it is asked again only where its table of the operator's
  /// kernels, by which it calls them, is not what it was.
  [[nodiscard]] Lines lines();

 private:
  std::string op_;
  Lines lines_;
  /// The table's bytes when the lines were made.
  std::vector<std::byte> table_;
};

/// The code behind all of torch's operators, as a call without modes can meet it: an operator calls others,
/// inputs are made and results compared by them.
class AllRegistrations {
 public:
  /// Remembers what there is.
  AllRegistrations();
  /// What is another one, "the kernel of aten::relu for CPU (registered at relu.py:4)"; "" as long as nothing
  /// is. Takes about a millisecond.
  [[nodiscard]] std::string replaced() const;

 private:
  struct All;
  std::shared_ptr<const All> all_;
};

}  // namespace wb
