// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "core/base/files/paths.h"
#include "core/base/process/keeper.h"
#include "core/base/process/step_keeper.h"
#include "core/base/python.h"
#include "core/base/quantity.h"
#include "core/runner/prepare.h"
#include "core/runner/sanitizer/sanitizer.h"

namespace wb {
namespace {

constexpr const char *sanitizerName = "compute-sanitizer", *sanitizerFolder = "sanitizer";

/// What srun says when it gets no job, and what is to be said of it.
struct Refusal {
  std::string_view said, means, hint;
};
constexpr std::string_view asSrunTakesThem =
    "correct the target's options: time=30 or time=2:00:00, cpus=8, mem=16G and others as srun takes them";
constexpr std::array refusals{
    Refusal{"Invalid partition name specified", "the cluster has no partition '{}'",
            "`sinfo -s` lists the partitions"},
    Refusal{"Invalid generic resource (gres) specification", "the cluster does not have what gres asks for",
            "`sinfo -o '%P %G'` lists what each partition has"},
    Refusal{"Requested time limit is invalid", "the time limit is longer than the partition '{}' allows",
            "ask for less time, or for another partition; `sinfo -o '%P %l'` lists their limits"},
    Refusal{"Requested node configuration is not available",
            "no node of the partition '{}' has what the target asks for",
            "ask for less; `sinfo -N -o '%N %c %m %G'` lists the nodes"},
    Refusal{"Invalid account or account/partition combination", "the account may not use the partition '{}'",
            "name an account in the target (account=…); `sacctmgr show associations` lists yours"},
    Refusal{"Invalid qos specification", "the quality of service that the target names may not be used",
            "`sacctmgr show qos` lists them"},
    Refusal{"Invalid node name specified", "the cluster has no node of the name that the target gives",
            "`sinfo -N` lists the nodes"},
    Refusal{"Invalid feature specification", "no node of the cluster has what constraint asks for",
            "`sinfo -o '%N %f'` lists what each node has"},
    Refusal{"Requested reservation is invalid", "the reservation that the target names cannot be used",
            "`scontrol show reservation` lists them"},
    Refusal{"error: Invalid --", "the scheduler does not understand what the target asks for",
            asSrunTakesThem},
    Refusal{"error: Invalid numeric value", "the scheduler does not understand what the target asks for",
            asSrunTakesThem},
    Refusal{"unrecognized option '--", "the scheduler does not know what the target asks for",
            asSrunTakesThem},
    Refusal{"Unable to contact slurm controller", "the cluster's scheduler does not answer",
            "try `sinfo`; where that fails too, its administrators have to help"},
    Refusal{"Could not establish a configuration source", "Slurm is not configured on this machine",
            "run on a login node of the cluster, or set SLURM_CONF"},
    Refusal{"Unable to allocate resources", "the scheduler gave no node of the partition '{}'", ""},
};

/// What somebody did to a running step, as the node's daemon says it, or the scheduler to the keeper. What
/// only says that it was cancelled comes last, since a preempted step is said to be that, too.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> losses{{
    {"DUE TO TIME LIMIT", "the time limit of its job was reached"},
    {"DUE TO PREEMPTION", "its job was preempted by another one"},
    {"DUE TO NODE FAILURE", "its node failed"},
    {"DUE TO JOB REQUEUE", "its job was put back into the queue"},
    {"Node failure on", "its node failed or was taken out of service"},
    {"warpbench-job: NODE_FAIL", "its node failed"},
    {"warpbench-job: BOOT_FAIL", "its node did not start"},
    {"warpbench-job: PREEMPTED", "its job was preempted by another one"},
    {"warpbench-job: TIMEOUT", "the time limit of its job was reached"},
    {"warpbench-job: DEADLINE", "the deadline of its job was reached"},
    {"warpbench-job: OUT_OF_MEMORY", "its job used more memory than it had asked for"},
    {"CANCELLED AT", "its job was cancelled"},
    {"warpbench-job: CANCELLED", "its job was cancelled"},
}};

std::string partitionOf(const RunTarget& target) {
  return target.partition.empty() ? "the default one" : target.partition;
}

/// The longest wait in the queue; zero: for ever. Nothing where the target's text is no number of minutes.
std::optional<std::chrono::milliseconds> waitOf(const RunTarget& target) {
  const std::string_view text = optionOf(target, "wait");
  if (text.empty()) return std::chrono::milliseconds{0};
  double minutes = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), minutes);
  constexpr double most = 1e6;
  if (failed != std::errc{} || end != text.data() + text.size() || !(minutes > 0) || minutes > most)
    return std::nullopt;
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double, std::ratio<60>>(minutes));
}

/// The line of a text in which `words` stand.
std::string_view lineWith(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return {};
  const std::size_t before = text.rfind('\n', at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

/// The reason in the last line that the keeper wrote about the queue.
std::string_view queueReason(std::string_view errors) {
  const std::size_t at = errors.rfind(queueMark);
  if (at == std::string_view::npos) return {};
  std::string_view reason = errors.substr(at + queueMark.size());
  reason = reason.substr(0, reason.find('\n'));
  return reason.starts_with(' ') ? reason.substr(1) : reason;
}

/// A name by which this one job can be asked for and cancelled.
std::string newJobName() {
  std::random_device drawn;
  return fmt::format("warpbench-{:08x}", static_cast<std::uint32_t>(drawn()));
}

class SlurmLauncher final : public Launcher {
 public:
  SlurmLauncher(RunTarget target, SlurmPrograms programs)
      : target_(std::move(target)), programs_(std::move(programs)) {}

  // Counted from the end of the queue; the file system of a cluster may be slow.
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return std::chrono::seconds{90}; }
  [[nodiscard]] std::chrono::milliseconds waitLimit() const override {
    return waitOf(target_).value_or(std::chrono::milliseconds{0});
  }
  [[nodiscard]] bool isOnDemand() const override { return true; }
  [[nodiscard]] StartState startOf(std::string_view errors) const override {
    return slurmStart(target_, errors);
  }
  [[nodiscard]] std::string placeLoss(std::string_view errors, Ending ending) const override {
    return slurmLoss(errors, ending);
  }
  [[nodiscard]] Error ofWorker(Error error) const override { return onNode(target_, std::move(error)); }
  // The nodes see the user's own folders, and not this machine's for temporary files.
  [[nodiscard]] std::filesystem::path newSanitizerLog() const override {
    return wb::newSanitizerLog(cacheFolder() / sanitizerFolder);
  }
  // The scheduler takes minutes to notice that a node is gone.
  [[nodiscard]] std::string silenceMeans() const override { return "its node cannot be heard any more"; }

  Result<Child> launch(const WorkerWish& wish) override {
    if (wish.walls)
      return Error{Stage::setup,
                   "walls (--sandbox) cannot be raised on a Slurm target",
                   "log in on a node and run it there",
                   {}};
    if (!waitOf(target_))
      return Error{Stage::setup,
                   fmt::format("the target's wait=\"{}\" is no number of minutes", optionOf(target_, "wait")),
                   "write wait=30, or leave it out",
                   {}};
    Command command;
    if (wish.python)
      command.argv = programs_.pythonWorker;
    else
      command.argv = {programs_.worker};
    command.argv.push_back("--device=" + wish.device);
    // A login node may have no toolkit; the nodes' own is then the one in PATH.
    if (!wish.sanitizer.empty())
      command = underSanitizer(std::move(command), findSanitizer().value_or(sanitizerName), wish.sanitizer,
                               wish.sanitizerLog);
    // What the worker leaves behind ends with it there, and its end is told as it was.
    command.argv.insert(command.argv.begin(), {programs_.worker, keepArgument});
    command.argv = slurmStep(target_, std::move(command.argv));
    command.keeper = programs_.keeper;
    if (!target_.python.empty()) command.environment.emplace_back("WARPBENCH_PYTHON", target_.python);
    Result<Child> child = Child::start(command);
    if (child) return child;
    return Error{Stage::setup,
                 child.error().text,
                 "Slurm's programs have to be on this machine: run on a login node of the cluster",
                 {}};
  }

 private:
  RunTarget target_;
  SlurmPrograms programs_;
};

}  // namespace

Result<SlurmPrograms> sharedPrograms(const RunTarget& target) {
  SlurmPrograms programs;
  programs.keeper = workerProgram();
  programs.worker = programs.keeper.string();
  const Result<std::filesystem::path> python =
      target.python.empty() ? findPython() : Result<std::filesystem::path>(target.python);
  // Where there is none here, one may still be found there by a worker that is not inside Python.
  if (python)
    programs.pythonWorker = {python->string(), (resourceFolder() / "python" / "warpbench_worker.py").string(),
                             (programs.keeper.parent_path() / "libwarpbench_worker.so").string()};
  return programs;
}

std::unique_ptr<Launcher> slurmLauncher(RunTarget target, SlurmPrograms programs) {
  return std::make_unique<SlurmLauncher>(std::move(target), std::move(programs));
}

std::vector<std::string> slurmStep(const RunTarget& target, std::vector<std::string> command) {
  // Unbuffered: otherwise the node's daemon holds back what has no line end.
  std::vector<std::string> argv{"srun", "--unbuffered", "--nodes=1", "--ntasks=1",
                                "--job-name=" + newJobName()};
  for (std::string& option : slurmOptions(target)) argv.push_back(std::move(option));
  for (std::string& word : command) argv.push_back(std::move(word));
  return argv;
}

std::string slurmDevice(const RunTarget& target) {
  if (!target.device.empty()) return target.device;
  return optionOf(target, "gres").find("gpu") == std::string_view::npos && optionOf(target, "gpus").empty()
             ? "cpu"
             : "cuda:0";
}

std::vector<std::string> slurmOptions(const RunTarget& target) {
  std::vector<std::string> options;
  if (!target.partition.empty()) options.push_back("--partition=" + target.partition);
  for (const auto& [name, value] : target.options)
    if (name != "wait" && name != "config" && name != "grace")
      options.push_back(fmt::format("--{}={}", name == "cpus" ? "cpus-per-task" : name, value));
  return options;
}

StartState slurmStart(const RunTarget& target, std::string_view errors) {
  StartState state;
  for (const Refusal& refusal : refusals) {
    const std::string_view line = lineWith(errors, refusal.said);
    if (line.empty()) continue;
    state.failure =
        Error{Stage::setup,
              fmt::format("{} ({})", fmt::format(fmt::runtime(refusal.means), partitionOf(target)), line),
              std::string(refusal.hint),
              {}};
    return state;
  }
  if (const std::string_view line = lineWith(errors, fmt::format("cannot start {}", sanitizerName));
      !line.empty()) {
    state.failure =
        Error{Stage::setup,
              fmt::format("the node has no {}", sanitizerName),
              "load the CUDA toolkit before, such as by `module load cuda`: PATH goes to the nodes",
              {}};
    return state;
  }
  if (const std::string_view line = lineWith(errors, "execve():"); !line.empty()) {
    state.failure = Error{Stage::setup,
                          fmt::format("the node cannot start the worker ({})", line),
                          "Warpbench has to be in a folder that the nodes share with this machine",
                          {}};
    return state;
  }
  if (const std::string_view reason = queueReason(errors); !reason.empty())
    state.waitsIn = slurmQueue(target, reason);
  return state;
}

Error onNode(const RunTarget& target, Error error) {
  const bool isAboutTorch = error.text.find("torch") != std::string::npos;
  error.text += fmt::format(", on a node of {}", titleOf(target));
  if (isAboutTorch)
    error.hint = "name an interpreter that the nodes have, with torch 2.11, by the target's option python";
  else if (!error.hint.empty())
    error.hint = "there: " + error.hint;
  return error;
}

std::string_view slurmEnd(std::string_view state) {
  const std::string line = fmt::format("{} {}", jobMark, state);
  const auto* found =
      std::ranges::find(losses, std::string_view(line), [](const auto& loss) { return loss.first; });
  return found == losses.end() ? std::string_view() : found->second;
}

std::string slurmQueue(const RunTarget& target, std::string_view reason) {
  std::string where = target.partition.empty() ? "the queue" : "the queue of " + target.partition;
  if (!reason.empty()) where += fmt::format(": {}", reason);
  // "JobHeldUser", "launch failed requeued held"
  const bool isHeld =
      reason.find("Held") != std::string_view::npos || reason.find("held") != std::string_view::npos;
  if (isHeld) where += ", until `scontrol release` is called for its job";
  // Whatever these two need does not come by waiting.
  if (reason == "PartitionTimeLimit")
    where +=
        ", where it cannot start as asked: the target's time is longer than the partition allows, see "
        "`sinfo -o '%P %l'`";
  if (reason == "PartitionNodeLimit")
    where +=
        ", where it cannot start as asked: the partition does not allow so many nodes, see "
        "`sinfo -o '%P %s'`";
  return where;
}

std::string slurmLoss(std::string_view errors, Ending ending) {
  for (const auto& [said, means] : losses)
    if (const std::string_view line = lineWith(errors, said); !line.empty())
      return fmt::format("{} ({})", means, line);
  return ending == Ending{} ? "srun ended, and its worker had not said that it would" : "";
}

}  // namespace wb
