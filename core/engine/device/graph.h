// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstddef>
#include <functional>

#include "core/base/result.h"
#include "core/engine/device/current_stream.h"

namespace wb {

/// Work of the device recorded once, to be launched many times.
class Graph {
 public:
  /// Runs `work` with `stream` current, recording. Nothing runs on the device meanwhile. What it allocates by
  /// torch comes from a memory pool that all graphs share and nothing else uses: a tensor from there that is
  /// still held when the next graph is recorded is left alone by it, and one that is dropped is not, so that
  /// graphs of the same work can have their results in the same place. Errors: those of
  /// `work`, and everything that cannot be recorded: waiting for the device, copies to the host, work on the
  /// legacy stream. After an error the stream is as before, and torch too.
  static Result<Graph> record(const OwnStream& stream, const std::function<Result<void>()>& work);
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;
  ~Graph();

  Result<void> launch(CUstream stream) const;
  /// Kernels, copies and fills that were recorded.
  [[nodiscard]] std::size_t nodes() const { return nodes_; }

 private:
  Graph() = default;
  CUgraphExec exec_ = nullptr;
  std::size_t nodes_ = 0;
};

}  // namespace wb
