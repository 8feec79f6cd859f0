// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/model/json/json_codec.h"
#include "core/run/shards.h"
#include "core/runner/batch/event_file.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr int schema = 1;
constexpr std::size_t largestJob = std::size_t{1} << 30;

fs::path jobFile(const fs::path& folder) {
  return folder / "job.json";
}
fs::path submissionFile(const fs::path& folder) {
  return folder / "submitted";
}

std::string newId() {
  std::random_device drawn;
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y%m%d-%H%M%S}-{:04x}", fmt::localtime(now), drawn() & 0xffffU);
}

}  // namespace

fs::path Batch::events(std::size_t shard) const {
  return folder / fmt::format("events-{}.jsonl", shard);
}

fs::path batchFolder() {
  return dataFolder() / "batches";
}

Result<Batch> makeBatch(const RunTarget& target, Job job, std::size_t shards) {
  const std::size_t count = shardsOf(job, shards).size();
  Batch batch{batchFolder() / newId(), target, std::move(job), count};
  const nlohmann::json json{
      {"schema", schema}, {"target", format(target)}, {"shards", batch.shards}, {"job", toJson(batch.job)}};
  WB_DO(writeFileAtomically(jobFile(batch.folder), dump(json)));
  return batch;
}

Result<void> rememberSubmission(Batch& batch, std::string slurmJob) {
  batch.slurmJob = std::move(slurmJob);
  return writeFileAtomically(submissionFile(batch.folder), batch.slurmJob);
}

Result<Batch> readBatch(const std::string& word) {
  const fs::path folder = word.find('/') == std::string::npos ? batchFolder() / word : fs::path(word);
  std::error_code ignored;
  if (word.empty() || !fs::exists(jobFile(folder), ignored))
    return Error{Stage::job,
                 fmt::format("there is no run \"{}\"", word),
                 fmt::format("the runs are the folders in {}", batchFolder().string()),
                 {}};
  WB_TRY(const std::string text, readFile(jobFile(folder), largestJob));
  const auto wrong = [&](const std::string& why) {
    return Error{Stage::job,
                 fmt::format("{}: {}", jobFile(folder).string(), why),
                 "the file is not as Warpbench wrote it: start the run again",
                 {}};
  };
  const Result<nlohmann::json> json = parseJson(text);
  if (!json) return wrong(json.error().text);
  if (!json->is_object() || json->value("schema", 0) != schema || !json->contains("job") ||
      !(*json)["shards"].is_number_unsigned() || !(*json)["target"].is_string())
    return wrong("this is no run of this version of Warpbench");
  const auto target = parseTarget((*json)["target"].get<std::string>());
  if (!target) return wrong(target.error().text);
  auto job = jobFromJson((*json)["job"]);
  if (!job) return wrong(job.error().text);
  Batch batch{folder, *target, *std::move(job), (*json)["shards"].get<std::size_t>()};
  if (batch.shards != shardsOf(batch.job, batch.shards).size())
    return wrong("its shards are not those of its job");
  batch.slurmJob = readFile(submissionFile(folder)).value_or("");
  return batch;
}

Result<std::shared_ptr<const Report>> reportBefore(const Batch& batch, std::size_t shard) {
  std::size_t from = 0;
  WB_TRY(const std::vector<Event> events, readEvents(batch.events(shard), from));
  if (events.empty()) return std::shared_ptr<const Report>();
  auto report = std::make_shared<Report>(startReport(batch.job));
  // An attempt that was cut short has said that it ended; this one goes on.
  for (const Event& event : events)
    if (!std::holds_alternative<Finished>(event)) fold(*report, event);
  return std::shared_ptr<const Report>(std::move(report));
}

}  // namespace wb
