// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <optional>

#include "core/engine/call.h"
#include "core/engine/python/bridge/object.h"

namespace wb::python {

/// A call's positional and keyword arguments as Python objects: what its literal spells, tensors taken from
/// the bound arguments (shared, not copied).
struct Arguments {
  Object positional;  ///< tuple
  Object keywords;    ///< dict, or null
};
[[nodiscard]] Arguments toPython(const BoundCall& call, const c10::FunctionSchema& schema,
                                 const std::string& device);

/// None for an undefined one. Shared, not copied.
[[nodiscard]] Object wrapTensor(const at::Tensor& tensor);
/// The tensor that a torch.Tensor or a subclass of it is; nothing for other objects.
[[nodiscard]] std::optional<at::Tensor> tensorIn(PyObject* value);
/// A Python number; None's IValue for what is none.
[[nodiscard]] c10::IValue numberIn(PyObject* value);

/// What a kernel returned, as results of the schema: a tuple or list is taken apart where several are
/// promised. Throws Raised for what no operator returns, among them subclasses of Tensor.
[[nodiscard]] Stack toResults(PyObject* value, std::size_t promised);

/// A list of tensors, numbers and lists of them, as arguments.
[[nodiscard]] Stack toStack(PyObject* list, const c10::FunctionSchema& schema);

}  // namespace wb::python
