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

constexpr int schema = 2;
constexpr std::size_t largestJob = std::size_t{1} << 30;

fs::path jobFile(const fs::path& folder) {
  return folder / "job.json";
}
fs::path submissionFile(const fs::path& folder) {
  return folder / "submitted";
}

}  // namespace

fs::path Batch::events(std::size_t shard) const {
  return folder / fmt::format("events-{}.jsonl", shard);
}

fs::path Batch::log(std::size_t shard) const {
  return folder / fmt::format("log-{}.txt", shard);
}

fs::path batchFolder() {
  return dataFolder() / "batches";
}

std::string newBatchId() {
  std::random_device drawn;
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y%m%d-%H%M%S}-{:04x}", fmt::localtime(now), drawn() & 0xffffU);
}

Batch newBatch(const RunTarget& target, Job job, int workers, const std::string& id) {
  Batch batch{batchFolder() / id, target, std::move(job)};
  if (target.kind == TargetKind::slurm)
    batch.shards = shardsOf(batch.job, static_cast<std::size_t>(workers)).size();
  else
    batch.workers = workers;
  return batch;
}

Result<void> writeBatch(const Batch& batch) {
  const nlohmann::json json{{"schema", schema},           {"target", format(batch.target)},
                            {"name", batch.target.name},  {"folderThere", batch.folderThere},
                            {"shards", batch.shards},     {"workers", batch.workers},
                            {"root", batch.paths.root()}, {"kernels", batch.paths.kernels()},
                            {"job", toJson(batch.job)}};
  WB_DO(writeFileAtomically(jobFile(batch.folder), dump(json)));
  // A client of a network's file system remembers for a minute that a file was missing.
  for (std::size_t shard = 0; shard < batch.shards; ++shard)
    if (auto file = EventFile::open(batch.events(shard)); !file) return std::move(file).error();
  return {};
}

Result<void> rememberSubmission(Batch& batch, std::string number) {
  batch.submittedAs = std::move(number);
  return writeFileAtomically(submissionFile(batch.folder), batch.submittedAs);
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
  if (!json->is_object() || !json->contains("schema") || !(*json)["schema"].is_number_integer())
    return wrong("this is no run of Warpbench");
  if (const int written = (*json)["schema"]; written != schema)
    return Error{Stage::job,
                 fmt::format("the run {} was handed over by {} version of Warpbench",
                             folder.filename().string(), written < schema ? "an older" : "a newer"),
                 "attach to it with that version, or start it again with this one",
                 {}};
  Batch batch{.folder = folder};
  if (!json->contains("job")) return wrong("it has no job");
  try {
    const auto target = parseTarget(json->at("target").get<std::string>());
    if (!target) return wrong(target.error().text);
    batch.target = *target;
    // Those of earlier versions lack these.
    batch.target.name = json->value("name", "");
    batch.folderThere = json->value("folderThere", "");
    batch.shards = json->at("shards").get<std::size_t>();
    batch.workers = json->at("workers").get<int>();
    batch.paths = PathsThere(json->at("root").get<std::string>(),
                             json->at("kernels").get<std::vector<std::pair<std::string, std::string>>>());
  } catch (const nlohmann::json::exception&) {
    return wrong("this is no run of Warpbench");
  }
  auto job = jobFromJson((*json)["job"]);
  if (!job) return wrong(job.error().text);
  batch.job = *std::move(job);
  if (batch.workers < 1 || batch.shards != shardsOf(batch.job, batch.shards).size())
    return wrong("its shards are not those of its job");
  batch.submittedAs = readFile(submissionFile(folder)).value_or("");
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
