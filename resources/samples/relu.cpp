// Title: ReLU in C++
// Summary: Contiguous floats in blocks that the compiler vectorizes, in parallel; everything else goes to ATen.
// Device: cpu
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace {

// NaN is not below zero, so it stays, as ATen has it.
inline float relu(float x) {
    return x < 0.0f ? 0.0f : x;
}

// Values of either sign in random order: a branch for each would be mispredicted half the time. A block of known length becomes vector
// instructions without one, and __restrict__ says that the results are not read again.
void reluRange(const float* __restrict__ from, float* __restrict__ to, int64_t size) {
    constexpr int64_t block = 16;
    int64_t i = 0;
    for (; i + block <= size; i += block) {
        for (int64_t k = 0; k < block; ++k) to[i + k] = relu(from[i + k]);
    }
    for (; i < size; ++i) to[i] = relu(from[i]);
}

}  // namespace

at::Tensor relu_kernel_impl(const at::Tensor& self) {
    if (self.scalar_type() != at::kFloat || !self.is_contiguous()) return at::relu(self);
    at::Tensor out = at::empty_like(self);
    const float* from = self.const_data_ptr<float>();
    float* to = out.mutable_data_ptr<float>();
    at::parallel_for(0, self.numel(), at::internal::GRAIN_SIZE,
                     [&](int64_t begin, int64_t end) { reluRange(from + begin, to + begin, end - begin); });
    return out;
}
