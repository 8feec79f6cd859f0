/* warpbench
# Title: ReLU in raw CUDA
# Summary: One __global__ function and how to launch it; the case's dtype is scalar_t.
operator = "aten::relu"
args = ["self", "out", "numel(self)"]
grid = ["ceil_div(numel(self), 256)"]
block = [256]
*/

__global__ void relu(const scalar_t* self, scalar_t* out, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < n) {
    const scalar_t x = self[i];
    out[i] = x < static_cast<scalar_t>(0.0f) ? static_cast<scalar_t>(0.0f) : x;  // keeps NaN, as ATen does
  }
}
