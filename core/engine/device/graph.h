// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/base/result.h"
#include "core/engine/device/current_stream.h"

namespace wb {

/// The memory from which what graphs record allocates by torch. Nothing else uses it. A tensor that somebody
/// still holds when the next graph is recorded keeps its memory; the memory of a dropped one is used again,
/// so that graphs of the same work can have their results in the same place. Once the pool has ended, torch
/// may use its memory for anything. It must outlive the graphs.
class GraphPool {
 public:
  explicit GraphPool(int device);
  ~GraphPool();
  /// Whether it holds so much that it should end before others need memory.
  [[nodiscard]] bool isLarge() const;
  GraphPool(const GraphPool&) = delete;
  GraphPool& operator=(const GraphPool&) = delete;

 private:
  friend class PooledAllocations;
  int device_;
  std::uint64_t number_;
  bool begun_ = false;
  /// By what torch has taken from the device meanwhile.
  std::int64_t bytes_ = 0;
};

/// Work of the device that is recorded once and launched many times.
class Graph {
 public:
  /// Runs `work` with `stream` current and records it; the device does nothing meanwhile. What `work`
  /// allocates by torch comes from the pool; null is for work that allocates nothing.
  /// Errors: those of `work`, and everything that cannot be recorded, such as waiting for the device, copies
  /// to the host, work on the legacy stream. After an error the stream and torch are as before.
  static Result<Graph> record(const OwnStream& stream, GraphPool* pool,
                              const std::function<Result<void>()>& work);
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
