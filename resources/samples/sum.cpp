// Title: Sum over the last dimension in C++
// Summary: Eight partial sums a row of contiguous floats, rows in parallel; everything else goes to ATen.
// Device: cpu
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <optional>

namespace {

/// Partial sums keep the processor's lanes busy and round less than one long chain.
float sumOf(const float* values, int64_t size) {
    constexpr int64_t lanes = 8;
    std::array<double, lanes> sums{};
    int64_t i = 0;
    for (; i + lanes <= size; i += lanes) {
        for (int64_t lane = 0; lane < lanes; ++lane) sums[static_cast<size_t>(lane)] += values[i + lane];
    }
    double sum = 0.0;
    for (; i < size; ++i) sum += values[i];
    for (const double part : sums) sum += part;
    return static_cast<float>(sum);
}

}  // namespace

at::Tensor sum__dim_IntList_kernel_impl(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim,
                                       std::optional<at::ScalarType> dtype) {
    const bool lastDimension = dim && dim->size() == 1 && self.dim() > 0 && ((*dim)[0] == -1 || (*dim)[0] == self.dim() - 1);
    if (self.scalar_type() != at::kFloat || dtype.value_or(at::kFloat) != at::kFloat || !self.is_contiguous() || !lastDimension ||
        self.numel() == 0) {
        return at::sum(self, dim, keepdim, dtype);
    }
    std::vector<int64_t> shape = self.sizes().vec();
    if (keepdim) {
        shape.back() = 1;
    } else {
        shape.pop_back();
    }
    at::Tensor out = at::empty(shape, self.options());
    const float* from = self.const_data_ptr<float>();
    float* to = out.mutable_data_ptr<float>();
    const int64_t size = self.size(-1);
    at::parallel_for(0, self.numel() / size, std::max<int64_t>(1, at::internal::GRAIN_SIZE / size), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) to[row] = sumOf(from + row * size, size);
    });
    return out;
}
