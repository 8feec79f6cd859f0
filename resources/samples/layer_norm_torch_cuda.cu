// Title: Layer normalization as a CUDA extension
// Summary: One block a row, sums in shared memory, mean and 1/deviation of each row as the operator gives them.
#include <torch/extension.h>

#include <ATen/AccumulateType.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

#include <tuple>

namespace {

constexpr int kThreads = 256;

// Sum over the block; every thread gets it.
template <typename T>
__device__ T blockSum(T value, T* shared) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) shared[warp] = value;
  __syncthreads();
  value = T(0);
  for (int i = 0; i < static_cast<int>(blockDim.x) / 32; ++i) value += shared[i];
  __syncthreads();
  return value;
}

template <typename scalar_t, typename acc_t>
__global__ void __launch_bounds__(kThreads)
layer_norm_kernel(const scalar_t* __restrict__ x, const scalar_t* __restrict__ weight, const scalar_t* __restrict__ bias,
                  scalar_t* __restrict__ y, acc_t* __restrict__ mean, acc_t* __restrict__ rstd, int64_t columns, acc_t eps) {
  extern __shared__ double storage[];
  acc_t* shared = reinterpret_cast<acc_t*>(storage);
  const scalar_t* row = x + blockIdx.x * columns;
  acc_t sum = 0;
  for (int64_t i = threadIdx.x; i < columns; i += blockDim.x) sum += static_cast<acc_t>(row[i]);
  const acc_t average = blockSum(sum, shared) / static_cast<acc_t>(columns);
  acc_t squares = 0;
  for (int64_t i = threadIdx.x; i < columns; i += blockDim.x) {
    const acc_t distance = static_cast<acc_t>(row[i]) - average;
    squares += distance * distance;
  }
  const acc_t scale = acc_t(1) / sqrt(blockSum(squares, shared) / static_cast<acc_t>(columns) + eps);
  for (int64_t i = threadIdx.x; i < columns; i += blockDim.x) {
    acc_t value = (static_cast<acc_t>(row[i]) - average) * scale;
    if (weight != nullptr) value *= static_cast<acc_t>(weight[i]);
    if (bias != nullptr) value += static_cast<acc_t>(bias[i]);
    y[blockIdx.x * columns + i] = static_cast<scalar_t>(value);
  }
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = average;
    rstd[blockIdx.x] = scale;
  }
}

}  // namespace

std::tuple<at::Tensor, at::Tensor, at::Tensor> native_layer_norm(const at::Tensor& input, at::IntArrayRef normalized_shape,
                                                                 const std::optional<at::Tensor>& weight,
                                                                 const std::optional<at::Tensor>& bias, double eps) {
  TORCH_CHECK(input.is_cuda(), "native_layer_norm: expected a CUDA tensor");
  const c10::cuda::CUDAGuard guard(input.device());
  const at::Tensor x = input.contiguous();
  const auto scale = weight && weight->defined() ? weight->contiguous() : at::Tensor();
  const auto shift = bias && bias->defined() ? bias->contiguous() : at::Tensor();
  const int64_t kept = x.dim() - static_cast<int64_t>(normalized_shape.size());
  const int64_t columns = c10::multiply_integers(normalized_shape);
  const int64_t rows = c10::multiply_integers(x.sizes().slice(0, kept));
  // The statistics have the kept dimensions, and 1 for each normalized one.
  std::vector<int64_t> shape(x.dim(), 1);
  for (int64_t i = 0; i < kept; ++i) shape[i] = x.size(i);
  at::Tensor y = at::empty_like(x);
  const auto accumulated = at::toAccumulateType(x.scalar_type(), true);
  at::Tensor mean = at::empty(shape, x.options().dtype(accumulated));
  at::Tensor rstd = at::empty_like(mean);
  if (rows == 0) return {y, mean, rstd};
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "native_layer_norm", [&] {
    using acc_t = at::acc_type<scalar_t, true>;
    layer_norm_kernel<scalar_t, acc_t><<<rows, kThreads, kThreads / 32 * sizeof(acc_t), at::cuda::getCurrentCUDAStream()>>>(
        x.const_data_ptr<scalar_t>(), scale.defined() ? scale.const_data_ptr<scalar_t>() : nullptr,
        shift.defined() ? shift.const_data_ptr<scalar_t>() : nullptr, y.mutable_data_ptr<scalar_t>(),
        mean.mutable_data_ptr<acc_t>(), rstd.mutable_data_ptr<acc_t>(), columns, static_cast<acc_t>(eps));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return {y, mean, rstd};
}
