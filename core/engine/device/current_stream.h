// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Stream.h>
#include <cuda.h>

#include <optional>

#include "core/base/result.h"

namespace wb {

/// The stream that torch works on now on this thread and device: the legacy default stream (null) unless an
/// OnStream is alive. It is null too where torch has no CUDA.
[[nodiscard]] CUstream currentStream(int device);

/// A stream of Warpbench's own, a blocking one. What user code puts on the legacy stream while this one is
/// captured is then an error, and not work that nobody sees.
class OwnStream {
 public:
  static Result<OwnStream> open(int device);
  ~OwnStream();
  OwnStream(OwnStream&& other) noexcept;
  OwnStream& operator=(OwnStream&&) = delete;
  [[nodiscard]] CUstream handle() const { return stream_; }
  [[nodiscard]] int device() const { return device_; }

 private:
  OwnStream(int device, CUstream stream) : device_(device), stream_(stream) {}
  int device_;
  CUstream stream_;
};

/// Makes a stream the current one of torch and of raw CUDA on this thread while it lives.
class OnStream {
 public:
  explicit OnStream(const OwnStream& stream);
  ~OnStream();
  OnStream(const OnStream&) = delete;
  OnStream& operator=(const OnStream&) = delete;

 private:
  std::optional<c10::Stream> before_;
};

}  // namespace wb
