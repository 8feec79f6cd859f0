// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/process/guest_start.h"
#include "core/base/result.h"
#include "core/model/builds/builds.h"
#include "core/model/event.h"
#include "core/model/job.h"

namespace wb {

struct EngineOptions {
  /// The program's build; the library refuses another one.
  std::string build;
  /// The device: "cpu", "cuda:0".
  std::string device;
  /// The version of the torch that was opened, "2.11.0+cu130".
  std::string torch;
  /// The processes that guests are forked from, where they were there before the engine was.
  StartedAhead started{};
};

/// One line of `warpbench doctor`.
struct Finding {
  /// `missing` means that something cannot be done, `bad` that nothing can.
  enum class State { ok, missing, bad };
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
  /// Runs one job on the calling thread. Everything that it says goes to `emit`, in the order of event.h,
  /// from this thread or one that works for it. The last event is `Finished`, unless the device broke
  /// (`poisoned`): then the process must end, so that the rest of the job goes on in another one.
  ///
  /// With job.resume it goes on where another worker was lost: it does not say JobStarted again, and for the
  /// kernel under way it says Diagnosed and the result of compiling only if its stage is "compile".
  virtual void run(const Job& job, const Emit& emit, std::stop_token stop) = 0;
  /// What this machine builds kernels with. It starts compilers the first time.
  [[nodiscard]] virtual BuildFacts buildFacts() = 0;
  /// Builds the kernels of a job's work for another machine, whose GPU has this architecture ("" for none),
  /// and hands out the files. No kernel is run; of CUDA extensions the host's part is loaded, by a guest
  /// where the job is strict. Log lines go to `emit`, and last `Finished`.
  using OnBuilt = std::function<void(BuiltFile)>;
  virtual void compileAhead(const Job& job, const std::string& architecture, const Emit& emit,
                            const OnBuilt& built, std::stop_token stop) = 0;
  /// Keeps what another machine has built, for the job to come. Called from any thread.
  virtual void give(BuiltFile file, std::string from) = 0;
  /// Makes the first job quick, as far as that needs no job: the operator catalogue, the device's context. It
  /// takes less than a second.
  virtual void warm(const std::function<void(const Log&)>& onLog) = 0;
  /// Makes ready what jobs need that are judged strictly, where these are expected: starts the processes in
  /// which their kernels will likely run.
  virtual void expectStrict() = 0;
  /// A job has ended: has the processes of its kernels stand still, for the same kernels may come again.
  virtual void keepGuests() = 0;
  /// Nobody has asked for anything for a moment: looks whether kernels whose processes are kept have left
  /// work on the GPU, and ends those that may have, which has others who use the GPU wait for milliseconds.
  /// Then starts processes for the next job, if the last one was judged strictly.
  virtual void useIdleTime() = 0;
  /// Ends the processes that are kept for kernels that may be judged again.
  virtual void endKeptGuests() = 0;
  /// Does what is done once per installation: the precompiled header and the catalogue. It takes about 20 s.
  /// Gives the first error, and does the rest all the same.
  virtual Result<void> prepare(const std::function<void(const Log&)>& onLog) = 0;
  /// Says which compilers, NVRTC and driver exist and which do not.
  [[nodiscard]] virtual std::vector<Finding> examine() = 0;
  /// Whether a sticky device error was seen, so that the process must be replaced.
  [[nodiscard]] virtual bool poisoned() const = 0;
  /// Whether a kernel left something behind that cannot be undone. run() returned after that kernel, with
  /// `Finished` only if it was the last. What is left of the job is for a fresh process, and so is every
  /// other job.
  [[nodiscard]] virtual bool spoiled() const = 0;
};

}  // namespace wb

/// Serves as the parent of another worker's guests, and in each of them as a guest (core/engine/guest); gives
/// the exit code. `begins` is called first in each guest, and `warms` in the parent when it is to do ahead
/// what guests of Triton kernels do first; either may be null. Exported like the function below.
extern "C" int warpbench_guests(const wb::EngineOptions* options, void (*begins)(), void (*warms)());

/// What libwarpbench_engine.so exports: the engine. Null and `*failure` when it cannot work.
extern "C" wb::Engine* warpbench_engine(const wb::EngineOptions* options, std::string* failure);
