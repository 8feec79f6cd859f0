// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/launched_kernel.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/base/quantity.h"
#include "core/engine/compile/raw_cuda/cuda_variant.h"
#include "core/engine/compile/raw_cuda/kernel_choice.h"
#include "core/engine/device/current_stream.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

struct Parameter {
  bool pointer = false;
  CType type;
  std::string typeName;
};

/// A loaded kernel with everything of its launch but the arguments.
struct ReadyLaunch {
  std::shared_ptr<LoadedKernel> kernel;
  std::string name;
  std::vector<Parameter> parameters;
  std::array<unsigned, 3> grid{}, block{};
  unsigned sharedBytes = 0;
  int device = 0;
};

Number numberIn(const c10::IValue& value) {
  if (value.isDouble()) return value.toDouble();
  if (value.isBool()) return std::int64_t{value.toBool()};
  return value.toInt();
}

PackedScalar packed(const Parameter& parameter, const c10::IValue& value, int device) {
  if (!parameter.pointer) {
    const auto number = pack(numberIn(value), parameter.type, parameter.typeName);
    if (!number) throw std::invalid_argument(number.error().text);
    return *number;
  }
  const at::Tensor tensor = value.toTensor();
  if (!tensor.is_cuda() || tensor.get_device() != device)
    throw std::invalid_argument(
        fmt::format("a tensor is on {}, and the kernel runs on cuda:{}", tensor.device().str(), device));
  if (!tensor.is_contiguous()) throw std::invalid_argument("a tensor is not contiguous");
  const void* const data = tensor.data_ptr();
  PackedScalar address{};
  std::memcpy(address.data(), &data, sizeof(data));
  return address;
}

void run(const ReadyLaunch& launch, std::vector<c10::IValue>& stack) {
  std::vector<PackedScalar> values;
  values.reserve(launch.parameters.size());
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    values.push_back(packed(launch.parameters[i], stack[i], launch.device));
    pointers.push_back(values.back().data());
  }
  const auto& [gridX, gridY, gridZ] = launch.grid;
  const auto& [blockX, blockY, blockZ] = launch.block;
  const CUresult code =
      driver()->launchKernel(launch.kernel->function(), gridX, gridY, gridZ, blockX, blockY, blockZ,
                             launch.sharedBytes, currentStream(launch.device), pointers.data(), nullptr);
  if (code != CUDA_SUCCESS)
    throw std::runtime_error(describe(cudaError(Stage::check, code, "Launching " + launch.name)));
  stack.assign(1, c10::IValue());
}

/// The kernel of that name; the first one where there is no name.
Result<KernelChoice> choose(const LaunchedKernel& wanted, const CudaSource& source) {
  std::vector<std::string> names;
  for (const CudaKernel& each : source.kernels) names.push_back(each.name);
  const std::string base = wanted.kernel.substr(0, wanted.kernel.find('<'));
  const bool known = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name == base || name.ends_with("::" + base);
  });
  if (names.empty()) return Error{Stage::compile, "there is no __global__ function in the source"};
  if (!base.empty() && !known)
    return Error{Stage::compile, fmt::format("Kernel '{}' not found. Available: {}", base, names)};
  RawCudaHeader header;
  header.kernel.name = base.empty() ? names.front() : wanted.kernel;
  return chooseKernel(header, source);
}

Result<std::vector<Parameter>> parametersOf(const KernelChoice& choice, const CudaSource& source) {
  TypeNames names = source.aliases;
  for (const auto& [name, type] : choice.templateArguments) names.insert_or_assign(name, type);
  names.try_emplace("scalar_t", "float");
  std::vector<Parameter> parameters;
  for (const CudaParameter& each : choice.kernel.parameters) {
    const std::string name = resolveType(each.type, names);
    const std::optional<CType> type = cType(name);
    if (!each.pointer && !type)
      return Error{Stage::compile,
                   fmt::format("the parameter '{}' of {} is no pointer and no number", each.written,
                               choice.kernel.name),
                   {},
                   each.place};
    parameters.push_back({each.pointer, type.value_or(CType{}), name});
  }
  return parameters;
}

/// The code of what a Python caller may give for it (standin/warpbench_function.h).
std::string codeOf(const Parameter& parameter) {
  using Kind = CType::Kind;
  if (parameter.pointer) return "t";
  if (parameter.type.kind == Kind::boolean) return "b";
  const bool whole =
      parameter.type.kind == Kind::signedInteger || parameter.type.kind == Kind::unsignedInteger;
  return whole ? "i" : "d";
}

/// NVRTC knows no levels of optimisation, which people give out of habit.
std::vector<std::string> optionsOf(const LaunchedKernel& kernel) {
  std::vector<std::string> options = kernel.options;
  std::erase_if(options, [](const std::string& each) { return each.starts_with("-O"); });
  return options;
}

/// The index of a GPU; −1 for the CPU.
int gpuIndex(const std::string& device) {
  if (!device.starts_with("cuda")) return -1;
  const auto colon = device.find(':');
  return colon == std::string::npos ? 0 : std::atoi(device.c_str() + colon + 1);
}

/// The messages of the compiler, as the trace of the error that sums them up.
Error withMessages(Error error, const std::vector<Diagnostic>& messages) {
  for (const Diagnostic& each : messages)
    if (each.severity == Severity::error)
      error.trace += fmt::format("{}: error: {}\n", text(each.place), each.message);
  return error;
}

Result<ReadyLaunch> load(const LaunchedKernel& wanted, const CudaVariant& variant, const std::string& name,
                         const std::string& device) {
  ReadyLaunch launch;
  launch.name = name;
  launch.device = gpuIndex(device);
  WB_DO(useDevice(launch.device));
  WB_TRY(launch.kernel, LoadedKernel::load({variant.result.cubin, variant.result.loweredName}));
  std::int64_t threads = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    launch.grid[i] = static_cast<unsigned>(wanted.grid[i]);
    launch.block[i] = static_cast<unsigned>(wanted.block[i]);
    threads *= wanted.block[i];
  }
  if (threads > launch.kernel->maxThreads())
    return Error{Stage::compile, fmt::format("a block of {} threads is too large: {} can have {} here",
                                             threads, name, launch.kernel->maxThreads())};
  WB_DO(launch.kernel->allowShared(wanted.sharedBytes));
  launch.sharedBytes = static_cast<unsigned>(wanted.sharedBytes);
  return launch;
}

}  // namespace

Result<ModuleOutcome> buildLaunchedKernel(const LaunchedKernel& wanted, const CompileRequest& request) {
  const CudaSource source = scanCudaSource(wanted.text, wanted.file);
  WB_TRY(const auto choice, choose(wanted, source));
  WB_TRY(auto parameters, parametersOf(choice, source));
  WB_TRY(const auto recipe, cudaRecipe(wanted.text, wanted.file, choice.nameExpression, request.architecture,
                                       optionsOf(wanted), !source.includesFiles));
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::milliseconds(static_cast<std::int64_t>(request.deadlineSeconds * 1e3));
  WB_TRY(auto variant, compileVariant(recipe, "", deadline, request.stop));
  if (request.onDiagnostic)
    for (const Diagnostic& each : variant.diagnostics) request.onDiagnostic(each);
  if (!variant.result.ok) return withMessages(summary(recipe, variant.diagnostics, ""), variant.diagnostics);

  ModuleOutcome outcome;
  outcome.toolchain = recipe.toolchain;
  outcome.cached = variant.cached;
  addArtifacts(variant, recipe, choice.kernel.name, outcome.artifacts);
  outcome.cubins.push_back({variant.result.cubin, {}});
  std::string whyNot;
  if (driver(&whyNot) != nullptr && gpuIndex(request.device) < 0) whyNot = "this run is on the CPU";
  if (whyNot.empty() && !request.canRun) whyNot = "the device cannot be used";
  if (!whyNot.empty()) {
    outcome.notRun = fmt::format("Compiled for {}; not run: {}.", recipe.architecture, whyNot);
    return outcome;
  }
  ModuleFunction function{"launch", choice.kernel.name, {}, {}};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    function.parameters.push_back({choice.kernel.parameters[i].name, codeOf(parameters[i]), {}});
  WB_TRY(ReadyLaunch launch, load(wanted, variant, choice.kernel.name, request.device));
  launch.parameters = std::move(parameters);
  function.call = [launch = std::move(launch)](std::vector<c10::IValue>& stack) { run(launch, stack); };
  outcome.functions.push_back(std::move(function));
  return outcome;
}

}  // namespace wb
