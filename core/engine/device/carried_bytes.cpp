// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/carried_bytes.h"

#include <ATen/ops/empty.h>
#include <cuda.h>

#include <cstdint>

#include "core/engine/device/current_stream.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

/// A plain copy of so many bytes is the copy engines' work on any GPU that is known.
constexpr std::size_t largeBytes = 1 << 16;

}  // namespace

std::size_t carriedRows(std::size_t bytes) {
  if (bytes < 2 || bytes >= largeBytes) return 1;
  for (std::size_t rows = 2; rows * rows <= bytes; ++rows)
    if (bytes % rows == 0) return rows;
  return bytes;
}

CarriedBytes::CarriedBytes(const at::Tensor& like)
    : rows_(carriedRows(like.nbytes())),
      width_(like.nbytes() / rows_),
      // Rows without a gap would be copied as one.
      pitch_(rows_ == 1 ? width_ : 2 * width_),
      host_(at::empty({static_cast<std::int64_t>(rows_ * pitch_)},
                      at::TensorOptions(at::kByte).pinned_memory(true))) {}

Result<void> CarriedBytes::takeFrom(const at::Tensor& memory) {
  return carry(memory, Way::toHost);
}

Result<void> CarriedBytes::giveTo(const at::Tensor& memory) const {
  return carry(memory, Way::toDevice);
}

Result<void> CarriedBytes::carry(const at::Tensor& memory, Way way) const {
  if (width_ == 0) return {};
  std::string whyNot;
  const Driver* const cuda = driver(&whyNot);
  if (cuda == nullptr) return Error{Stage::time, "Copying between host and GPU: " + whyNot, {}, {}};
  const auto device = reinterpret_cast<CUdeviceptr>(memory.data_ptr());
  CUDA_MEMCPY2D copy{};
  copy.WidthInBytes = width_;
  copy.Height = rows_;
  if (way == Way::toDevice) {
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host_.data_ptr();
    copy.srcPitch = pitch_;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = device;
    copy.dstPitch = width_;
  } else {
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = device;
    copy.srcPitch = width_;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host_.data_ptr();
    copy.dstPitch = pitch_;
  }
  const CUresult code = cuda->memcpy2DAsync(&copy, currentStream(memory.device().index()));
  if (code != CUDA_SUCCESS) return cudaError(Stage::time, code, "Copying between host and GPU");
  return {};
}

}  // namespace wb
