// SPDX-License-Identifier: Apache-2.0
#include "core/runner/launcher.h"

#include <cstdlib>
#include <utility>

#include "core/base/paths.h"

namespace wb {

namespace {

class CommandLauncher final : public Launcher {
 public:
  CommandLauncher(Command command, std::chrono::milliseconds helloLimit)
      : command_(std::move(command)), helloLimit_(helloLimit) {}

  [[nodiscard]] std::string description() const override { return "this machine"; }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return helloLimit_; }

  Result<Child> launch(const std::string& device) override {
    Command command = command_;
    command.argv.push_back("--device=" + device);
    Result<Child> child = Child::start(command);
    if (child) return child;
    Error error = child.error();
    if (error.hint.empty())
      error.hint = "reinstall Warpbench, or set WARPBENCH_WORKER to the path of warpbench-worker";
    return error;
  }

 private:
  Command command_;
  std::chrono::milliseconds helloLimit_;
};

const char* variable(const char* name) {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it while running
}

}  // namespace

std::unique_ptr<Launcher> localLauncher() {
  const char* given = variable("WARPBENCH_WORKER");
  Command command;
  command.argv = {given != nullptr && *given != '\0' ? given
                                                     : (programFolder() / "warpbench-worker").string()};
  // nvidia-smi, which lists the devices, counts them in the order of the bus; CUDA's own default is by speed.
  if (variable("CUDA_DEVICE_ORDER") == nullptr) command.environment = {{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}};
  // Torch's libraries come from a cold disk once: far more than the second it takes from then on.
  return commandLauncher(std::move(command), std::chrono::seconds{60});
}

std::unique_ptr<Launcher> commandLauncher(Command command, std::chrono::milliseconds helloLimit) {
  return std::make_unique<CommandLauncher>(std::move(command), helloLimit);
}

}  // namespace wb
