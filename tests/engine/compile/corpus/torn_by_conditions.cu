// unfit: brackets
// SPDX-License-Identifier: Apache-2.0
#include <torch/extension.h>

#ifdef DOUBLE
__global__ void twice(double* x, int n) {
  const double by = 2;
#else
__global__ void twice(float* x, int n) {
  const float by = 2;
#endif
  if (threadIdx.x < n) x[threadIdx.x] *= by;
}

void run(torch::Tensor x) {
  twice<<<1, 32>>>(x.data_ptr<float>(), x.numel());
}
