// SPDX-License-Identifier: Apache-2.0
// Stands in for torch's own header of this name, which takes 14 s and more to compile.
#pragma once
#include <warpbench_standin.h>
#ifdef WARPBENCH_WHOLE_TORCH  // the source uses torch::nn, torch::optim, …
#include_next <torch/all.h>
#endif
