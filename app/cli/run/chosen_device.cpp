// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/chosen_device.h"

#include <utility>

#include "app/cli/run/run_job.h"
#include "core/runner/runner.h"

namespace wb {

Result<std::string> chosenDevice(const std::string& wanted) {
  auto device = resolveDevice(wanted, knownDevices());
  if (device) return device;
  Error error = std::move(device).error();
  error.stage = Stage::setup;
  return error;
}

}  // namespace wb
