// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cupti/activity.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "core/engine/cupti/cupti_library.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

constexpr std::size_t bufferBytes = std::size_t{1} << 20;
// How many characters of template arguments are still shown.
constexpr std::size_t longestTemplate = 40;

/// CUPTI's callbacks take no pointer of the caller's, so what a trace collects stands here while it runs.
struct Collected {
  std::mutex mutex;
  std::vector<ActivityRecord> records;
  std::vector<std::uint64_t> starts;  // in nanoseconds, one per record
};
Collected& collected() {
  static Collected one;
  return one;
}

std::string copyName(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "copy host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "copy device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "copy on the device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return "copy between devices";
    default:
      return "copy";
  }
}

std::string callName(const CUpti_ActivityAPI& call) {
  const char* name = nullptr;
  const auto domain =
      call.kind == CUPTI_ACTIVITY_KIND_DRIVER ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
  if (cupti()->getCallbackName(domain, call.cbid, &name) != CUPTI_SUCCESS || name == nullptr) return "call";
  // The version in "cudaLaunchKernel_v7000" or "cuLaunchKernel_v2" says nothing to people.
  std::string text = name;
  if (const auto version = text.rfind("_v"); version != std::string::npos) text.resize(version);
  return text;
}

double between(std::uint64_t start, std::uint64_t end) {
  return end > start ? static_cast<double>(end - start) * 1e-9 : 0;
}

void take(Collected& all, const CUpti_Activity* record) {
  ActivityRecord made;
  std::uint64_t start = 0, end = 0;
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel10*>(record);
      made.kind = ActivityKind::kernel;
      made.function = kernel.name != nullptr ? kernel.name : "";
      made.stream = kernel.streamId;
      made.grid = {kernel.gridX, kernel.gridY, kernel.gridZ};
      made.block = {kernel.blockX, kernel.blockY, kernel.blockZ};
      made.registers = kernel.registersPerThread;
      made.staticShared = kernel.staticSharedMemory;
      made.dynamicShared = kernel.dynamicSharedMemory;
      made.localBytes = kernel.localMemoryPerThread;
      start = kernel.start, end = kernel.end;
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = *reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
      made.kind = ActivityKind::copy;
      made.function = copyName(copy.copyKind);
      made.stream = copy.streamId;
      made.bytes = static_cast<std::int64_t>(copy.bytes);
      start = copy.start, end = copy.end;
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = *reinterpret_cast<const CUpti_ActivityMemset4*>(record);
      made.kind = ActivityKind::fill;
      made.function = "fill";
      made.stream = fill.streamId;
      made.bytes = static_cast<std::int64_t>(fill.bytes);
      start = fill.start, end = fill.end;
      break;
    }
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: {
      const auto& call = *reinterpret_cast<const CUpti_ActivityAPI*>(record);
      made.kind = ActivityKind::api;
      made.function = callName(call);
      start = call.start, end = call.end;
      break;
    }
    default:
      return;
  }
  made.seconds = between(start, end);
  all.records.push_back(std::move(made));
  all.starts.push_back(start);
}

void CUPTIAPI giveBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, bufferBytes));
  *size = *buffer != nullptr ? bufferBytes : 0;
  *most = 0;
}

void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  const Cupti* library = cupti();
  Collected& all = collected();
  {
    const std::lock_guard lock(all.mutex);
    CUpti_Activity* record = nullptr;
    while (valid > 0 && library->activityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
      take(all, record);
  }
  std::free(buffer);
}

/// Switches kinds of records on while it lives.
class Recording {
 public:
  static Result<std::unique_ptr<Recording>> start(
      const Cupti& library, bool hostCalls,
      CUpti_ActivityKind kernels = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    std::unique_ptr<Recording> recording(new Recording(library));
    std::vector<CUpti_ActivityKind> kinds{kernels, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};
    if (hostCalls) kinds.insert(kinds.end(), {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER});
    for (const CUpti_ActivityKind kind : kinds) {
      WB_DO(checkCupti(library.activityEnable(kind), "Recording what the device does"));
      recording->kinds_.push_back(kind);
    }
    return recording;
  }
  ~Recording() {
    for (const CUpti_ActivityKind kind : kinds_) library_.activityDisable(kind);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  explicit Recording(const Cupti& library) : library_(library) {}
  const Cupti& library_;
  std::vector<CUpti_ActivityKind> kinds_;
};

Result<const Cupti*> ready() {
  std::string whyNot;
  const Cupti* library = cupti(&whyNot);
  if (library == nullptr) return Error{Stage::profile, "Activity cannot be recorded: " + whyNot};
  if (driver() == nullptr) return Error{Stage::profile, "Activity cannot be recorded: there is no GPU"};
  // This happens each time, since countCalls makes CUPTI forget.
  WB_DO(checkCupti(library->activityRegisterCallbacks(giveBuffer, takeBuffer),
                   "Recording what the device does"));
  return library;
}

/// The records in order of their start, which is counted from the first one; without the wait that ended the
/// recording.
std::vector<ActivityRecord> inOrder(Collected& all) {
  std::vector<std::size_t> order(all.records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return all.starts[a] < all.starts[b]; });
  if (!order.empty() && all.records[order.back()].function == "cuCtxSynchronize") order.pop_back();
  std::vector<ActivityRecord> records;
  for (const std::size_t i : order) {
    records.push_back(std::move(all.records[i]));
    records.back().start = between(all.starts[order.front()], all.starts[i]);
  }
  all.records.clear();
  all.starts.clear();
  return records;
}

}  // namespace

Result<std::vector<ActivityRecord>> traceActivity(const std::function<Result<void>()>& work, bool hostCalls) {
  WB_TRY(const auto library, ready());
  // Work that was under way before does not belong to the trace.
  WB_DO(synchronize(Stage::profile));
  library->activityFlushAll(0);
  Collected& all = collected();
  {
    const std::lock_guard lock(all.mutex);
    all.records.clear();
    all.starts.clear();
  }
  Result<void> done;
  {
    const auto recording = Recording::start(*library, hostCalls);
    if (!recording) return recording.error();
    done = work();
    if (Result<void> quiet = synchronize(Stage::profile); done && !quiet) done = std::move(quiet);
  }
  if (!done) return std::move(done).error();
  WB_DO(checkCupti(library->activityFlushAll(0), "Reading what the device did"));
  const std::lock_guard lock(all.mutex);
  return inOrder(all);
}

struct ActivityRecorder::Kinds {
  const Cupti& library;
  std::unique_ptr<Recording> recording;
};

ActivityRecorder::ActivityRecorder() = default;
ActivityRecorder::~ActivityRecorder() = default;

Result<std::unique_ptr<ActivityRecorder>> ActivityRecorder::start(Kernels kernels) {
  WB_TRY(const auto library, ready());
  WB_DO(synchronize(Stage::profile));
  static std::once_flag first;
  std::call_once(first, [&] {
    if (Recording::start(*library, false)) (void)synchronize(Stage::profile);
    library->activityFlushAll(0);
  });
  std::unique_ptr<ActivityRecorder> recorder(new ActivityRecorder);
  WB_TRY(auto recording, Recording::start(*library, false,
                                          kernels == Kernels::alone ? CUPTI_ACTIVITY_KIND_KERNEL
                                                                    : CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  recorder->kinds_ = std::make_unique<Kinds>(Kinds{*library, std::move(recording)});
  // Records from before belong to nobody any more.
  WB_DO(recorder->take());
  return recorder;
}

Result<std::vector<ActivityRecord>> ActivityRecorder::take() {
  const Cupti& library = kinds_->library;
  WB_DO(synchronize(Stage::profile));
  WB_DO(checkCupti(library.activityFlushAll(0), "Reading what the device did"));
  std::size_t dropped = 0;
  library.activityGetNumDroppedRecords(nullptr, 0, &dropped);
  Collected& all = collected();
  const std::lock_guard lock(all.mutex);
  auto records = inOrder(all);
  if (dropped > 0) return Error{Stage::profile, fmt::format("CUPTI dropped {} records", dropped)};
  return records;
}

std::string shortKernelName(const std::string& function) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(function.c_str(), nullptr, nullptr, &status), std::free);
  std::string name = status == 0 && demangled ? demangled.get() : function;
  // After the name come the parameters, at depth 0 of the template's brackets.
  int depth = 0;
  std::size_t begin = 0, bracket = std::string::npos, end = name.size();
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<') {
      if (depth++ == 0) bracket = i;
    } else if (c == '>' && depth > 0) {
      --depth;
    } else if (depth == 0 && c == ' ') {
      begin = i + 1, bracket = std::string::npos;  // in "void name", what came before was the result's type
    } else if (depth == 0 && c == '(') {
      constexpr std::string_view anonymous = "(anonymous namespace)";
      if (name.compare(i, anonymous.size(), anonymous) == 0) {
        i += anonymous.size() - 1;
        continue;
      }
      end = i;
      break;
    } else if (depth == 0 && c == ':') {
      begin = i + 1, bracket = std::string::npos;
    }
  }
  name = name.substr(begin, end - begin);
  if (bracket != std::string::npos && name.size() - (bracket - begin) > longestTemplate)
    name = name.substr(0, bracket - begin) + "<…>";
  return name;
}

std::string nameOf(const ActivityRecord& record) {
  return record.kind == ActivityKind::kernel ? shortKernelName(record.function) : record.function;
}

std::string onAnotherStream(const ActivityRecord& record) {
  return "works on another stream (" + nameOf(record) + "): its time would not be measured";
}

}  // namespace wb
