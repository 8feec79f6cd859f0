/* warpbench
# Title: ReLU in CUDA, 16 bytes a thread
# Summary: Element-wise: vector loads and stores where the pointers allow them.
operator = "aten::relu"
args = ["self", "out", "numel(self)"]
grid = ["ceil_div(ceil_div(numel(self), 16 / itemsize(self)), 256)"]
block = [256]
*/

constexpr int kWidth = 16 / sizeof(scalar_t);

struct alignas(16) Pack {
    scalar_t values[kWidth];
};

// NaN is not below zero, so it stays, as ATen has it.
__device__ scalar_t relu(scalar_t x) {
    const scalar_t zero = static_cast<scalar_t>(0.0f);
    return x < zero ? zero : x;
}

__global__ void relu_kernel(const scalar_t* __restrict__ self, scalar_t* __restrict__ out, long long n) {
    const long long first = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) * kWidth;
    if (first >= n) return;
    // A tensor may begin anywhere in its storage: check before reading 16 bytes at once.
    const bool aligned = (reinterpret_cast<size_t>(self) | reinterpret_cast<size_t>(out)) % 16 == 0;
    if (aligned && first + kWidth <= n) {
        Pack pack = *reinterpret_cast<const Pack*>(self + first);
        #pragma unroll
        for (int i = 0; i < kWidth; ++i) pack.values[i] = relu(pack.values[i]);
        *reinterpret_cast<Pack*>(out + first) = pack;
    } else {
        for (long long i = first; i < first + kWidth && i < n; ++i) out[i] = relu(self[i]);
    }
}
