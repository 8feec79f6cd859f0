// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cupti/launch_owner.h"

#include <algorithm>
#include <array>

namespace wb {

namespace {

/// A piece of a kernel's name, mangled or not, and the library whose names have it. The first row that fits
/// counts: cuDNN and cuBLAS are made with CUTLASS, and ATen brings kernels made with CUTLASS and CUB.
struct Row {
  std::string_view piece, owner;
};
constexpr std::array rows{Row{"cudnn", "cuDNN"},
                          Row{"xmma_fprop", "cuDNN"},
                          Row{"xmma_dgrad", "cuDNN"},
                          Row{"xmma_wgrad", "cuDNN"},
                          Row{"implicit_convolve_sgemm", "cuDNN"},
                          Row{"cublas", "cuBLAS"},
                          Row{"nvjet_", "cuBLAS"},
                          Row{"xmma_gemm", "cuBLAS"},
                          Row{"splitKreduce_kernel", "cuBLAS"},
                          Row{"ampere_sgemm", "cuBLAS"},
                          Row{"ampere_fp16_s16816gemm", "cuBLAS"},
                          Row{"ampere_bf16_s16816gemm", "cuBLAS"},
                          Row{"volta_sgemm", "cuBLAS"},
                          Row{"cusparse", "cuSPARSE"},
                          Row{"cusolver", "cuSOLVER"},
                          Row{"cufft", "cuFFT"},
                          Row{"regular_fft", "cuFFT"},
                          Row{"vector_fft", "cuFFT"},
                          Row{"ncclDevKernel", "NCCL"},
                          Row{"ncclKernel", "NCCL"},
                          Row{"at::native", "ATen"},
                          Row{"2at6native", "ATen"},
                          Row{"at_cuda_detail", "ATen"},
                          Row{"pytorch_flash", "ATen"},
                          Row{"PyTorchMemEffAttention", "ATen"},
                          Row{"fmha_cutlass", "ATen"},
                          Row{"cutlass", "CUTLASS"},
                          Row{"thrust::", "Thrust"},
                          Row{"6thrust", "Thrust"}};

}  // namespace

std::string ownerOfKernel(std::string_view function) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return function.find(row.piece) != std::string_view::npos;
  });
  return std::string(found == rows.end() ? ownedByKernel : found->owner);
}

std::vector<RanPart> launchesIn(std::span<const ActivityRecord* const> records) {
  std::vector<RanPart> parts;
  for (const ActivityRecord* record : records) {
    const bool isKernel = record->kind == ActivityKind::kernel;
    const std::string owner = isKernel ? ownerOfKernel(record->function) : std::string(ownedByDriver);
    const std::string name = nameOf(*record);
    auto known = std::find_if(parts.begin(), parts.end(),
                              [&](const RanPart& part) { return part.owner == owner && part.name == name; });
    if (known == parts.end()) known = parts.insert(parts.end(), {owner, name, 0, 0});
    ++known->times;
    known->seconds += record->seconds;
  }
  keepLargest(parts, {});
  return parts;
}

}  // namespace wb
