// Title: Addition in C++
// Summary: Two contiguous float tensors of one shape in parallel; broadcasting and mixed types go to ATen.
// Device: cpu
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

at::Tensor add_kernel_impl(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
    const bool simple = self.scalar_type() == at::kFloat && other.scalar_type() == at::kFloat && self.sizes() == other.sizes() &&
                        self.is_contiguous() && other.is_contiguous();
    if (!simple) return at::add(self, other, alpha);
    at::Tensor out = at::empty_like(self);
    const float* a = self.const_data_ptr<float>();
    const float* b = other.const_data_ptr<float>();
    float* to = out.mutable_data_ptr<float>();
    const float scale = alpha.to<float>();
    at::parallel_for(0, self.numel(), at::internal::GRAIN_SIZE, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = a[i] + scale * b[i];
    });
    return out;
}
