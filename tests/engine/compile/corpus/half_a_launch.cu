// unfit: a macro holds a part of a launch
// SPDX-License-Identifier: Apache-2.0
#include <torch/extension.h>
#define ON(grid, block) <<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>
__global__ void one(float* x) { x[0] = 1; }
void run(torch::Tensor x) { one ON(1, 1)(x.data_ptr<float>()); }
