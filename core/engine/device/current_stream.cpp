// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/current_stream.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <utility>

#include "core/engine/device/driver.h"

namespace wb {
namespace {

/// Torch's interface to its CUDA streams, for which torch_cuda need not be linked; null without it.
const c10::impl::DeviceGuardImplInterface* torchCuda() {
  return c10::impl::device_guard_impl_registry[static_cast<std::size_t>(c10::DeviceType::CUDA)].load();
}

c10::Device cudaDevice(int index) {
  return {c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(index)};
}

}  // namespace

CUstream currentStream(int device) {
  const auto* torch = torchCuda();
  if (torch == nullptr) return nullptr;
  return static_cast<CUstream>(torch->getStreamNativeHandle(torch->getStream(cudaDevice(device))));
}

Result<OwnStream> OwnStream::open(int device) {
  const Driver* cuda = driver();
  if (cuda == nullptr) return Error{Stage::time, "No GPU can be used."};
  CUstream stream = nullptr;
  if (CUresult code = cuda->streamCreate(&stream, CU_STREAM_DEFAULT); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Creating a stream");
  return OwnStream(device, stream);
}

OwnStream::OwnStream(OwnStream&& other) noexcept
    : device_(other.device_), stream_(std::exchange(other.stream_, nullptr)) {}

OwnStream::~OwnStream() {
  if (stream_ != nullptr) driver()->streamDestroy(stream_);
}

OnStream::OnStream(const OwnStream& stream) {
  const auto* torch = torchCuda();
  if (torch == nullptr) return;
  // For a stream that is not its own, torch takes the handle as the stream's id (c10/cuda/CUDAStream.cpp,
  // "external").
  before_ = torch->exchangeStream(c10::Stream(c10::Stream::UNSAFE, cudaDevice(stream.device()),
                                              reinterpret_cast<c10::StreamId>(stream.handle())));
}

OnStream::~OnStream() {
  if (before_) torchCuda()->exchangeStream(*before_);
}

}  // namespace wb
