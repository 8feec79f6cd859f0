// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <optional>

#include "core/engine/call.h"
#include "core/engine/python/bridge/object.h"

namespace wb::python {

/// How a Python function is called for an operator.
struct CallingWay {
  c10::FunctionSchema schema;
  /// The job's device.
  std::string device;
  /// What the case spells is passed on as it is; a lone number for a list of one, too.
  bool raw = false;
};

/// A call's positional and keyword arguments as Python objects: what the case gives by position comes by
/// position, what it gives by name by name, and what it leaves out is left out. Numbers arrive as the
/// dispatcher hands them to a function that is registered with it: `dim=0` for an `int[1]` as [0], 1 for a
/// `float` as 1.0. Tensors are taken from the bound arguments (shared, not copied).
struct Arguments {
  /// A tuple.
  Object positional;
  /// A dict, or null.
  Object keywords;
};
[[nodiscard]] Arguments toPython(const BoundCall& call, const CallingWay& how);

/// A tensor as a Python object that shares it; None for an undefined one.
[[nodiscard]] Object wrapTensor(const at::Tensor& tensor);
/// The tensor that a torch.Tensor or a subclass of it is; nothing for other objects.
[[nodiscard]] std::optional<at::Tensor> tensorIn(PyObject* value);
/// The value of a Python number; None's IValue for an object that is not a number.
[[nodiscard]] c10::IValue numberIn(PyObject* value);

/// What a kernel returned, as results of the schema: a tuple or list is taken apart where several are
/// promised. Throws Raised for what no operator returns, such as subclasses of Tensor.
[[nodiscard]] Stack toResults(PyObject* value, std::size_t promised);

/// A list of tensors, numbers and lists of them, as the arguments of a call.
[[nodiscard]] Stack toStack(PyObject* list, const c10::FunctionSchema& schema);

}  // namespace wb::python
