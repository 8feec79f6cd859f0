// Title: Softmax in C++
// Summary: Three passes over each row of contiguous floats, rows in parallel; everything else goes to ATen.
// Device: cpu
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

namespace {

void softmaxRow(const float* from, float* to, int64_t size) {
    // exp(x - max) cannot overflow, and the quotient is the same.
    float largest = from[0];
    for (int64_t i = 1; i < size; ++i) largest = std::max(largest, from[i]);
    float sum = 0.0f;
    for (int64_t i = 0; i < size; ++i) {
        to[i] = std::exp(from[i] - largest);
        sum += to[i];
    }
    const float scale = 1.0f / sum;
    for (int64_t i = 0; i < size; ++i) to[i] *= scale;
}

}  // namespace

// aten::_softmax is what softmax(self, dim) ends in.
at::Tensor _softmax_kernel_impl(const at::Tensor& self, int64_t dim, bool half_to_float) {
    const bool lastDimension = self.dim() > 0 && (dim == -1 || dim == self.dim() - 1);
    if (self.scalar_type() != at::kFloat || !self.is_contiguous() || !lastDimension || self.numel() == 0) {
        return at::_softmax(self, dim, half_to_float);
    }
    at::Tensor out = at::empty_like(self);
    const float* from = self.const_data_ptr<float>();
    float* to = out.mutable_data_ptr<float>();
    const int64_t size = self.size(-1);
    const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / size);
    at::parallel_for(0, self.numel() / size, grain, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) softmaxRow(from + row * size, to + row * size, size);
    });
    return out;
}
