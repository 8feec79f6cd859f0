// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/model/json/json_codec.h"
#include "core/runner/batch/batch.h"
#include "core/runner/batch/batch_queue.h"
#include "core/runner/batch/batch_script.h"
#include "core/runner/batch/event_file.h"
#include "core/runner/remote/files/carried_files.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t longestAnswer = std::size_t{4} << 20;

bool isName(const std::string& id) {
  return !id.empty() && id.front() != '.' && std::ranges::all_of(id, [](char c) {
    return c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

Json inJson(const Error& error) {
  return {{"text", error.text}, {"hint", error.hint}};
}

/// The run's own copy of the programs, so that it goes on when another version of Warpbench has come and
/// this one is removed. Where files can have two names that takes no room.
Result<fs::path> ownPrograms(const Batch& batch, const fs::path& from) {
  const fs::path to = batch.folder / "programs";
  std::error_code failed;
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::create_hard_links, failed);
  if (failed) {
    fs::remove_all(to, failed);
    fs::copy(from, to, fs::copy_options::recursive, failed);
  }
  if (failed)
    return Error{Stage::setup,
                 fmt::format("cannot copy the programs to {}: {}", to.string(), failed.message()),
                 "make room there, or give the target another folder by the option cache"};
  return to / "bin" / "warpbench";
}

Result<Json> take(const Json& request, std::string_view packed, const fs::path& bundle) {
  WB_TRY(RunTarget target, parseTarget(request.at("target").get<std::string>()));
  target.python = atHome(target.python);
  if (request.at("ownCache").get<bool>()) target.cache = cacheFolder().string();
  WB_TRY(Job job, jobFromJson(request.at("job")));
  Batch batch =
      newBatch(target, std::move(job), request.at("workers").get<int>(), request.at("id").get<std::string>());
  std::error_code ignored;
  if (fs::exists(batch.folder, ignored))
    return Error{Stage::job, fmt::format("there is a run {} already", batch.id()), "start it again"};
  WB_TRY(const std::vector<CarriedFile> files, unpackedFiles(packed));
  WB_DO(writeBatch(batch));
  if (!files.empty()) {
    const fs::path sources = batch.folder / "sources";
    fs::create_directories(sources, ignored);
    WB_DO(storeFiles(files, sources));
  }
  WB_TRY(const fs::path program, ownPrograms(batch, bundle));
  const std::string script = batchScript(batch, program);
  WB_DO(writeFileAtomically(batch.script(), script));
  if (request.at("submit").get<bool>()) {
    WB_TRY(std::string number, submitScript(batch));
    WB_DO(rememberSubmission(batch, std::move(number)));
  }
  return Json{{"script", script}, {"path", batch.script().string()}, {"number", batch.submittedAs}};
}

Result<Json> look(const Json& request) {
  WB_TRY(const Batch batch, readBatch(request.at("id").get<std::string>()));
  Json answer{{"more", false}, {"parts", Json::array()}};
  // What ends after this is seen the next time; what has ended before has written all.
  if (request.at("queue").get<bool>()) {
    if (const auto queue = askQueue(batch))
      answer.update({{"waiting", queue->waiting},
                     {"running", queue->running},
                     {"reason", queue->reason},
                     {"endedBy", queue->endedBy}});
    else
      answer["unanswered"] = inJson(queue.error());
  }
  const auto have = request.at("have").get<std::vector<std::size_t>>();
  std::size_t room = longestAnswer;
  for (std::size_t shard = 0; shard < std::min(have.size(), batch.shards); ++shard) {
    std::error_code missing;
    const auto size = fs::file_size(batch.events(shard), missing);
    if ((missing ? 0 : size) < have[shard])
      return Error{Stage::job, fmt::format("{} is shorter than it was", batch.events(shard).string()),
                   "the file was changed by something else: start the run again"};
    std::string part = room > 0 ? wholeLines(batch.events(shard), have[shard], room) : std::string();
    room -= std::min(room, part.size());
    if (room == 0 || (!part.empty() && have[shard] + part.size() < size)) answer["more"] = true;
    answer["parts"].push_back(std::move(part));
  }
  return answer;
}

Result<Json> answerTo(const Json& request, std::string_view packed, const fs::path& bundle) {
  const auto what = request.at("do").get<std::string>();
  const auto id = request.at("id").get<std::string>();
  if (!isName(id)) return Error{Stage::job, "this is no name of a run"};
  if (what == "where") return Json{{"folder", (batchFolder() / id).string()}};
  if (what == "take") return take(request, packed, bundle);
  if (what == "look") return look(request);
  if (what != "cancel") return Error{Stage::job, fmt::format("nobody here can \"{}\"", what)};
  WB_TRY(const Batch batch, readBatch(id));
  WB_DO(cancelBatch(batch));
  return Json::object();
}

}  // namespace

std::string answerAboutBatch(std::string_view request, const fs::path& bundle) {
  const std::size_t line = std::min(request.find('\n'), request.size());
  const auto answer = [&]() -> Result<Json> {
    WB_TRY(const Json asked, parseJson(request.substr(0, line)));
    try {
      return answerTo(asked, request.substr(std::min(line + 1, request.size())), bundle);
    } catch (const Json::exception& wrong) {
      return Error{Stage::job, fmt::format("this is no request about a run: {}", wrong.what())};
    }
  }();
  if (answer) return dump(*answer);
  return dump({{"error", inJson(answer.error())}});
}

}  // namespace wb
