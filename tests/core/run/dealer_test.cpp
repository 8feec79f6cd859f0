// SPDX-License-Identifier: Apache-2.0
// How a job is shared among places of different speeds, by a clock of the test's own.
#include "core/run/dealer.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "core/run/fit.h"
#include "tests/core/model/steps.h"
#include "tests/core/run/run_steps.h"

namespace wb {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::Pair;

constexpr double never = std::numeric_limits<double>::infinity();

Job jobOf(const std::vector<std::uint32_t>& casesOfKernels, bool time = false) {
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

  Cluster(Job job, const std::vector<double>& speeds, Seconds seconds)
      : job_(std::move(job)), seconds_(std::move(seconds)), dealer_(job_, report_, devices(speeds.size())) {
    for (const double speed : speeds) workers_.push_back({speed});
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
  [[nodiscard]] int stepsOf(std::size_t place) const { return workers_[place].done; }

 private:
  struct Worker {
    double speed = 1;
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
      worker.until = now_;
      return;
    }
    say(place, StepStarted{step.stage, step.kernel, step.index});
    worker.until = now_ + seconds_(step) / worker.speed;
  }

  void finishStep(std::size_t place) {
    Worker& worker = workers_[place];
    const Step& step = worker.steps[worker.at];
    if (step.stage == Stage::check) say(place, checkedStep(step.kernel, step.index, Verdict::pass));
    if (step.stage == Stage::time) say(place, StepDone{Stage::time, step.kernel, step.index, CaseTiming{}});
    if (step.stage == Stage::compile && step.index == 0) {
      Compiled compiled;
      compiled.cases = casesOf(step.kernel);
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

  [[nodiscard]] std::vector<Case> casesOf(std::uint32_t kernel) const {
    return *knownCases(job_, job_.kernels[kernel]);
  }

  Job job_;
  Report report_ = startReport(job_);
  Seconds seconds_;
  Dealer dealer_;
  std::vector<Worker> workers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> verdicts_;
  double now_ = 0;
  int pieces_ = 0;
};

double oneSecond(const Step& /*step*/) {
  return 1;
}
/// From a half to two and a half seconds.
double different(const Step& step) {
  return 0.5 + static_cast<double>((step.index * 2654435761U) >> 24U) / 128;
}

/// Each case has one verdict, and the end comes at most 10 % after the best possible.
void expectGood(Cluster& cluster, std::size_t cases) {
  const double took = cluster.run();
  EXPECT_LE(took, 1.1 * cluster.best()) << cluster.pieces() << " pieces";
  EXPECT_EQ(cluster.verdicts().size(), cases);
  EXPECT_THAT(cluster.verdicts(), Each(Pair(testing::_, 1)));
}

TEST(Dealer, EqualPlacesEndTogether) {
  for (const std::size_t places : {3U, 64U}) {
    Cluster cluster(jobOf({1200}), std::vector<double>(places, 1), different);
    expectGood(cluster, 1200);
  }
}

TEST(Dealer, ASlowPlaceGetsTheSmallRest) {
  for (const double speed : {0.5, 0.1, 0.03}) {
    SCOPED_TRACE(speed);
    Cluster cluster(jobOf({300}), {1, 1, speed, 1}, oneSecond);
    expectGood(cluster, 300);
  }
}

TEST(Dealer, WithTimesASlowPlaceKeepsNobodyWaiting) {
  Cluster cluster(jobOf({300}, true), {1, 0.1, 1}, different);
  expectGood(cluster, 300);
  EXPECT_EQ(counts(cluster.report()).timed, 300);
}

TEST(Dealer, PlacesOfAllSpeedsShareByThem) {
  Cluster cluster(jobOf({800}), {1, 2, 3, 4, 5, 6, 7, 8}, different);
  expectGood(cluster, 800);
  EXPECT_GT(cluster.stepsOf(7), 5 * cluster.stepsOf(0));
}

TEST(Dealer, OfManyKernelsTheLargeOnesAreCutWhereThatIsNeeded) {
  std::vector<std::uint32_t> sizes(100, 5);
  sizes[42] = 500;
  Cluster cluster(jobOf(sizes), {1, 1, 1, 1}, oneSecond);
  expectGood(cluster, 99 * 5 + 500);
}

TEST(Dealer, ManyKernelsGoAroundASlowPlace) {
  Cluster cluster(jobOf(std::vector<std::uint32_t>(400, 6)), {1, 1, 1, 0.1, 1, 1, 1, 1}, different);
  expectGood(cluster, 2400);
}

TEST(Dealer, TheLastCaseOfASlowPlaceIsGivenToAnotherAsWell) {
  // It is at a case that takes it a thousand seconds when all else is done.
  const auto seconds = [](const Step& step) { return step.index == 59 ? 30.0 : 1.0; };
  Cluster cluster(jobOf({60}), {0.03, 1}, seconds);
  EXPECT_LE(cluster.run(), 1.5 * cluster.best());
  EXPECT_THAT(cluster.verdicts(), Each(Pair(testing::_, 1)));
  EXPECT_EQ(cluster.verdicts().size(), 60U);
}

TEST(Dealer, TheFirstCaseOfAPlaceThatIsStuckIsGivenToAnotherAsWell) {
  // It has never shown how fast it is, and all else is done long before it ends.
  Cluster cluster(jobOf({60}), {0.001, 1, 1}, oneSecond);
  EXPECT_LE(cluster.run(), 1.5 * cluster.best());
  EXPECT_THAT(cluster.verdicts(), Each(Pair(testing::_, 1)));
  EXPECT_EQ(cluster.verdicts().size(), 60U);
}

TEST(Dealer, OnePlaceAloneGetsAllInOnePiece) {
  Cluster cluster(jobOf({40, 40}, true), {1}, oneSecond);
  EXPECT_EQ(cluster.run(), 160);
  EXPECT_EQ(cluster.pieces(), 1);
}

TEST(Portions, CutKernelsLast) {
  const CaseCounts counts{3, 10, std::nullopt};
  const JobWork work{false,
                     {{.kernel = 0, .stages = {{Stage::check}}},
                      {.kernel = 1, .stages = {{Stage::check}, {Stage::time}}},
                      {.kernel = 2, .stages = {{Stage::check}}}}};
  EXPECT_EQ(casesIn(work, counts), 14U);
  const Portions some = cutOff(work, 5, counts);
  EXPECT_EQ(text(some.now), "0: check");
  EXPECT_EQ(text(some.later), "1: check, time; 2: check");
  const Portions cut = cutOff(some.later, 4, counts);
  EXPECT_EQ(text(cut.now), "1: check 0 1 2 3, time 0 1 2 3");
  EXPECT_EQ(text(cut.later), "1: check 4 5 6 7 8 9, time 4 5 6 7 8 9; 2: check");
  EXPECT_THAT(cutOff(work, 100, counts).later.kernels, IsEmpty());
}

TEST(Portions, AKernelThatIsProfiledStaysWhole) {
  const CaseCounts counts{10};
  const JobWork work{false, {{.kernel = 0, .stages = {{Stage::check}, {Stage::profile}}}}};
  EXPECT_THAT(cutOff(work, 2, counts).later.kernels, IsEmpty());
}

TEST(Portions, TakeOneCaseOut) {
  const JobWork work{
      true,
      {{.kernel = 1, .compiled = true, .stages = {{Stage::check, {{5, 6}}}, {Stage::time, {{4, 5, 6}}}}},
       {.kernel = 2, .stages = {{Stage::check}}}}};
  const Portions portions = takeOut(work, 1, 5);
  EXPECT_EQ(text(portions.now), "1*: check 5, time 5");
  EXPECT_EQ(text(portions.later), "1*: check 6, time 4 6; 2: check");
}

TEST(Faults, APlaceThatFailsTwiceIsOutAndOthersAreNot) {
  Faults faults(3);
  faults.note(1, 0);
  EXPECT_FALSE(faults.isOut(1));
  faults.note(1, 4);
  EXPECT_TRUE(faults.isOut(1));
  EXPECT_FALSE(faults.isOut(0));
}

TEST(Faults, WhatAKernelDoesEverywhereIsNoFaultOfAPlace) {
  Faults faults(2);
  faults.note(0, 7);
  faults.note(0, 7);
  EXPECT_TRUE(faults.isOut(0));
  faults.note(1, 7);
  EXPECT_FALSE(faults.isOut(0));
}

TEST(Faults, ThatAPlaceWasOutOfReachIsOverWhenItHasDoneSomething) {
  Faults faults(2);
  faults.note(0, std::nullopt);
  faults.noteDone(0);
  faults.note(0, std::nullopt);
  EXPECT_FALSE(faults.isOut(0));
  faults.note(0, std::nullopt);
  EXPECT_TRUE(faults.isOut(0));
}

TEST(Faults, TheLastPlaceIsNeverOut) {
  Faults faults(2);
  for (const std::size_t place : {0U, 0U, 1U, 1U}) faults.note(place, std::nullopt);
  EXPECT_FALSE(faults.isOut(0));
  EXPECT_FALSE(faults.isOut(1));
  faults.noteDone(1);
  EXPECT_TRUE(faults.isOut(0));
  faults.noteFailure(1);
  EXPECT_FALSE(faults.isOut(0));
}

}  // namespace
}  // namespace wb
