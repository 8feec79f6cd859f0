// Title: Addition as a CUDA extension
// Summary: Kernels and the function over at::Tensor that launches them, as for torch.utils.cpp_extension.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

// The operator comes from the function's name; its parameters are the operator's arguments. The kernels are compiled by
// NVRTC, the rest by the system's C++ compiler: two seconds together.
template <typename scalar_t>
__global__ void add_kernel(const scalar_t* __restrict__ a, const scalar_t* __restrict__ b, scalar_t* __restrict__ out,
                           int64_t n, scalar_t alpha) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + alpha * b[i];
}

at::Tensor add(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  const c10::cuda::CUDAGuard guard(self.device());
  // One shape, one dtype, no gaps: what the kernel can take.
  const auto dtype = at::result_type(self, other);
  const auto inputs = at::broadcast_tensors({self.to(dtype), other.to(self.device(), dtype)});
  const at::Tensor a = inputs[0].contiguous(), b = inputs[1].contiguous();
  at::Tensor out = at::empty_like(a);
  const int64_t n = a.numel();
  if (n == 0) return out;
  constexpr int threads = 256;
  AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, dtype, "add", [&] {
    add_kernel<scalar_t><<<(n + threads - 1) / threads, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
        a.const_data_ptr<scalar_t>(), b.const_data_ptr<scalar_t>(), out.mutable_data_ptr<scalar_t>(), n,
        alpha.to<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return out;
}
