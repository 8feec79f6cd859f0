// SPDX-License-Identifier: Apache-2.0
// Stands in for pybind11's header of this name: bindings are ignored here.
#pragma once
#include <warpbench_standin.h>
