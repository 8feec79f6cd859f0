// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/remote_launcher.h"

#include <utility>

#include "core/runner/remote/near_order.h"

namespace wb {
namespace {

class RemoteLauncher final : public Launcher {
 public:
  RemoteLauncher(RunTarget target, const std::filesystem::path& programs)
      : target_(std::move(target)), program_(programs / "warpbench-reach") {}

  // A worker's own minute, and half a one for the connection.
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return std::chrono::seconds{90}; }
  [[nodiscard]] std::optional<double> heartbeatSeconds() const override { return silence; }
  [[nodiscard]] bool isElsewhere() const override { return true; }

  Result<Child> launch(const WorkerWish& wish) override {
    Command command;
    command.keeper = program_;
    command.argv = nearArguments(target_, wish);
    command.argv.insert(command.argv.begin(), command.keeper.string());
    return Child::start(command);
  }

 private:
  // A lost connection is seen by the link itself after six seconds.
  static constexpr double silence = 15;
  RunTarget target_;
  std::filesystem::path program_;
};

}  // namespace

std::unique_ptr<Launcher> remoteLauncher(const RunTarget& target, const std::filesystem::path& programs) {
  return std::make_unique<RemoteLauncher>(target, programs);
}

}  // namespace wb
