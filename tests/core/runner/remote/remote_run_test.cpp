// SPDX-License-Identifier: Apache-2.0
// Runs on a host that ssh reaches, with the fake worker: what one on this machine gives, and what happens to
// connections.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/files/file.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/core/runner/held_cases.h"
#include "tests/hosts/ssh_host.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr const char* programs = WB_BINARY_DIR "/bin";

class RemoteRunTest : public testing::Test, protected HeldCases {
 protected:
  /// One host serves all tests, so that the programs are packed and copied once; where a test has its keys
  /// changed, it has a host of its own.
  static void SetUpTestSuite() {
    shared = new SshHost;
    ::setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker", 1);
    ::setenv("WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache-of-remote-test", 1);
  }
  static void TearDownTestSuite() {
    delete std::exchange(shared, nullptr);
    ::unsetenv("WARPBENCH_WORKER");
    ::unsetenv("WARPBENCH_CACHE");
  }
  void SetUp() override {
    if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  }
  void TearDown() override {
    if (!host.missing().empty()) return;
    host.unlock();
    EXPECT_TRUE(host.isQuiet()) << "something still runs there";
    EXPECT_TRUE(host.isLeft()) << "something here still speaks to it";
  }
  [[nodiscard]] std::unique_ptr<Runner> runner(const std::string& options = {}) const {
    return std::make_unique<Runner>(remoteLauncher(host.target(options), programs), "cpu", quickOptions());
  }
  /// The report of a run that came to its end.
  static const Report& finished(Recorder& run) {
    const Report& report = run.wait();
    EXPECT_EQ(report.outcome, Outcome::finished) << (report.failure ? describe(*report.failure) : "");
    return report;
  }
  /// A job whose second case hangs and heeds no request to end.
  static Job hangingJob() {
    Job job = fakeJob({"--mode=hang:1 --ignore-term"});
    job.limits.caseSeconds = 1000;
    return job;
  }
  /// Cancels the run where the other side cannot be told.
  void cancelWithoutConnection(Runner& away, Recorder& run) {
    const auto id = run.submit(away);
    run.waitFor<CaseCheck>();
    host.lock();
    host.signalConnections(SIGKILL);
    run.waitForLog("connection", "is lost");
    away.cancel(id);
    EXPECT_EQ(run.wait().outcome, Outcome::cancelled);
  }
  /// What the run that is refused says.
  [[nodiscard]] std::string refusal(const RunTarget& target) const {
    Runner refused(remoteLauncher(target, programs), "cpu", quickOptions());
    Recorder run(fakeJob(), Losses::any);
    run.submit(refused);
    const Report& report = run.wait();
    EXPECT_EQ(report.outcome, Outcome::workerLost);
    return report.failure ? describe(*report.failure) : "";
  }

  const SshHost& host = *shared;

 private:
  static inline SshHost* shared = nullptr;
};

TEST_F(RemoteRunTest, ARunGivesWhatOneHereGives) {
  const SshHost fresh;
  const auto make = [&] {
    return std::make_unique<Runner>(remoteLauncher(fresh.target(), programs), "cpu", quickOptions());
  };
  const auto away = make();
  Runner here(fakeLauncher({}), "cpu", quickOptions());
  Recorder first(fakeJob()), second(fakeJob()), local(fakeJob());
  first.submit(*away);
  local.submit(here);
  finished(first);
  local.wait();
  EXPECT_EQ(first.verdicts(), local.verdicts());
  EXPECT_THAT(first.log("connection"), HasSubstr("copying Warpbench's programs to ssh://box/cpu"));
  // Another runner finds the programs there, and the connection too.
  const auto again = make();
  second.submit(*again);
  finished(second);
  EXPECT_THAT(second.log("connection"), Not(HasSubstr("copying")));
  EXPECT_EQ(fresh.connections(), 1U);
}

TEST_F(RemoteRunTest, TextOfTheLoginDoesNoHarm) {
  const std::filesystem::path login = host.home() / ".bashrc";
  ASSERT_TRUE(writeFileAtomically(login, "echo; echo 'Welcome!'; echo WARNING >&2\n"));
  const auto away = runner();
  Recorder run(fakeJob());
  run.submit(*away);
  finished(run);
}

TEST_F(RemoteRunTest, ACrashThereIsTheKernels) {
  const auto away = runner();
  Recorder run(fakeJob({"--mode=segfault:1"}));
  run.submit(*away);
  finished(run);
  ASSERT_GT(run.verdicts().size(), 3U);
  EXPECT_EQ(run.verdicts()[1], Verdict::crashed);
  EXPECT_EQ(run.verdicts()[3], Verdict::pass);
  ASSERT_EQ(run.wait().losses.size(), 1U);
  EXPECT_THAT(run.wait().losses.front().how, HasSubstr("SIGSEGV"));
}

TEST_F(RemoteRunTest, FilesBesideAKernelGoWithIt) {
  const TemporaryFolder own;
  Job job = fakeJob({"--tell-file=h.h", "--tell-file=h.h"});
  job.kernels[0].path = (own.path() / "a.cu").string();
  job.kernels[0].text += "\n#include \"h.h\"\n";
  job.kernels[1].path = (own.path() / "none" / "a.cu").string();
  const auto away = runner();
  // What is said names the places here.
  for (const char* content : {"first", "second"}) {
    ASSERT_TRUE(writeFileAtomically(own.path() / "h.h", content));
    Recorder run(job);
    run.submit(*away);
    finished(run);
    EXPECT_THAT(run.log("kernel"),
                HasSubstr(fmt::format("{0} in {1}/h.h of {1}/a.cu\n", content, own.path().string())));
    EXPECT_THAT(run.log("kernel"), HasSubstr("it is missing"));
  }
}

TEST_F(RemoteRunTest, TheSanitizersMessagesComeBack) {
  const std::filesystem::path messages = WB_SOURCE_DIR "/tests/core/runner/sanitizer";
  const std::filesystem::path program = host.home() / "bin" / "compute-sanitizer";
  std::filesystem::create_directories(program.parent_path());
  std::filesystem::copy_file(messages / "compute-sanitizer", program,
                             std::filesystem::copy_options::overwrite_existing);
  ASSERT_TRUE(writeFileAtomically(
      host.home() / ".bashrc",
      fmt::format("export CUDA_HOME=\"$HOME\" FAKE_SANITIZER_MESSAGES='{}'\n", messages.string())));
  Runner away(remoteLauncher(host.target(), programs), "cuda:0", quickOptions());
  Job job = fakeJob({"--mismatch=none"});
  job.sanitizer = "memcheck";
  job.stages.add(Stage::sanitize);
  job.kernels[0].path = "oob_demo.cu";
  Recorder run(job);
  run.submit(away);
  const Report& report = finished(run);
  ASSERT_EQ(report.kernels[0]->diagnostics.size(), 3U);
  EXPECT_EQ(report.kernels[0]->diagnostics[0].place, (Place{"oob_demo.cu", 9, 0}));
  EXPECT_TRUE(report.kernels[0]->sanitized && report.kernels[0]->sanitized->complete);
}

TEST_F(RemoteRunTest, ACancelEndsAKernelThatHangs) {
  const auto away = runner();
  Job job = fakeJob({"--mode=hang:1 --ignore-term"});
  job.limits.caseSeconds = 1000;
  Recorder run(job);
  const auto id = run.submit(*away);
  run.waitFor<CaseCheck>();
  const std::vector<pid_t> cancelled = host.sessions();
  ASSERT_FALSE(cancelled.empty());
  away->cancel(id);
  EXPECT_EQ(run.wait().outcome, Outcome::cancelled);
  // The runner has the next worker started meanwhile.
  EXPECT_TRUE(host.areOver(cancelled));
}

TEST_F(RemoteRunTest, ACancelWhileTheNetworkIsAwayIsToldThereLater) {
  // The grace time is longer than the test waits for the other side to be quiet.
  auto away = runner("&grace=600");
  Recorder run(hangingJob());
  cancelWithoutConnection(*away, run);
  EXPECT_THAT(run.log("connection"), AllOf(HasSubstr("the connection to ssh://box/cpu is lost"),
                                           HasSubstr("is ended as soon as it can be reached again")));
  away.reset();
  EXPECT_FALSE(host.programs("warpbench-worker").empty()) << "nobody can have ended it yet";
  host.unlock();
  EXPECT_TRUE(host.isQuiet());
}

TEST_F(RemoteRunTest, AWorkerThatIsNotReachedAfterACancelEndsByItself) {
  auto away = runner("&grace=1");
  Recorder run(hangingJob());
  cancelWithoutConnection(*away, run);
  away.reset();
  EXPECT_TRUE(host.isQuiet());
}

TEST_F(RemoteRunTest, ALostConnectionIsMadeAnew) {
  const auto away = runner();
  Recorder run(heldJob());
  run.submit(*away);
  run.waitFor<CaseCheck>();
  host.signalConnections(SIGKILL);
  run.waitForLog("connection", "is lost");
  letGo();
  expectWhole(run);
  EXPECT_THAT(run.log("connection"), AllOf(HasSubstr("the connection to ssh://box/cpu is lost"),
                                           HasSubstr("ssh://box/cpu is in reach again")));
}

TEST_F(RemoteRunTest, ANetworkThatSwallowsEverythingIsNoticed) {
  const auto away = runner();
  Recorder run(heldJob());
  run.submit(*away);
  run.waitFor<CaseCheck>();
  const auto start = std::chrono::steady_clock::now();
  host.signalConnections(SIGSTOP);
  run.waitForLog("connection", "is lost");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds{15});
  letGo();
  expectWhole(run);
  EXPECT_THAT(run.log("connection"), HasSubstr("in reach again"));
}

TEST_F(RemoteRunTest, AConnectionThatStaysAwayIsNotTheKernelsFault) {
  const auto away = runner("&grace=0.5");
  Recorder run(heldJob(), Losses::any);
  run.submit(*away);
  run.waitFor<CaseCheck>();
  host.lock();
  host.signalConnections(SIGKILL);
  const Report& report = run.wait();
  EXPECT_TRUE(report.losses.empty());
  EXPECT_THAT(run.log("place"), HasSubstr("did not come back within 500 ms"));
  EXPECT_EQ(run.verdicts().front(), Verdict::pass);
  EXPECT_THAT(run.verdicts(), Not(Contains(Verdict::crashed)));
  EXPECT_EQ(report.outcome, Outcome::workerLost);
}

TEST_F(RemoteRunTest, TheRunGoesOnInAnotherWorkerWhereOneWasLost) {
  const auto away = runner("&grace=600");
  Recorder run(heldJob());
  run.submit(*away);
  run.waitFor<CaseCheck>();
  // The worker there ends while nobody can reach it.
  host.lock();
  host.signalConnections(SIGKILL);
  run.waitForLog("connection", "is lost");
  EXPECT_GE(host.killPrograms("warpbench-reach"), 1);
  host.unlock();
  run.waitForLog("place");
  letGo();
  expectWhole(run);
  EXPECT_THAT(run.log("place"), HasSubstr("the connection to ssh://box/cpu was lost, and the worker there "
                                          "has ended. What it has left goes on in another"));
}

TEST_F(RemoteRunTest, AWorkerWhoseKeeperIsKilledThereIsReplaced) {
  const auto away = runner();
  Recorder run(heldJob());
  run.submit(*away);
  run.waitFor<CaseCheck>();
  EXPECT_GE(host.killPrograms("warpbench-reach"), 1);
  run.waitForLog("place");
  letGo();
  expectWhole(run);
  EXPECT_THAT(run.log("place"), HasSubstr("the worker there has ended. What it has left goes on in another"));
}

TEST_F(RemoteRunTest, TwoHostsShareARun) {
  const SshHost other;
  std::vector<WorkerPlace> places;
  places.push_back({remoteLauncher(host.target(), programs), "cpu", "ssh:one"});
  places.push_back({remoteLauncher(other.target(), programs), "cpu", "ssh:two"});
  Runner both(std::move(places), quickOptions());
  Recorder run(fakeJob({"--delay=0.1", "--delay=0.1", "--delay=0.1", "--delay=0.1"}));
  run.submit(both);
  finished(run);
  for (std::size_t kernel = 0; kernel < 4; ++kernel)
    EXPECT_THAT(run.verdicts(kernel), Not(Contains(Verdict::notRun)));
  EXPECT_GE(other.connections(), 1U);
}

TEST_F(RemoteRunTest, OneHostCompilesForTheOther) {
  const SshHost other;
  std::vector<WorkerPlace> places;
  places.push_back({remoteLauncher(host.target(), programs), "cpu", "ssh:one", "one"});
  places.push_back({remoteLauncher(other.target(), programs), "cpu", "ssh:two", "two", true});
  Runner both(std::move(places), quickOptions());
  Job job = heldJob(3);
  for (std::size_t i = 0; i < job.kernels.size(); ++i) job.kernels[i].text += fmt::format("// {}\n", i);
  Recorder run(job);
  run.submit(both);
  run.waitForEvents([](const std::vector<Event>& events) {
    return std::ranges::count_if(events, [](const Event& event) {
             const auto* line = std::get_if<Log>(&event);
             return line != nullptr && line->text.find("built ahead on two") != std::string::npos;
           }) == 2;
  });
  letGo();
  const Report& report = finished(run);
  EXPECT_EQ(report.kernels[0]->compiled->note, "");
  for (const std::size_t kernel : {1U, 2U})
    EXPECT_EQ(report.kernels[kernel]->compiled->note, "Built on two.");
  EXPECT_GE(other.connections(), 1U);
}

TEST_F(RemoteRunTest, AHostThatIsLostLeavesItsPartToTheOther) {
  const SshHost other;
  std::vector<WorkerPlace> places;
  places.push_back({remoteLauncher(host.target(), programs), "cpu", "ssh:one"});
  places.push_back({remoteLauncher(other.target("&grace=0"), programs), "cpu", "ssh:two"});
  Runner both(std::move(places), quickOptions());
  Recorder run(heldJob(4));
  run.submit(both);
  // Each of them is at a kernel then.
  run.waitForEvents([](const std::vector<Event>& events) {
    return std::ranges::count_if(events, [](const Event& event) { return is<CaseCheck>(event); }) == 2;
  });
  other.lock();
  other.signalConnections(SIGKILL);
  run.waitForLog("place");
  letGo();
  const Report& report = finished(run);
  EXPECT_THAT(report.losses, testing::IsEmpty());
  EXPECT_EQ(std::ranges::count_if(run.events(), [](const Event& event) { return is<CaseCheck>(event); }), 32);
  for (std::size_t kernel = 0; kernel < 4; ++kernel)
    EXPECT_THAT(run.verdicts(kernel), testing::Each(Verdict::pass));
}

TEST_F(RemoteRunTest, AChangedKeyIsRefusedWithBothFingerprints) {
  const SshHost other;
  other.changeKey();
  EXPECT_THAT(refusal(other.target()),
              AllOf(HasSubstr("the key of ssh://box/cpu has changed: it was SHA256:"),
                    HasSubstr(", and is SHA256:"), HasSubstr("/known, line 1")));
}

TEST_F(RemoteRunTest, AnUnknownKeyIsRefused) {
  const SshHost other;
  ASSERT_TRUE(writeFileAtomically(other.folder() / "known", ""));
  EXPECT_THAT(refusal(other.target()), HasSubstr("the key of ssh://box/cpu is not known here"));
}

TEST_F(RemoteRunTest, AUserWhoIsNotLetInIsToldSo) {
  const SshHost other;
  other.lock();
  EXPECT_THAT(refusal(other.target()), HasSubstr("does not let this user in by a key"));
}

TEST_F(RemoteRunTest, AFolderThatCannotBeWrittenIsSaid) {
  RunTarget target = host.target();
  target.cache = "/proc/no \"such' place";
  EXPECT_THAT(refusal(target), AllOf(HasSubstr("nothing can be written on"), HasSubstr("option cache")));
}

}  // namespace
}  // namespace wb
