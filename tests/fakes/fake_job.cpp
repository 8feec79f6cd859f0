// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_job.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>

#include "core/base/files/file.h"
#include "core/model/json/event_bounds.h"
#include "core/model/json/json_codec.h"
#include "tests/fakes/fake_builds.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_results.h"

namespace wb::fake {

namespace {

constexpr std::size_t longestOperator = 200;

void sleepSeconds(double seconds) {
  if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Whether a worker says it only where the profile stage was asked for.
bool ofProfile(const Event& event) {
  if (const auto* started = std::get_if<StepStarted>(&event)) return started->stage == Stage::profile;
  const auto* done = std::get_if<StepDone>(&event);
  return done != nullptr && done->stage == Stage::profile;
}

class Answer {
 public:
  explicit Answer(const JobRun& run) : run_(run) {}

  void all() {
    if (!run_.options.script.empty() && options_.mode != "die-idle-once") return replay();
    const JobWork work = workIn(run_.job);
    if (!work.begun) say(JobStarted{target(run_.options), "2026-01-01T00:00:00Z"});
    for (const KernelWork& kernel : work.kernels)
      if (!over()) one(kernel.kernel, kernel);
    if (!finished_) finish();
  }

 private:
  void say(Event event) {
    boundTexts(event);  // as the real worker does
    sayRaw(event);
  }
  void sayRaw(const Event& event) {
    if (!run_.writer.send(Happened{event}, run_.run)) ::_exit(4);
  }

  [[nodiscard]] bool cancelled() const {
    return run_.stop.stop_requested() && !run_.options.ignoreCancel && !options_.ignoreCancel;
  }
  [[nodiscard]] bool over() const { return finished_ || cancelled(); }

  void finish() {
    const Finished last{cancelled() ? Outcome::cancelled : Outcome::finished, 1.25};
    say(last);
    if (options_.mode == "finished-twice") say(last);
    finished_ = true;
  }

  [[nodiscard]] bool strikesHere(std::uint32_t kernel, Stage stage, std::uint32_t index) const {
    const bool inCase = stage == Stage::compile || options_.at.contains(index);
    return options_.kernel == kernel && options_.stage == stage && inCase;
  }

  void one(std::uint32_t kernel, const KernelWork& work) {
    options_ = run_.options;
    applyArguments(argumentsIn(run_.job.kernels[kernel].text), options_);
    if (options_.ignoreTerm) ::signal(SIGTERM, SIG_IGN);
    plan_ = compiled(run_.job, kernel, options_);
    planned_ = work.planned.value_or(allCases(plan_.op, plan_.cases));
    passed_ = work.passed;
    if (!work.compiled) {
      if (!compile(kernel)) return;
    } else {
      say(StepStarted{Stage::compile, kernel, {}});  // it loads the kernel anew
      sleepSeconds(options_.load);
    }
    if (!run_.job.stages.has(Stage::check) && !work.compiled) passed_ = planned_.numbers;
    for (const StageWork& stage : work.stages) {
      if (stage.stage == Stage::check)
        checkAll(kernel, stage.cases.value_or(planned_.numbers), work.referenceAlone);
      if (stage.stage == Stage::time) timeAll(kernel, stage);
      if (stage.stage == Stage::profile && !over()) profileAll(kernel, stage);
    }
    if (options_.mode == "spoiled") {
      [[maybe_unused]] const auto sent = run_.writer.send(Bye{true});
      ::_exit(0);
    }
  }

  /// Those of a stage's cases that have passed.
  [[nodiscard]] std::vector<std::uint32_t> passedOf(const StageWork& work) const {
    std::vector<std::uint32_t> passed = passed_;
    std::sort(passed.begin(), passed.end());
    std::erase_if(passed, [&](std::uint32_t i) {
      return work.cases && std::find(work.cases->begin(), work.cases->end(), i) == work.cases->end();
    });
    return passed;
  }

  void tellFile(const KernelSource& source) {
    const auto file = std::filesystem::path(source.path).parent_path() / options_.tellFile;
    say(Log{"kernel",
            readFile(file).value_or("it is missing") + " in " + file.string() + " of " + source.path});
  }

  bool compile(std::uint32_t kernel) {
    const KernelSource& source = run_.job.kernels[kernel];
    if (!options_.tellFile.empty()) tellFile(source);
    if (source.op.size() > longestOperator || source.op == "no_such_operator") {
      Event failed = StageFailed{kernel, Error{Stage::job, "there is no operator '" + source.op + "'"}};
      boundTexts(failed);
      say(failed);
      return false;
    }
    say(StepStarted{Stage::compile, kernel, {}});
    if (const auto builder = builderOf(source, run_.options)) {
      plan_.note = "Built on " + *builder + ".";
      plan_.cached = true;
    } else {
      sleepSeconds(options_.delay + options_.compile);
    }
    if (options_.ahead == "offer") [[maybe_unused]]
      const auto sent = run_.writer.send(Built{{"key", "{}", "forged", ""}, "", 0}, run_.run);
    if (strikesHere(kernel, Stage::compile, 0)) strike(options_, run_.output);
    const std::size_t error = source.text.find("#error ");
    if (options_.mode == "compile-error" || error != std::string::npos) {
      const Place place{source.path, 3, 7};
      const std::string message =
          error == std::string::npos
              ? "expected ';' before '}' token"
              : source.text.substr(error + 7, source.text.find('\n', error) - error - 7);
      say(Diagnosed{kernel, {Severity::error, message, "", place, "g++"}});
      say(StageFailed{kernel, Error{Stage::compile, "1 error", "see the problems", place}});
      return false;
    }
    say(StepDone{Stage::compile, kernel, std::nullopt, plan_});
    return true;
  }

  void checkAll(std::uint32_t kernel, const std::vector<std::uint32_t>& cases,
                std::optional<std::uint32_t> alone) {
    for (const std::uint32_t i : cases) {
      if (over()) return;
      if (find(planned_, i) == nullptr) continue;
      say(StepStarted{Stage::check, kernel, i});
      if (alone == i) {
        checkAlone(kernel, i);
        continue;
      }
      turns(kernel, Stage::check, i);
      const CaseCheck result = check(run_.job, i, options_);
      say(StepDone{Stage::check, kernel, i, result});
      if (result.verdict == Verdict::pass) passed_.push_back(i);
      after(kernel, Stage::check, i);
    }
  }

  /// As the real worker: the reference goes first to plan, then the candidate, then the reference once more.
  void turns(std::uint32_t kernel, Stage stage, std::uint32_t index) {
    const auto turn = [&](std::optional<Side> side, std::string_view name) {
      if (side) say(SideStarted{kernel, index, side, side == Side::candidate, 0});
      if (options_.side == name) around(kernel, stage, index);
    };
    turn(std::nullopt, "inputs");
    say(SideStarted{kernel, index, Side::reference, false, 0});
    turn(Side::candidate, "candidate");
    turn(Side::reference, "reference");
    say(SideStarted{kernel, index, std::nullopt, false, 0});
    turn(std::nullopt, "comparing");
  }

  void checkAlone(std::uint32_t kernel, std::uint32_t index) {
    say(SideStarted{kernel, index, Side::reference, false, 0});
    if (options_.alone) around(kernel, Stage::check, index);
    CaseCheck check;
    check.verdict = Verdict::crashed;
    check.message = "the reference survives without the kernel";
    say(StepDone{Stage::check, kernel, index, std::move(check)});
  }

  void timeAll(std::uint32_t kernel, const StageWork& work) {
    for (const std::uint32_t i : passedOf(work)) {
      const Case* const definition = find(planned_, i);
      if (definition == nullptr || definition->use == CaseUse::check) continue;
      if (over()) return;
      say(StepStarted{Stage::time, kernel, i});
      turns(kernel, Stage::time, i);
      if (options_.mode == "not-timed" && options_.at.contains(i))
        say(StepDone{Stage::time, kernel, i, NoResult{"the fake does not feel like it"}});
      else
        say(StepDone{Stage::time, kernel, i, timing(i)});
      after(kernel, Stage::time, i);
    }
  }

  /// As the real worker: on a CPU the machine code alone.
  void profileAll(std::uint32_t kernel, const StageWork& work) {
    const ProfilePlan& plan = run_.job.profile;
    const bool gpu = options_.device.starts_with("cuda");
    std::vector<std::uint32_t> wanted = plan.indices;
    if (work.cases && (!plan.indices.empty() || work.most == 0)) {
      wanted = *work.cases;
    } else if (plan.indices.empty()) {
      wanted = passedOf(work);
      if (run_.job.stages.has(Stage::time))
        std::stable_sort(wanted.begin(), wanted.end(), [](std::uint32_t a, std::uint32_t b) {
          return timing(a).reference > timing(b).reference;
        });
      const auto most = static_cast<std::size_t>(work.most > 0 ? work.most : plan.cases);
      wanted.resize(std::min(wanted.size(), most));
    }
    for (const std::uint32_t i : wanted) {
      if (over()) return;
      if (!gpu) {
        say(StepDone{Stage::profile, kernel, i, NoResult{"profiling needs a GPU: this run is on the CPU"}});
        continue;
      }
      say(StepStarted{Stage::profile, kernel, i});
      around(kernel, Stage::profile, i);
      profileOne(kernel, i);
      after(kernel, Stage::profile, i);
    }
    Listed listed;
    if (run_.job.kernels[kernel].language == "raw_cuda")
      listed.listings.push_back(listing(run_.job, kernel, "fake_kernel"));
    if (plan.listing) say(StepDone{Stage::profile, kernel, {}, std::move(listed)});
  }

  void profileOne(std::uint32_t kernel, std::uint32_t index) {
    if (options_.mode == "not-profiled")
      return say(StepDone{Stage::profile, kernel, index, NoResult{"another profiler is attached"}});
    SideProfile ours = profile(run_.job, kernel, Side::candidate);
    SideProfile theirs = profile(run_.job, kernel, Side::reference);
    if (options_.mode == "counters-refused") {
      ours.notes.push_back(target(options_).counters);
      ours.samples.clear();
      for (SideProfile* side : {&ours, &theirs}) side->launches[0].metrics.clear();
    }
    say(StepDone{Stage::profile, kernel, index, ProfilePart{Side::candidate, ours, false}});
    say(StepDone{Stage::profile, kernel, index, ProfilePart{Side::reference, theirs, true}});
  }

  /// The same in every run, and as if it were drawn: neighbours differ.
  [[nodiscard]] double delayOf(std::uint32_t index) const {
    constexpr std::uint32_t scatter = 2654435761U;
    const double place = static_cast<double>(index * scatter) / std::numeric_limits<std::uint32_t>::max();
    return options_.delay * (1 + options_.spread * (2 * place - 1));
  }

  void around(std::uint32_t kernel, Stage stage, std::uint32_t index) {
    sleepSeconds(delayOf(index));
    constexpr double look = 0.01;
    while (index > 0 && !options_.hold.empty() && std::filesystem::exists(options_.hold)) sleepSeconds(look);
    if (index == 0 && stage == Stage::check && !options_.daemon.empty()) leaveDaemon(options_.daemon);
    if (options_.mode == "chatty") say(Log{"stdout", std::string(64 << 10, 'c')});
    if (options_.mode == "unknown-message") [[maybe_unused]]
      const ssize_t written = ::write(run_.output, encode(Frame{999, 0, 0, "?"}).data(), 18);
    if (options_.mode == "bad-index") {
      say(StepStarted{stage, kernel, 1000000});
      say(StepDone{Stage::check, kernel, 1000000, CaseCheck{}});
      say(StepDone{Stage::time, 77, index, CaseTiming{}});
    }
    if (options_.mode == "forge-verdicts") {
      // As a kernel may that writes to the protocol's descriptor: a pass for every case, at once.
      for (std::uint32_t i = index; i < planned_.count; ++i)
        say(StepDone{Stage::check, kernel, i, check(run_.job, 1, options_)});
      sleepSeconds(3600);
    }
    if (options_.mode == "forge-kernel") {
      say(StepDone{Stage::compile, 4294967295U, std::nullopt, plan_});
      sleepSeconds(3600);
    }
    if (options_.mode == "diagnostics" && index == 0) {
      Diagnosed diagnosed{kernel, {Severity::warning, std::string(100000, 'd'), "", {}, "fake"}};
      for (int i = 0; i < 10010; ++i) {
        sayRaw(diagnosed);
        diagnosed.diagnostic.message = "one of many";
      }
    }
    if (strikesHere(kernel, stage, index)) strike(options_, run_.output);
  }

  void after(std::uint32_t kernel, Stage stage, std::uint32_t index) {
    if (!strikesHere(kernel, stage, index)) return;
    if (options_.mode == "early-finish") finish();
    if (options_.mode == "die-between") dieOf(SIGSEGV);
    if (options_.mode == "bye") {
      [[maybe_unused]] const auto sent = run_.writer.send(Bye{});
      ::_exit(0);
    }
  }

  void replay() {
    const Result<std::string> log = readFile(run_.options.script);
    if (!log) return say(StageFailed{std::nullopt, log.error()});
    std::istringstream lines(*log);
    for (std::string line; std::getline(lines, line) && !cancelled();) {
      if (line.empty()) continue;
      const auto content = parseJson(line);
      if (content && content->is_object() && content->contains("sleep")) {
        sleepSeconds((*content)["sleep"].get<double>());
        continue;
      }
      const Result<Event> event = content ? eventFromJson(*content) : Result<Event>(content.error());
      if (!event) return say(StageFailed{std::nullopt, event.error()});
      if (ofProfile(*event) && !run_.job.stages.has(Stage::profile)) continue;  // nobody asked for it
      finished_ = finished_ || std::holds_alternative<Finished>(*event);
      say(*event);
    }
    if (!finished_) finish();
  }

  const JobRun& run_;
  Options options_ = run_.options;
  Compiled plan_;
  PlannedCases planned_;
  std::vector<std::uint32_t> passed_;
  bool finished_ = false;
};

}  // namespace

void answer(const JobRun& run) {
  Answer(run).all();
}

}  // namespace wb::fake
