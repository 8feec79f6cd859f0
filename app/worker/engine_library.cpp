// SPDX-License-Identifier: Apache-2.0
#include "app/worker/engine_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "core/base/files/paths.h"

namespace wb {
namespace {

Error notOpened(const std::string& what, const std::string& hint) {
  const char* reason = dlerror();
  return Error{Stage::setup, fmt::format("{}: {}", what, reason ? reason : "not found"), hint};
}

/// Opens a library globally, so that the engine and users' kernels find torch's symbols by name and no search
/// path is needed.
Result<void> openLibrary(const std::filesystem::path& file, const std::string& hint) {
  if (dlopen(file.c_str(), RTLD_LAZY | RTLD_GLOBAL)) return {};
  return notOpened("LibTorch could not be opened", hint);
}

constexpr const char* reinstall =
    "the torch wheel lacks some of its packages: run packaging/setup build, or pip install torch==2.11.0";

Result<void> openTorch(const TorchFolder& torch, bool gpu) {
  const std::filesystem::path libraries = torch.root / "lib";
  WB_DO(openLibrary(libraries / "libtorch_cpu.so", reinstall));
  if (!gpu) return {};
  // Opening libcuda starts nothing. It must be known before torch is first asked about CUDA, because torch
  // remembers the answer for the life of the process.
  if (!dlopen("libcuda.so.1", RTLD_LAZY | RTLD_GLOBAL))
    return notOpened("there is no CUDA driver", "install NVIDIA's driver, or choose device cpu");
  return openLibrary(libraries / "libtorch_cuda.so", reinstall);
}

constexpr const char* rebuild = "build or install Warpbench again";

/// A function of the engine's library.
template <class Function>
Result<Function> engineFunction(const TorchFolder& torch, const std::string& device, const char* name) {
  WB_DO(openTorch(torch, device != "cpu"));
  const std::filesystem::path file = programFolder() / "libwarpbench_engine.so";
  // All its tables are filled in now, so that nobody fills them in differently later.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return notOpened("the engine could not be opened", rebuild);
  auto* const found = reinterpret_cast<Function>(dlsym(library, name));
  if (!found) return notOpened("the engine could not be opened", rebuild);
  return found;
}

}  // namespace

Result<std::unique_ptr<Engine>> openEngine(const TorchFolder& torch, const std::string& device,
                                           const StartedAhead& started) {
  WB_TRY(auto* const make, engineFunction<decltype(&warpbench_engine)>(torch, device, "warpbench_engine"));
  const EngineOptions options{WB_VERSION, device, torch.version, started};
  std::string failure;
  std::unique_ptr<Engine> engine(make(&options, &failure));
  if (!engine) return Error{Stage::setup, failure, device == "cpu" ? rebuild : "see `warpbench doctor`"};
  return engine;
}

int serveAsGuests(const WorkerOptions& options, void (*begins)(), void (*warms)()) {
  std::signal(SIGPIPE, SIG_IGN);
  constexpr int cannotWork = 3;
  Result<TorchFolder> torch = options.failure.empty()
                                  ? findTorchFolder(options.torch)
                                  : Result<TorchFolder>(Error{Stage::setup, options.failure});
  if (!torch) {
    fmt::print(stderr, "{}\n", describe(torch.error()));
    return cannotWork;
  }
  const auto serve = engineFunction<decltype(&warpbench_guests)>(*torch, options.device, "warpbench_guests");
  if (!serve) {
    fmt::print(stderr, "{}\n", describe(serve.error()));
    return cannotWork;
  }
  const EngineOptions engine{WB_VERSION, options.device, torch->version};
  return (*serve)(&engine, begins, warms);
}

}  // namespace wb
