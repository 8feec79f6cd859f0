// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/remote_launcher.h"

#include <utility>

#include "core/runner/remote/near/near_order.h"
#include "core/runner/remote/slurm.h"

namespace wb {
namespace {

class RemoteLauncher final : public Launcher {
 public:
  RemoteLauncher(RunTarget target, const std::filesystem::path& programs)
      : target_(std::move(target)), program_(programs / "warpbench-reach") {
    if (target_.kind == TargetKind::slurm) scheduler_ = slurmLauncher(seenThere(target_), {});
  }

  // A worker's own minute, and half a one for the connection.
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return std::chrono::seconds{90}; }
  [[nodiscard]] std::optional<double> heartbeatSeconds() const override { return silence; }
  [[nodiscard]] bool isElsewhere() const override { return true; }
  [[nodiscard]] bool isOnDemand() const override { return scheduler_ && scheduler_->isOnDemand(); }
  [[nodiscard]] std::chrono::milliseconds waitLimit() const override {
    return scheduler_ ? scheduler_->waitLimit() : Launcher::waitLimit();
  }
  [[nodiscard]] StartState startOf(std::string_view errors) const override {
    return scheduler_ ? scheduler_->startOf(errors) : Launcher::startOf(errors);
  }
  [[nodiscard]] std::string placeLoss(std::string_view errors, Ending ending) const override {
    return scheduler_ ? scheduler_->placeLoss(errors, ending) : Launcher::placeLoss(errors, ending);
  }

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
  /// What the scheduler of a cluster says there is understood as it is on its login node.
  std::unique_ptr<Launcher> scheduler_;
  std::filesystem::path program_;
};

}  // namespace

std::unique_ptr<Launcher> remoteLauncher(const RunTarget& target, const std::filesystem::path& programs) {
  return std::make_unique<RemoteLauncher>(target, programs);
}

}  // namespace wb
