// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/text.h"
#include "core/model/event.h"
#include "core/runner/batch/event_file.h"
#include "core/runner/remote/slurm.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t longestEnd = std::uintmax_t{64} << 10;
// Less than this is not enough for the next event.
constexpr std::uintmax_t leastRoom = std::uintmax_t{64} << 10;

/// The end of a file, which begins at `from`; "" where there is no file.
std::string endOf(const fs::path& path, std::uintmax_t& from) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(path, missing);
  if (missing) return {};
  from = size - std::min(size, longestEnd);
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(from));
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The last whole line of a shard's events says that it finished.
bool isDone(const Batch& batch, std::size_t shard) {
  std::uintmax_t from = 0;
  const std::string text = endOf(batch.events(shard), from);
  const std::size_t end = text.rfind('\n');
  if (end == std::string::npos || end == 0) return false;
  const std::size_t before = text.rfind('\n', end - 1);
  std::size_t line = static_cast<std::size_t>(from) + (before == std::string::npos ? 0 : before + 1);
  const auto events = readEvents(batch.events(shard), line);
  const auto* last = events && !events->empty() ? std::get_if<Finished>(&events->back()) : nullptr;
  return last != nullptr && last->outcome == Outcome::finished;
}

}  // namespace

std::string whyAPartEnded(std::string_view endedAs, std::string_view log) {
  // The last thing that was said, and the last that was done to the part from outside.
  std::string_view said, done;
  for (const std::string_view each : splitLines(log)) {
    const std::string_view line = trimmed(each);
    if (line.empty()) continue;
    said = line;
    if (!slurmLoss(line, {1, 0}).empty()) done = line;
  }
  if (endedAs == "FAILED") {
    if (said.empty()) return "its job could not be started, or ended without a word";
    // A scheduler that starts a job anew too soon is refused by the node.
    if (said == done)
      return fmt::format("after it was stopped, its job could not be started again ({})", done);
    return fmt::format("its job failed: {}", said);
  }
  const std::string loss = done.empty() ? std::string() : slurmLoss(done, {1, 0});
  const std::string_view meant = slurmEnd(endedAs);
  // What the log says last may have been done to an attempt before.
  return meant.empty() || loss.starts_with(meant) ? loss : std::string(meant);
}

std::string whyItEnded(const Batch& batch, std::string_view endedAs) {
  std::vector<std::size_t> cutShort;
  for (std::size_t shard = 0; shard < batch.shards; ++shard)
    if (!isDone(batch, shard)) cutShort.push_back(shard);
  if (cutShort.empty()) return {};
  std::error_code failed;
  const fs::space_info room = fs::space(batch.folder, failed);
  if (!failed && room.available < leastRoom)
    return fmt::format("there is no space left in {}", batch.folder.string());
  for (const std::size_t shard : cutShort) {
    std::uintmax_t from = 0;
    if (std::string why = whyAPartEnded(endedAs, endOf(batch.log(shard), from)); !why.empty()) return why;
  }
  return {};
}

}  // namespace wb
