// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "core/base/files/file.h"
#include "core/base/nearest.h"
#include "core/base/process/process.h"
#include "core/base/text.h"
#include "core/runner/device_list.h"
#include "core/runner/runner.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The value after "key :" in a file of such lines; "" when there is none.
std::string valueOf(const fs::path& file, std::string_view key) {
  const Result<std::string> content = readFile(file);
  if (!content) return "";
  std::istringstream lines(*content);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && trimmed(line.substr(0, colon)) == key)
      return std::string(trimmed(line.substr(colon + 1)));
  }
  return "";
}

Device processor() {
  Device device{"cpu", valueOf("/proc/cpuinfo", "model name"), "", 0};
  utsname names{};
  if (::uname(&names) == 0) device.architecture = names.machine;
  std::replace(device.architecture.begin(), device.architecture.end(), '_', '-');
  if (device.name.empty()) device.name = device.architecture;
  device.memoryBytes = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return device;
}

/// What the driver says without its tool, which is names only.
std::vector<PhysicalGpu> fromProc() {
  std::vector<PhysicalGpu> result;
  std::error_code failed;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator("/proc/driver/nvidia/gpus", failed))
    folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());  // their names are bus addresses
  for (const fs::path& folder : folders) {
    PhysicalGpu gpu;
    gpu.name = valueOf(folder / "information", "Model");
    gpu.uuid = valueOf(folder / "information", "GPU UUID");
    result.push_back(std::move(gpu));
  }
  return result;
}

std::vector<PhysicalGpu> gpus() {
  std::error_code failed;
  if (!fs::exists("/dev/nvidiactl", failed) && !fs::exists("/proc/driver/nvidia", failed) &&
      !fs::exists("/dev/dxg", failed))
    return {};
  // The tool is asked, and not libcuda, since initialising CUDA costs this process a third of a second and
  // hundreds of megabytes.
  const Command command{
      {"nvidia-smi", "--query-gpu=uuid,name,compute_cap,memory.total", "--format=csv,noheader,nounits"},
      {},
      {{"LC_ALL", "C"}}};
  const Result<Captured> told = runToEnd(command, std::chrono::seconds{10});
  return told && told->ok() ? parseNvidiaSmi(told->out) : fromProc();
}

}  // namespace

std::vector<PhysicalGpu> parseNvidiaSmi(const std::string& csv) {
  std::vector<PhysicalGpu> result;
  for (const std::string_view line : splitLines(csv)) {
    std::vector<std::string_view> cells = split(line, ',');
    if (cells.size() != 4) continue;
    std::ranges::transform(cells, cells.begin(), trimmed);
    PhysicalGpu gpu{std::string(cells[0]), std::string(cells[1]), "", 0};
    std::string capability(cells[2]);
    std::erase(capability, '.');
    if (number<int>(capability)) gpu.architecture = "sm_" + capability;
    if (const auto mebibytes = number<std::int64_t>(cells[3])) gpu.memoryBytes = *mebibytes << 20;
    result.push_back(std::move(gpu));
  }
  return result;
}

std::vector<PhysicalGpu> visibleGpus(const std::vector<PhysicalGpu>& all, const char* visible) {
  if (visible == nullptr) return all;
  // CUDA reads it in that order, and up to the first entry that names no device, or one that was named
  // before.
  std::vector<PhysicalGpu> result;
  for (const std::string_view part : split(visible, ',')) {
    const std::string_view entry = trimmed(part);
    const auto index = number<std::size_t>(entry);
    const auto named = std::find_if(all.begin(), all.end(), [&](const PhysicalGpu& gpu) {
      return index ? &gpu == all.data() + *index : !entry.empty() && gpu.uuid.starts_with(entry);
    });
    if (named == all.end()) break;
    if (std::find(result.begin(), result.end(), *named) != result.end()) return {};
    result.push_back(*named);
  }
  return result;
}

std::vector<Device> devices() {
  std::vector<Device> result{processor()};
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it while running
  for (PhysicalGpu& gpu : visibleGpus(gpus(), std::getenv("CUDA_VISIBLE_DEVICES")))
    result.push_back({fmt::format("cuda:{}", result.size() - 1), std::move(gpu.name),
                      std::move(gpu.architecture), gpu.memoryBytes});
  return result;
}

Result<std::string> resolveDevice(const std::string& wanted, const std::vector<Device>& there) {
  std::vector<std::string> names{"auto"};
  for (const Device& device : there) names.push_back(device.id);
  if (wanted.empty() || wanted == "auto") {
    for (const Device& device : there)
      if (device.id != "cpu") return device.id;
    return std::string("cpu");
  }
  const std::string full = wanted == "cuda" || wanted == "gpu" ? "cuda:0" : wanted;
  if (std::find(names.begin(), names.end(), full) != names.end()) return full;
  if (full.starts_with("cuda:") && number<unsigned>(full.substr(5))) {
    const std::size_t count = names.size() - 2;
    return Error{Stage::setup,
                 count == 0
                     ? fmt::format("there is no device {}: this machine has no usable GPU", full)
                     : fmt::format("there is no device {}: this machine has {}", full,
                                   count == 1 ? "only cuda:0" : fmt::format("cuda:0 to cuda:{}", count - 1)),
                 count == 0 ? "use --device cpu, or see `warpbench doctor`" : "see `warpbench list devices`"};
  }
  const std::string near = didYouMean(full, names);
  return Error{Stage::job, fmt::format("\"{}\" is no device", wanted),
               near.empty() ? "use auto, cpu or cuda:N" : near};
}

Result<std::vector<std::string>> resolveDevices(const std::vector<std::string>& wanted,
                                                const std::vector<Device>& there) {
  std::vector<std::string> chosen;
  for (const std::string& name : wanted) {
    if (name == "auto")
      for (const Device& each : there)
        if (each.id != "cpu") chosen.push_back(each.id);
    if (name == "auto" && !chosen.empty()) continue;
    WB_TRY(chosen.emplace_back(), resolveDevice(name, there));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

}  // namespace wb
