// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/raw_cuda_candidate.h"

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <limits>

#include "core/base/quantity.h"
#include "core/engine/compile/raw_cuda/launch_binding.h"
#include "core/engine/device/current_stream.h"

namespace wb {
namespace {

constexpr std::int64_t plainShared = 48 * 1024;  // the kernel's limit must be raised for more
constexpr unsigned char integerPoison = 0xA5;
constexpr unsigned char workspacePoison = 0xFF;  // this is NaN in every floating type

CUdeviceptr address(const at::Tensor& tensor) {
  return reinterpret_cast<CUdeviceptr>(tensor.data_ptr());
}

/// A launch ready to be repeated.
class RawCudaCall final : public PreparedCall {
 public:
  RawCudaCall(const LaunchPlan& plan, int device, std::shared_ptr<LoadedKernel> kernel, LaunchBinding binding)
      : cuda_(*driver()),
        device_(device),
        name_(plan.kernel.name),
        kernel_(std::move(kernel)),
        binding_(std::move(binding)) {
    for (const auto& output : plan.outputs) written_.push_back(output.argument);
    for (std::size_t index : plan.zeroOutputs) zero(binding_.outputs[index]);
    for (std::size_t index : plan.zeroWorkspaces) zero(binding_.workspaces[index]);
    for (auto& value : binding_.values) parameters_.push_back(value.data());
  }

  Result<void> run() override {
    const CUstream stream = currentStream(device_);
    for (const auto& [where, bytes] : zeros_)
      if (CUresult code = cuda_.memsetD8Async(where, 0, bytes, stream); code != CUDA_SUCCESS)
        return cudaError(Stage::check, code, "Setting memory to zero for " + name_);
    ran_ = true;
    if (binding_.empty) return {};
    const auto& grid = binding_.grid;
    const auto& block = binding_.block;
    const CUresult code =
        cuda_.launchKernel(kernel_->function(), grid[0], grid[1], grid[2], block[0], block[1], block[2],
                           static_cast<unsigned>(binding_.sharedBytes), stream, parameters_.data(), nullptr);
    if (code != CUDA_SUCCESS) return cudaError(Stage::check, code, "Launching " + name_);
    return {};
  }

  Result<Stack> outputs() override {
    try {
      for (std::size_t index : binding_.writeBack)
        if (ran_) binding_.arguments[index].toTensor().copy_(binding_.passed[index]);
      Stack stack;
      for (std::size_t i = 0; i < written_.size(); ++i)
        stack.emplace_back(written_[i] ? binding_.arguments[*written_[i]] : c10::IValue(binding_.outputs[i]));
      return stack;
    } catch (const c10::Error& problem) {
      return Error{Stage::check, problem.what_without_backtrace()};
    } catch (const std::exception& problem) {
      return Error{Stage::check, problem.what()};
    }
  }

  void poisonOutputs() override {
    for (const auto& output : binding_.outputs) {
      if (!output.defined() || output.numel() == 0) continue;
      if (output.is_floating_point() || output.is_complex())
        output.fill_(std::numeric_limits<double>::quiet_NaN());
      else
        fill(output, integerPoison);
    }
    for (const auto& workspace : binding_.workspaces) fill(workspace, workspacePoison);
  }

  [[nodiscard]] std::string notComparable() const override {
    if (binding_.copied.empty()) return {};
    return fmt::format(
        "not timed: {} copied for the kernel before its launch, which ATen does not get for free",
        fmt::join(binding_.copied, ", "));
  }

 private:
  void fill(const at::Tensor& tensor, unsigned char byte) {
    // A failure here means that the context is broken, which the launch after it will report.
    if (tensor.defined() && tensor.numel() > 0)
      cuda_.memsetD8Async(address(tensor), byte, tensor.storage().nbytes(), currentStream(device_));
  }
  void zero(const at::Tensor& tensor) {
    if (tensor.defined() && tensor.numel() > 0)
      zeros_.emplace_back(address(tensor), tensor.storage().nbytes());
  }

  const Driver& cuda_;
  int device_;
  std::string name_;
  std::shared_ptr<LoadedKernel> kernel_;
  LaunchBinding binding_;
  std::vector<std::optional<std::size_t>> written_;  // for each output the argument that it is
  std::vector<std::pair<CUdeviceptr, std::size_t>> zeros_;
  std::vector<void*> parameters_;
  bool ran_ = false;
};

Error tooMuch(std::string what, std::string hint) {
  return Error{Stage::check, std::move(what), std::move(hint)};
}

Result<void> checkLimits(const LaunchPlan& plan, const LaunchBinding& binding, LoadedKernel& kernel,
                         int device) {
  const Driver& cuda = *driver();
  auto limit = [&](CUdevice_attribute which) {
    int value = 0;
    cuda.deviceGetAttribute(&value, which, device);
    return std::int64_t{value};
  };
  const auto& block = binding.block;
  const std::int64_t threads = std::int64_t{block[0]} * block[1] * block[2];
  const auto maxBlock =
      std::array{limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X), limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                 limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
  for (std::size_t i = 0; i < 3; ++i)
    if (block[i] > maxBlock[i] || block[i] == 0)
      return tooMuch(fmt::format("A block of {}×{}×{} threads: dimension {} must be from 1 to {}.", block[0],
                                 block[1], block[2], i, maxBlock[i]),
                     "see block in the header");
  if (threads > kernel.maxThreads())
    return tooMuch(
        fmt::format("A block of {} threads is too large: with {} registers a thread, {} can have {} here.",
                    threads, kernel.registers(), plan.kernel.name, kernel.maxThreads()),
        "see block in the header, or limit registers with __launch_bounds__");
  const std::int64_t most = limit(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  if (binding.sharedBytes + kernel.staticShared() > most)
    return tooMuch(fmt::format("{} of dynamic and {} of static shared memory a block: this device has {}.",
                               formatBytes(static_cast<double>(binding.sharedBytes)),
                               formatBytes(static_cast<double>(kernel.staticShared())),
                               formatBytes(static_cast<double>(most))),
                   "see shared in the header");
  return kernel.allowShared(binding.sharedBytes);
}

}  // namespace

Result<std::shared_ptr<LoadedKernel>> LoadedKernel::load(const CompiledKernel& compiled) {
  const Driver& cuda = *driver();
  std::shared_ptr<LoadedKernel> kernel(new LoadedKernel);
  if (CUresult code = cuda.moduleLoadData(&kernel->module_, compiled.cubin.data()); code != CUDA_SUCCESS)
    return cudaError(Stage::check, code, "Loading the kernel");
  if (CUresult code =
          cuda.moduleGetFunction(&kernel->function_, kernel->module_, compiled.loweredName.c_str());
      code != CUDA_SUCCESS)
    return cudaError(Stage::check, code, "Finding the kernel " + compiled.loweredName);
  int shared = 0;
  cuda.funcGetAttribute(&kernel->maxThreads_, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel->function_);
  cuda.funcGetAttribute(&kernel->registers_, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel->function_);
  cuda.funcGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel->function_);
  kernel->staticShared_ = shared;
  return kernel;
}

LoadedKernel::~LoadedKernel() {
  if (module_ != nullptr) driver()->moduleUnload(module_);
}

Result<void> LoadedKernel::allowShared(std::int64_t bytes) {
  if (bytes + staticShared_ <= plainShared || bytes <= allowed_) return {};
  if (CUresult code = driver()->funcSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                 static_cast<int>(bytes));
      code != CUDA_SUCCESS)
    return cudaError(Stage::check, code,
                     "Asking for " + formatBytes(static_cast<double>(bytes)) + " of shared memory");
  allowed_ = bytes;
  return {};
}

RawCudaCandidate::RawCudaCandidate(LaunchPlan plan, int device, Variants variants, Compile compile)
    : plan_(std::move(plan)), device_(device), variants_(std::move(variants)), compile_(std::move(compile)) {}

Result<std::shared_ptr<LoadedKernel>> RawCudaCandidate::kernel(const std::string& dtype) {
  if (auto found = loaded_.find(dtype); found != loaded_.end()) return found->second;
  auto variant = variants_.find(dtype);
  if (variant == variants_.end()) variant = variants_.emplace(dtype, compile_(dtype)).first;
  if (!variant->second) return variant->second.error();
  auto loaded = LoadedKernel::load(*variant->second);
  if (loaded) loaded_[dtype] = *loaded;
  return loaded;
}

Result<std::unique_ptr<PreparedCall>> RawCudaCandidate::prepare(const BoundCall& call,
                                                                const OutputPlan& outputs) {
  WB_DO(useDevice(device_));
  try {
    WB_TRY(auto binding, bindLaunch(plan_, call.arguments, outputs, device_));
    WB_TRY(auto kernel, this->kernel(binding.dtype));
    WB_DO(checkLimits(plan_, binding, *kernel, device_));
    return std::unique_ptr<PreparedCall>(
        std::make_unique<RawCudaCall>(plan_, device_, std::move(kernel), std::move(binding)));
  } catch (const c10::Error& problem) {
    return Error{Stage::check, problem.what_without_backtrace()};
  } catch (const std::exception& problem) {
    return Error{Stage::check, problem.what()};
  }
}

}  // namespace wb
