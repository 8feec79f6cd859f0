// SPDX-License-Identifier: Apache-2.0
#include "core/history/history.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/base/enum.h"
#include "core/base/files/file.h"
#include "core/figures/cells.h"
#include "core/figures/verdict/run_speedup.h"
#include "core/model/json/json_codec.h"
#include "core/report/title.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const char* const noteEnding = ".run";

fs::path noteFile(const fs::path& folder, const std::string& id) {
  return folder / (id + noteEnding);
}

// Two processes, and two runs within a millisecond, have different ids.
std::string newId(std::int64_t now) {
  static std::atomic<int> count = 0;
  const std::time_t seconds = now / 1000;
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  return fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}-{:03}-{}-{}", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, now % 1000, ::getpid(), ++count);
}

KeptRun describeRun(const Report& report) {
  KeptRun run;
  run.title = reportTitle(report);
  run.suite = report.suite;
  run.device = report.device;
  run.outcome = report.outcome;
  const Counts all = counts(report);
  run.passed = all.passed;
  run.total = all.total;
  const SpeedupSummary speedup = runSpeedup(report).summary;
  if (speedup.cases > 0) {
    run.speedup = speedup.geomean;
    run.low = speedup.low;
    run.high = speedup.high;
  }
  return run;
}

std::string noteOf(const KeptRun& run) {
  return dump(json{{"when", run.when},
                   {"title", run.title},
                   {"suite", run.suite},
                   {"device", run.device},
                   {"outcome", std::string(name(run.outcome))},
                   {"passed", run.passed},
                   {"total", run.total},
                   {"speedup", run.speedup},
                   {"low", run.low},
                   {"high", run.high},
                   {"bytes", run.bytes},
                   {"pinned", run.pinned}});
}

// Nothing for a text that is no note; whatever a note lacks has its default.
std::optional<KeptRun> runOf(const std::string& id, const std::string& text) {
  const auto note = parseJson(text);
  if (!note || !note->is_object() || !note->contains("when")) return std::nullopt;
  try {
    KeptRun run;
    run.id = id;
    run.when = note->value("when", run.when);
    run.title = note->value("title", run.title);
    run.suite = note->value("suite", run.suite);
    run.device = note->value("device", run.device);
    const std::string outcome = note->value("outcome", std::string());
    for (const Outcome each : enumValues<Outcome>)
      if (name(each) == outcome) run.outcome = each;
    run.passed = note->value("passed", run.passed);
    run.total = note->value("total", run.total);
    run.speedup = note->value("speedup", run.speedup);
    run.low = note->value("low", run.low);
    run.high = note->value("high", run.high);
    run.bytes = note->value("bytes", run.bytes);
    run.pinned = note->value("pinned", run.pinned);
    return run;
  } catch (const json::exception&) {
    return std::nullopt;  // a member has another type
  }
}

void keepWithin(const fs::path& folder, const HistoryLimits& limits) {
  int count = 0;
  std::int64_t bytes = 0;
  for (const KeptRun& run : keptRuns(folder)) {
    ++count;
    bytes += run.bytes;
    if (!run.pinned && count > 1 && (count > limits.runs || bytes > limits.bytes)) {
      forgetRun(folder, run.id);
      --count;
      bytes -= run.bytes;
    }
  }
}

}  // namespace

fs::path runFile(const fs::path& folder, const std::string& id) {
  return folder / (id + ".json");
}

Result<KeptRun> keepRun(const fs::path& folder, const Report& report, std::int64_t now,
                        const HistoryLimits& limits) {
  KeptRun run = describeRun(report);
  run.id = newId(now);
  run.when = now;
  const std::string text = dump(toJson(report)) + "\n";
  run.bytes = std::int64_t(text.size());
  if (auto written = writeFileAtomically(runFile(folder, run.id), text); !written)
    return std::move(written).error();
  // The note comes last, so that every listed run has its report.
  if (auto written = writeFileAtomically(noteFile(folder, run.id), noteOf(run)); !written) {
    forgetRun(folder, run.id);
    return std::move(written).error();
  }
  keepWithin(folder, limits);
  return run;
}

std::vector<KeptRun> keptRuns(const fs::path& folder) {
  std::vector<KeptRun> runs;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() != noteEnding) continue;
    if (const auto text = readFile(at->path()))
      if (auto run = runOf(at->path().stem().string(), *text)) runs.push_back(*std::move(run));
  }
  std::ranges::sort(runs, [](const KeptRun& a, const KeptRun& b) {
    return std::pair(b.when, b.id) < std::pair(a.when, a.id);
  });
  return runs;
}

Result<void> pinRun(const fs::path& folder, const std::string& id, bool pinned) {
  WB_TRY(const auto text, readFile(noteFile(folder, id)));
  auto run = runOf(id, text);
  if (!run) return Error{Stage::report, "no run is kept as " + id, "run the kernel again", {}};
  run->pinned = pinned;
  return writeFileAtomically(noteFile(folder, id), noteOf(*run));
}

void forgetRun(const fs::path& folder, const std::string& id) {
  std::error_code ignored;
  fs::remove(noteFile(folder, id), ignored);
  fs::remove(runFile(folder, id), ignored);
}

}  // namespace wb
