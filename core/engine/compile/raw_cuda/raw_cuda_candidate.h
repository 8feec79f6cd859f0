// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/engine/call.h"
#include "core/engine/compile/raw_cuda/launch_plan.h"
#include "core/engine/device/driver.h"

namespace wb {

/// A kernel as NVRTC made it for one dtype.
struct CompiledKernel {
  std::string cubin, loweredName;
};

/// A loaded binary, which is unloaded at the end, and the limits that the device has for its kernel.
class LoadedKernel {
 public:
  /// Loads it into the current context. Errors: those of the driver.
  static Result<std::shared_ptr<LoadedKernel>> load(const CompiledKernel& compiled);
  ~LoadedKernel();
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;
  [[nodiscard]] CUfunction function() const { return function_; }
  [[nodiscard]] int maxThreads() const { return maxThreads_; }
  [[nodiscard]] int registers() const { return registers_; }
  [[nodiscard]] std::int64_t staticShared() const { return staticShared_; }
  /// Allows that much dynamic shared memory per block; more than 48 KiB must be allowed.
  Result<void> allowShared(std::int64_t bytes);

 private:
  LoadedKernel() = default;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  int maxThreads_ = 0, registers_ = 0;
  std::int64_t staticShared_ = 0, allowed_ = 0;
};

/// A compiled raw CUDA kernel on one device: binds a case's arguments to the kernel's parameters.
class RawCudaCandidate final : public Candidate {
 public:
  /// `variants` are the results by dtype abbreviation ("" for all dtypes when the plan is not per dtype);
  /// `compile` makes one that is missing.
  using Variants = std::map<std::string, Result<CompiledKernel>>;
  using Compile = std::function<Result<CompiledKernel>(const std::string& dtype)>;
  RawCudaCandidate(LaunchPlan plan, int device, Variants variants, Compile compile);
  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan& outputs) override;

 private:
  Result<std::shared_ptr<LoadedKernel>> kernel(const std::string& dtype);

  LaunchPlan plan_;
  int device_;
  Variants variants_;
  Compile compile_;
  std::map<std::string, std::shared_ptr<LoadedKernel>> loaded_;
};

}  // namespace wb
