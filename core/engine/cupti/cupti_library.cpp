// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cupti/cupti_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "core/base/python.h"

namespace wb {
namespace {

constexpr const char* soname = "libcupti.so.13";

struct Opened {
  Cupti table;
  bool usable = false;
  std::string whyNot;
};

std::string fillTable(void* library, Cupti& table) {
  std::string missing;
  WB_CUPTI_FUNCTIONS(WB_FUNCTION_LOOKUP)
  return missing;
}

/// Opens the library that lies beside torch in the packages of the Python that is used.
void* openFromPackages() {
  const Result<std::filesystem::path> python = findPython();
  if (!python) return nullptr;
  for (const std::filesystem::path& folder : packageFolders(python->parent_path().parent_path()))
    if (void* library = dlopen((folder / "nvidia/cu13/lib" / soname).c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
  return nullptr;
}

/// CUPTI opens its host library by name alone. That fails where the loader knows no folder of a toolkit,
/// although the library lies beside CUPTI's own. Once it is open, CUPTI finds it by name.
void openHostLibraryBeside(void* library) {
  Dl_info info{};
  void* inside = dlsym(library, "cuptiGetVersion");
  if (inside == nullptr || dladdr(inside, &info) == 0 || info.dli_fname == nullptr) return;
  const std::filesystem::path folder = std::filesystem::path(info.dli_fname).parent_path();
  for (const char* name : {"libnvperf_host.so", "libnvperf_target.so"})
    dlopen((folder / name).c_str(), RTLD_NOW | RTLD_GLOBAL);
}

Opened open() {
  Opened opened;
  void* library = dlopen(soname, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) library = openFromPackages();
  if (library == nullptr) library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    opened.whyNot = fmt::format("{} was not found: it comes with torch's CUDA packages", soname);
    return opened;
  }
  openHostLibraryBeside(library);
  if (const std::string missing = fillTable(library, opened.table); !missing.empty())
    opened.whyNot = fmt::format("{} is too old: it has no {}", soname, missing);
  opened.usable = opened.whyNot.empty();
  return opened;
}

std::string whatToDo(CUptiResult code) {
  switch (code) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "the driver keeps counters to administrators: as root, put \"options nvidia "
             "NVreg_RestrictProfilingToAdminUsers=0\" into /etc/modprobe.d/nvidia-profiling.conf and restart "
             "(ERR_NVGPUCTRPERM), or run with CAP_SYS_ADMIN";
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_HARDWARE_BUSY:
      return "another profiler (Nsight, dcgm, a debugger) holds the device's counters: end it";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "this is a virtual GPU: its host must allow profiling";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return "the GPU is in confidential computing mode, which has no counters";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return "this CUPTI does not know the chip";
    default:
      return {};
  }
}

}  // namespace

const Cupti* cupti(std::string* whyNot) {
  static const Opened opened = open();
  if (opened.usable) return &opened.table;
  if (whyNot != nullptr) *whyNot = opened.whyNot;
  return nullptr;
}

void makeCuptiForget() {
  if (const Cupti* library = cupti()) library->finalize();
}

Error cuptiError(CUptiResult code, std::string_view doing) {
  const char* name = nullptr;
  if (const Cupti* library = cupti()) library->getResultString(code, &name);
  return Error{Stage::profile,
               fmt::format("{}: {}", doing,
                           name != nullptr ? name : fmt::format("CUPTI error {}", static_cast<int>(code))),
               whatToDo(code)};
}

Result<void> checkCupti(CUptiResult code, std::string_view doing) {
  if (code == CUPTI_SUCCESS) return {};
  return cuptiError(code, doing);
}

}  // namespace wb
