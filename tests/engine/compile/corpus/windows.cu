// fit
// SPDX-License-Identifier: Apache-2.0
#include <torch/extension.h>

// Größen und ein Kern \
   __global__ void nothing() {
__device__ float größe(float $x) {
	return $x * 2.f;
}
__global__ void größen(float* x, // the first … {
		int n /* } */) {
	if (threadIdx.x < n)
		x[threadIdx.x] = größe(x[threadIdx.x]);
}

at::Tensor run(at::Tensor x) {
	größen<<<1,\
		32>>>(x.data_ptr<float>(), \
		x.numel());
	return x;
}
