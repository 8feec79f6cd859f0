// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <utility>

namespace wb {
namespace {

// Source: NVML API reference. There is no nvml.h beside the headers that torch's wheel brings.
constexpr int nvmlSuccess = 0;
constexpr unsigned clockSm = 1, clockMemory = 2, gpuTemperature = 0;

constexpr std::array<std::pair<unsigned long long, const char*>, 6> throttleReasons{{
    {0x04, "power cap"},
    {0x08, "hardware slowdown"},
    {0x10, "boost synchronised with other GPUs"},
    {0x20, "thermal"},
    {0x40, "hardware thermal slowdown"},
    {0x80, "power brake"},
}};

}  // namespace

struct Nvml::Library {
  int (*init)() = nullptr;
  int (*handleByUuid)(const char*, void**) = nullptr;
  int (*clock)(void*, unsigned, unsigned*) = nullptr;
  int (*power)(void*, unsigned*) = nullptr;
  int (*temperature)(void*, unsigned, unsigned*) = nullptr;
  int (*reasons)(void*, unsigned long long*) = nullptr;
  int (*energy)(void*, unsigned long long*) = nullptr;
  const char* (*errorString)(int) = nullptr;
};

std::unique_ptr<Nvml> Nvml::open(const std::string& uuid, std::string* whyNot) {
  const auto refuse = [&](std::string why) {
    if (whyNot != nullptr) *whyNot = std::move(why);
    return std::unique_ptr<Nvml>();
  };
  // Stays open for the life of the process.
  void* opened = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return refuse("libnvidia-ml.so.1 is not there");
  auto library = std::make_unique<Library>();
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(opened, name));
    return function != nullptr;
  };
  if (!find("nvmlInit_v2", library->init) || !find("nvmlDeviceGetHandleByUUID", library->handleByUuid))
    return refuse("libnvidia-ml.so.1 lacks what every NVML has");
  // Where one of these is missing, only its value is unknown.
  find("nvmlDeviceGetClockInfo", library->clock);
  find("nvmlDeviceGetPowerUsage", library->power);
  find("nvmlDeviceGetTemperature", library->temperature);
  find("nvmlDeviceGetCurrentClocksThrottleReasons", library->reasons);
  find("nvmlDeviceGetTotalEnergyConsumption", library->energy);
  find("nvmlErrorString", library->errorString);
  const auto words = [&](int code) {
    return library->errorString != nullptr ? std::string(library->errorString(code))
                                           : fmt::format("NVML error {}", code);
  };
  if (const int code = library->init(); code != nvmlSuccess) return refuse("NVML: " + words(code));
  void* device = nullptr;
  if (const int code = library->handleByUuid(uuid.c_str(), &device); code != nvmlSuccess)
    return refuse(fmt::format("NVML does not know {}: {}", uuid, words(code)));
  return std::unique_ptr<Nvml>(new Nvml(std::move(library), device));
}

Nvml::Nvml(std::unique_ptr<Library> library, void* device) : library_(std::move(library)), device_(device) {}
Nvml::~Nvml() = default;

Conditions Nvml::conditions(const Conditions* before) const {
  Conditions now = before != nullptr ? *before : Conditions();
  unsigned value = 0;
  if (library_->clock != nullptr && library_->clock(device_, clockSm, &value) == nvmlSuccess)
    now.smHertz = value * 1e6;
  unsigned long long reasons = 0;
  if (library_->reasons != nullptr && library_->reasons(device_, &reasons) == nvmlSuccess)
    now.throttle = throttleText(reasons);
  if (before != nullptr) return now;
  if (library_->clock != nullptr && library_->clock(device_, clockMemory, &value) == nvmlSuccess)
    now.memoryHertz = value * 1e6;
  if (library_->power != nullptr && library_->power(device_, &value) == nvmlSuccess) now.watts = value * 1e-3;
  if (library_->temperature != nullptr &&
      library_->temperature(device_, gpuTemperature, &value) == nvmlSuccess)
    now.celsius = value;
  return now;
}

std::optional<double> Nvml::joules() const {
  unsigned long long millijoules = 0;
  if (library_->energy == nullptr || library_->energy(device_, &millijoules) != nvmlSuccess)
    return std::nullopt;
  return static_cast<double>(millijoules) * 1e-3;
}

std::string throttleText(unsigned long long reasons) {
  std::string text;
  for (const auto& [bit, word] : throttleReasons)
    if ((reasons & bit) != 0) text += text.empty() ? word : std::string(", ") + word;
  return text;
}

}  // namespace wb
