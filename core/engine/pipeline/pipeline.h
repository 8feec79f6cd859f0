// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/engine/engine.h"

namespace wb {

/// The engine compiles, checks and times the kernels of a job, one after the other. A failing case is data;
/// no exception leaves the engine.
class Pipeline final : public Engine {
 public:
  explicit Pipeline(EngineOptions options);
  ~Pipeline() override;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  [[nodiscard]] Target target() const override;
  void run(const Job& job, const Emit& emit, std::stop_token stop) override;
  [[nodiscard]] BuildFacts buildFacts() override;
  void compileAhead(const Job& job, const std::string& architecture, const Emit& emit, const OnBuilt& built,
                    std::stop_token stop) override;
  void give(BuiltFile file, std::string from) override;
  void warm(const std::function<void(const Log&)>& onLog) override;
  void expectStrict() override;
  void keepGuests() override;
  void useIdleTime() override;
  void endKeptGuests() override;
  Result<void> prepare(const std::function<void(const Log&)>& onLog) override;
  [[nodiscard]] std::vector<Finding> examine() override;
  [[nodiscard]] bool poisoned() const override;
  [[nodiscard]] bool spoiled() const override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
