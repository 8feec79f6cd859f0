// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/check/target_check.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/process/process.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/model/json/json_codec.h"
#include "core/runner/prepare.h"
#include "core/runner/remote/ssh/bundle.h"
#include "core/runner/remote/ssh/ssh_call.h"
#include "core/runner/remote/ssh/ssh_command.h"
#include "core/runner/remote/target_places.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;
using State = TargetFinding::State;

constexpr std::chrono::seconds longestAnswer{40}, longestExamination{120}, longestStart{150};
constexpr std::string_view mark = "WARPBENCH SINFO";
constexpr int sshFailed = 255;
constexpr std::chrono::hours longestInstallation{1};
constexpr const char* getTorch =
    "make an environment there: python3 -m venv ~/torch && ~/torch/bin/pip install torch==2.11.0; then give "
    "the target python=~/torch/bin/python";

std::string_view lastLine(std::string_view text) {
  text = trimmed(text);
  return text.substr(text.rfind('\n') + 1);
}

/// The last line of what is still being printed that has come to its end; "" where there is none.
std::string_view lastWhole(std::string_view text) {
  const std::size_t end = text.rfind('\n');
  return end == std::string_view::npos ? std::string_view() : lastLine(text.substr(0, end));
}

class TargetCheck {
 public:
  TargetCheck(const RunTarget& target, const std::function<void(const TargetFinding&)>& tell,
              std::stop_token stop)
      : target_(target), tell_(tell), stop_(std::move(stop)) {}

  bool run() {
    if (isBehindSsh(target_) && !(connect() && copy())) return false;
    if (target_.kind == TargetKind::slurm) return askScheduler() && startWorker();
    return examine() && listDevices() && startWorker();
  }

 private:
  bool say(State state, std::string what, std::string found, std::string hint = {}, bool needsTorch = false) {
    if (stop_.stop_requested()) return false;
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - std::exchange(since_, now)).count();
    tell_({state, std::move(what), std::move(found), std::move(hint), seconds, needsTorch});
    return state != State::bad;
  }
  bool fail(std::string what, const Error& error) {
    return say(State::bad, std::move(what), error.text, error.hint);
  }

  Result<std::string> ask(const std::string& script, std::chrono::milliseconds limit, bool mayFail = false) {
    WB_TRY(SshAnswer answer, callHost(target_, sockets_, script, {}, limit, {}, stop_));
    if (answer.timedOut || answer.stopped || (answer.ending != Ending{} && !mayFail))
      return failureOf(target_, answer);
    return std::move(answer.out);
  }

  bool connect() {
    const auto answer = ask("echo; uname -srm", longestAnswer);
    if (!answer) return fail("connection", answer.error());
    return say(State::good, "connection",
               fmt::format("reached, the host's key is known, logged in: {}", lastLine(*answer)));
  }

  bool copy() {
    auto bundle = ownBundle();
    if (!bundle) return fail("programs", bundle.error());
    hash_ = bundle->hash;
    const auto there =
        callHost(target_, sockets_, workerScript(target_, hash_, "--version"), {}, longestAnswer, {}, stop_);
    if (!there) return fail("programs", there.error());
    if (there->ok()) return say(State::good, "programs", "Warpbench's are there already");
    if (there->ending.exitCode != missingBundle) return fail("programs", failureOf(target_, *there));
    std::size_t bytes = 0;
    const auto copied = copyBundle(
        target_, sockets_, *bundle, [&](std::size_t, std::size_t all) { bytes = all; }, stop_);
    if (!copied) return fail("programs", copied.error());
    return say(State::good, "programs", fmt::format("copied {}", formatBytes(static_cast<double>(bytes))));
  }

  /// What the worker's own examination prints, wherever it runs.
  Result<std::string> examination() {
    if (target_.kind == TargetKind::ssh)
      return ask(workerScript(target_, hash_, "--doctor"), longestExamination, true);
    Command command{.argv = {workerProgram().string(), "--doctor"}};
    if (!target_.python.empty()) command.environment.emplace_back("WARPBENCH_PYTHON", target_.python);
    WB_TRY(Captured told, runToEnd(command, longestExamination, stop_));
    return std::move(told.out);
  }

  bool examine() {
    const auto told = examination();
    if (!told) return fail("worker", told.error());
    const std::size_t begin = told->find("{\n");
    const auto json = parseJson(begin == std::string::npos ? *told : told->substr(begin));
    if (!json || !json->is_object() || !json->contains("checks"))
      return say(State::bad, "worker", "Warpbench's worker cannot say what is there",
                 "see whether it starts there");
    bool good = true;
    try {
      for (const nlohmann::json& each : json->at("checks")) {
        const auto state = each.at("state").get<std::string>();
        const auto name = each.at("name").get<std::string>();
        const bool needsTorch = name == "torch" && state == "bad" && target_.kind == TargetKind::ssh;
        good = say(state == "ok"        ? State::good
                   : state == "missing" ? State::missing
                                        : State::bad,
                   name, each.at("found").get<std::string>(),
                   needsTorch ? getTorch : each.at("hint").get<std::string>(), needsTorch) &&
               good;
      }
    } catch (const nlohmann::json::exception&) {
      return say(State::bad, "worker", "Warpbench's worker speaks otherwise than this program");
    }
    return good;
  }

  bool listDevices() {
    const auto there = devicesOf(target_, {}, stop_);
    if (!there) return fail("devices", there.error());
    for (const Device& device : *there)
      say(State::good, "device " + device.id,
          device.architecture.empty() ? device.name
                                      : fmt::format("{} ({})", device.name, device.architecture));
    const auto chosen = resolveDevice(target_.device, *there);
    return chosen ? say(State::good, "chosen device", *chosen) : fail("chosen device", chosen.error());
  }

  bool startWorker() {
    auto places = placesOf(target_, 1, {}, stop_);
    if (!places) return fail("worker", places.error());
    std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<WorkerStatus> end;
    std::string waitsIn;
    {
      Runner runner(*std::move(places), {.warmSpare = false, .startsOnDemand = true});
      runner.onStatus([&](const WorkerStatus& status) {
        const std::lock_guard lock(mutex);
        if (status.state == WorkerStatus::State::ready || status.state == WorkerStatus::State::failed)
          end = status;
        waitsIn = status.waitsIn;
        changed.notify_all();
      });
      runner.start();
      std::unique_lock lock(mutex);
      std::string told;
      const auto isNews = [&] { return end.has_value() || waitsIn != told; };
      // A queue takes as long as it takes, which the user is told and may end.
      while (changed.wait_for(lock, stop_, longestStart, isNews) || !told.empty()) {
        if (end || stop_.stop_requested()) break;
        if (std::exchange(told, waitsIn) == waitsIn || waitsIn.empty()) continue;
        const std::string words = fmt::format("a job waits in {}", waitsIn);
        lock.unlock();
        say(State::good, "queue", words);
        lock.lock();
      }
    }
    if (!end)
      return say(State::bad, "worker",
                 fmt::format("none has started within {}",
                             formatSeconds(static_cast<double>(longestStart.count()))));
    if (end->state == WorkerStatus::State::failed) return fail("worker", end->failure);
    const Target& is = end->target;
    say(State::good, "worker", fmt::format("one has started: {}, torch {}", is.deviceName, is.torch));
    if (is.device == "cpu") return true;
    return is.counters.empty() ? say(State::good, "counters", "may be read")
                               : say(State::missing, "counters", is.counters);
  }

  [[nodiscard]] std::vector<std::string> question() const {
    std::vector<std::string> argv{"sinfo", "--noheader", "--format=%P: %a, at most %l, %D nodes, %G"};
    if (!target_.partition.empty()) argv.push_back("--partition=" + target_.partition);
    return argv;
  }
  Result<std::string> askSchedulerHere() const {
    WB_TRY(Captured told, runToEnd({.argv = question()}, longestAnswer, stop_));
    if (told.ok()) return std::move(told.out);
    return Error{Stage::setup, std::string(trimmed(told.err)), "run on a login node of the cluster"};
  }
  Result<std::string> askSchedulerThere() {
    std::string script = "echo '" + std::string(mark) + "'; exec";
    // Nothing in these words means anything to a shell between such quotation marks.
    for (const std::string& word : question()) script += " '" + word + "'";
    WB_TRY(SshAnswer told, callHost(target_, sockets_, script, {}, longestAnswer, {}, stop_));
    const std::size_t begin = told.out.find(mark);
    if (told.ok() && begin != told.out.npos) return told.out.substr(begin + mark.size() + 1);
    // The login went well then, and Slurm's own program is what waits.
    if (told.timedOut && begin != told.out.npos)
      return Error{Stage::setup, "the cluster's scheduler does not answer",
                   fmt::format("try `sinfo` on {}; where that hangs too, its administrators have to help",
                               target_.host)};
    if (told.timedOut || told.stopped || told.ending.exitCode == sshFailed) return failureOf(target_, told);
    return Error{Stage::setup, std::string(trimmed(told.err)),
                 fmt::format("name a login node of the cluster, where sinfo and srun are; {} has to be one",
                             target_.host)};
  }

  bool askScheduler() {
    const auto told = isBehindSsh(target_) ? askSchedulerThere() : askSchedulerHere();
    if (!told) return fail("scheduler", told.error());
    const auto lines = splitLines(*told);
    if (lines.empty())
      return say(State::bad, "partition", fmt::format("the cluster has no partition {}", target_.partition),
                 "`sinfo -s` lists the partitions");
    for (const std::string_view line : lines) say(State::good, "partition", std::string(trimmed(line)));
    return true;
  }

  const RunTarget& target_;
  const std::function<void(const TargetFinding&)>& tell_;
  const std::filesystem::path sockets_ = sshSockets();
  std::string hash_;
  const std::stop_token stop_;
  Clock::time_point since_ = Clock::now();
};

}  // namespace

bool checkTarget(const RunTarget& target, const std::function<void(const TargetFinding&)>& tell,
                 const std::stop_token& stop) {
  return TargetCheck(target, tell, stop).run();
}

Result<std::string> makeTorch(const RunTarget& target, const std::function<void(const std::string&)>& say,
                              const std::stop_token& stop) {
  constexpr std::string_view made = "made ";
  std::string told;
  const auto hear = [&](std::size_t, std::string_view out) {
    const std::string line(lastWhole(out));
    if (!line.empty() && std::exchange(told, line) != line) say(line);
  };
  WB_TRY(const SshAnswer answer,
         callHost(target, sshSockets(), torchScript(target), {}, longestInstallation, hear, stop));
  const std::string_view last = lastLine(answer.out);
  if (answer.ok() && last.starts_with(made)) return std::string(last.substr(made.size()));
  if (answer.stopped || answer.timedOut || answer.ending.exitCode == sshFailed)
    return failureOf(target, answer);
  return Error{Stage::setup,
               fmt::format("no environment was made there: {}", last),
               "see whether python3-venv is installed there, and whether there is room for 8 GB",
               {}};
}

}  // namespace wb
