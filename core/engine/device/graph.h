// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstddef>
#include <functional>

#include "core/base/result.h"
#include "core/engine/device/current_stream.h"

namespace wb {

/// Work of the device that is recorded once and launched many times.
class Graph {
 public:
  /// Runs `work` with `stream` current and records it; the device does nothing meanwhile. What `work`
  /// allocates by torch comes from a memory pool that all graphs share and nothing else uses. A tensor from
  /// this pool that somebody still holds when the next graph is recorded keeps its memory; the memory of a
  /// dropped one is used again, so that graphs of the same work can have their results in the same place.
  /// Errors: those of `work`, and everything that cannot be recorded, such as waiting for the device, copies
  /// to the host, work on the legacy stream. After an error the stream and torch are as before.
  static Result<Graph> record(const OwnStream& stream, const std::function<Result<void>()>& work);
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;
  ~Graph();

  Result<void> launch(CUstream stream) const;
  /// How many kernels, copies and fills were recorded.
  [[nodiscard]] std::size_t nodes() const { return nodes_; }

 private:
  Graph() = default;
  CUgraphExec exec_ = nullptr;
  std::size_t nodes_ = 0;
};

}  // namespace wb
