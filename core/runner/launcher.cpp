// SPDX-License-Identifier: Apache-2.0
#include "core/runner/launcher.h"

#include <cstdlib>
#include <utility>

#include "core/base/files/paths.h"
#include "core/base/python.h"
#include "core/runner/prepare.h"
#include "core/runner/process/worker_walls.h"
#include "core/runner/sanitizer/sanitizer.h"

namespace wb {

namespace {

Result<Child> start(Command command, const WorkerWish& wish) {
  command.argv.push_back("--device=" + wish.device);
  if (wish.judges) command.argv.emplace_back("--judges");
  if (!wish.sanitizer.empty()) {
    WB_TRY(const std::filesystem::path sanitizer, findSanitizer());
    command = underSanitizer(std::move(command), sanitizer, wish.sanitizer, wish.sanitizerLog);
  }
  Result<Child> child = Child::start(command);
  if (child) return child;
  Error error = child.error();
  if (error.hint.empty())
    error.hint = "reinstall Warpbench, or set WARPBENCH_WORKER to the path of warpbench-worker";
  return error;
}

class CommandLauncher final : public Launcher {
 public:
  CommandLauncher(Command command, std::chrono::milliseconds helloLimit)
      : command_(std::move(command)), helloLimit_(helloLimit) {}

  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return helloLimit_; }

  Result<Child> launch(const WorkerWish& wish) override { return start(command_, wish); }

 private:
  Command command_;
  std::chrono::milliseconds helloLimit_;
};

const char* variable(const char* name) {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it while running
}

class LocalLauncher final : public Launcher {
 public:
  explicit LocalLauncher(std::string python) : python_(std::move(python)) {}

  // Torch's libraries are read from a cold disk once, which takes far more than the second that it takes from
  // then on.
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return std::chrono::seconds{60}; }

  Result<Child> launch(const WorkerWish& wish) override {
    Command command;
    // nvidia-smi, which lists the devices, counts them in the order of the bus, while CUDA by default counts
    // them by speed.
    if (variable("CUDA_DEVICE_ORDER") == nullptr)
      command.environment.emplace_back("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    if (!python_.empty()) command.environment.emplace_back("WARPBENCH_PYTHON", python_);
    const std::filesystem::path worker = workerProgram();
    command.keeper = worker;
    if (!wish.python) {
      command.argv = {worker.string()};
      return launch(std::move(command), wish, python_);
    }
    const Result<std::filesystem::path> python =
        python_.empty() ? findPython() : Result<std::filesystem::path>(python_);
    if (!python) return python.error();
    command.argv = {python->string(), (resourceFolder() / "python" / "warpbench_worker.py").string(),
                    (worker.parent_path() / "libwarpbench_worker.so").string()};
    return launch(std::move(command), wish, *python);
  }

 private:
  Result<Child> launch(Command command, const WorkerWish& wish, const std::filesystem::path& python) {
    if (!wish.walls) return start(std::move(command), wish);
    WB_DO(checkSandbox());
    if (folder_.path().empty() || wish.walls->run == 0 || folderOf_ != wish.walls->run) {
      WB_TRY(folder_, RunFolder::make(runFolders().string()));
      folderOf_ = wish.walls->run;
    }
    raiseAround(command, {wish.device, command.keeper, python, wish.walls->readable}, folder_);
    return start(std::move(command), wish);
  }

  std::string python_;
  /// What workers inside walls write, and the run that they work for.
  RunFolder folder_;
  std::uint32_t folderOf_ = 0;
};

}  // namespace

std::filesystem::path Launcher::newSanitizerLog() const {
  return wb::newSanitizerLog();
}

std::unique_ptr<Launcher> localLauncher(const std::string& python) {
  return std::make_unique<LocalLauncher>(python);
}

std::unique_ptr<Launcher> commandLauncher(Command command, std::chrono::milliseconds helloLimit) {
  return std::make_unique<CommandLauncher>(std::move(command), helloLimit);
}

}  // namespace wb
