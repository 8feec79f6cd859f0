// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_place_there.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "core/model/json/json_codec.h"
#include "core/runner/batch/batch_desk.h"
#include "core/runner/remote/files/carried_files.h"
#include "core/runner/remote/files/neighbours.h"
#include "core/runner/remote/ssh/ssh_call.h"
#include "core/runner/remote/ssh/ssh_command.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::chrono::seconds longestCall{90};
constexpr int sshFailed = 255;

std::size_t sizeOf(const fs::path& file) {
  std::error_code missing;
  const auto size = fs::file_size(file, missing);
  return missing ? 0 : static_cast<std::size_t>(size);
}

/// Adds to a file what comes behind its first `from` bytes. Somebody else who follows the same run may have
/// added it before.
Result<void> append(const fs::path& path, std::size_t from, const std::string& text) {
  const auto wrong = [&] {
    return Error{Stage::job, fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)),
                 "see whether the disk is full and the folder may be written"};
  };
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return wrong();
  Result<void> done;
  if (::flock(file, LOCK_EX) == 0 && sizeOf(path) == from)
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = ::write(file, text.data() + at, text.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        done = wrong();
        break;
      }
      at += static_cast<std::size_t>(written);
    }
  ::close(file);
  return done;
}

class PlaceThere final : public BatchPlace {
 public:
  explicit PlaceThere(RunTarget target) : target_(std::move(target)) {}

  Result<HandedOver> handOver(Batch& batch, bool submit,
                              const std::function<void(const std::string&)>& say) override {
    return understood<HandedOver>([&] { return handOverThere(batch, submit, say); });
  }

  Result<BatchNews> look(const Batch& batch, bool asksQueue) override {
    return understood<BatchNews>([&] { return lookThere(batch, asksQueue); });
  }

  Result<void> cancel(const Batch& batch) override {
    WB_DO(asked({{"do", "cancel"}, {"id", batch.id()}}, {}, {}));
    return {};
  }

  [[nodiscard]] std::chrono::milliseconds pause() const override { return std::chrono::milliseconds{1000}; }

 private:
  Result<HandedOver> handOverThere(Batch& batch, bool submit,
                                   const std::function<void(const std::string&)>& say) {
    const std::string id = batch.id();
    WB_TRY(const Json where, asked({{"do", "where"}, {"id", id}}, {}, say));
    WB_TRY(const std::vector<CarriedFile> files, neighboursOf(batch.job));
    Job there = batch.job;
    batch.folderThere = where.at("folder").get<std::string>();
    if (!files.empty()) {
      batch.paths = PathsThere(batch.folderThere + "/sources/" + hashOf(files));
      there = batch.paths.there(there);
    }
    // From here on the run is known by its name, also where the connection is lost before the answer comes.
    WB_DO(writeBatch(batch));
    const auto taken = asked({{"do", "take"},
                              {"id", id},
                              {"target", format(seenThere(target_))},
                              {"ownCache", !target_.cache.empty()},
                              {"workers", std::max(static_cast<int>(batch.shards), batch.workers)},
                              {"submit", submit},
                              {"job", toJson(there)}},
                             packedFiles(files), say);
    if (!taken) {
      Error error = taken.error();
      if (isLost_)
        error.hint = fmt::format("`warpbench attach {}` says whether it was handed over before that", id);
      return error;
    }
    WB_DO(rememberSubmission(batch, taken->at("number").get<std::string>()));
    return HandedOver{taken->at("script").get<std::string>(), taken->at("path").get<std::string>()};
  }

  Result<BatchNews> lookThere(const Batch& batch, bool asksQueue) {
    BatchNews news;
    for (bool more = true; more;) {
      std::vector<std::size_t> have;
      for (std::size_t shard = 0; shard < batch.shards; ++shard) have.push_back(sizeOf(batch.events(shard)));
      const auto told = asked({{"do", "look"},
                               {"id", batch.id()},
                               {"have", have},
                               {"queue", asksQueue && !news.queue && !news.unanswered}},
                              {}, {});
      if (!told && isLost_ && wasReached_) return BatchNews{.queue = {}, .lost = told.error().text};
      if (!told) return told.error();
      const auto parts = told->at("parts").get<std::vector<std::string>>();
      for (std::size_t shard = 0; shard < std::min(parts.size(), have.size()); ++shard)
        if (!parts[shard].empty()) WB_DO(append(batch.events(shard), have[shard], parts[shard]));
      if (told->contains("waiting"))
        news.queue = QueueState{.waiting = told->at("waiting").get<int>(),
                                .running = told->at("running").get<int>(),
                                .reason = told->at("reason").get<std::string>(),
                                .endedBy = told->at("endedBy").get<std::string>()};
      if (told->contains("unanswered")) news.unanswered = errorIn(told->at("unanswered"));
      more = told->at("more").get<bool>();
    }
    return news;
  }

  [[nodiscard]] Error noAnswer() const {
    return {Stage::setup, fmt::format("{} gave no answer about the run", titleOf(target_)),
            fmt::format("`warpbench target test {}` says where it fails", titleOf(target_))};
  }

  /// An answer that lacks something is none.
  template <class Value, class Question>
  Result<Value> understood(Question question) {
    try {
      return question();
    } catch (const Json::exception&) {
      return noAnswer();
    }
  }

  /// What the desk there answers (core/runner/batch/batch_desk.h).
  Result<Json> asked(const Json& request, const std::string& behind,
                     const std::function<void(const std::string&)>& say) {
    isLost_ = false;
    const std::string input = dump(request) + "\n" + behind;
    WB_TRY(const SshAnswer answer,
           callReach(target_, "--batch",
                     {.input = input, .limit = longestCall, .use = BundleUse::batches, .say = say}));
    if (!answer.ok()) {
      isLost_ = answer.timedOut || (answer.ending.exitCode == sshFailed && mayPass(answer.err));
      return failureOf(target_, answer);
    }
    wasReached_ = true;
    const std::size_t mark = answer.out.rfind(batchMark);
    const auto json =
        parseJson(mark == std::string::npos ? std::string_view()
                                            : std::string_view(answer.out).substr(mark + batchMark.size()));
    if (!json || !json->is_object()) return noAnswer();
    if (!json->contains("error")) return *json;
    return errorIn(json->at("error"));
  }

  /// A name that was once known is known again when the network is back, as after sleep.
  [[nodiscard]] bool mayPass(std::string_view errors) const {
    const SshFailure failure = sshFailure(titleOf(target_), errors);
    return failure.mayPass || (failure.isUnknownName && wasReached_);
  }

  /// What the desk there has said.
  [[nodiscard]] Error errorIn(const Json& error) const {
    return {Stage::job, fmt::format("{}, on {}", error.at("text").get<std::string>(), titleOf(target_)),
            error.at("hint").get<std::string>()};
  }

  const RunTarget target_;
  /// The last question failed by the network alone; one was answered before.
  bool isLost_ = false, wasReached_ = false;
};

}  // namespace

std::unique_ptr<BatchPlace> batchPlaceThere(const RunTarget& target) {
  return std::make_unique<PlaceThere>(target);
}

}  // namespace wb
