// SPDX-License-Identifier: Apache-2.0
#include "core/engine/machine/target_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <string_view>

#include "core/base/process/process_start.h"
#include "core/base/sandbox/sandbox.h"
#include "core/base/text.h"
#include "core/engine/cupti/counters.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

std::string processorArchitecture(const utsname& system) {
  const std::string machine = system.machine;
  return machine == "x86_64" ? "x86-64" : machine;
}

}  // namespace

int cudaIndex(const std::string& device) {
  if (!device.starts_with("cuda")) return -1;
  int index = 0;
  const std::size_t colon = device.find(':');
  if (colon != std::string::npos)
    std::from_chars(device.data() + colon + 1, device.data() + device.size(), index);
  return index;
}

Target describeTarget(const std::string& device, const std::string& torchVersion) {
  utsname system{};
  uname(&system);
  Target target;
  target.device = device;
  target.torch = torchVersion;
  target.host = system.nodename;
  const std::string walls = startVariable(wallsVariable);
  for (const std::string_view words : split(walls, '\n'))
    if (!words.empty()) target.walls.emplace_back(words);
  if (const int index = cudaIndex(device); index >= 0) {
    if (const Result<DeviceFacts> facts = deviceFacts(index)) {
      target.deviceName = facts->name;
      target.architecture = facts->architecture;
      target.driver = facts->driverVersion;
      target.uuid = facts->uuid;
      target.multiprocessors = facts->multiprocessors;
      target.l2Bytes = facts->l2Bytes;
      target.memoryBytes = facts->memoryBytes;
      target.counters = countersRefused();
    }
    return target;
  }
  target.deviceName = processorName();
  target.architecture = processorArchitecture(system);
  return target;
}

std::int64_t cacheBytes(const std::string& device) {
  if (const int index = cudaIndex(device); index >= 0) {
    const Result<DeviceFacts> facts = deviceFacts(index);
    return facts ? facts->l2Bytes : 0;
  }
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : std::int64_t{1} << 20;
}

}  // namespace wb
