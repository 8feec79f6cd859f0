// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/profile.h"

namespace wb {

/// One activity record of CUPTI.
struct ActivityRecord {
  ActivityKind kind = ActivityKind::kernel;
  /// The name of a kernel in its binary, or the name of a call of the host.
  std::string function;
  /// When it began, in seconds since the first record, and how long it took.
  double start = 0, seconds = 0;
  /// The stream by CUPTI's number: 7 is the legacy default stream of a context.
  std::uint32_t stream = 0;
  /// How many bytes were copied or filled.
  std::int64_t bytes = 0;
  /// The launch of a kernel.
  std::array<int, 3> grid{}, block{};
  int registers = 0;
  std::int64_t staticShared = 0, dynamicShared = 0, localBytes = 0;
};

/// Runs `work`, waits for the device (all streams), and gives what the device did meanwhile, in order of
/// start; with `hostCalls` also the calls of runtime and driver. It costs about 10 ms the first time, then
/// about 1 ms. Errors: those of `work`; no CUPTI; another profiler is attached.
Result<std::vector<ActivityRecord>> traceActivity(const std::function<Result<void>()>& work,
                                                  bool hostCalls = false);

/// Records while it lives, so that many looks cost one beginning. Before the first recording of a process
/// another one is made and thrown away, since what CUPTI says in its first session cannot be relied on.
class ActivityRecorder {
 public:
  /// What CUPTI may do to kernels for their times.
  enum class Kernels {
    /// CUPTI adds to each block's code: kernels of very many blocks take longer.
    concurrent,
    /// Kernels run one after the other and unchanged, but each seems to take a microsecond or two more.
    alone
  };
  /// Waits for the device. Errors: no CUPTI; another profiler is attached.
  static Result<std::unique_ptr<ActivityRecorder>> start(Kernels kernels);
  ~ActivityRecorder();
  ActivityRecorder(const ActivityRecorder&) = delete;
  ActivityRecorder& operator=(const ActivityRecorder&) = delete;
  /// Waits for the device and gives what it did since the last time, in order of start. Errors: what went
  /// wrong on the device; records that CUPTI had no room for.
  Result<std::vector<ActivityRecord>> take();

 private:
  ActivityRecorder();
  struct Kinds;
  std::unique_ptr<Kinds> kinds_;
};

/// A kernel's name for people: "relu<float>" for "void (anonymous namespace)::relu<float>(float const*,
/// float*, int)".
[[nodiscard]] std::string shortKernelName(const std::string& function);
/// What a record is called for people: a kernel by its short name, a copy or a fill by its function.
[[nodiscard]] std::string nameOf(const ActivityRecord& record);
/// Says, for people, that a call cannot be timed because it left this record on another stream.
[[nodiscard]] std::string onAnotherStream(const ActivityRecord& record);

}  // namespace wb
