// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/records.h"

#include <fmt/format.h>

#include <algorithm>

namespace wb {

Result<std::vector<RecordedCall>> recordedCalls(const std::vector<ActivityRecord>& records,
                                                std::int64_t markBytes, std::int64_t endBytes,
                                                std::size_t calls) {
  std::vector<RecordedCall> found;
  const ActivityRecord* elsewhere = nullptr;
  std::uint32_t stream = 0;  // that the marks are on
  double first = 0, last = 0;
  std::size_t ends = 0;
  bool ended = false;
  for (const ActivityRecord& record : records) {
    if (record.kind == ActivityKind::api) continue;
    if (record.kind == ActivityKind::fill && record.bytes == markBytes) {
      found.emplace_back();
      stream = record.stream;
      ended = false;
      continue;
    }
    if (record.kind == ActivityKind::fill && record.bytes == endBytes) {
      ended = true;
      ++ends;
      continue;
    }
    if (found.empty()) continue;  // this belongs to what came before the first call
    if (record.stream != stream) elsewhere = &record;
    if (record.stream == stream && ended) continue;  // what is ours lies between an end and the next mark
    if (!(record.seconds > 0)) return Error{Stage::time, "a record of the device has no times", {}, {}};
    RecordedCall& call = found.back();
    first = call.launches == 0 ? record.start : first;
    last = call.launches == 0 ? record.start + record.seconds : std::max(last, record.start + record.seconds);
    ++call.launches;
    call.blocks = std::max(call.blocks, std::int64_t{1} * record.grid[0] * record.grid[1] * record.grid[2]);
    call.busy += record.seconds;
    call.seconds = last - first;
  }
  if (found.size() != calls)
    return Error{
        Stage::time, fmt::format("of {} calls the device's records show {}", calls, found.size()), {}, {}};
  if (ends != calls)
    return Error{Stage::time, "a call filled memory as the ends of calls are marked", {}, {}};
  const bool complete =
      std::all_of(found.begin(), found.end(), [](const RecordedCall& call) { return call.launches > 0; });
  if (complete) return found;
  // Work that does not wait for the marks may have begun before them.
  if (elsewhere != nullptr) return Error{Stage::time, onAnotherStream(*elsewhere), {}, {}};
  return Error{Stage::time, "a call left no record of work on the device", {}, {}};
}

}  // namespace wb
