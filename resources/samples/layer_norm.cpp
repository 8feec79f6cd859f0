// Title: Layer norm in C++
// Summary: Mean and deviation by rows of contiguous floats, rows in parallel; everything else goes to ATen.
// Device: cpu
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace {

bool simple(const std::optional<at::Tensor>& tensor) {
    return !tensor || !tensor->defined() || (tensor->scalar_type() == at::kFloat && tensor->is_contiguous());
}

const float* dataOf(const std::optional<at::Tensor>& tensor) {
    return tensor && tensor->defined() ? tensor->const_data_ptr<float>() : nullptr;
}

/// Mean and variance of one row, the variance in a second pass: subtracting squares would lose digits.
std::tuple<float, float> moments(const float* row, int64_t size) {
    double sum = 0.0;
    for (int64_t i = 0; i < size; ++i) sum += row[i];
    const double mean = sum / static_cast<double>(size);
    double squares = 0.0;
    for (int64_t i = 0; i < size; ++i) squares += (row[i] - mean) * (row[i] - mean);
    return {static_cast<float>(mean), static_cast<float>(squares / static_cast<double>(size))};
}

}  // namespace

std::tuple<at::Tensor, at::Tensor, at::Tensor> native_layer_norm_kernel_impl(const at::Tensor& input, at::IntArrayRef normalized_shape,
                                                                             const std::optional<at::Tensor>& weight,
                                                                             const std::optional<at::Tensor>& bias, double eps) {
    if (input.scalar_type() != at::kFloat || !input.is_contiguous() || input.numel() == 0 || !simple(weight) || !simple(bias)) {
        return at::native_layer_norm(input, normalized_shape, weight, bias, eps);
    }
    int64_t size = 1;
    for (const int64_t extent : normalized_shape) size *= extent;
    const int64_t rows = input.numel() / size;
    // The mean has the input's shape, with 1 for what was normalized.
    std::vector<int64_t> shape = input.sizes().vec();
    std::fill(shape.end() - static_cast<std::ptrdiff_t>(normalized_shape.size()), shape.end(), 1);
    at::Tensor out = at::empty_like(input), mean = at::empty(shape, input.options()), rstd = at::empty(shape, input.options());

    const float* from = input.const_data_ptr<float>();
    const float *scales = dataOf(weight), *shifts = dataOf(bias);
    float *to = out.mutable_data_ptr<float>(), *means = mean.mutable_data_ptr<float>(), *rstds = rstd.mutable_data_ptr<float>();
    at::parallel_for(0, rows, std::max<int64_t>(1, at::internal::GRAIN_SIZE / size), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
            const auto [average, variance] = moments(from + row * size, size);
            const float inverse = 1.0f / std::sqrt(variance + static_cast<float>(eps));
            means[row] = average;
            rstds[row] = inverse;
            for (int64_t i = 0; i < size; ++i) {
                const float x = (from[row * size + i] - average) * inverse;
                to[row * size + i] = x * (scales ? scales[i] : 1.0f) + (shifts ? shifts[i] : 0.0f);
            }
        }
    });
    return {out, mean, rstd};
}
