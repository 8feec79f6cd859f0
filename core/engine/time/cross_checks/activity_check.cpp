// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/activity_check.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/engine/cupti/launch_owner.h"
#include "core/engine/device/current_stream.h"
#include "core/engine/device/driver.h"
#include "core/engine/reference/exception_text.h"

namespace wb {
namespace {

constexpr double fillSeconds = 20e-6;  // the time to fill busyBytes at 3 TB/s; slower devices take more
// The records' clock rounds, and a kernel may begin while the mark ends.
constexpr double rounding = 1e-6;

/// Runs one call between its marks.
Result<void> markedCall(PreparedCall& call, const at::Tensor& buffer, int device, int fills) {
  const Driver& cuda = *driver();
  const CUstream stream = currentStream(device);
  const auto where = reinterpret_cast<CUdeviceptr>(buffer.data_ptr());
  const auto fill = [&](std::int64_t bytes) -> Result<void> {
    if (CUresult code = cuda.memsetD8Async(where, 0, static_cast<std::size_t>(bytes), stream);
        code != CUDA_SUCCESS)
      return cudaError(Stage::time, code, "Marking a call");
    return {};
  };
  Result<void> done;
  for (int i = 0; i < fills && done; ++i) done = fill(busyBytes);
  if (done) done = fill(startMarkBytes);
  if (done) done = call.run();
  if (done) done = fill(endMarkBytes);
  return done;
}

struct Window {
  std::vector<const ActivityRecord*> inside, outside;
  std::uint32_t stream = 0;
  double end = 0;
};

bool isMark(const ActivityRecord& record) {
  return record.kind == ActivityKind::fill &&
         (record.bytes == startMarkBytes || record.bytes == endMarkBytes || record.bytes == busyBytes);
}

Window windowOf(const std::vector<ActivityRecord>& records) {
  const auto find = [&](std::int64_t bytes) {
    return std::find_if(records.begin(), records.end(), [&](const ActivityRecord& record) {
      return record.kind == ActivityKind::fill && record.bytes == bytes;
    });
  };
  Window window;
  const auto start = find(startMarkBytes), end = find(endMarkBytes);
  if (start == records.end() || end == records.end()) return window;
  window.stream = start->stream;
  window.end = end->start;
  for (const ActivityRecord& record : records) {
    if (isMark(record) || record.kind == ActivityKind::api) continue;
    const bool after = record.start + record.seconds > end->start + rounding;
    const bool before = record.start + rounding < start->start;
    (before || after ? window.outside : window.inside).push_back(&record);
  }
  return window;
}

double total(const Window& window) {
  double seconds = 0;
  for (const ActivityRecord* record : window.inside) seconds += record->seconds;
  return seconds;
}

std::vector<RanPart> launchesOf(const Window& window) {
  std::vector<const ActivityRecord*> all = window.inside;
  all.insert(all.end(), window.outside.begin(), window.outside.end());
  return launchesIn(all);
}

std::string escapeOf(const Window& window) {
  if (window.outside.empty()) return {};
  const ActivityRecord& first = *window.outside.front();
  if (first.stream != window.stream) return onAnotherStream(first);
  return fmt::format("leaves work running after its call ({}): its time would not be measured",
                     nameOf(first));
}

}  // namespace

SeenActivity judgeActivity(const std::vector<ActivityRecord>& candidate,
                           const std::vector<ActivityRecord>& reference) {
  const Window mine = windowOf(candidate), atens = windowOf(reference);
  return {{total(atens), total(mine)}, launchesOf(mine), escapeOf(mine)};
}

Result<SeenActivity> watchActivity(PreparedCall& reference, PreparedCall& candidate, int device,
                                   double hostSeconds) {
  at::Tensor buffer;
  try {
    buffer = at::empty({busyBytes}, at::TensorOptions().dtype(at::kByte).device(
                                        at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device))));
  } catch (...) {
    return Error{Stage::profile, exceptionText(), {}, {}};
  }
  const int fills =
      static_cast<int>(std::clamp(std::ceil((3 * hostSeconds + 60e-6) / fillSeconds), 3.0, 64.0));
  auto mine = traceActivity([&] { return markedCall(candidate, buffer, device, fills); });
  if (!mine) return std::move(mine).error();
  auto atens = traceActivity([&] { return markedCall(reference, buffer, device, fills); });
  if (!atens) return std::move(atens).error();
  return judgeActivity(*mine, *atens);
}

}  // namespace wb
