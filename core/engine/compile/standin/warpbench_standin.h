// SPDX-License-Identifier: Apache-2.0
// What a torch C++ kernel is compiled with, precompiled: the tensor part of torch/extension.h, without Python
// and without the C++ frontend (torch::nn and the like), which would cost 20 s instead of 8.
#pragma once

#include <torch/types.h>

#include <ATen/Parallel.h>

#include "warpbench_bindings.h"
#include "warpbench_glue.h"
#include "warpbench_modules.h"
