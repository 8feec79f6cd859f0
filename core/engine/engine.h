// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/event.h"
#include "core/model/job.h"

namespace wb {

struct EngineOptions {
  std::string build;   ///< of the program; the library refuses another one's
  std::string device;  ///< "cpu", "cuda:0"
  std::string torch;   ///< version of the torch that was opened, "2.11.0+cu130"
};

/// One line of `warpbench doctor`.
struct Finding {
  enum class State { ok, missing, bad };  ///< missing: something cannot be done; bad: nothing can
  std::string name;
  State state = State::ok;
  std::string found, hint;
};

/// The engine of one worker process on one device, as the worker program sees it through
/// libwarpbench_engine.so. Program and library come from one build, so C++ values cross between them. Nothing
/// throws.
class Engine {
 public:
  using Emit = std::function<void(const Event&)>;
  virtual ~Engine() = default;
  [[nodiscard]] virtual Target target() const = 0;
  /// Runs one job on the calling thread; everything it has to say goes to `emit`, in the order of event.h,
  /// from this thread or one that works for it. The last event is `Finished`, unless the device broke
  /// (`poisoned`): then the process must end so that the rest of the job goes on in another one.
  ///
  /// With job.work it does that part alone: what other workers have said, as that says, is not said again.
  virtual void run(const Job& job, const Emit& emit, std::stop_token stop) = 0;
  /// What makes the first job quick and needs no job: operator catalogue, the device's context. Below a
  /// second.
  virtual void warm(const std::function<void(const Log&)>& onLog) = 0;
  /// What is done once per installation: precompiled header and catalogue. Some 20 s. The first error is
  /// given, the rest is done all the same.
  virtual Result<void> prepare(const std::function<void(const Log&)>& onLog) = 0;
  /// Compilers, NVRTC, driver: what is there and what is not.
  [[nodiscard]] virtual std::vector<Finding> examine() = 0;
  /// A sticky device error was seen: the process must be replaced.
  [[nodiscard]] virtual bool poisoned() const = 0;
  /// A kernel left something behind that cannot be undone. run() returned after that kernel, with `Finished`
  /// only if it was the last: what is left of the job is for a fresh process, and so is every other job.
  [[nodiscard]] virtual bool spoiled() const = 0;
};

}  // namespace wb

/// The one function that libwarpbench_engine.so exports. Null and `*failure` when it cannot work.
extern "C" wb::Engine* warpbench_engine(const wb::EngineOptions* options, std::string* failure);
