// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/reference/tensor_source.h"
#include "core/model/case.h"
#include "core/model/operators/catalogue.h"
#include "core/model/operators/literal.h"

namespace wb {

/// All operators of the loaded torch, sorted.
[[nodiscard]] std::vector<OperatorEntry> operators();

/// Finds an operator by its schema name ("aten::sum.dim_IntList").
Result<c10::OperatorHandle> findOperator(const std::string& schemaName);

/// The arguments of one call made from its literal, in schema order. Their values come from `seed` (with a
/// generator of its own; the default one is left alone) and are the same on every call and device. Floating
/// types get signed values, roughly of the normal distribution, for which no trivial answer passes. Errors
/// name the argument.
Result<Stack> makeArguments(const c10::FunctionSchema& schema, const Literal& call, std::uint64_t seed,
                            const std::string& device);
/// The same with tensors from another source.
Result<Stack> makeArguments(const c10::FunctionSchema& schema, const Literal& call, std::uint64_t seed,
                            const std::string& device, const TensorSource& source);

/// Whether it is a problem's own reference, which is whatever its author wrote.
[[nodiscard]] inline bool isProblem(const c10::OperatorHandle& op) {
  return op.schema().name().starts_with("problem::");
}

/// The bytes of the largest tensor, those in lists among them; 0 without any.
[[nodiscard]] std::size_t largestTensorBytes(const Stack& values);

/// An argument by its name in the schema; nothing where there is none, or it is None.
[[nodiscard]] std::optional<c10::IValue> argumentNamed(const c10::OperatorHandle& op, const Stack& arguments,
                                                       std::string_view name);

/// A deep copy: tensors are cloned with their strides (expanded ones keep sharing), everything else stays as
/// it is.
[[nodiscard]] Stack cloneArguments(const Stack& arguments);

/// The same values in tensors of their own, which lie over the same memory as long as these ones have it:
/// whoever gives one of them other strides or other memory does not change the others.
[[nodiscard]] Stack argumentsOverSameMemory(const Stack& arguments);

/// A call of the operator through the dispatcher, boxed, with its arguments bound.
[[nodiscard]] std::unique_ptr<PreparedCall> prepareReference(const c10::OperatorHandle& op,
                                                             const Stack& arguments);

/// Whether it calls one of torch's convolutions, as a problem's model may within. Runs it, and may change
/// `arguments`.
[[nodiscard]] bool callsConvolution(const c10::OperatorHandle& op, const Stack& arguments);
/// While that is looked for on this thread, whoever has another process call operators tells their names.
[[nodiscard]] bool areConvolutionsLookedFor();
void calledThere(std::string_view name);

/// The reference's outputs as a plan, which a candidate that allocates its own outputs follows.
[[nodiscard]] OutputPlan planFrom(const Stack& outputs);

/// The shapes and types of the outputs, learned from the reference on inputs of another seed.
Result<OutputPlan> planOutputs(const c10::OperatorHandle& op, const Stack& otherArguments);

}  // namespace wb
