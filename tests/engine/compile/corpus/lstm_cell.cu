// fit
// SPDX-License-Identifier: Apache-2.0
#include <torch/extension.h>

#include <cuda.h>
#include <cuda_runtime.h>

#include <vector>

#define CHECK_CUDA(x) TORCH_CHECK((x).device().is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK((x).is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x) \
  CHECK_CUDA(x);       \
  CHECK_CONTIGUOUS(x)

namespace {

template <typename scalar_t>
__device__ __forceinline__ scalar_t sigmoid(scalar_t z) {
  return 1.0 / (1.0 + exp(-z));
}

template <typename scalar_t>
__device__ __forceinline__ scalar_t elu(scalar_t z, scalar_t alpha = 1.0) {
  return fmaxf(0.0, z) + fminf(0.0, alpha * (exp(z) - 1.0));
}

template <typename scalar_t>
__global__ void lstm_forward_kernel(
    const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> gates,
    const scalar_t* __restrict__ old_cell, scalar_t* __restrict__ new_h, scalar_t* __restrict__ new_cell,
    size_t state_size) {
  // The batch is y, the state x.
  const int n = blockIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < state_size) {
    const auto input_gate = sigmoid(gates[n][0][c]);
    const auto candidate = elu(gates[n][2][c]);
    new_cell[n * state_size + c] = old_cell[n * state_size + c] + candidate * input_gate;
    new_h[n * state_size + c] = tanh(new_cell[n * state_size + c]) * sigmoid(gates[n][1][c]);
  }
}

}  // namespace

std::vector<torch::Tensor> lstm_forward(torch::Tensor input, torch::Tensor weights, torch::Tensor bias,
                                        torch::Tensor old_cell) {
  CHECK_INPUT(input);
  CHECK_INPUT(old_cell);
  auto gate_weights = torch::addmm(bias, input, weights.transpose(0, 1));
  const auto batch_size = old_cell.size(0);
  const auto state_size = old_cell.size(1);
  auto gates = gate_weights.reshape({batch_size, 3, state_size});
  auto new_h = torch::zeros_like(old_cell), new_cell = torch::zeros_like(old_cell);

  const int threads = 1024;
  const dim3 blocks((state_size + threads - 1) / threads, batch_size);
  AT_DISPATCH_FLOATING_TYPES(gates.scalar_type(), "lstm_forward", ([&] {
    lstm_forward_kernel<scalar_t><<<blocks, threads>>>(
        gates.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(), old_cell.data_ptr<scalar_t>(),
        new_h.data_ptr<scalar_t>(), new_cell.data_ptr<scalar_t>(), state_size);
  }));
  return {new_h, new_cell, gates};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &lstm_forward, "LSTM forward (CUDA)");
}
