// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/nvrtc/nvrtc.h"

#include <c10/util/Exception.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nvrtc.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>

#include "core/base/library_functions.h"
#include "core/engine/compile/nvrtc/prelude.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
constexpr const char* toolkitFolder = "/usr/local/cuda";

/// NVRTC installs handlers of its own for SIGINT and other signals while it compiles; it leaves some of them
/// there, and others behind with other flags. This puts back the former ones, so that no kernel is blamed for
/// the change. Several threads may compile at once: the first one remembers, and the last one puts back.
class KeptSignals {
 public:
  KeptSignals() {
    const std::lock_guard lock(shared().mutex);
    if (shared().compiling++ > 0) return;
    for (std::size_t signal = 1; signal < shared().before.size(); ++signal)
      ::sigaction(static_cast<int>(signal), nullptr, &shared().before[signal]);
  }
  KeptSignals(const KeptSignals&) = delete;
  KeptSignals& operator=(const KeptSignals&) = delete;
  ~KeptSignals() {
    const std::lock_guard lock(shared().mutex);
    if (--shared().compiling > 0) return;
    for (std::size_t i = 1; i < shared().before.size(); ++i) {
      const int signal = static_cast<int>(i);
      struct sigaction now {};
      const struct sigaction& before = shared().before[i];
      if (::sigaction(signal, nullptr, &now) != 0) continue;
      if (now.sa_handler != before.sa_handler || now.sa_flags != before.sa_flags)
        ::sigaction(signal, &before, nullptr);
    }
  }

 private:
  /// Handlers of signals belong to the process, so what is remembered of them does too.
  struct Shared {
    std::mutex mutex;
    int compiling = 0;
    std::array<struct sigaction, NSIG> before{};
  };
  static Shared& shared() {
    static Shared one;
    return one;
  }
};

// clang-format off
/// NVRTC's functions that are used: the member of Nvrtc, the function of nvrtc.h.
#define WB_NVRTC_FUNCTIONS(ROW) \
  ROW(version, nvrtcVersion) \
  ROW(getErrorString, nvrtcGetErrorString) \
  ROW(createProgram, nvrtcCreateProgram) \
  ROW(destroyProgram, nvrtcDestroyProgram) \
  ROW(addNameExpression, nvrtcAddNameExpression) \
  ROW(compileProgram, nvrtcCompileProgram) \
  ROW(getLoweredName, nvrtcGetLoweredName) \
  ROW(getProgramLogSize, nvrtcGetProgramLogSize) \
  ROW(getProgramLog, nvrtcGetProgramLog) \
  ROW(getCubinSize, nvrtcGetCUBINSize) \
  ROW(getCubin, nvrtcGetCUBIN) \
  ROW(getPtxSize, nvrtcGetPTXSize) \
  ROW(getPtx, nvrtcGetPTX)
// clang-format on

/// NVRTC's functions, opened at run time.
struct Nvrtc {
  WB_NVRTC_FUNCTIONS(WB_FUNCTION_MEMBER)
  // It is absent before CUDA 13; a compilation cannot be stopped then.
  decltype(&nvrtcSetFlowCallback) setFlowCallback = nullptr;
};

struct Opened {
  Nvrtc table;
  bool usable = false;
  std::string whyNot;
};

/// The folder `<site>/nvidia/cu13` beside the torch that is loaded; empty where torch is not from a wheel.
fs::path wheelFolder() {
  Dl_info info{};
  // Any function of libc10 or libtorch_cpu will do: its library's place tells where the wheel is.
  auto* inTorch = reinterpret_cast<void*>(&c10::GetExceptionString);
  if (dladdr(inTorch, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code failed;
  const fs::path library = fs::canonical(info.dli_fname, failed);
  if (failed) return {};
  const fs::path folder = library.parent_path().parent_path().parent_path() / "nvidia" / "cu13";
  return fs::is_directory(folder, failed) ? folder : fs::path();
}

/// NVRTC opens its builtins by name alone when it first compiles. That fails where the loader knows no folder
/// of a toolkit, although they lie beside it. Once they are open, NVRTC finds them by name.
void openBuiltinsBeside(const fs::path& library) {
  constexpr std::string_view name = "libnvrtc-builtins.so";
  std::error_code failed;
  for (const auto& file : fs::directory_iterator(library.parent_path(), failed))
    if (file.path().filename().string().starts_with(name))
      dlopen(file.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
}

Opened open() {
  Opened opened;
  std::vector<std::string> places;
  if (const fs::path wheel = wheelFolder(); !wheel.empty())
    places.push_back((wheel / "lib/libnvrtc.so.13").string());
  places.emplace_back("libnvrtc.so.13");
  places.push_back(fmt::format("{}/lib64/libnvrtc.so.13", toolkitFolder));
  void* library = nullptr;
  for (const auto& place : places) {
    library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    if (const fs::path path = place; path.has_parent_path()) openBuiltinsBeside(path);
    break;
  }
  if (library == nullptr) {
    opened.whyNot = fmt::format("NVRTC was not found; looked for {}", fmt::join(places, ", "));
    return opened;
  }
  Nvrtc& table = opened.table;
  std::string missing, ignored;
  WB_NVRTC_FUNCTIONS(WB_FUNCTION_LOOKUP)
  findFunction(library, "nvrtcSetFlowCallback", table.setFlowCallback, ignored);
  opened.usable = missing.empty();
  if (!opened.usable) opened.whyNot = fmt::format("the NVRTC that was found has no {}", missing);
  return opened;
}

Result<const Nvrtc*> nvrtc() {
  static const Opened opened = open();
  if (opened.usable) return &opened.table;
  return Error{Stage::compile, fmt::format("Raw CUDA cannot be compiled: {}.", opened.whyNot),
               "run `packaging/setup build`, which installs it beside torch"};
}

int shouldCancel(void* payload, void*) {
  const auto& request = *static_cast<const NvrtcRequest*>(payload);
  return request.stop.stop_requested() || std::chrono::steady_clock::now() >= request.deadline ? 1 : 0;
}

/// Destroys a program at the end of a compilation.
class Program {
 public:
  Program(const Nvrtc& table, nvrtcProgram program) : table_(table), program_(program) {}
  ~Program() { table_.destroyProgram(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  [[nodiscard]] nvrtcProgram get() const { return program_; }

  template <class Size, class Read>
  [[nodiscard]] std::string read(Size size, Read copy) const {
    std::size_t bytes = 0;
    if (size(program_, &bytes) != NVRTC_SUCCESS || bytes == 0) return {};
    std::string text(bytes, '\0');
    if (copy(program_, text.data()) != NVRTC_SUCCESS) return {};
    return text;
  }

 private:
  const Nvrtc& table_;
  nvrtcProgram program_;
};

void cutAtNul(std::string& text) {
  if (const auto nul = text.find('\0'); nul != std::string::npos) text.resize(nul);
}

Error failure(const Nvrtc& table, nvrtcResult code, const char* doing) {
  return Error{Stage::compile, fmt::format("{}: {}", doing, table.getErrorString(code))};
}

std::vector<const std::string*> names(const NvrtcRequest& request) {
  std::vector<const std::string*> all;
  if (!request.nameExpression.empty()) all.push_back(&request.nameExpression);
  for (const auto& name : request.moreNames) all.push_back(&name);
  return all;
}

Result<NvrtcResult> finish(const Nvrtc& table, const Program& program, const NvrtcRequest& request,
                           nvrtcResult code) {
  if (request.stop.stop_requested()) return Error{Stage::compile, "Compiling was stopped."};
  if (code == NVRTC_ERROR_CANCELLED)
    return Error{Stage::compile, "Compiling took longer than its deadline.",
                 "loops unrolled very often take long"};
  NvrtcResult result;
  result.log = program.read(table.getProgramLogSize, table.getProgramLog);
  cutAtNul(result.log);
  result.ok = code == NVRTC_SUCCESS;
  if (!result.ok) {
    // Some failures leave no message of their own.
    if (compilerMessages(result.log).find_first_not_of(" \n") == std::string::npos)
      return failure(table, code, "NVRTC");
    return result;
  }
  for (const std::string* name : names(request)) {
    const char* lowered = nullptr;
    if (auto named = table.getLoweredName(program.get(), name->c_str(), &lowered); named != NVRTC_SUCCESS)
      return failure(table, named, ("NVRTC has no kernel " + *name).c_str());
    if (name == &request.nameExpression)
      result.loweredName = lowered;
    else
      result.moreLoweredNames.emplace_back(lowered);
  }
  result.cubin = program.read(table.getCubinSize, table.getCubin);
  result.ptx = program.read(table.getPtxSize, table.getPtx);
  cutAtNul(result.ptx);
  if (result.cubin.empty() && !names(request).empty())
    return Error{Stage::compile, "NVRTC gave no binary for this architecture.",
                 "options may not name a virtual architecture"};
  return result;
}

}  // namespace

Result<std::string> nvrtcName() {
  WB_TRY(auto table, nvrtc());
  int major = 0, minor = 0;
  table->version(&major, &minor);
  return fmt::format("NVRTC {}.{}", major, minor);
}

std::vector<std::string> cudaIncludeFolders() {
  std::vector<std::string> folders;
  std::error_code failed;
  for (const fs::path& root : {wheelFolder(), fs::path(toolkitFolder)})
    for (const char* folder : {"include", "include/cccl"})
      if (!root.empty() && fs::is_directory(root / folder, failed))
        folders.push_back((root / folder).string());
  return folders;
}

Result<NvrtcResult> compileWithNvrtc(const NvrtcRequest& request) {
  WB_TRY(auto found, nvrtc());
  const Nvrtc& table = *found;
  std::vector<const char*> headers{preludeName}, texts{request.prelude.c_str()};
  for (const auto& [name, text] : request.headers) {
    headers.push_back(name.c_str());
    texts.push_back(text.c_str());
  }
  if (request.headers.empty())
    for (const auto& header : rawCudaHeaders()) {
      headers.push_back(header.name.data());
      texts.push_back(header.text.data());
    }
  const KeptSignals kept;
  nvrtcProgram raw = nullptr;
  if (auto code = table.createProgram(&raw, request.source.c_str(), request.fileName.c_str(),
                                      static_cast<int>(headers.size()), texts.data(), headers.data());
      code != NVRTC_SUCCESS)
    return failure(table, code, "NVRTC");
  const Program program(table, raw);
  for (const std::string* name : names(request))
    if (auto code = table.addNameExpression(raw, name->c_str()); code != NVRTC_SUCCESS)
      return failure(table, code, "NVRTC");
  if (table.setFlowCallback != nullptr)
    table.setFlowCallback(raw, &shouldCancel, const_cast<void*>(static_cast<const void*>(&request)));
  const std::string prelude = fmt::format("--pre-include={}", preludeName);
  std::vector<const char*> options{prelude.c_str()};
  for (const auto& option : request.options) options.push_back(option.c_str());
  const auto code = table.compileProgram(raw, static_cast<int>(options.size()), options.data());
  return finish(table, program, request, code);
}

}  // namespace wb
