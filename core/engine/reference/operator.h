// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/reference/tensor_source.h"
#include "core/model/case.h"
#include "core/model/operators/catalogue.h"
#include "core/model/operators/literal.h"

namespace wb {

/// All operators of the loaded torch, sorted.
[[nodiscard]] std::vector<OperatorEntry> operators();

/// Finds by schema name ("aten::sum.dim_IntList").
Result<c10::OperatorHandle> findOperator(const std::string& schemaName);

/// Arguments of one call made from its literal, in schema order: values from `seed` (a generator of its own;
/// the default one is left alone), the same on every call and device. Floating types: signed, normal-ish
/// values that no trivial answer passes. Errors name the argument.
Result<Stack> makeArguments(const c10::FunctionSchema& schema, const Literal& call, std::uint64_t seed,
                            const std::string& device);
/// The same with tensors from elsewhere.
Result<Stack> makeArguments(const c10::FunctionSchema& schema, const Literal& call, std::uint64_t seed,
                            const std::string& device, const TensorSource& source);

/// Deep copy: tensors cloned with their strides (expanded ones keep sharing), everything else as it is.
[[nodiscard]] Stack cloneArguments(const Stack& arguments);

/// The operator through the dispatcher, boxed, bound to arguments.
[[nodiscard]] std::unique_ptr<PreparedCall> prepareReference(const c10::OperatorHandle& op,
                                                             const Stack& arguments);

/// The reference's outputs as a plan: what a candidate that allocates its own goes by.
[[nodiscard]] OutputPlan planFrom(const Stack& outputs);

/// Shapes and types of the outputs, from the reference on inputs of another seed.
Result<OutputPlan> planOutputs(const c10::OperatorHandle& op, const Stack& otherArguments);

}  // namespace wb
