// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/current_stream.h"

#include <utility>

#include "core/engine/device/driver.h"
#include "core/engine/device/torch_cuda.h"

namespace wb {
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
