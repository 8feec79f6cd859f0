// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/shard_launcher.h"

#include <csignal>
#include <string>
#include <utility>

namespace wb {
namespace {

class ShardLauncher final : public Launcher {
 public:
  explicit ShardLauncher(std::unique_ptr<Launcher> inner) : inner_(std::move(inner)) {}
  Result<Child> launch(const WorkerWish& wish) override { return inner_->launch(wish); }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return inner_->helloLimit(); }
  [[nodiscard]] std::string placeLoss(std::string_view /*errors*/, Ending ending) const override {
    return ending.signal == SIGTERM ? "it was ended from outside (SIGTERM), as the scheduler does" : "";
  }

 private:
  std::unique_ptr<Launcher> inner_;
};

}  // namespace

std::unique_ptr<Launcher> shardLauncher(std::unique_ptr<Launcher> inner) {
  return std::make_unique<ShardLauncher>(std::move(inner));
}

}  // namespace wb
