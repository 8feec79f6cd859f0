// SPDX-License-Identifier: Apache-2.0
// A run in a folder: its script, the files of its events, and going on after an end that came too early.
#include "core/runner/batch/batch.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "core/base/files/file.h"
#include "core/run/shards.h"
#include "core/runner/batch/batch_end.h"
#include "core/runner/batch/batch_events.h"
#include "core/runner/batch/batch_queue.h"
#include "core/runner/batch/batch_script.h"
#include "core/runner/batch/event_file.h"
#include "core/runner/batch/shard_claim.h"
#include "core/runner/batch/shard_launcher.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

class Batches : public testing::Test {
 protected:
  void SetUp() override { ::setenv("WARPBENCH_DATA", data_.c_str(), 1); }
  void TearDown() override {
    ::unsetenv("WARPBENCH_DATA");
    fs::remove_all(data_);
  }
  static Result<Batch> make(const std::string& target, Job job, int workers) {
    Batch batch = newBatch(parseTarget(target).value(), std::move(job), workers, newBatchId());
    WB_DO(writeBatch(batch));
    return batch;
  }

  const fs::path data_ = fs::path(testing::TempDir()) / ("wb batch's " + std::to_string(::getpid()));
};

/// A job with so many cases that the fake worker takes one by one.
Job jobOfCases(int cases, const std::string& arguments = "") {
  Job job = fakeJob({""}, false);
  job.kernels[0].text = "// fake: --mismatch=none " + arguments + "\n";
  for (int i = 0; i < cases; ++i) job.cases.push_back({.op = "aten::relu", .args = std::to_string(i)});
  return job;
}

TEST_F(Batches, AreReadAsTheyWereWritten) {
  auto made = make("slurm://gpu?gres=gpu:1&time=30", jobOfCases(4), 3);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->shards, 3U);
  for (std::size_t shard = 0; shard < 3; ++shard)
    EXPECT_TRUE(fs::exists(made->events(shard))) << "who looks for it must not learn that it is missing";
  made->target.name = "cluster";
  made->folderThere = "/there/x";
  ASSERT_TRUE(writeBatch(*made));
  ASSERT_TRUE(rememberSubmission(*made, "17"));
  for (const std::string& word : {made->id(), made->folder.string()}) {
    const auto read = readBatch(word);
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->job, made->job);
    EXPECT_EQ(read->target, made->target);
    EXPECT_EQ(read->target.name, "cluster");
    EXPECT_EQ(read->folderThere, "/there/x");
    EXPECT_EQ(read->shards, 3U);
    EXPECT_EQ(read->submittedAs, "17");
  }
  EXPECT_THAT(readBatch("nothing").error().text, HasSubstr("there is no run \"nothing\""));
  for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"{\"schema\": 2}", "it has no job"},
           {"{\"schema\": 1}", "was handed over by an older version of Warpbench"},
           {"{\"schema\": 3, \"job\": {}}", "was handed over by a newer version of Warpbench"},
           {"{\"schema\": \"2\"}", "this is no run of Warpbench"},
           {R"({"schema": 2, "job": {}, "target": 7})", "this is no run of Warpbench"}}) {
    ASSERT_TRUE(writeFileAtomically(made->folder / "job.json", text));
    EXPECT_THAT(readBatch(made->id()).error().text, HasSubstr(error)) << text;
  }
}

TEST_F(Batches, TheScriptSaysWhatThePeopleOfAClusterExpect) {
  const auto made =
      make("slurm://gpu?gres=gpu:1&time=30&comment=it%27s%20%22mine%22&python=/opt/my%20torch/python",
           jobOfCases(4), 3);
  ASSERT_TRUE(made);
  const std::string script = batchScript(*made, "/opt/warpbench/bin/warpbench");
  for (const char* line :
       {"#!/bin/bash\n#SBATCH", "#SBATCH --partition=gpu\n", "#SBATCH --gres=gpu:1\n", "#SBATCH --time=30\n",
        "#SBATCH --comment=\"it's \\\"mine\\\"\"\n", "#SBATCH --array=0-2\n", "#SBATCH --requeue\n",
        "export WARPBENCH_PYTHON='/opt/my torch/python'\n", "log-%a.txt\"\n"})
    EXPECT_THAT(script, HasSubstr(line));
  // As a shell reads it.
  ASSERT_TRUE(writeFileAtomically(made->script(), script + "\n"));
  const auto read =
      runToEnd({.argv = {"bash", "-n", made->script().string()}, .folder = {}, .environment = {}},
               std::chrono::seconds{10});
  EXPECT_TRUE(read && read->ok()) << read->err;
  EXPECT_THAT(script, HasSubstr("wb batch'\\''s "));
}

TEST(BatchQueue, IsReadFromWhatSqueuePrints) {
  const QueueState state = queueState("PENDING|Priority\nPENDING|Resources\nRUNNING|None\n");
  EXPECT_EQ(state.waiting, 2);
  EXPECT_EQ(state.running, 1);
  EXPECT_EQ(state.reason, "Priority");
  EXPECT_TRUE(queueState("").isOver()) << "the scheduler has forgotten it";
  EXPECT_TRUE(queueState("slurm is down\n").isOver());
}

// Each state of Slurm's, on the way of a task that is put back into the queue and on others.
TEST(BatchQueue, ATaskIsOverInFinalStatesAlone) {
  for (const char* waits :
       {"PENDING|BeginTime\n", "REQUEUED|None\n", "REQUEUE_HOLD|launch failed requeued held\n",
        "SPECIAL_EXIT|JobHeldUser\n", "RESV_DEL_HOLD|None\n", "REQUEUE_FED|None\n"}) {
    EXPECT_EQ(queueState(waits).waiting, 1) << waits;
    EXPECT_FALSE(queueState(waits).isOver()) << waits;
  }
  for (const char* runs : {"CONFIGURING|None\n", "RUNNING|None\n", "COMPLETING|None\n", "SUSPENDED|None\n",
                           "STOPPED|None\n", "SIGNALING|None\n", "STAGE_OUT|None\n", "RESIZING|None\n"}) {
    EXPECT_EQ(queueState(runs).running, 1) << runs;
    EXPECT_FALSE(queueState(runs).isOver()) << runs;
  }
  for (const char* over : {"FAILED", "CANCELLED", "TIMEOUT", "DEADLINE", "NODE_FAIL", "BOOT_FAIL",
                           "PREEMPTED", "OUT_OF_MEMORY", "REVOKED"}) {
    EXPECT_TRUE(queueState(std::string(over) + "|None\n").isOver()) << over;
    EXPECT_EQ(queueState(std::string(over) + "|None\n").endedAs, over);
  }
  EXPECT_TRUE(queueState("COMPLETED|None\n").isOver());
  EXPECT_EQ(queueState("COMPLETED|None\n").endedAs, "");
  // An earlier job of the run says nothing of the one that came after it.
  EXPECT_FALSE(queueState("TIMEOUT|TimeLimit\nPENDING|Priority\n").isOver());
  EXPECT_EQ(queueState("TIMEOUT|TimeLimit\nCANCELLED|None\nCOMPLETED|None\n").endedAs, "CANCELLED");
}

TEST_F(Batches, HalfALineIsCutOffAndWrittenAgain) {
  const fs::path path = fs::path(testing::TempDir()) / ("events-" + std::to_string(::getpid()));
  {
    auto file = EventFile::open(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append(Log{"worker", "one"}));
  }
  std::ofstream(path, std::ios::app) << R"({"event": "Lo)";
  std::size_t from = 0;
  EXPECT_THAT(readEvents(path, from).value(), SizeIs(1));
  auto file = EventFile::open(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(Log{"worker", "two"}));
  EXPECT_THAT(readEvents(path, from).value(), SizeIs(1)) << "only what is new";
  std::ofstream(path, std::ios::app) << "nonsense\n";
  EXPECT_THAT(readEvents(path, from).error().text, AllOf(HasSubstr("at byte"), HasSubstr(path.string())));
  fs::remove(path);
}

/// The events of a run of a part of a job; it is cancelled after so many verdicts.
std::vector<Event> runPart(Job job, const JobWork& part, const std::shared_ptr<const Report>& before = {},
                           int verdicts = -1) {
  job.work = part;
  std::vector<Event> events;
  RunnerOptions options = quickOptions();
  options.warmSpare = false;
  Runner runner(fakeLauncher({}), "cpu", options);
  runner.submit(
      job,
      [&](Runner::RunId id, const Event& event) {
        events.push_back(event);
        if (is<CaseCheck>(event) && --verdicts == 0) runner.cancel(id);
      },
      before);
  runner.wait();
  return events;
}

int verdictsIn(const std::vector<Event>& events) {
  return static_cast<int>(
      std::count_if(events.begin(), events.end(), [](const Event& e) { return is<CaseCheck>(e); }));
}

TEST_F(Batches, AShardGoesOnWhereItWasCutShort) {
  const auto made = make("slurm://gpu", jobOfCases(12, "--delay=0.02"), 2);
  ASSERT_TRUE(made);
  const std::vector<JobWork> shards = shardsOf(made->job, made->shards);
  const auto write = [&](std::size_t shard, const std::vector<Event>& events) {
    auto file = EventFile::open(made->events(shard));
    ASSERT_TRUE(file);
    for (const Event& event : events) ASSERT_TRUE(file->append(event));
  };
  const std::vector<Event> first = runPart(made->job, shards[0], {}, 2);
  const int done = verdictsIn(first);
  EXPECT_LT(done, 6);
  write(0, first);
  const auto before = reportBefore(*made, 0);
  ASSERT_TRUE(before && *before);
  const std::vector<Event> second = runPart(made->job, shards[0], *before);
  EXPECT_EQ(verdictsIn(second), 6 - done) << "no finished case is run again";
  write(0, second);
  write(1, runPart(made->job, shards[1]));

  BatchEvents gathered(*made);
  Report report = startReport(made->job);
  const auto events = gathered.take();
  ASSERT_TRUE(events) << describe(events.error());
  for (const Event& event : *events) fold(report, event);
  EXPECT_TRUE(gathered.isDone());
  EXPECT_THAT(gathered.take().value(), testing::IsEmpty());
  fold(report, gathered.finished());
  Report one = startReport(made->job);
  for (const Event& event : runPart(made->job, workIn(made->job))) fold(one, event);
  EXPECT_EQ(report.kernels[0]->cases, one.kernels[0]->cases);
  EXPECT_EQ(report.kernels[0]->counts, one.kernels[0]->counts);
  EXPECT_EQ(report.kernels[0]->diagnostics, one.kernels[0]->diagnostics);
  EXPECT_EQ(report.outcome, Outcome::finished);
}

TEST_F(Batches, WhatEndedThemBeforeTheirTimeIsReadFromTheirLogs) {
  const auto made = make("slurm://gpu", jobOfCases(4), 2);
  ASSERT_TRUE(made);
  const auto finish = [&](std::size_t shard, Outcome outcome) {
    auto file = EventFile::open(made->events(shard));
    ASSERT_TRUE(file && file->append(Log{"kernel", "a line"}) && file->append(Finished{outcome, 1}));
  };
  const std::string node = "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026 DUE TO NODE FAILURE ***\n",
                    time = "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026 DUE TO TIME LIMIT ***\n";
  EXPECT_EQ(whyItEnded(*made, ""), "") << "nobody has said anything";
  // The part that finished has lost a node before that; the other one ran into its limit the second time.
  ASSERT_TRUE(writeFileAtomically(made->log(0), node));
  finish(0, Outcome::finished);
  EXPECT_EQ(whyItEnded(*made, ""), "");
  ASSERT_TRUE(writeFileAtomically(made->log(1), node + "relu.cpp\n" + time + "\n"));
  finish(1, Outcome::cancelled);
  EXPECT_THAT(whyItEnded(*made, ""), AllOf(HasSubstr("time limit"), HasSubstr("DUE TO TIME LIMIT")));
  finish(1, Outcome::finished);
  EXPECT_EQ(whyItEnded(*made, ""), "");
}

TEST(BatchEnd, TheSchedulersStateCountsMoreThanWhatIsInALog) {
  const std::string preempted =
                        "slurmstepd-n1: error: *** JOB 7 ON n1 CANCELLED AT 1 DUE TO PREEMPTION ***\n",
                    cancelled = "slurmstepd-n1: error: *** JOB 7 ON n1 CANCELLED AT 2 ***\n";
  // The attempt before was preempted; this one was ended by something else.
  EXPECT_EQ(whyAPartEnded("OUT_OF_MEMORY", preempted), "its job used more memory than it had asked for");
  EXPECT_EQ(whyAPartEnded("CANCELLED", preempted), "its job was cancelled");
  EXPECT_THAT(whyAPartEnded("CANCELLED", preempted + cancelled),
              AllOf(HasSubstr("its job was cancelled ("), HasSubstr("CANCELLED AT 2")));
  // A cluster may end what it preempts.
  EXPECT_THAT(whyAPartEnded("PREEMPTED", preempted), HasSubstr("was preempted by another one ("));
  EXPECT_EQ(whyAPartEnded("TIMEOUT", ""), "the time limit of its job was reached");
  // What a job says before it fails is why; where it said nothing after it was stopped, it never began.
  EXPECT_EQ(whyAPartEnded("FAILED", preempted + "error: no torch\n\n"), "its job failed: error: no torch");
  EXPECT_THAT(whyAPartEnded("FAILED", preempted), HasSubstr("could not be started again"));
  EXPECT_THAT(whyAPartEnded("FAILED", ""), HasSubstr("could not be started, or ended without a word"));
  // The scheduler has forgotten it.
  EXPECT_THAT(whyAPartEnded("", "relu.cpp\n" + preempted), HasSubstr("DUE TO PREEMPTION"));
  EXPECT_EQ(whyAPartEnded("", "relu.cpp\n"), "");
}

TEST_F(Batches, TheAttemptThatBeganLastMayWrite) {
  const auto made = make("slurm://gpu", jobOfCases(4), 2);
  ASSERT_TRUE(made);
  const auto first = ShardClaim::take(*made, 0), other = ShardClaim::take(*made, 1);
  ASSERT_TRUE(first && other);
  EXPECT_TRUE(first->check());
  const auto second = ShardClaim::take(*made, 0);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->check());
  EXPECT_TRUE(other->check());
  ASSERT_FALSE(first->check());
  EXPECT_THAT(first->check().error().text,
              AllOf(HasSubstr("another attempt"), HasSubstr("process " + std::to_string(::getpid()))));
}

TEST(ShardLauncher, AnEndFromOutsideIsNoKernelsFault) {
  const auto launcher = shardLauncher(fakeLauncher({}));
  EXPECT_THAT(launcher->placeLoss("", {0, SIGTERM}), HasSubstr("SIGTERM"));
  EXPECT_EQ(launcher->placeLoss("", {0, SIGSEGV}), "");
  EXPECT_EQ(launcher->placeLoss("", {}), "");
}

}  // namespace
}  // namespace wb
