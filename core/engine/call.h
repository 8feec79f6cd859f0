// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/operators/literal.h"

namespace wb {

/// The arguments of an operator in its schema's order with defaults filled in; or its results.
using Stack = std::vector<c10::IValue>;

/// A kernel (or an ATen operator) bound to one case's arguments, ready to run many times.
class PreparedCall {
 public:
  virtual ~PreparedCall() = default;
  /// Runs once. On a GPU it only enqueues, on the current stream (torch's default: the legacy stream). What
  /// user code throws is returned as an Error of stage `check` with the exception's text; a launch failure is
  /// returned with CUDA's name and text.
  virtual Result<void> run() = 0;
  /// The results of the last run, in the schema's order. On a GPU they are valid after a synchronisation.
  virtual Result<Stack> outputs() = 0;
  /// Fills the outputs with poison (NaN, or a pattern for integers) where the worker allocates them.
  /// Elsewhere it does nothing.
  virtual void poisonOutputs() {}
  /// Why its time may not stand beside the reference's, such as a copy that is made for it outside of run();
  /// "" when it may.
  [[nodiscard]] virtual std::string notComparable() const { return {}; }
};

/// Shape, strides, dtype and device of each expected output, learned from the reference on other inputs. An
/// undefined tensor in `example` stands for an output that is not a tensor.
struct OutputPlan {
  std::vector<at::Tensor> examples;
};

/// One call of an operator: as its case spells it, which says what is positional and what was left out; and
/// its arguments in the schema's order with the defaults filled in.
struct BoundCall {
  const Literal& spelling;
  const Stack& arguments;
};

/// A compiled kernel.
class Candidate {
 public:
  virtual ~Candidate() = default;
  /// Binds the kernel to a case's call, of which only copies are kept. `call.arguments` share storage with
  /// what the caller holds: the kernel may change them, which the caller checks. Errors: this dtype was not
  /// compiled; the kernel's parameters cannot take an argument; an expression of the header fails.
  virtual Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan& outputs) = 0;
  /// Whether the kernel's text names a CUDA stream. That is BackendBench's only search for cheats, and it
  /// does not run such a kernel. Only Checking::likeBackendBench may ask.
  [[nodiscard]] virtual bool mentionsStream() const { return false; }
  /// This process is a fork of the one in which the kernel was loaded, and its calls count all the same.
  virtual void isForked() {}
};

}  // namespace wb
