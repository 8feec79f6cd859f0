// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/process/process.h"

namespace wb {

/// Walls around a worker.
struct WallWish {
  /// The run whose walls they are; no other run's worker shares its scratch folder and cache. 0: of a run to
  /// come, with a folder that no worker has had.
  std::uint32_t run = 0;
  /// Files and folders of the user that it may read.
  std::vector<std::string> readable;
};

/// The worker that is wanted.
struct WorkerWish {
  /// The device: "cpu", "cuda:N".
  std::string device = "cpu";
  /// The worker is inside a Python interpreter: it runs every language, and takes a second longer to start.
  bool python = false;
  /// Its jobs will likely be judged strictly.
  bool judges = false;
  /// The tool of compute-sanitizer under which it runs; "" for none.
  std::string sanitizer{};
  /// The file to which that writes its messages.
  std::filesystem::path sanitizerLog{};
  std::optional<WallWish> walls{};
};

/// What is known of a worker that has not greeted yet.
struct StartState {
  /// Where it waits before it can start: "the queue of gpu: Priority"; "" when it is starting.
  std::string waitsIn{};
  /// Why it will not start, however often it is tried.
  std::optional<Error> failure{};
};

/// Starts worker processes somewhere: here, or on another host. Whatever it starts speaks the protocol on its
/// standard input and output.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Called on the thread that will own the child. An error is final, since trying again would not help.
  virtual Result<Child> launch(const WorkerWish& wish) = 0;
  /// How long the worker may take from its launch to its greeting.
  [[nodiscard]] virtual std::chrono::milliseconds helloLimit() const = 0;
  /// A worker holds what others wait for: one is started only when a run needs it, and none is spare.
  [[nodiscard]] virtual bool isOnDemand() const { return false; }
  /// What a worker's start has come to, by the end of what it has printed on standard error.
  [[nodiscard]] virtual StartState startOf(std::string_view /*errors*/) const { return {}; }
  /// What a worker says that cannot work, as its user has to be told it: which machine is meant, and what to
  /// do there.
  [[nodiscard]] virtual Error ofWorker(Error error) const { return error; }
  /// How long a worker may wait where startOf() says, which does not count against helloLimit(); zero: for
  /// ever.
  [[nodiscard]] virtual std::chrono::milliseconds waitLimit() const { return {}; }
  /// Why a worker that had greeted is gone, where neither it nor a kernel is to blame: its host failed, its
  /// time was up. "" where that is not so.
  [[nodiscard]] virtual std::string placeLoss(std::string_view /*errors*/, Ending /*ending*/) const {
    return {};
  }
  /// What the silence of a worker may mean that is no fault of a kernel's; "" where only a kernel can silence
  /// it.
  [[nodiscard]] virtual std::string silenceMeans() const { return {}; }
  /// The silence after which a worker is lost; nothing leaves it to the runner.
  [[nodiscard]] virtual std::optional<double> heartbeatSeconds() const { return std::nullopt; }
  /// A new file for the messages of a sanitizer under which a worker runs, which both see; "" where there can
  /// be none.
  [[nodiscard]] virtual std::filesystem::path newSanitizerLog() const;
  /// Its workers are on other machines, and what stands in between may say where they are (Elsewhere).
  [[nodiscard]] virtual bool isElsewhere() const { return false; }
};

/// Starts the worker program in this program's folder, or libwarpbench_worker.so in `python`;
/// $WARPBENCH_WORKER replaces the former. `python` is the interpreter whose torch and packages are used; ""
/// means the one that findPython() finds.
[[nodiscard]] std::unique_ptr<Launcher> localLauncher(const std::string& python = {});
/// Starts a given command line for either, such as the fake worker of tests. The device is appended as
/// "--device=cuda:0".
[[nodiscard]] std::unique_ptr<Launcher> commandLauncher(
    Command command, std::chrono::milliseconds helloLimit = std::chrono::seconds{30});

}  // namespace wb
