// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "core/base/result.h"
#include "core/model/event.h"
#include "core/runner/remote/files/carried_files.h"

namespace wb {

/// A file to which the events of a shard are added as they come, one JSON object a line. Whoever is killed
/// while it writes leaves half a line at most, which is not read.
class EventFile {
 public:
  /// Opens the file, and cuts off half a line of an earlier attempt.
  static Result<EventFile> open(const std::filesystem::path& path);
  EventFile(EventFile&& other) noexcept;
  EventFile& operator=(EventFile&&) = delete;
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;
  ~EventFile();
  /// The event is with the system when this returns, so that the end of this process loses nothing.
  Result<void> append(const Event& event);

 private:
  EventFile(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_;
  std::filesystem::path path_;
};

/// The events of whole lines from the place `from` on, which is moved behind them; none where there is no
/// file yet. `paths` are those of the machine that has written them. Error: a line is no event.
Result<std::vector<Event>> readEvents(const std::filesystem::path& path, std::size_t& from,
                                      const PathsThere& paths = {});
/// The text of whole lines from a place on, of so many bytes at most where the first line is no longer.
[[nodiscard]] std::string wholeLines(const std::filesystem::path& path, std::size_t from, std::size_t most);

}  // namespace wb
