// unfit: a word goes on over a line's end
// SPDX-License-Identifier: Apache-2.0
#include <torch/extension.h>
__glo\
bal__ void one(float* x) { x[0] = 1; }
void run(torch::Tensor x) { one<<<1, 1>>>(x.data_ptr<float>()); }
