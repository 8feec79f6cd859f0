// SPDX-License-Identifier: Apache-2.0
#include "tests/core/runner/fake_runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "core/base/files/file.h"

namespace wb {

using namespace std::chrono_literals;

std::unique_ptr<Launcher> fakeLauncher(std::vector<std::string> arguments,
                                       std::chrono::milliseconds helloLimit) {
  arguments.insert(arguments.begin(), WB_BINARY_DIR "/tests/bin/warpbench-fake-worker");
  return commandLauncher(Command{std::move(arguments), {}, {}}, helloLimit);
}

Job fakeJob(std::vector<std::string> kernelArguments, bool time) {
  Job job;
  for (const std::string& arguments : kernelArguments)
    job.kernels.push_back({"relu.cpp", "// fake: --cases=8 " + arguments + "\n", "torch_cpp", "relu"});
  job.suite = "fake";
  job.stages.set(Stage::time, time);
  job.timing.capSeconds = 0.1;
  job.limits.caseSeconds = 30;
  job.limits.compileSeconds = 60;
  return job;
}

int runsInARow(int usual) {
  const char* wanted = std::getenv("WARPBENCH_TEST_RUNS");  // NOLINT(concurrency-mt-unsafe)
  return wanted != nullptr ? std::atoi(wanted) : usual;     // NOLINT(cert-err34-c)
}

std::ptrdiff_t openDescriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

std::string ownChildren() {
  // The runner's thread has started them, and it is gone: they are the first thread's then.
  return readFile(fmt::format("/proc/self/task/{}/children", ::getpid())).value_or("?");
}

RunnerOptions quickOptions() {
  RunnerOptions options;
  options.heartbeatSeconds = 10;
  options.cancelGraceSeconds = 0.2;
  return options;
}

Losses subjectOf(const Job& job) {
  const auto strikes = [](const KernelSource& kernel) {
    return kernel.text.find("--mode=") != std::string::npos;
  };
  return std::any_of(job.kernels.begin(), job.kernels.end(), strikes) ? Losses::any : Losses::none;
}

Runner::RunId Recorder::submit(Runner& runner) {
  start_ = std::chrono::steady_clock::now();
  return runner.submit(job_, [this](Runner::RunId, const Event& event) {
    const std::lock_guard lock(mutex_);
    fold(report_, event);
    events_.push_back(event);
    if (done()) seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    changed_.notify_all();
  });
}

const Report& Recorder::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done(); });
  expectLosses(report_, subject_);
  return report_;
}

std::vector<Verdict> Recorder::verdicts(std::size_t kernel) {
  const std::lock_guard lock(mutex_);
  std::vector<Verdict> result;
  const auto& cases = report_.kernels.at(kernel)->cases;
  for (std::size_t i = 0; i < cases.size(); ++i) result.push_back(cases[i].check.verdict);
  return result;
}

std::string Recorder::log(const std::string& source) {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const Event& event : events_)
    if (const auto* line = std::get_if<Log>(&event); line != nullptr && line->source == source)
      text += line->text + "\n";
  return text;
}

StatusRecorder::StatusRecorder(Runner& runner) {
  runner.onStatus([shared = shared_](const WorkerStatus& status) {
    const std::lock_guard lock(shared->mutex);
    shared->told.push_back(status);
    shared->changed.notify_all();
  });
}

WorkerStatus StatusRecorder::waitFor(const std::function<bool(const WorkerStatus&)>& is) {
  std::unique_lock lock(shared_->mutex);
  const std::vector<WorkerStatus>& told = shared_->told;
  shared_->changed.wait_for(lock, 20s, [&] { return !told.empty() && is(told.back()); });
  return told.empty() ? WorkerStatus{} : told.back();
}

std::vector<WorkerStatus> StatusRecorder::told() {
  waitFor([](const WorkerStatus&) { return true; });
  const std::lock_guard lock(shared_->mutex);
  return shared_->told;
}

WorkerStatus StatusRecorder::waitFor(WorkerStatus::State state) {
  return waitFor([state](const WorkerStatus& status) { return status.state == state; });
}

}  // namespace wb
