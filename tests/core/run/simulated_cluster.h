// SPDX-License-Identifier: Apache-2.0
#pragma once

// Places of set speeds that share a job by a clock of the test's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/model/json/json_codec.h"
#include "core/model/operators/operator_name.h"
#include "core/run/dealer.h"
#include "core/run/fit.h"
#include "core/run/job_parts.h"
#include "core/run/remaining.h"
#include "tests/core/model/steps.h"

namespace wb {

inline Job jobOf(const std::vector<std::uint32_t>& casesOfKernels, bool time = false) {
  Job job;
  for (std::size_t k = 0; k < casesOfKernels.size(); ++k) {
    const std::string op = "op" + std::to_string(k);
    job.kernels.push_back({.path = op + ".cpp", .text = "", .op = op});
    for (std::uint32_t i = 0; i < casesOfKernels[k]; ++i)
      job.cases.push_back({.op = "aten::" + op, .args = std::to_string(i)});
  }
  job.stages.set(Stage::time, time);
  return job;
}

/// Places of set speeds that do at once what a dealer gives them.
class Cluster {
 public:
  using Seconds = std::function<double(const Step&)>;
  /// What a kernel takes before its first case: where it is compiled, and where another place has done that.
  struct Costs {
    double compile, load;  // seconds
  };

  Cluster(Job job, const std::vector<double>& speeds, Seconds seconds, Costs costs = {0, 0})
      : job_(std::move(job)),
        seconds_(std::move(seconds)),
        costs_(costs),
        dealer_(job_, report_, devices(speeds.size())) {
    for (const double speed : speeds) workers_.push_back({speed});
    for (const KernelSource& kernel : job_.kernels) cases_.push_back(*knownCases(job_, kernel));
  }

  /// Does all, and says how long it took.
  double run() {
    while (!dealer_.isOver()) {
      for (std::size_t place = 0; place < workers_.size(); ++place) deal(place);
      double next = now_ + 1;
      for (const Worker& worker : workers_) next = std::min(next, worker.until);
      now_ = next;
      for (std::size_t place = 0; place < workers_.size(); ++place)
        if (workers_[place].until <= now_) finishStep(place);
      for (std::size_t place = 0; place < workers_.size(); ++place)
        if (dealer_.isAtWork(place) && dealer_.isSuperfluous(place)) leave(place, true);
      if (now_ > 1e6) {
        ADD_FAILURE() << "the run does not end";
        break;
      }
    }
    return now_;
  }

  /// How long it would take if nobody ever had to wait.
  [[nodiscard]] double best() const {
    double work = 0, speed = 0;
    for (std::uint32_t k = 0; k < job_.kernels.size(); ++k)
      for (std::uint32_t i = 0; i < report_.kernels[k]->cases.size(); ++i)
        for (const Stage stage : {Stage::check, Stage::time})
          if (job_.stages.has(stage)) work += seconds_({k, stage, i});
    for (const Worker& worker : workers_) speed += worker.speed;
    return work / speed;
  }

  [[nodiscard]] const Report& report() const { return report_; }
  /// How many results came of each step.
  [[nodiscard]] const std::map<std::pair<std::uint32_t, std::uint32_t>, int>& verdicts() const {
    return verdicts_;
  }
  [[nodiscard]] int pieces() const { return pieces_; }
  /// How long all that its workers were sent is as JSON.
  [[nodiscard]] std::size_t bytesSent() const { return bytesSent_; }
  [[nodiscard]] int stepsOf(std::size_t place) const { return workers_[place].done; }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  struct Worker {
    double speed = 1;
    /// The cases of its kernels, as it was sent them.
    std::map<std::uint32_t, PlannedCases> planned{};
    std::vector<Step> steps{};
    std::size_t at = 0;
    double until = never;
    bool isAsked = false;
    int done = 0;
  };

  static std::vector<std::size_t> devices(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }

  void say(std::size_t place, const Event& event) {
    if (!dealer_.isForOthers(place, event)) {
      EXPECT_EQ(fit(job_, report_, dealer_.work(place), dealer_.at(place), event).misfit, "");
      if (const auto* done = std::get_if<StepDone>(&event); done != nullptr && done->stage == Stage::check)
        ++verdicts_[{done->kernel, *done->index}];
      fold(report_, event);
    }
    dealer_.follow(place, event, now_);
  }

  void deal(std::size_t place) {
    if (dealer_.isAtWork(place)) return;
    auto work = dealer_.next(place);
    if (!work) {
      if (const auto other = dealer_.recall(place, now_)) workers_[*other].isAsked = true;
      work = dealer_.next(place);
    }
    if (!work) return;
    ++pieces_;
    Worker& worker = workers_[place];
    const Job sent = parts_.of(*work);
    bytesSent_ += dump(toJson(sent)).size();
    worker.planned.clear();
    for (const KernelWork& each : sent.work->kernels)
      worker.planned[each.kernel] = each.planned ? *each.planned
                                                 : allCases(schemaName(sent.kernels[each.kernel].op),
                                                            *knownCases(sent, sent.kernels[each.kernel]));
    worker.steps.clear();
    worker.at = 0;
    for (const KernelWork& kernel : work->kernels) {
      worker.steps.push_back({kernel.kernel, Stage::compile, kernel.compiled ? 1U : 0U});
      const std::size_t cases = casesOf(kernel.kernel).size();
      for (const StageWork& stage : kernel.stages)
        for (std::uint32_t i = 0; i < cases; ++i)
          if (!stage.cases || std::binary_search(stage.cases->begin(), stage.cases->end(), i))
            worker.steps.push_back({kernel.kernel, stage.stage, i});
    }
    begin(place);
  }

  void begin(std::size_t place) {
    Worker& worker = workers_[place];
    const Step& step = worker.steps[worker.at];
    if (step.stage == Stage::compile) {
      say(place, StepStarted{Stage::compile, step.kernel, {}});
      worker.until = now_ + (step.index == 0 ? costs_.compile : costs_.load) / worker.speed;
      return;
    }
    say(place, StepStarted{step.stage, step.kernel, step.index});
    const Case* const sent = find(worker.planned[step.kernel], step.index);
    EXPECT_TRUE(sent != nullptr && *sent == casesOf(step.kernel)[step.index]) << step.index;
    worker.until = now_ + seconds_(step) / worker.speed;
  }

  void finishStep(std::size_t place) {
    Worker& worker = workers_[place];
    const Step& step = worker.steps[worker.at];
    if (step.stage == Stage::check) say(place, checkedStep(step.kernel, step.index, Verdict::pass));
    if (step.stage == Stage::time) say(place, StepDone{Stage::time, step.kernel, step.index, CaseTiming{}});
    if (step.stage == Stage::compile && step.index == 0) {
      Compiled compiled;
      compiled.op = worker.planned[step.kernel].op;
      compiled.cases = worker.planned[step.kernel].cases;
      say(place, compiledStep(compiled, step.kernel));
    }
    worker.done += step.stage != Stage::compile;
    if (++worker.at == worker.steps.size() || worker.isAsked) return leave(place, worker.isAsked);
    begin(place);
  }

  void leave(std::size_t place, bool stopped) {
    workers_[place].until = never;
    workers_[place].isAsked = false;
    if (stopped)
      dealer_.giveBack(place);
    else
      dealer_.end(place);
  }

  [[nodiscard]] const std::vector<Case>& casesOf(std::uint32_t kernel) const { return cases_[kernel]; }

  Job job_;
  Report report_ = startReport(job_);
  Seconds seconds_;
  Costs costs_;
  Dealer dealer_;
  JobParts parts_{job_, report_};
  std::vector<Worker> workers_;
  /// Of each kernel.
  std::vector<std::vector<Case>> cases_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> verdicts_;
  double now_ = 0;
  int pieces_ = 0;
  std::size_t bytesSent_ = 0;
};

}  // namespace wb
