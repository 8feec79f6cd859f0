// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/engine/python/bridge/object.h"
#include "core/engine/reference/problem_models.h"

namespace wb::python {

/// A Python object that answers as `Asked` of resources/python/warpbench_models.py does; null for None. What
/// it raises says nothing.
[[nodiscard]] std::shared_ptr<ProblemModel> problemModel(PyObject* asked);

}  // namespace wb::python
